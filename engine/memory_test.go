package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lockstep/engine/fact"
)

func TestAStepThatHoldsTooMuchDoesNotHappen(t *testing.T) {
	large := strings.Repeat("x", maxStepBytes)
	w, _ := replay(t, scenario(actor("A", "p1", command("SET", "a", large, "0s"))), "")
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); err == nil || !strings.Contains(err.Error(), "256 KB can be shown") {
		t.Errorf("got %v", err)
	}
	if n := len(w.Trace().Steps); n != 0 {
		t.Errorf("%d steps were made", n)
	}
}

func TestARunThatHoldsTooMuchEnds(t *testing.T) {
	quarter := strings.Repeat("x", maxStepBytes/4)
	w, _ := replay(t, scenario(actor("A", "p1", command("SET", "a", quarter, "0s"))), "run A")
	for range MaxChoices {
		if _, err := w.Apply(t.Context(), Choice{Kind: Tick, Span: w.scenario.Resolution}); err != nil {
			if !strings.Contains(err.Error(), "16 MB") {
				t.Errorf("got %v", err)
			}
			return
		}
	}
	t.Error("it never ended")
}

func TestAnActorSaysLittleInARow(t *testing.T) {
	text := strings.Repeat("x", maxSaid/2)
	talker := actor("A", "p1", Say{text}, Say{text}, command("DEL", "a"), Say{text}, Say{text}, Say{"y"})
	w, trace := replay(t, scenario(talker, actor("B", "p2", Done{Failure: fact.Text(text + text + "and on")})), "")
	if b, _ := w.Snapshot().Actor("B"); len(trace.Notes) != 3 || b.Failure.Error() != text+text+"…" {
		t.Errorf("%d notes at the start; B failed with %d bytes", len(trace.Notes), len(b.Failure.Error()))
	}
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); err != nil {
		t.Fatal(err)
	}
	if a, _ := w.Snapshot().Actor("A"); !strings.Contains(a.Failure.Error(), "more than 16 KB in a row") {
		t.Errorf("%s: %q", a.Status, a.Failure)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	w, _ := replay(t, scenario(actor("A", "p1", command("DEL", "a"))), "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Apply(ctx, Choice{Kind: Run, Target: "A"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); err != nil {
		t.Errorf("the world does not go on: %v", err)
	}
}

// spawner starts a task after the other.
type spawner struct{ n int }

func (s *spawner) Next(Outcome) Request {
	s.n++
	return Spawn{Name: "t" + strings.Repeat("i", s.n), Actor: &script{requests: []Request{Sleep{For: 1e9}}}}
}

func TestAnActorHasFewTasks(t *testing.T) {
	s := scenario(ActorSpec{Name: "A", Process: "p1", New: func() Actor { return &spawner{} }})
	w, _ := replay(t, s, "")
	if a, _ := w.Snapshot().Actor("A"); a.Status != Failed || !strings.Contains(a.Failure.Error(), "32 tasks") {
		t.Errorf("%s: %q", a.Status, a.Failure)
	}
}
