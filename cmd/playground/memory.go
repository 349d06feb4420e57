package main

import (
	"runtime/debug"
	"runtime/metrics"
)

// memoryLimit bounds what the process takes.
type memoryLimit struct{ bytes int }

// outsideHeap is about what a process takes besides what Go counts: its code.
const outsideHeap = 24 << 20

// set has the collector keep the process within the limit as long as that can be. The result tells when it
// soon cannot any more.
func (m memoryLimit) set() (full func() bool) {
	limit := max(m.bytes-outsideHeap, 16<<20)
	debug.SetMemoryLimit(int64(limit))
	return func() bool { return inUse("/gc/heap/live:bytes") > uint64(limit)/10*8 }
}

// taken is how much memory the process has from the system.
func (memoryLimit) taken() uint64 {
	return inUse("/memory/classes/total:bytes") - inUse("/memory/classes/heap/released:bytes")
}

func inUse(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
