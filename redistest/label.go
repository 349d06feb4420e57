package redistest

import (
	"context"
	"runtime/pprof"
	"strings"
	"unsafe"
)

// labelBytes is how much of a schedule a panic shows.
const labelBytes = 400

// label gives the goroutines of a run a label whose text changes with its steps: a panic in one
// that a process has started ends the program, and the crash has the schedule and the diary in it.
func (r *run) label(ctx context.Context) {
	r.text = []byte(strings.Repeat(" ", labelBytes))
	text := unsafe.String(&r.text[0], len(r.text))
	which := pprof.Labels("replay", text)
	if r.diary != nil { // it has the schedule, and labels are in each stack that is read
		which = pprof.Labels("diary", r.diary.id())
	}
	pprof.SetGoroutineLabels(pprof.WithLabels(ctx, which))
	r.labelled = -1
	r.diary.restart()
	r.relabel()
}

func (r *run) relabel() {
	if r.labelled == len(r.schedule) {
		return
	}
	r.labelled = len(r.schedule)
	s := r.schedule.String()
	copy(r.text, s+strings.Repeat(" ", max(0, labelBytes-len(s))))
	r.diary.plan(r.text)
}
