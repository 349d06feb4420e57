package redistest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"lockstep/recording"
)

// visit is a process inside a section. A process may be inside more than once.
type visit struct {
	process *Process
	since   time.Time
	until   time.Time // from then on it does not count; zero: it counts until it leaves
}

func (v visit) counts() bool { return v.until.IsZero() || time.Now().Before(v.until) }

// stay is how long a process has been inside while it counts.
func (v visit) stay() time.Duration {
	if v.counts() {
		return time.Since(v.since)
	}
	return v.until.Sub(v.since)
}

// Inside runs what only one process may do at a time. The context is that of the process, or
// made of it. A process may be inside several times at once.
func (w *World) Inside(ctx context.Context, section string, do func()) {
	w.InsideUntil(ctx, section, time.Time{}, do)
}

// InsideUntil is Inside for code that knows when its lease ends: from the deadline on, it does not
// mind that others are inside. What breaks is broken even for those who look at the clock.
func (w *World) InsideUntil(ctx context.Context, section string, deadline time.Time, do func()) {
	p, ok := ctx.Value(processKey{}).(*Process)
	if !ok {
		w.run.fail(errors.New("redistest: Inside needs the context that the process was given, or one made of it"))
		runtime.Goexit()
	}
	v := visit{p, time.Now(), deadline}
	if !w.run.enter(v, section) {
		return
	}
	defer w.run.leave(v, section)
	do()
}

// AtMost lets so many processes be inside a section at a time, as a semaphore does.
func (w *World) AtMost(section string, processes int) {
	if processes < 1 {
		w.run.fail(fmt.Errorf("redistest: AtMost lets %d processes into %s, and must let in one at least", processes, section))
	}
	w.run.limits[section] = processes
}

// enter is false when the process must not go on.
func (r *run) enter(v visit, section string) bool {
	v.process.awake()
	r.mu.Lock()
	if v.process.dead && !r.isOver() {
		r.mu.Unlock()
		<-r.over
		return false
	}
	defer r.mu.Unlock()
	if r.isOver() {
		return false
	}
	r.moves(v.process, section, " enters ", recording.Enter)
	r.seen.enter(v.process, section)
	select {
	case r.entered <- struct{}{}:
	default:
	}
	r.inside[section] = append(r.inside[section], v)
	limit := cmp.Or(r.limits[section], 1)
	if in := r.insiders(section); len(in) > limit && r.broken == nil {
		r.broken = fmt.Errorf("mutual exclusion: %s are inside %s at the same time", strings.Join(in, " and "), section)
	}
	return true
}

// insiders are the processes in a section whose leases have not ended; r.mu is held.
func (r *run) insiders(section string) (names []string) {
	for _, p := range r.processes {
		if slices.ContainsFunc(r.inside[section], func(v visit) bool {
			return v.process == p && v.counts()
		}) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (r *run) leave(v visit, section string) {
	v.process.awake()
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.inside[section], v); i >= 0 && !r.isOver() {
		r.inside[section] = slices.Delete(r.inside[section], i, i+1)
		r.seen.Stay = max(r.seen.Stay, v.stay().Round(time.Millisecond))
		r.moves(v.process, section, " leaves ", recording.Leave)
	}
}

// moves tells of a process that enters or leaves a section. The lesson has it once, however often
// the process is inside.
func (r *run) moves(p *Process, section, how string, kind recording.Kind) {
	r.trail.touch(p.object(), true)
	r.trail.touch(sectionObject(section), true)
	if slices.ContainsFunc(r.inside[section], func(v visit) bool { return v.process == p }) {
		return
	}
	r.tell(p.Name + how + section)
	r.record(recording.Event{Kind: kind, Actor: p.Name, Section: section, Shared: r.limits[section] > 1})
}
