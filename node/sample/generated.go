// Package sample draws what a change compares: a part of all that is made of seeds, another part on
// each change, and random runs of a world.
package sample

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Generated is how many things that are made of a seed a test compares: all in make test-full, and a sample on each
// change. The samples of as many changes as all has samples are all of it.
type Generated struct{ All, Sample uint64 }

// The sizes of all comparisons with real servers.
var (
	ScriptsOfSubject = Generated{80, 10} // in luaexec, with both servers
	ProbedScripts    = Generated{150, 30}
	LaidOutScripts   = Generated{300, 30}
	Sequences        = Generated{800, 50}    // of commands of two clients, with both servers
	Schedules        = Generated{300, 3}     // of each cast of nodes, with both servers, private and shared
	Conversations    = Generated{3000, 60}   // with a server of each kind that has an embedded one beside it
	BrokenStatements = Generated{3000, 300}  // of SQL, with MariaDB
	LockedRows       = Generated{300, 20}    // conversations of which MariaDB tells all locks
	Drawn            = Generated{20_000, 40} // lessons that are searched and played by hand
	Programs         = Generated{4000, 100}  // of clients, that two histories have led to one digest
	RequestsOfNodes  = Generated{500, 8}     // that nodes of each kind are sent, in many histories
	LessonSchedules  = Generated{200, 1}     // of each lesson, with both servers and WebAssembly
)

// The lengths of what is drawn.
const (
	LessonScheduleLength = 40 // choices of a random schedule of a lesson, unless nothing may happen sooner
	CommandsInSequence   = 80
)

// sampleOf is the environment variable with which a person says which sample is taken: a number, or all.
const sampleOf = "SAMPLE"

// commits is the sample that make takes where nobody says which: the number of commits. It is read
// before any test begins, so that Go's test cache does not know of it: a package takes another sample
// when it or what it is made of changes, and is not tested again when others do.
var commits = os.Getenv("COMMITS")

func which() string { return cmp.Or(os.Getenv(sampleOf), commits, "0") }

// Everything tells whether all is compared, so that what was not met is not there.
func Everything() bool { return os.Getenv(sampleOf) == "all" }

// How many of a list each change compares or tries.
const (
	LessonsCompared   = 3  // lessons, where one takes seconds
	LessonsWitnessed  = 5  // lessons that are played while somebody watches that what has one digest does the same
	LessonsOnServers  = 8  // lessons on random schedules, on both servers and in WebAssembly, where as many stories are played
	LessonsRecorded   = 24 // lessons that are compared with what was recorded of them
	LessonsTold       = 6  // lessons whose stories several learners are told together, and each alone
	LessonsLaidOut    = 8  // lessons that are laid out to their end in Chromium, on three screens
	LessonsInChromium = 3  // lessons that are played in Chromium, to the byte: a worker of a tab plays what Node plays too
	StoriesClicked    = 2  // stories that are played to the end in a page, by click, by key and without a mouse
	RoomsTried        = 3  // places whose words are long, in which room is looked for
	BreaksReplayed    = 8  // breaks that lessons claim, on servers
	NestedScripts     = 16 // scripts that go deep, in Node: some of them nearly fill its stack, which takes a second

	// PlacesTried are those at which a page does the same as at all others: on each engine, on a server and as
	// files, on hosts that compress and on others.
	PlacesTried = 1
)

// Sample is as many of a list as each change compares; all of it in make test-full.
func Sample[T any](t testing.TB, all []T, size uint64) []T {
	t.Helper()
	var sample []T
	for _, i := range (Generated{uint64(len(all)), min(size, uint64(len(all)))}).Seeds(t) {
		sample = append(sample, all[i])
	}
	return sample
}

// changedLessons is the environment variable that names the folders of lessons that the last commit
// or the working tree changes. make gives it.
const changedLessons = "CHANGED_LESSONS"

// Lessons is a sample of lessons, and all that were changed.
func Lessons[T any](t testing.TB, all []T, size uint64, name func(T) string) []T {
	t.Helper()
	compared := map[string]bool{}
	for _, l := range Sample(t, all, size) {
		compared[name(l)] = true
	}
	for folder := range strings.FieldsSeq(os.Getenv(changedLessons)) {
		_, changed, _ := strings.Cut(folder, "-") // 001-oversell
		compared[changed] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(l T) bool { return !compared[name(l)] })
}

// Seeds are those of the things to compare.
func (g Generated) Seeds(t testing.TB) []uint64 {
	t.Helper()
	first, step := uint64(0), uint64(1)
	if !Everything() {
		number, err := strconv.ParseUint(which(), 10, 64)
		if err != nil {
			t.Fatalf("%s=%s: %v", sampleOf, which(), err)
		}
		step = g.All / g.Sample
		first = number % step
		t.Logf("%s=%d takes the same sample again", sampleOf, number)
	}
	var seeds []uint64
	for seed := first; seed < g.All; seed += step {
		seeds = append(seeds, seed)
	}
	return seeds
}
