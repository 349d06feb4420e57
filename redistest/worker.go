package redistest

import (
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A search cannot use a second processor, since the steps in a bubble follow each other. So other processes, the workers, run
// shares of it. A worker runs the test again up to the same search, its share of that, and no more of the test.

// orderVariable is the environment variable with an order as JSON, which makes a program a worker.
const orderVariable = "REDISTEST_WORKER"

// order is the task of a worker.
type order struct {
	Test    string
	Search  int // its number in the test, from 1
	Share   share
	Reads   []footprint // of each invariant so far: all shares must start with the same, or their sleep sets differ
	Reduces bool
	Until   time.Time // when the search ends for want of time; zero: never
}

// ordered is the order of this process, nil if it is no worker; reports is where it sends outcomes.
var ordered, reports = func() (*order, io.Writer) {
	text := os.Getenv(orderVariable)
	if text == "" {
		return nil, nil
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintf(os.Stderr, "redistest: %s: %v\n", orderVariable, err)
		os.Exit(2)
	}
	out := os.Stdout // what the tests print is not for it
	os.Stdout, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	return &o, out
}()

// searches counts the searches of each running test.
var searches = struct {
	mu sync.Mutex
	of map[testing.TB]int
}{of: map[testing.TB]int{}}

// numberOf is the number of a search that begins in a test, from 1. It identifies the search in all processes, because a
// test does the same in each.
func numberOf(t testing.TB) int {
	searches.mu.Lock()
	defer searches.mu.Unlock()
	if searches.of[t] == 0 {
		t.Cleanup(func() {
			searches.mu.Lock()
			defer searches.mu.Unlock()
			delete(searches.of, t)
		})
	}
	searches.of[t]++
	return searches.of[t]
}

// isOrdered tells whether this process is a worker of the search.
func (s *search) isOrdered() bool {
	return ordered != nil && ordered.Test == s.t.Name() && ordered.Search == s.number
}

// obey runs the share of a worker, and ends its test.
func (s *search) obey() {
	if !s.isOrdered() {
		return
	}
	tell := gob.NewEncoder(reports)
	s.reports = func(o outcome) {
		if tell.Encode(o) != nil {
			os.Exit(1) // nobody wants to know
		}
	}
	s.share, s.reads, s.reduces, s.until = ordered.Share, ordered.Reads, ordered.Reduces, ordered.Until
	s.verdict = Verdict{bounds: s.bounds, t: s.t}
	s.reports(s.run())
	s.t.FailNow()
}

// worker is a process that runs a share.
type worker struct {
	share share
	stop  context.CancelFunc

	mu    sync.Mutex
	last  outcome       // that it has told
	ended bool          // it tells no more
	news  chan struct{} // closed and replaced at each change of the two above
}

type crew []*worker

// hire starts a worker for each share but that of this process.
func hire(s *search) crew {
	workers := crew{}
	for i := 1; i < s.share.Of; i++ {
		w := &worker{share: share{i, s.share.Of}, news: make(chan struct{}), last: outcome{Ending: goesOn}}
		w.start(order{s.t.Name(), s.number, w.share, s.reads, s.reduces, s.until})
		workers = append(workers, w)
	}
	return workers
}

// start starts the process of a worker. A worker that cannot be started has ended.
func (w *worker) start(what order) {
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	self, noSelf := os.Executable()
	text, noText := json.Marshal(what)
	c := exec.CommandContext(ctx, self, argumentsFor(what.Test)...)
	c.Dir, c.Env = firstFolder, append(slices.Clip(firstEnviron), orderVariable+"="+string(text))
	c.WaitDelay = time.Second
	out, noPipe := c.StdoutPipe()
	if cmp.Or(noSelf, noText, noPipe) != nil || c.Start() != nil {
		w.tell(func() { w.ended = true })
		return
	}
	go func() {
		for news := gob.NewDecoder(out); ; {
			var o outcome
			if news.Decode(&o) != nil {
				break
			}
			w.tell(func() { w.last = o })
		}
		_ = c.Wait()
		w.tell(func() { w.ended = true })
	}()
}

// argumentsFor are the arguments of a worker: one test, and the program's own without flags of go test, which may write
// files.
func argumentsFor(test string) []string {
	args := []string{"-test.run=" + only(test)}
	for _, a := range os.Args[1:] {
		if !strings.HasPrefix(a, "-test.") {
			args = append(args, a)
		}
	}
	return args
}

// tell changes last or ended, and wakes whoever awaits the worker.
func (w *worker) tell(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	close(w.news)
	w.news = make(chan struct{})
}

// told is what came of its share, so far.
func (w *worker) told() outcome {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// await waits until a worker has ended or has tried all schedules of so many deviations; ok: it has
// told what came of them.
func (w *worker) await(deviations int) (o outcome, ok bool) {
	for {
		w.mu.Lock()
		o, ended, news := w.last, w.ended, w.news
		w.mu.Unlock()
		switch {
		case o.Ending != goesOn || o.Level > deviations:
			return o, true
		case ended:
			return o, false
		}
		<-news
	}
}

// join awaits each worker up to the fewest deviations with which any share has settled the search, stops them all, and joins
// their outcomes. The share of a worker that has died is run here.
func (s *search) join(own outcome) outcome {
	if own.Ending == complete && s.crew == nil && s.dealt > 0 { // this share had nothing beyond few deviations; others may
		s.crew = hire(s)
	}
	defer func() { s.crew = nil }()
	var all []outcome
	deepest := func() int {
		level := endless * s.bounds.Steps
		for _, o := range append(all, own) {
			if o.Ending.settles() {
				level = min(level, o.Level)
			}
		}
		return level
	}
	for _, w := range s.crew {
		o, ok := w.await(deepest())
		if !ok {
			o = s.instead(w.share)
		}
		all = append(all, o)
	}
	for _, w := range s.crew {
		w.stop()
	}
	return s.joins(own, all)
}

// instead runs the share of a worker in this process.
func (s *search) instead(of share) outcome {
	other := *s
	other.share, other.crew, other.verdict = of, nil, Verdict{bounds: s.bounds, t: s.t}
	return other.run()
}
