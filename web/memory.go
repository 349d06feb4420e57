package web

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	softMemoryLimit = 512 << 20 // bytes of the process above which garbage is collected at once; with more seats, ownMemory for each
	tidyEvery       = 5 * time.Second
	smallHeap       = 64 << 20 // bytes of the heap below which there is nothing to tidy up
)

// tidyUp collects garbage early and returns memory to the system after a burst, until the
// context is done: Go itself would let the heap double, and take minutes.
func (s *Server) tidyUp(ctx context.Context, every time.Duration) {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT does not say otherwise
		debug.SetMemoryLimit(max(softMemoryLimit, int64(s.visitors.seats)*ownMemory))
	}
	for tidied := int64(0); ctx.Err() == nil; wait(ctx, every) {
		if ended := s.visitors.ended.Load(); ended != tidied && heap() > smallHeap {
			debug.FreeOSMemory()
			tidied = ended
		}
	}
}

// heap is how many bytes of the system's memory the heap has.
func heap() uint64 {
	m := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64() + m[1].Value.Uint64()
}
