package web

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	tidyEvery = 5 * time.Second
	mostWaste = 64 << 20 // bytes that nothing lives in, and that the system could have
)

// tidyUp gives back to the system what a burst has left behind, until the context is done:
// Go itself would take minutes for it.
func tidyUp(ctx context.Context) {
	t := time.NewTicker(tidyEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if waste() > mostWaste {
				debug.FreeOSMemory()
			}
		}
	}
}

// waste is how many bytes of the heap are free, or dead since the last collection.
func waste() uint64 {
	m := []metrics.Sample{
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(m)
	free, objects, live := m[0].Value.Uint64(), m[1].Value.Uint64(), m[2].Value.Uint64()
	if objects < live {
		return free
	}
	return free + objects - live
}
