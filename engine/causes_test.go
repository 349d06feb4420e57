package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// What led to a breach is told in the trace's JSON, as facts: who got in, and what let the other one in.
func TestATraceTellsWhatLedToABreach(t *testing.T) {
	inside := func(who ...string) Snapshot {
		return Snapshot{
			Actors: []ActorState{{Name: "A", Process: "a", Inside: who[:1:1]}, {Name: "B", Process: "b"}},
			Nodes:  []NodeView{{Node: "redis"}},
			Held:   []Holding{{Section: "lock", Actors: who}},
		}
	}
	enter := func(n int, actor string, after Snapshot) Step {
		after.Actors = []ActorState{{Name: "A", Process: "a", Inside: []string{"lock"}}, {Name: "B", Process: "b"}}
		return Step{N: n, Choice: Choice{Kind: Run, Target: actor}, Notes: []Note{{Actor: actor, Kind: NoteEnter, Text: "lock"}}, After: after}
	}
	trace := &Trace{Start: Snapshot{Nodes: []NodeView{{Node: "redis"}}}, Steps: []Step{
		enter(1, "A", inside("A")),
		{N: 2, Choice: Choice{Kind: Tick}, Expired: []Expiry{{Node: "redis", Key: "lock"}}, After: enter(2, "A", inside("A")).After},
		enter(3, "B", inside("A", "B")),
	}}
	trace.Steps[2].Broken = []Violation{{Invariant: "mutual-exclusion", Detail: fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "lock")}}
	data, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Breaches json.RawMessage }
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	const want = `[{"step":3,"causes":[` +
		`{"step":1,"told":[{"code":"cause-entered","args":["A","lock"]}]},` +
		`{"step":2,"told":[{"code":"cause-expired","args":["lock","redis"]}]},` +
		`{"step":3,"told":[{"code":"cause-entered","args":["B","lock"]}]}]}]`
	if string(out.Breaches) != want {
		t.Errorf("it tells\n%s\nwant\n%s", out.Breaches, want)
	}
}

// Of two keys that end while time passes at once, the one that kept others out is told, though a key that bears the holder's
// name ended before it.
func TestTheEndOfTheLockIsTold(t *testing.T) {
	inside := func(who ...string) Snapshot {
		s := Snapshot{Nodes: []NodeView{{Node: "redis"}}, Held: []Holding{{Section: "lock", Actors: who}}}
		for _, name := range who {
			s.Actors = append(s.Actors, ActorState{Name: name, Inside: []string{"lock"}})
		}
		return s
	}
	ended := func(key string) Change {
		return Change{Node: "redis", Key: key, Old: &Key{Text: "A"}}
	}
	got := func(n int, actor string, after Snapshot) Step {
		return Step{N: n, Choice: Choice{Kind: Run, Target: actor}, Notes: []Note{{Actor: actor, Kind: NoteEnter, Text: "lock"}}, After: after}
	}
	trace := &Trace{Steps: []Step{
		got(1, "A", inside("A")),
		{
			N: 2, Choice: Choice{Kind: Tick}, Changes: []Change{ended("session"), ended("lock")}, After: inside("A"),
			Expired: []Expiry{{Node: "redis", Key: "session"}, {Node: "redis", Key: "lock"}},
		},
		got(3, "B", inside("A", "B")),
	}}
	trace.Steps[2].Broken = []Violation{{Invariant: "mutual-exclusion", Detail: fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "lock")}}
	if causes := trace.Causes(&trace.Steps[2]); len(causes) != 3 || causes[1].Told[0].Args[0] != "lock" {
		t.Errorf("it tells %v", causes)
	}
}

// Who writes what is there already has read nothing: a client that lost an update wrote, though nothing changed by it.
func TestWhoWritesTheSameOnceMoreReadsNothing(t *testing.T) {
	set := func(n int, actor string, changes ...Change) Step {
		return Step{N: n, Choice: Choice{Kind: Run, Target: actor}, Request: Exec{Node: "redis", Op: Op{Args: []string{"SET", "views", "1"}}}, Reply: &reply.OK, Changes: changes}
	}
	breach := set(3, "B", Change{Node: "redis", Key: "visits"})
	breach.Broken = []Violation{{Invariant: "every-visit-is-a-view", Looked: []Place{{"redis", "views"}, {"redis", "visits"}}}}
	trace := &Trace{Steps: []Step{set(1, "A", Change{Node: "redis", Key: "views"}), set(2, "B"), breach}}
	causes := trace.Causes(&trace.Steps[2])
	if len(causes) != 3 {
		t.Fatalf("%d steps led there, want all 3", len(causes))
	}
	if told := causes[1].Told; len(told) != 1 || told[0].Code != "cause-wrote" {
		t.Errorf("of the step that wrote the same once more it tells %v", told)
	}
	trace.Steps[1].Request = Exec{Node: "redis", Op: Op{Args: []string{"WATCH", "views"}}}
	for _, c := range trace.Causes(&trace.Steps[2]) {
		if c.Step.N == 2 && slices.ContainsFunc(c.Told, func(f fact.Fact) bool { return f.Code == "cause-wrote" }) {
			t.Errorf("of a WATCH it tells %v", c.Told)
		}
	}
}
