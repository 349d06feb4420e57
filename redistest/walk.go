package redistest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// walk runs schedules at random, for when there are too many to run them all. Each walk
// deviates from the expected order as often as it likes: some hardly ever, some all the time.
func walk(t *testing.T, scenario func(w *World), b Bounds, progress func(), v *Verdict) {
	t.Helper()
	for v.Walks < b.Walks {
		r := newRun(t, scenario, b, nil)
		r.chance = rand.New(rand.NewPCG(b.Seed, uint64(v.Walks))) //nolint:gosec // it is to be repeated
		r.unexpected = 1 / float64(int(2)<<r.chance.IntN(4))
		r.perform()
		progress()
		v.Walks++
		v.count(r)
		if r.broken != nil {
			v.found(t, shortest(t, scenario, b, progress, r))
			return
		}
	}
}

// deviate lets chance choose, where there is one.
func (r *run) deviate(choices int) {
	if r.chance == nil || choices < 2 || r.chance.Float64() >= r.unexpected {
		return
	}
	r.schedule = append(r.schedule, Deviation{len(r.steps), 1 + r.chance.IntN(choices-1)})
}

// shortest leaves out of a schedule that breaks an invariant whatever is not needed for that.
func shortest(t *testing.T, scenario func(w *World), b Bounds, progress func(), broken *run) *run {
	t.Helper()
	try := func(s Schedule) *run {
		r := newRun(t, scenario, b, s)
		r.perform()
		progress()
		return r
	}
	again := try(broken.schedule)
	if again.broken == nil {
		t.Fatalf("redistest: the code under test does not do the same each time: a schedule breaks an invariant (%v), and does not the next time\n%s", broken.broken, broken.story)
	}
	broken = again
	for i := 0; i < len(broken.schedule); {
		without := try(slices.Delete(slices.Clone(broken.schedule), i, i+1))
		if without.stray == nil && without.broken != nil {
			broken, i = without, 0
		} else {
			i++
		}
	}
	return broken
}
