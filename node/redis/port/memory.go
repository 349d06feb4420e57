package port

import (
	"fmt"
	"runtime"
	"runtime/metrics"
)

// scriptMemory is how many bytes the process may grow by while a script runs: the limit on
// instructions alone would let it take gigabytes.
const scriptMemory = 256 << 20

// memory bounds what the running script holds.
type memory struct {
	looked   bool
	before   int64 // bytes of the process when it first looked at the script, its garbage included
	exceeded bool
}

func (m *memory) guard() error {
	if !m.looked {
		// What lived at the last collection would be too little: others may have filled their keys since.
		m.looked, m.before = true, bytesOf("/memory/classes/heap/objects:bytes")
	}
	if bytesOf("/memory/classes/heap/objects:bytes")-m.before <= scriptMemory {
		return nil
	}
	runtime.GC() // much of that may be garbage
	if bytesOf("/gc/heap/live:bytes")-m.before <= scriptMemory {
		return nil
	}
	m.exceeded = true
	return fmt.Errorf("script holds more than its %d bytes of memory", scriptMemory)
}

// scriptEnded forgets the script that has ended. If it held too much, that is collected now,
// so that it does not count for the next.
func (m *memory) scriptEnded() {
	if m.exceeded {
		runtime.GC()
	}
	*m = memory{}
}

// bytesOf is one of the runtime's metrics, in bytes.
func bytesOf(name string) int64 {
	sample := [1]metrics.Sample{{Name: name}}
	metrics.Read(sample[:])
	return int64(sample[0].Value.Uint64())
}
