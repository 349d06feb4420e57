package port

import (
	"fmt"
	"runtime"
	"runtime/debug"
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

// burst is how busy the server was at the last calls of releaseMemory.
type burst struct {
	commands  int64 // so far, when it last looked
	used      int64 // bytes that the keys took then
	quiet     int   // looks since either changed
	allocated int64 // bytes that the process had ever asked for when memory was given back
	most      int64 // bytes that the keys have taken since
}

const (
	quiet = 10       // looks after which a burst is over
	small = 64 << 20 // bytes that are not worth the trouble
)

// releaseMemory returns memory to the system that a burst of commands or expired keys have
// freed.
func (s *Server) releaseMemory() {
	b, used := &s.burst, s.data.used()
	b.most = max(b.most, used)
	if s.stats.commands != b.commands || used != b.used {
		b.commands, b.used, b.quiet = s.stats.commands, used, 0
		return
	}
	if b.quiet++; b.quiet != quiet {
		return
	}
	allocated := bytesOf("/gc/heap/allocs:bytes")
	if allocated-b.allocated < small && b.most-used < small {
		return
	}
	b.allocated, b.most = allocated, used
	for _, k := range s.data.keys {
		k.Shrink()
	}
	if bytesOf("/memory/classes/total:bytes")-bytesOf("/memory/classes/heap/released:bytes") > small {
		s.goroutines.Go(debug.FreeOSMemory)
	}
}

// bytesOf is one of the runtime's metrics, in bytes.
func bytesOf(name string) int64 {
	sample := [1]metrics.Sample{{Name: name}}
	metrics.Read(sample[:])
	return int64(sample[0].Value.Uint64())
}
