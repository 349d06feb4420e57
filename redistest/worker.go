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
	"sync/atomic"
	"testing"
	"time"
)

// A search cannot use a second processor, since the steps in a bubble follow each other. So other processes, the workers, run
// a part of it. A worker runs the test again up to the same search, what it is given of that, and no more of the test.

// orderVariable is the environment variable with an order as JSON, which makes a program a worker.
const orderVariable = "REDISTEST_WORKER"

// order is the task of a worker.
type order struct {
	Test    string
	Search  int         // its number in the test, from 1
	Allowed int         // how many schedules it may run
	Reads   []footprint // of each invariant so far: all processes must start with the same, or their sleep sets differ
	Reduces bool
	Until   time.Time // when the search ends for want of time; zero: never
}

// ordered is the order of this process, nil if it is no worker; toIt and fromIt are its connections with the process that it
// works for.
var ordered, fromIt, toIt = func() (*order, io.Reader, io.Writer) {
	text := os.Getenv(orderVariable)
	if text == "" {
		return nil, nil, nil
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintf(os.Stderr, "redistest: %s: %v\n", orderVariable, err)
		os.Exit(2)
	}
	in, out := os.Stdin, os.Stdout // what the tests read and print is another matter
	os.Stdin, _ = os.Open(os.DevNull)
	os.Stdout, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	return &o, in, out
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

// chief is the process that a worker works for.
type chief struct {
	given chan []*branch // to be run here
	asks  atomic.Bool    // for a part of what is to be run here
	tell  *gob.Encoder
}

// obey runs what a worker is given, until its process is ended.
func (s *search) obey() {
	if !s.isOrdered() {
		return
	}
	s.chief = &chief{given: make(chan []*branch), tell: gob.NewEncoder(toIt)}
	go s.chief.hears(gob.NewDecoder(fromIt))
	s.allowed, s.reads, s.reduces, s.until = ordered.Allowed, ordered.Reads, ordered.Reduces, ordered.Until
	s.verdict, s.settled = Verdict{bounds: s.bounds, t: s.t}, outcome{Ending: goesOn}
	for branches := range s.chief.given {
		s.queue.add(branches...)
		s.report(s.run())
	}
}

// hears takes what the chief says. If it is there no more, there is nothing left to do.
func (c *chief) hears(from *gob.Decoder) {
	for {
		var h handed
		if from.Decode(&h) != nil {
			os.Exit(1)
		}
		if h.Asks {
			c.asks.Store(true)
		} else {
			c.given <- h.Branches
		}
	}
}

// report tells the chief what has come of it, and gives it what it asks for, or all that may not be run here.
func (s *search) report(why reason) {
	o := s.told(why)
	switch {
	case why == spent && !o.Late:
		o.Gives, s.queue = s.queue, nil
	case why == goesOn && len(s.queue) > 1 && s.chief.asks.Swap(false):
		o.Gives = s.queue.half()
	case why == complete:
		s.chief.asks.Store(false)
	}
	if s.chief.tell.Encode(o) != nil {
		os.Exit(1)
	}
}

// start starts the process of a worker.
func (c *crew) start(w *worker, what order) {
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	self, noSelf := os.Executable()
	text, noText := json.Marshal(what)
	p := exec.CommandContext(ctx, self, argumentsFor(what.Test)...)
	p.Dir, p.Env = firstFolder, append(slices.Clip(firstEnviron), orderVariable+"="+string(text))
	p.WaitDelay = time.Second
	in, noInput := p.StdinPipe()
	out, noOutput := p.StdoutPipe()
	if cmp.Or(noSelf, noText, noInput, noOutput) != nil || p.Start() != nil {
		c.misses(w)
		return
	}
	w.hand = gob.NewEncoder(in)
	go func() {
		for from := gob.NewDecoder(out); ; {
			var o outcome
			if from.Decode(&o) != nil {
				break
			}
			c.hears(w, o)
		}
		_ = p.Wait()
		c.misses(w)
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
