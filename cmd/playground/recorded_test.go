package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/lessons"
	"lockstep/node/sample"
)

const recordedFile = "testdata/recorded.txt"

// seedsInBlock is how many random schedules of a lesson share one recorded hash.
const seedsInBlock = 50

// recordedBlocks is how many such blocks each lesson has.
var recordedBlocks = sample.Generated{All: 10, Sample: 1}

var playedInto = flag.String("played", "", "the `folder` to write what TestLessonsGoAsRecorded compares into: diff -r shows how two commits differ")

// TestLessonsGoAsRecorded: the traces, the digests, the searches and the bytes on the wire of 500
// random schedules of each lesson are those that were recorded, so that a change of the code's shape
// changes nothing that it does.
func TestLessonsGoAsRecorded(t *testing.T) {
	all := builtInLessons(t)
	golden := readRecorded(t)
	blocks := recordedBlocks.Seeds(t)
	if *update {
		blocks = nil
		for block := range recordedBlocks.All {
			blocks = append(blocks, block)
		}
		t.Cleanup(func() { golden.write(t, all) })
	} else {
		golden.hasNoOther(t, all)
		all = sample.Lessons(t, all, sample.LessonsRecorded, nameOf)
	}
	for _, l := range all {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if *update {
				golden.record(t, l, blocks)
			} else {
				golden.compare(t, l, blocks)
			}
		})
	}
}

// recordedLesson is one lesson's part of the golden.
type recordedLesson struct {
	hash string              // of the lesson
	sums map[string][]string // by what is compared, of each block
}

type recordedLessons struct {
	sync.Mutex
	lessons map[string]recordedLesson
}

// readRecorded reads lines of a lesson, its hash, what is compared, and a sum for each block.
func readRecorded(t *testing.T) *recordedLessons {
	t.Helper()
	data, err := os.ReadFile(recordedFile)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	r := &recordedLessons{lessons: map[string]recordedLesson{}}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3+int(recordedBlocks.All) {
			t.Fatalf("%s has a line %q", recordedFile, line)
		}
		l, known := r.lessons[f[0]]
		if !known {
			l = recordedLesson{f[1], map[string][]string{}}
			r.lessons[f[0]] = l
		}
		l.sums[f[2]] = f[3:]
	}
	return r
}

// compare plays blocks of a lesson, and tells what differs from the record.
func (r *recordedLessons) compare(t *testing.T, l *lessons.Lesson, blocks []uint64) {
	t.Helper()
	was, known := r.lessons[l.Name]
	switch {
	case !known:
		t.Fatalf("it is not recorded: %s", recordAgain(l.Name))
	case was.hash != l.Hash:
		t.Fatalf("the lesson was changed since it was recorded: %s", recordAgain(l.Name))
	}
	for _, block := range blocks {
		got := sums(t, l, block)
		for _, name := range compared {
			if want, known := was.sums[name]; !known {
				t.Errorf("%s is not recorded: %s", name, recordAgain(l.Name))
			} else if got[name] != want[block] {
				t.Errorf("%s of block %d differs from the record. To see how, run this test here and at the commit before with SAMPLE=%d "+
					"and -played FOLDER, an absolute path, and compare the folders. Only if it was meant: %s",
					name, block, block, recordAgain(l.Name))
			}
		}
	}
}

func recordAgain(lesson string) string {
	return "go test ./cmd/playground -run 'TestLessonsGoAsRecorded/^" + lesson + "$' -update"
}

func (r *recordedLessons) record(t *testing.T, l *lessons.Lesson, blocks []uint64) {
	t.Helper()
	is := recordedLesson{l.Hash, map[string][]string{}}
	for _, block := range blocks {
		for name, sum := range sums(t, l, block) {
			is.sums[name] = append(is.sums[name], sum)
		}
	}
	r.Lock()
	defer r.Unlock()
	r.lessons[l.Name] = is
}

// hasNoOther: no lesson is recorded that is not there.
func (r *recordedLessons) hasNoOther(t *testing.T, all []*lessons.Lesson) {
	t.Helper()
	for name := range r.lessons {
		if !slices.ContainsFunc(all, func(l *lessons.Lesson) bool { return l.Name == name }) {
			t.Errorf("%s has %s, which is no lesson: %s", recordedFile, name, recordAgain(all[0].Name))
		}
	}
}

// write keeps what was recorded of lessons that were not played now.
func (r *recordedLessons) write(t *testing.T, all []*lessons.Lesson) {
	t.Helper()
	var b strings.Builder
	for _, l := range all {
		is := r.lessons[l.Name]
		for _, name := range compared {
			if sums := is.sums[name]; len(sums) > 0 {
				fmt.Fprintln(&b, l.Name, is.hash, name, strings.Join(sums, " "))
			}
		}
	}
	if err := os.WriteFile(recordedFile, []byte(b.String()), 0o600); err != nil {
		t.Error(err)
	}
}

// sums plays a block of a lesson, and gives the sum of all that is written of each thing that is compared.
func sums(t *testing.T, l *lessons.Lesson, block uint64) map[string]string {
	t.Helper()
	hashes, to := map[string]hash.Hash{}, map[string]io.Writer{}
	for _, name := range compared {
		hashes[name] = sha256.New()
		to[name] = hashes[name]
		if *playedInto != "" {
			file, err := os.Create(filepath.Join(*playedInto, fmt.Sprintf("%s.%s.%d", l.Name, name, block)))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			to[name] = io.MultiWriter(hashes[name], file)
		}
	}
	playBlock(t, l, block, to)
	sums := map[string]string{}
	for name, h := range hashes {
		sums[name] = fmt.Sprintf("%x", h.Sum(nil)[:6])
	}
	return sums
}
