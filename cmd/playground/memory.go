package main

import (
	"runtime/debug"
	"runtime/metrics"
)

// outsideHeap is about what a process takes besides what Go counts: its code.
const outsideHeap = 24 << 20

// limitMemory has the collector keep the process within so many bytes as long as that can be. The result tells
// when it soon cannot any more.
func limitMemory(most int) (full func() bool) {
	limit := max(most-outsideHeap, 16<<20)
	debug.SetMemoryLimit(int64(limit))
	return func() bool { return inUse("/gc/heap/live:bytes") > uint64(limit)/10*8 }
}

// memoryTaken is how much the process has from the system, in bytes.
func memoryTaken() uint64 {
	return inUse("/memory/classes/total:bytes") - inUse("/memory/classes/heap/released:bytes")
}

func inUse(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
