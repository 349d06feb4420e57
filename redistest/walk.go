package redistest

import (
	"math/rand/v2"
	"slices"
)

// walk runs schedules at random, for when there are too many to run them all. Each walk
// deviates from the expected order as often as it likes: some hardly ever, some all the time.
func walk(s *search) {
	v := &s.verdict
	for v.Walks < s.bounds.Walks && !s.late() {
		chance := rand.New(rand.NewPCG(s.bounds.Seed, uint64(v.Walks))) //nolint:gosec // it is to be repeated
		r := s.perform(func(r *run) {
			r.chance, r.unexpected = rand.New(rand.NewPCG(s.bounds.Seed, uint64(v.Walks))), 1/float64(int(2)<<chance.IntN(4))
		})
		v.Walks++
		if r.broken != nil {
			v.found(s.shortest(r))
			return
		}
		v.count(r, nil)
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
func (s *search) shortest(broken *run) *run {
	for i := 0; i < len(broken.schedule) && !s.late(); {
		without := s.play(planned{schedule: slices.Delete(slices.Clone(broken.schedule), i, i+1), alone: true})
		if without.stray == nil && without.broken != nil {
			broken, i = without, 0
		} else {
			i++
		}
	}
	return broken
}
