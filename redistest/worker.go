package redistest

import (
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

// A bubble is sequential, so what makes use of more processors is more processes, the workers. A worker
// runs the test again up to the same search, its share of that, and no more of the test.

// workerOf is the environment variable that makes a program a worker: an order, as JSON.
const workerOf = "REDISTEST_WORKER"

// order is what a worker is to do.
type order struct {
	Test    string
	Search  int // of those of the test
	Share   share
	Reads   []footprint // of invariants, as far as they are known
	Reduces bool
	Until   time.Time
}

// ordered is the order of this process; nil: it is no worker.
var ordered, reports = func() (*order, io.Writer) {
	text := os.Getenv(workerOf)
	if text == "" {
		return nil, nil
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintf(os.Stderr, "redistest: %s: %v\n", workerOf, err)
		os.Exit(2)
	}
	out := os.Stdout // what the tests print is not for it
	os.Stdout, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	return &o, out
}()

// searches counts those of each test that runs.
var searches = struct {
	mu sync.Mutex
	of map[testing.TB]int
}{of: map[testing.TB]int{}}

// numberOf is which search of a test begins; the first is 1.
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
	news  chan struct{} // closed and replaced whenever it tells something

	mu    sync.Mutex
	last  outcome
	ended bool
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

func (w *worker) start(what order) {
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	text, err := json.Marshal(what)
	if err != nil {
		w.end()
		return
	}
	self, err := os.Executable()
	if err != nil {
		w.end()
		return
	}
	c := exec.CommandContext(ctx, self, argumentsFor(what.Test)...)
	c.Dir, c.Env = firstFolder, append(slices.Clip(firstEnviron), workerOf+"="+string(text))
	c.WaitDelay = time.Second
	out, err := c.StdoutPipe()
	if err != nil || c.Start() != nil {
		w.end()
		return
	}
	go func() {
		for news := gob.NewDecoder(out); ; {
			var o outcome
			if news.Decode(&o) != nil {
				break
			}
			w.tell(o)
		}
		_ = c.Wait()
		w.end()
	}()
}

// argumentsFor are the program's own, but that only one test is run, and nothing is written.
func argumentsFor(test string) []string {
	args := []string{"-test.run=" + only(test)}
	for _, a := range os.Args[1:] {
		if !strings.HasPrefix(a, "-test.") {
			args = append(args, a)
		}
	}
	return args
}

func (w *worker) tell(o outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = o
	close(w.news)
	w.news = make(chan struct{})
}

func (w *worker) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
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

// join waits for the workers as far as what they find may matter, and lets them go. What one has not done is done here.
func (s *search) join(own outcome) outcome {
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

// instead runs another share here.
func (s *search) instead(of share) outcome {
	other := *s
	other.share, other.crew, other.verdict = of, nil, Verdict{bounds: s.bounds, t: s.t}
	return other.run()
}
