package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func command(args ...string) Exec { return Exec{Node: "redis", Op: Op{Args: args}} }

func actor(name, process string, requests ...Request) ActorSpec {
	return ActorSpec{Name: name, Process: process, New: func() Actor {
		return &script{requests: slices.Clone(requests)}
	}}
}

func scenario(actors ...ActorSpec) Scenario {
	return Scenario{Actors: actors, Nodes: []NodeSpec{{Name: "redis", Node: &fakeNode{}}}, Resolution: 100 * time.Millisecond}
}

func replay(t *testing.T, s Scenario, text string) (*World, *Trace) {
	t.Helper()
	var cs []Choice
	if text != "" {
		cs = choices(t, text)
	}
	w, trace, err := Replay(t.Context(), s, cs)
	if err != nil {
		t.Fatal(err)
	}
	return w, trace
}

func TestWhatMayNotHappenIsAnErrorOfItsOwn(t *testing.T) {
	w, _ := replay(t, scenario(actor("A", "p1", Sleep{For: time.Second})), "")
	for c, want := range map[Choice]string{
		{Kind: Run, Target: "A"}:    "sleeping",
		{Kind: Run, Target: "Z"}:    ReasonUnknown,
		{Kind: Crash, Target: "p1"}: ReasonUnknown,
		{Kind: "dance"}:             ReasonUnknown,
		{Kind: Tick, Span: -1}:      "too-far",
	} {
		var not *NotEnabledError
		if _, err := w.Apply(t.Context(), c); !errors.As(err, &not) || not.Reason.Code != want {
			t.Errorf("%v: got %v, want %s", c, err, want)
		}
	}
}

func TestANodeThatFailsEndsTheRun(t *testing.T) {
	s := scenario(actor("A", "p1", command("SET", "a", "1", "0s"), command("DEL", "a")))
	w, _ := replay(t, s, "run A")
	gone := errors.New("connection refused")
	s.Nodes[0].Node.(*fakeNode).fail = gone
	for range 2 {
		if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); !errors.Is(err, gone) {
			t.Errorf("got %v", err)
		}
	}
	if n := len(w.Trace().Steps); n != 1 {
		t.Errorf("%d steps, want the one that happened", n)
	}
}

func TestANodeThatIsNotThereIsAMistakeOfTheProgram(t *testing.T) {
	w, _ := replay(t, scenario(actor("A", "p1", Exec{Node: "n9", Op: Op{Args: []string{"DEL"}}})), "")
	if a, _ := w.Snapshot().Actor("A"); a.Status != Failed || !strings.Contains(a.Failure.Error(), `there is no node "n9"`) {
		t.Errorf("%s %q", a.Status, a.Failure)
	}
}

func TestAScenarioHasActorsNodesAndAClock(t *testing.T) {
	for want, without := range map[string]func(*Scenario){
		"at least one actor and one node": func(s *Scenario) { s.Actors = nil },
		"one node":                        func(s *Scenario) { s.Nodes = nil },
		"a resolution of its clock":       func(s *Scenario) { s.Resolution = 0 },
	} {
		s := scenario(actor("A", "p1"))
		without(&s)
		if _, err := NewWorld(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	fine := scenario(actor("A", "p1"))
	fine.Resolution = 1
	if _, err := NewWorld(t.Context(), fine); err != nil {
		t.Errorf("the finest clock: %v", err)
	}
}

func TestOnlyScriptsAreLookedInto(t *testing.T) {
	script := Exec{Node: "redis", Op: Op{Script: &Script{Name: "lock"}, Args: []string{"DEL", "k"}}}
	s := scenario(actor("A", "p1", command("SET", "k", "v", "0s"), script, script))
	_, trace := replay(t, s, "run A, run A")
	if trace.Steps[1].Inside != nil {
		t.Error("a script was looked into for nobody")
	}
	s.Look = func(ctx context.Context, node Node, op Op, before NodeView, now Instant) (Result, *Inside, error) {
		res, err := node.Exec(ctx, op)
		return res, &Inside{Before: before.Keys, Shown: FormatSpan(now)}, err
	}
	if _, trace = replay(t, s, "run A, run A"); trace.Steps[1].Inside != nil {
		t.Error("a script was looked into that nobody watches")
	}
	s.Watch = func(step int) bool { return step == 3 }
	_, trace = replay(t, s, "run A, tick 1s, run A")
	if trace.Steps[0].Inside != nil {
		t.Error("a command was looked into")
	}
	if in := trace.Steps[2].Inside; in == nil || len(in.Before) != 1 || in.Shown != "1s" || trace.Steps[2].Reply == nil {
		t.Errorf("inside the script is %+v", in)
	}
}

// What a script finds is on the clock of its node, and what the page shows of it is not.
func TestALookInsideIsOnTheClockOfTheNode(t *testing.T) {
	s := scenario(actor("A", "p1", command("SET", "k", "v", "5s"), Exec{Node: "redis", Op: Op{Script: &Script{Name: "unlock"}, Args: []string{"DEL", "k"}}}))
	s.Faults = []Choice{{Kind: Clock, Target: "redis", Span: 2 * time.Second}}
	var found Instant
	s.Watch = func(int) bool { return true }
	s.Look = func(ctx context.Context, node Node, op Op, before NodeView, _ Instant) (Result, *Inside, error) {
		found = before.Keys[0].Deadline
		res, err := node.Exec(ctx, op)
		return res, &Inside{Before: before.Keys}, err
	}
	_, trace := replay(t, s, "run A, clock redis +2s, run A")
	if in := trace.Steps[2].Inside; found != 5*time.Second || in == nil || in.Before[0].Deadline != 3*time.Second {
		t.Errorf("it found a key until %v, and shows %+v", found, in)
	}
}

func TestAStampIsTheClockOfEachSending(t *testing.T) {
	send := command("SET", "k", "now", "0s")
	send.Stamps = []Stamp{{Arg: 2, Offset: time.Second}}
	s := scenario(actor("A", "p1", send))
	_, trace := replay(t, s, "tick 5s, run A")
	asked, sent := trace.Steps[0].After.Actors[0].Next.(Exec), trace.Steps[1].Request.(Exec)
	if asked.Op.Args[2] != "now" || sent.Op.Args[2] != "1700000006000" || len(sent.Stamps) != 0 {
		t.Errorf("asked for %v, sent %v", asked, sent)
	}
}

// Both halves of a fork go on from one trace.
func TestACutTraceSharesNothingThatGrows(t *testing.T) {
	whole := Trace{Notes: append(make([]Note, 0, 2), Note{Text: "first"}), Steps: append(make([]Step, 0, 2), Step{N: 1})}
	a, b := whole.Cut(1), whole.Cut(1)
	a.Notes, a.Steps = append(a.Notes, Note{Text: "a"}), append(a.Steps, Step{Process: "a"})
	b.Notes, b.Steps = append(b.Notes, Note{Text: "b"}), append(b.Steps, Step{Process: "b"})
	if a.Notes[1].Text != "a" || a.Steps[1].Process != "a" {
		t.Error("what one cut adds, another has overwritten")
	}
}
