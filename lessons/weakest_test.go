package lessons_test

import (
	"slices"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// TestTheWeakestAssumptionIsWhatSearchesFind: what is told to be enough breaks in a search of its own, what is told to be
// too little holds in one, and of two that are enough neither allows more than the other.
func TestTheWeakestAssumptionIsWhatSearchesFind(t *testing.T) {
	for _, l := range builtIn(t) {
		switch l.Name {
		case "compare-and-delete", "lease-outlived", "semaphore":
		default:
			continue
		}
		q := lessons.Question{Bounds: search.Bounds{Time: search.AnyLate, Faults: l.OneFault(), States: 2_000}}
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
		if err != nil || v.Ending != search.Breaks {
			t.Fatal(l.Name, v.Ending, err)
		}
		ending := func(b search.Bounds) search.Ending {
			b.States = 2_000
			q := lessons.Question{Invariant: v.Violation.Invariant, Bounds: b}
			v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
			if err != nil {
				t.Fatal(err)
			}
			closer := l.Closer(q, v)
			for {
				look, err := closer.Search(t.Context(), 2_000, 2_000)
				if err != nil {
					t.Fatal(err)
				}
				if look == nil {
					return closer.Verdict.Ending
				}
				if _, err := look.Continue(t.Context(), 2_001); err != nil {
					t.Fatal(err)
				}
				closer.Heard(look.Verdict())
			}
		}
		w := l.NewWeakest(q, v, 2_000)
		for done := false; !done; {
			if done, err = w.Continue(t.Context(), 1000); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range w.Enough {
			if got := ending(b); got != search.Breaks {
				t.Errorf("%s: %s with %v %s", l.Name, b.Time, b.Faults, got)
			}
		}
		for _, b := range w.Holding {
			if got := ending(b); got != search.Holds {
				t.Errorf("%s: %s with %v %s", l.Name, b.Time, b.Faults, got)
			}
		}
		for _, less := range []search.TimeBound{search.Prompt, search.Arrive, search.AnyLate} {
			b := search.Bounds{Time: less}
			if told, got := w.Ending(b), ending(b); told != search.Stops && told != got {
				t.Errorf("%s: without faults and under %s it is told that it %s, but it %s", l.Name, less, told, got)
			}
		}
	}
}

// TestTheWeakestAssumptionIsAboutTheRuleThatBroke: a dead owner's row takes a crash, and what the admin does breaks another rule without one.
func TestTheWeakestAssumptionIsAboutTheRuleThatBroke(t *testing.T) {
	all := builtIn(t)
	l := all[slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.Name == "sql-unique-row-lock" })]
	q := lessons.Question{Bounds: search.Bounds{Faults: l.OneFault()}}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil || v.Ending != search.Breaks || v.Violation.Invariant != "owner-is-alive" {
		t.Fatal(v.Ending, v.Violation, err)
	}
	w := l.NewWeakest(q, v, 2_000)
	for done := false; !done; {
		if done, err = w.Continue(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Without(engine.Crash); got != search.Holds {
		t.Errorf("without a crash it is told that it %s", got)
	}
}

// TestWhatIsNotDecidedIsToldOnce: of two questions that are open neither allows more than the other.
func TestWhatIsNotDecidedIsToldOnce(t *testing.T) {
	all := builtIn(t)
	l := all[slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.Name == "wait" })]
	q := lessons.Question{Bounds: search.Bounds{Faults: l.OneFault()}}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil || v.Ending != search.Breaks {
		t.Fatal(v.Ending, err)
	}
	w := l.NewWeakest(q, v, 50)
	for done := false; !done; {
		if done, err = w.Continue(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.Open) == 0 {
		t.Fatal("all is decided")
	}
	for _, a := range w.Open {
		for _, b := range w.Open {
			more := b.Time == a.Time && len(b.Faults) > len(a.Faults)
			for kind, n := range a.Faults {
				more = more && n <= b.Faults[kind]
			}
			if more {
				t.Errorf("both %v and %v are open", a.Faults, b.Faults)
			}
		}
	}
}

// TestWhatIsToldToHoldWasLookedAtMoreClosely: somebody who is late breaks it at once, somebody who comes at the right time only
// where the clock stops more often.
func TestWhatIsToldToHoldWasLookedAtMoreClosely(t *testing.T) {
	text := asksForTTL + `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 5000) redis.call("GET", "x") if redis.call("EXISTS", "k") == 0 then redis.call("SET", "bad", 1) end'}
  B: {process: p2, program: 'redis.eval("late", {"k", "bad"})'}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
`
	l := written(t, text)
	q, v := foundAnyTime(t, l)
	w := l.NewWeakest(q, v, 2_000)
	for done := false; !done; {
		var err error
		if done, err = w.Continue(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Ending(search.Bounds{Time: search.Arrive}); got != search.Breaks {
		t.Errorf("where nobody is late, it is told that it %s", got)
	}
}

// TestWhatNoLookHasComeToTheEndOfIsNotDecided: without a crash it breaks where the clock stops three times, and a look that could find
// that is stopped.
func TestWhatNoLookHasComeToTheEndOfIsNotDecided(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A:
    process: p1
    program: |
      local gaps = 0
      for i = 1, 3 do
        local t = now()
        redis.call("GET", "x")
        if now() - t > 3000 and now() - t < 5000 then gaps = gaps + 1 end
      end
      if gaps == 3 then redis.call("SET", "bad", 1) end
  B: {process: p2, program: 'redis.call("GET", "x")'}
faults: [crash p2]
invariants: [{name: never, lua: 'not exists("bad") and status("B") ~= "crashed"'}]
story: [{run: A}]
`)
	q := lessons.Question{Bounds: search.Bounds{Time: search.AnyLate, Faults: l.OneFault()}}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil || v.Ending != search.Breaks {
		t.Fatal(v.Ending, err)
	}
	w := l.NewWeakest(q, v, 2_000)
	for done := false; !done; {
		if done, err = w.Continue(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Without(engine.Crash); got != search.Stops {
		t.Errorf("without a crash it is told that it %s", got)
	}
}

// TestWhatIsToldToHoldHasAGridOfItsOwn: with a crash it breaks on a coarser grid than without one.
func TestWhatIsToldToHoldHasAGridOfItsOwn(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
given: {k: {value: "1", ttl: 1s}}
scripts: {after: {source: "if redis.call('exists', KEYS[1]) == 1 then redis.call('set', KEYS[2], 1, 'px', 1000) end"}}
actors:
  A: {program: 'redis.call("SET", "a", "x", "PX", 1000) sleep("1s") if redis.call("GET", "b") then redis.call("INCR", "n") end'}
  B: {program: 'redis.call("SET", "b", "x", "PX", 1000) sleep("1s") if redis.call("GET", "c") then redis.call("INCR", "n") end'}
  C: {program: 'if redis.call("GET", "a") then redis.call("SET", "c", "x", "PX", 1000) end redis.eval("after", {"k", "j"}) redis.call("GET", "x")'}
faults: [crash C]
invariants: [{name: never, lua: 'n ~= 2 and (status("C") ~= "crashed" or not exists("j") or exists("k"))'}]
story: [{run: A}]
`)
	q := lessons.Question{Bounds: search.Bounds{Faults: l.OneFault()}}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	closer, err := l.Finer(t.Context(), l.Open(lessons.Embedded), q, v)
	if err != nil || closer.Verdict.Ending != search.Breaks || closer.Verdict.Grid != 500*time.Millisecond {
		t.Fatal(closer.Verdict.Ending, closer.Verdict.Grid, err)
	}
	w := l.NewWeakest(q, closer.Verdict, lessons.WeakestStates)
	for done := false; !done; {
		if done, err = w.Continue(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Without(engine.Crash); got != search.Breaks {
		t.Errorf("without a crash it is told that it %s: %+v", got, w)
	}
}
