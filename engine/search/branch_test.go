package search_test

import (
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// What is counted by branch is what the ways to all states say.
func TestBranchesAreAllThatWasTried(t *testing.T) {
	for _, c := range []struct {
		lesson string
		bounds search.Bounds
		ending search.Ending
	}{
		{"set-nx", search.Bounds{Time: search.AnyLate}, search.Breaks},
		{"oversell", search.Bounds{}, search.Breaks},
		{"reentrant-lock", search.Bounds{}, search.Holds},
		{"redisson-lock", search.Bounds{States: 3000}, search.Holds},
		{"fair-lock", search.Bounds{Faults: map[engine.ChoiceKind]int{engine.Crash: 1}, Depth: 6}, search.Stops},
	} {
		t.Run(c.lesson, func(t *testing.T) {
			run, err := search.New(t.Context(), scenarioOf(t, lesson(t, c.lesson)), c.bounds)
			if err != nil {
				t.Fatal(err)
			}
			for done := false; !done; {
				if done, err = run.Continue(t.Context(), 500); err != nil {
					t.Fatal(err)
				}
				compareBranches(t, run)
			}
			v := run.Verdict()
			if v.Ending != c.ending {
				t.Fatalf("it %s", v.Ending)
			}
			first := leadsThere(v.Branches)
			if (first != nil) != (v.Ending == search.Breaks) || first != nil && !sameChoice(first.Choice, v.Schedule[0]) {
				t.Errorf("%v was found, and the branch that leads there is %v", v.Schedule, first)
			}
			if first == nil || len(v.Schedule) < 2 {
				return
			}
			if second := leadsThere(first.Branches); second == nil || !sameChoice(second.Choice, v.Schedule[1]) {
				t.Errorf("%v was found, and behind the first branch it is %v", v.Schedule, second)
			}
		})
	}
}

// sameChoice leaves out how far a move of the clock goes: several in a row are one.
func sameChoice(a, b engine.Choice) bool {
	return a == b || a.Kind == engine.Tick && b.Kind == engine.Tick
}

func leadsThere(all []search.Branch) *search.Branch {
	for i := range all {
		if all[i].Found {
			return &all[i]
		}
	}
	return nil
}

// compareBranches counts by the ways to all states what the branches say.
func compareBranches(t *testing.T, run *search.Search) {
	t.Helper()
	type pair [2]string
	ways := map[pair]int{}
	for _, way := range search.Ways(run) {
		for len(way) < 2 {
			way = append(way, "")
		}
		ways[pair(way[:2])]++
	}
	branches := run.Branches()
	for i := range branches {
		first := &branches[i]
		behind := 0
		for j := range first.Branches {
			second := &first.Branches[j]
			behind += second.States()
			ways[pair{branchName(first), branchName(second)}] -= second.States()
		}
		ways[pair{branchName(first), ""}] -= first.States() - behind
	}
	ways[pair{}]-- // the start
	for way, n := range ways {
		if n != 0 {
			t.Errorf("%d states of %v are in no branch", n, way)
		}
	}
}

func branchName(b *search.Branch) string {
	if b.Choice.Kind == engine.Tick {
		return "tick"
	}
	return b.Choice.String()
}

// On a fine grid the clock moves by more spans than two bytes can number.
func TestASearchTellsManyMovesOfTheClockApart(t *testing.T) {
	s := scenarioOf(t, written(t, `given: {k: {value: "1", ttl: 2s}}
actors:
  A: {process: p1, program: 'if redis.call("GET", "k") then redis.call("SET", "j", 1, "PX", 1000) end'}
invariants: [{name: never, lua: 'exists("k") or not exists("j")'}]
`))
	x, err := search.New(t.Context(), s, search.Bounds{Grid: 1500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	search.Number(x, 1<<16)
	for done := false; !done && err == nil; {
		done, err = x.Continue(t.Context(), 100)
	}
	if v := x.Verdict(); err != nil || v.Ending != search.Breaks || v.Moves() != 4 {
		t.Errorf("it %s, %v, in %v", v.Ending, err, v.Schedule)
	}
}
