package main

import (
	"runtime/debug"
	"runtime/metrics"
)

// outsideHeap is about what a process takes besides what Go counts: its code.
const outsideHeap = 24 << 20

// limitMemory has the collector keep the process within so many bytes as long as that can be. The result tells
// when it soon cannot any more, or takes more time for that than is left for all else.
func limitMemory(most int) (full func() bool) {
	limit := max(most-outsideHeap, 16<<20)
	debug.SetMemoryLimit(int64(limit))
	collecting, working := cpuSeconds()
	return func() bool {
		thrashes := false
		if c, w := cpuSeconds(); c-collecting+w-working >= leastLook {
			thrashes = c-collecting > w-working
			collecting, working = c, w
		}
		live := inUse("/gc/heap/live:bytes")
		return thrashes && live > uint64(limit)/2 || live > uint64(limit)/10*8 // on a busy machine the collector's share says little
	}
}

// leastLook is the processor time, in seconds, over which the collector's share is taken.
const leastLook = 3

// cpuSeconds is the processor time that the collector has taken so far, and the program.
func cpuSeconds() (collector, program float64) {
	samples := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/user:cpu-seconds"}}
	metrics.Read(samples)
	return samples[0].Value.Float64(), samples[1].Value.Float64()
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
