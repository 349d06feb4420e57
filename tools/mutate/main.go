// Command mutate tells what the tests of packages would not notice: it makes small
// changes to the code, one at a time, and runs the package's tests with each.
//
//	go run -C tools ./mutate -sample 50 engine lessons
//
// The code itself stays as it is: the compiler is given the changed file in its
// place. survivors.txt has the changes that no test can notice, with reasons.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

func main() {
	sample := flag.Int("sample", 0, "how many changes of each package to try; 0 is all")
	seed := flag.Uint64("seed", 1, "which ones")
	flag.Parse()
	if err := run(flag.Args(), *sample, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(packages []string, sample int, seed uint64) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	reasons, err := explained("mutate/survivors.txt")
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "lockstep-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	var summaries []string
	for _, dir := range packages {
		r := &report{reasons: reasons, found: map[string]bool{}}
		if err := r.examine(root, dir, scratch, sample, seed); err != nil {
			return err
		}
		summaries = append(summaries, r.summary(dir))
		r.list(dir)
	}
	for _, s := range summaries {
		fmt.Println(s)
	}
	return nil
}

// report is what came of the changes of one package.
type report struct {
	reasons map[string]string
	found   map[string]bool // all changes, by their ids
	tried   []tried
}

type tried struct {
	change
	verdict verdict
}

// examine tries a package's changes, in an order that the seed says.
func (r *report) examine(root, dir, scratch string, sample int, seed uint64) error {
	t, err := newTarget(root, dir, scratch)
	if err != nil {
		return err
	}
	var changes []change
	for _, path := range t.files {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		more, err := changesIn(path, filepath.ToSlash(name))
		if err != nil {
			return err
		}
		changes = append(changes, more...)
	}
	for _, c := range changes {
		r.found[c.id()] = true
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	if sample == 0 {
		sample = len(changes)
	}
	// Those that do not compile do not count, so others are taken for them.
	for len(r.tried) < sample && len(changes) > 0 {
		some := changes[:min(sample-len(r.tried), len(changes))]
		changes = changes[len(some):]
		if err := r.tryAll(t, some, scratch); err != nil {
			return err
		}
	}
	slices.SortFunc(r.tried, func(a, b tried) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.from, b.from)) })
	return nil
}

// tryAll tries as many changes at once as there are processors.
func (r *report) tryAll(t *target, changes []change, scratch string) error {
	scratch, err := os.MkdirTemp(scratch, "some-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	program := filepath.Join(scratch, "together")
	built, err := t.together(changes, scratch, program)
	if err != nil {
		return err
	}
	next := make(chan int)
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for i := range runtime.NumCPU() {
		own := filepath.Join(scratch, fmt.Sprint(i))
		if err := os.MkdirAll(own, 0o700); err != nil {
			return err
		}
		all.Go(func() {
			for place := range next {
				c, v, err := changes[place-1], invalid, error(nil)
				if built[place] == c {
					v, err = t.try(c, program, own, place)
				} else if c.in == "" {
					v, err = t.tryAlone(c, own)
				}
				mu.Lock()
				if err != nil {
					failed = err
				} else if v != invalid {
					r.tried = append(r.tried, tried{c, v})
					fmt.Printf("%-8s %s:%d: %s  →  %s\n", v, c.file, c.line, c.was, c.would)
				}
				mu.Unlock()
			}
		})
	}
	for i := range changes {
		next <- i + 1
	}
	close(next)
	all.Wait()
	return failed
}

// list prints what was not noticed and has no reason yet, as it would stand in
// survivors.txt, and what stands there for nothing.
func (r *report) list(dir string) {
	for _, c := range r.tried {
		switch explained := r.reasons[c.id()] != ""; {
		case c.verdict != killed && !explained:
			fmt.Printf("\n%s\n(%s, line %d)\n", c.block(), c.verdict, c.line)
		case c.verdict == killed && explained:
			fmt.Printf("\nsurvivors.txt explains what a test notices:\n%s\n", c.block())
		}
	}
	for id := range r.reasons {
		if file, _, _ := strings.Cut(id, " "); path.Dir(file) == dir && !r.found[id] {
			fmt.Printf("\nsurvivors.txt explains what is not in the code any more:\n%s\n", id)
		}
	}
	fmt.Println()
}

func (r *report) summary(dir string) string {
	count := make(map[verdict]int)
	explained := 0
	for _, c := range r.tried {
		if c.verdict != killed && r.reasons[c.id()] != "" {
			explained++
			continue
		}
		count[c.verdict]++
	}
	open := len(r.tried) - explained
	return fmt.Sprintf("%s: %d of %d changes were tried: %d killed (%.0f%%), %d survived, %d not run by any test; %d more are explained",
		dir, len(r.tried), len(r.found), count[killed], 100*float64(count[killed])/float64(max(open, 1)), count[survived], count[missed], explained)
}
