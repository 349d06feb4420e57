package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/node/sample"
)

// replaySearch is a search by replaying each schedule from its start: slow, and without
// anything that a search could get wrong.
type replaySearch struct {
	*testing.T
	scenario engine.Scenario
	bounds   search.Bounds
	clocks   []string // threads that look at their clocks
	most     int      // states

	keys        map[string]int // of states, by text: the fewest choices that lead there
	transitions map[string]int // choices that may be made there
	breaks      int            // the fewest choices that break an invariant; -1: none does
	cut         bool
}

// label is a schedule, in which moves of the clock in a row count as one choice.
type label struct {
	schedule []engine.Choice
	cost     int
}

func (l label) ticked() bool {
	n := len(l.schedule)
	return n > 0 && l.schedule[n-1].Kind == engine.Tick
}

func (r *replaySearch) run() {
	r.keys, r.transitions, r.breaks = map[string]int{}, map[string]int{}, -1
	done := map[string]bool{}
	today := []label{{}}
	for cost := 0; len(today) > 0 && (r.bounds.Depth == 0 || cost <= r.bounds.Depth); cost++ {
		var tomorrow []label
		for len(today) > 0 {
			l := today[0]
			today = today[1:]
			w := r.play(l.schedule)
			key := r.key(w, l.schedule)
			if _, known := r.keys[key]; !known {
				if len(r.keys) == r.most {
					r.cut = true
					return
				}
				r.keys[key] = l.cost
			}
			if name := fmt.Sprint(l.ticked(), key); done[name] {
				continue
			}
			done[fmt.Sprint(l.ticked(), key)] = true
			choices := r.choices(w, l.schedule)
			r.transitions[key] = len(choices)
			if l.cost == r.bounds.Depth && r.bounds.Depth > 0 { // and what the clock moves on to
				choices = slices.DeleteFunc(choices, func(c engine.Choice) bool { return !l.ticked() || c.Kind != engine.Tick })
			}
			for _, c := range choices {
				next := label{append(slices.Clone(l.schedule), c), l.cost + 1}
				w := r.play(next.schedule)
				steps := w.Trace().Steps
				if l.ticked() && c.Kind == engine.Tick {
					next.cost--
				}
				if len(steps[len(steps)-1].Broken) > 0 {
					if r.breaks < 0 || next.cost < r.breaks {
						r.breaks = next.cost
					}
					continue
				}
				if next.cost == l.cost {
					today = append(today, next)
				} else {
					tomorrow = append(tomorrow, next)
				}
			}
		}
		if r.breaks >= 0 && r.breaks <= cost+1 {
			return
		}
		today = tomorrow
	}
}

func (r *replaySearch) play(schedule []engine.Choice) *engine.World {
	w, _, err := engine.Replay(r.Context(), r.scenario, schedule)
	if err != nil {
		r.Fatal(schedule, err)
	}
	return w
}

func (r *replaySearch) key(w *engine.World, schedule []engine.Choice) string {
	key := engine.StateText(w, r.clocks) + fmt.Sprint(r.left(schedule))
	for _, a := range w.Snapshot().Actors {
		if r.bounds.Time.Late > 0 {
			key += fmt.Sprint(" ", r.lateness(w, schedule, a.Name))
		}
	}
	return key
}

func (r *replaySearch) left(schedule []engine.Choice) map[engine.ChoiceKind]int {
	left := map[engine.ChoiceKind]int{}
	maps.Copy(left, r.bounds.Faults)
	for _, c := range schedule {
		if _, counts := left[c.Kind]; counts {
			left[c.Kind]--
		}
	}
	return left
}

// lateness is for how long an actor has been ready by now, and has not run.
func (r *replaySearch) lateness(w *engine.World, schedule []engine.Choice, actor string) time.Duration {
	var late time.Duration
	trace := w.Trace()
	arrived := r.bounds.Time.Sync
	for i := range trace.Steps {
		before, after, step := trace.At(i), trace.At(i+1), &trace.Steps[i]
		ready := func(s *engine.Snapshot) bool {
			a, ok := s.Actor(actor)
			return ok && a.Status == engine.Ready
		}
		if !arrived && engine.Root(step.Choice.Target) == engine.Root(actor) {
			arrived = !engine.HasDigestOf(r.play(schedule[:i+1]), actor, r.play(nil))
		}
		if arrived && ready(before) && ready(after) && step.Choice.Target != actor {
			late += step.At - step.From
		} else {
			late = 0
		}
	}
	return late
}

func (r *replaySearch) choices(w *engine.World, schedule []engine.Choice) []engine.Choice {
	var cs []engine.Choice
	left := r.left(schedule)
	for _, o := range w.Enabled() {
		n, counts := left[o.Choice.Kind]
		free := !o.Choice.Kind.Costs()
		switch {
		case !o.Enabled() || counts && n == 0 || !counts && !free:
		case o.Choice.Kind == engine.Tick:
			if r.mayTick(w, schedule) {
				cs = append(cs, o.Choice)
			}
		default:
			cs = append(cs, o.Choice)
		}
	}
	return cs
}

func (r *replaySearch) mayTick(w *engine.World, schedule []engine.Choice) bool {
	if r.bounds.Time.Any {
		return true
	}
	for _, a := range w.Snapshot().Actors {
		arrived := !engine.HasDigestOf(w, a.Name, r.play(nil))
		if a.Status != engine.Ready || !arrived && !r.bounds.Time.Sync {
			continue
		}
		next := r.play(append(slices.Clone(schedule), engine.Choice{Kind: engine.Tick}))
		steps := next.Trace().Steps
		step := steps[len(steps)-1]
		if r.lateness(w, schedule, a.Name)+step.At-step.From > r.bounds.Time.Late {
			return false
		}
	}
	return true
}

// agree compares a search with one that replays: states, how many choices lead to them,
// what may happen there, and what breaks.
func agree(t *testing.T, s engine.Scenario, b search.Bounds, most int) search.Verdict {
	t.Helper()
	v, err := search.Explore(t.Context(), s, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &replaySearch{T: t, scenario: s, bounds: b, clocks: v.Clocks, most: most}
	r.run()
	if r.cut {
		t.Fatalf("it has more than %d states: %d", most, v.States)
	}
	if v.Ending == search.Breaks && !v.Starves() { // which it could not tell
		if cost := v.Depth; r.breaks != cost {
			t.Errorf("breaks in %d: %v; by replaying it breaks in %d", cost, v.Schedule, r.breaks)
		}
		return v
	}
	levels := []int{}
	for _, cost := range r.keys {
		for len(levels) <= cost {
			levels = append(levels, 0)
		}
		levels[cost]++
	}
	transitions := 0
	for _, n := range r.transitions {
		transitions += n
	}
	if v.Ending == search.Stops { // which it does before it has made the last choices
		transitions = v.Transitions
	}
	if r.breaks >= 0 || v.States != len(r.keys) || v.Transitions != transitions || !slices.Equal(v.Levels, levels) {
		t.Errorf("%s: %d states, %d transitions, levels %v; by replaying: breaks in %d, %d states, %d transitions, levels %v",
			v.Ending, v.States, v.Transitions, v.Levels, r.breaks, len(r.keys), transitions, levels)
	}
	return v
}

func TestExploreAgreesWithASearchByReplay(t *testing.T) {
	late := search.TimeBound{Late: 10 * time.Second}
	for _, c := range []struct {
		lesson, program string
		clients         int
		time            search.TimeBound
	}{
		{"reentrant-lock", reentrant, 2, search.Arrive},
		{"reentrant-lock", reentrant, 2, search.Prompt},
		{"reentrant-lock", reentrant, 2, late},
		{"redisson-lock", redisson, 2, search.Arrive},
	} {
		t.Run(fmt.Sprint(c.lesson, c.clients, c.time), func(t *testing.T) {
			s := clients(t, c.lesson, c.program, c.clients)
			s.Invariants = nil
			agree(t, s, search.Bounds{Time: c.time}, 3000)
		})
	}
}

// Every lesson as it is, with every fault that it allows, as far as it is small enough to
// be replayed.
func TestExploreAgreesWithASearchByReplayOnLessons(t *testing.T) {
	one := map[engine.ChoiceKind]int{engine.Crash: 1, engine.Pause: 1, engine.Drop: 1}
	all := []struct {
		lesson string
		time   search.TimeBound
		faults map[engine.ChoiceKind]int
	}{
		{"eval", search.AnyLate, nil},
		{"set-nx", search.Arrive, nil},
		{"compare-and-delete", search.Prompt, one},
		{"reentrant-lock", search.Arrive, one},
		{"reentrant-lock", search.AnyLate, nil},
		{"fencing", search.Arrive, one},
		{"fencing", search.TimeBound{Late: 5 * time.Second}, nil},
		{"read-write-lock", search.Prompt, one},
		{"semaphore", search.Prompt, one},
		{"countdown-latch", search.Prompt, one},
		{"rate-limiter", search.Prompt, nil},
		{"redisson-lock", search.Prompt, map[engine.ChoiceKind]int{engine.Crash: 1, engine.Drop: 1}},
	}
	for _, i := range (sample.Generated{All: uint64(len(all)), Sample: 3}).Seeds(t) {
		c := all[i]
		t.Run(fmt.Sprint(c.lesson, " ", c.time, " ", len(c.faults)), func(t *testing.T) {
			l := lesson(t, c.lesson)
			most := 3
			if c.lesson == "redisson-lock" {
				most = 2
			}
			l.Actors = l.Actors[:min(len(l.Actors), most)]
			s := scenarioOf(t, l)
			v := agree(t, s, search.Bounds{Time: c.time, Faults: c.faults}, 2000)
			t.Log(v.Ending, v.States, v.Transitions, v.Schedule, v.Clocks)
		})
	}
}

// The first choices of every lesson of the catalogue, with each fault that it allows.
func TestExploreAgreesWithASearchByReplayOnEveryLesson(t *testing.T) {
	const most = 150 // states
	all, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range (sample.Generated{All: uint64(len(all)), Sample: 4}).Seeds(t) {
		t.Run(all[i].Name, func(t *testing.T) {
			s := scenarioOf(t, all[i])
			b := search.Bounds{Time: search.Arrive, Faults: all[i].OneFault(), Depth: 1}
			for ; b.Depth < 12; b.Depth++ { // as deep as so many states are
				deeper := b
				deeper.Depth++
				if v, err := search.Explore(t.Context(), s, deeper, nil); err != nil || v.States > most || v.Ending != search.Stops {
					break
				}
			}
			v := agree(t, s, b, most)
			t.Log(v.Ending, v.States, v.Depth, v.Schedule)
		})
	}
}
