package engine

import (
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
