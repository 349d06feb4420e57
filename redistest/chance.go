package redistest

import (
	"context"
	"math/rand"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"testing/cryptotest"
	"time"
)

// Libraries draw delays and tokens. The numbers of math/rand and crypto/rand are the same in each
// run; those of math/rand/v2, the order of a map and of a select cannot be, so that it is noticed
// what comes of them.

// seed is that of all runs.
const seed = 1

// alone is what searches change for all of a program: seeds count, crashes have labels, and there is
// one processor, as a run has one goroutine at a time do something and handing it about takes time.
var alone struct {
	search sync.Mutex // those of parallel tests wait for each other

	mu      sync.Mutex
	undrawn *rand.Rand // gives the numbers that math/rand will give; nil: that must be seeded
}

func beginAlone() (end func()) {
	alone.search.Lock()
	alone.mu.Lock()
	alone.undrawn = nil
	alone.mu.Unlock()
	procs, godebug := runtime.GOMAXPROCS(1), os.Getenv("GODEBUG")
	garbage := debug.SetGCPercent(400) // a run leaves nothing behind
	_ = os.Setenv("GODEBUG", godebug+",randseednop=0,tracebacklabels=1")
	return func() {
		runtime.GOMAXPROCS(procs)
		debug.SetGCPercent(garbage)
		_ = os.Setenv("GODEBUG", godebug)
		alone.search.Unlock()
	}
}

// lookUp has package net make what it looks names up with outside of all bubbles, as it is for all of them.
var lookUp = sync.OnceFunc(func() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = net.DefaultResolver.LookupHost(ctx, "localhost")
})

// seedBoth has random numbers begin again; drawn tells whether any were taken of math/rand.
func seedBoth(t *testing.T) (drawn func() bool) {
	alone.mu.Lock() // a bubble that was left as it is has seeded them, too
	defer alone.mu.Unlock()
	if alone.undrawn == nil { // it takes as long as several requests
		rand.Seed(seed)                                //nolint:staticcheck // no other way reaches the delays of libraries
		alone.undrawn = rand.New(rand.NewSource(seed)) //nolint:gosec // it is to be repeated
	}
	undrawn := alone.undrawn
	alone.undrawn = nil
	cryptotest.SetGlobalRandom(t, seed)
	return func() bool {
		alone.mu.Lock()
		defer alone.mu.Unlock()
		if rand.Int63() != undrawn.Int63() { //nolint:gosec // as above
			return true
		}
		alone.undrawn = undrawn
		return false
	}
}

// reseed makes what a process draws depend on what it has done alone, so that it draws the same in
// whichever order others go.
func (r *run) reseed(p *Process) {
	if !r.reseeds {
		return
	}
	n := int64(r.rounds) << 8
	if p != nil {
		p.steps++
		n = int64(p.steps)<<8 | int64(p.number+1)
	}
	rand.Seed(seed + n) //nolint:staticcheck // as above
}
