package redistest

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"net"
	"os"
	"reflect"
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
	tokens  io.Reader  // those of crypto/rand, as package cryptotest has them
	token   *[8]byte   // the first of them; nil: that is not known yet
}

// draws tells of which random numbers some are drawn.
type draws struct{ Math, Crypto bool }

func (d draws) union(e draws) draws { return draws{d.Math || e.Math, d.Crypto || e.Crypto} }

func (d draws) any() bool { return d != draws{} }

// String names the packages.
func (d draws) String() string {
	switch d {
	case draws{Math: true}:
		return "math/rand"
	case draws{Crypto: true}:
		return "crypto/rand"
	default:
		return "math/rand and crypto/rand"
	}
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

// seedBoth has random numbers begin again; drawn tells of which some were taken.
func seedBoth(t *testing.T) (drawn func() draws) {
	alone.mu.Lock() // a bubble that was left as it is has seeded them, too
	defer alone.mu.Unlock()
	if alone.undrawn == nil { // it takes as long as several requests
		rand.Seed(seed)                                //nolint:staticcheck // no other way reaches the delays of libraries
		alone.undrawn = rand.New(rand.NewSource(seed)) //nolint:gosec // it is to be repeated
	}
	undrawn := alone.undrawn
	alone.undrawn = nil
	cryptotest.SetGlobalRandom(t, seed)
	alone.tokens = crand.Reader
	if alone.token == nil {
		first := nextToken()
		alone.token = &first
		reseedTokens(seed)
	}
	return func() draws {
		alone.mu.Lock()
		defer alone.mu.Unlock()
		d := draws{rand.Int63() != undrawn.Int63(), nextToken() != *alone.token} //nolint:gosec // as above
		if !d.Math {
			alone.undrawn = undrawn
		}
		return d
	}
}

func nextToken() (b [8]byte) {
	_, _ = alone.tokens.Read(b[:])
	return b
}

// reseedTokens has crypto/rand begin again beside programs that may be drawing: calling SetGlobalRandom there is a race, as it replaces
// the variable that they read.
func reseedTokens(n uint64) {
	reader := alone.tokens.(sync.Locker)
	reader.Lock()
	defer reader.Unlock()
	var s [32]byte
	binary.LittleEndian.PutUint64(s[:], n)
	(*randv2.ChaCha8)(reflect.ValueOf(reader).Elem().FieldByName("r").UnsafePointer()).Seed(s)
}

// reseed makes what a process draws depend on what it has done alone, so that it draws the same in
// whichever order others go.
func (r *run) reseed(p *Process) {
	if !r.reseeds.any() {
		return
	}
	n := int64(r.rounds) << 8
	if p != nil {
		p.steps++
		n = int64(p.steps)<<8 | int64(p.number+1)
	}
	if r.reseeds.Math {
		rand.Seed(seed + n) //nolint:staticcheck // as above
	}
	if r.reseeds.Crypto {
		reseedTokens(uint64(seed + n)) //nolint:gosec // whatever it is
	}
}
