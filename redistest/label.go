package redistest

import (
	"context"
	"runtime/pprof"
	"strings"
	"unsafe"
)

// labelled is how many bytes of a schedule a panic shows.
const labelled = 400

// label gives the goroutines of a run a label whose text changes with its steps: a panic in one
// that a process has started ends the program, and the crash has the schedule in it.
func (r *run) label(ctx context.Context) {
	r.text = []byte(strings.Repeat(" ", labelled))
	text := unsafe.String(&r.text[0], len(r.text))
	pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels("replay", text)))
}

func (r *run) relabel() {
	s := r.schedule.String()
	copy(r.text, s+strings.Repeat(" ", max(0, labelled-len(s))))
}
