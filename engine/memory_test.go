package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

func TestAStepThatHoldsTooMuchDoesNotHappen(t *testing.T) {
	large := strings.Repeat("x", maxStepBytes)
	w, _ := replay(t, scenario(actor("A", "p1", command("SET", "a", large, "0s"))), "")
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); err == nil || !strings.Contains(err.Error(), "512 KB") || !strings.Contains(err.Error(), "256 KB can be shown") {
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
			if !strings.Contains(err.Error(), " 16 MB") {
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
	spawns := func() Actor { return &spawner{} }
	s := scenario(ActorSpec{Name: "A", Process: "p1", New: spawns}, ActorSpec{Name: "B", Process: "p1", New: spawns})
	w, _ := replay(t, s, "")
	if n := len(w.Snapshot().Actors); n != 2*(1+32) {
		t.Errorf("two actors have %d tasks, want 32 each", n-2)
	}
	if a, _ := w.Snapshot().Actor("A"); a.Status != Failed || !strings.Contains(a.Failure.Error(), "32 tasks") {
		t.Errorf("%s: %q", a.Status, a.Failure)
	}
}

// TestEverythingThatAStepHoldsIsCounted adds a thousand bytes to each part of a step.
func TestEverythingThatAStepHoldsIsCounted(t *testing.T) {
	text := strings.Repeat("x", 1000)
	keys := func(ks ...Key) Step { return Step{After: Snapshot{Nodes: []NodeView{{Keys: ks}}}} }
	at := func(f Frame) *Position { return &Position{Frames: []Frame{f}} }
	answer := func(r reply.Reply) *reply.Reply { return &r }
	lines := func(ls ...Line) Step { return Step{Inside: &Inside{Lines: ls}} }
	same := []Key{{Name: "a"}, {Name: "b"}}
	many := func(n int) []Item { return make([]Item, n) }
	if n := (&Step{}).size() + (&Step{}).LineBytes(); n != 0 {
		t.Errorf("a step without anything takes %d bytes", n)
	}
	for i, tt := range []struct {
		of       Step
		texts    int // of a thousand bytes
		entries  int // that are there, each with about 64 bytes
		perEntry int
	}{
		{keys(Key{Name: text}), 1, 1, 2},
		{keys(Key{Text: text}, Key{}), 1, 2, 2},
		{keys(Key{Items: many(9)}), 0, 11, 1},
		{keys(Key{Items: []Item{{text, text}, {text, ""}}}), 3, 4, 1},
		{Step{After: Snapshot{Nodes: []NodeView{{Subscriptions: make([]Subscription, 3)}}}}, 0, 3, 1},
		{Step{After: Snapshot{Mail: []Delivery{{Payload: text}, {}}}}, 1, 2, 1},
		{Step{Notes: []Note{{Text: text}, {Text: text}}}, 2, 2, 1},
		{Step{Reply: answer(reply.OfBulk(text))}, 1, 0, 1},
		{Step{Reply: answer(reply.OfArray(reply.OfBulk(text), reply.OfArray(reply.OfBulk(text))))}, 2, 3, 1},
		{Step{Moves: []Move{{To: at(Frame{Locals: []Local{{text, text}}, Outer: []Local{{text, ""}}})}, {}}}, 3, 4, 1},
		{Step{Request: Exec{Op: Op{Args: []string{text, text}, Keys: []string{text}}}}, 3, 0, 1},
		{Step{Request: Sleep{}}, 0, 0, 1},
		{lines(Line{}, Line{Locals: []Local{{text, text}}}), 2, 5, 1},
		{lines(Line{Keys: same}, Line{Keys: same}, Line{}, Line{Keys: same[:1]}, Line{Keys: []Key{{}}}), 0, 10 + 4 + 2, 1},
	} {
		got := tt.of.size() + tt.of.LineBytes()
		if want := 1000*tt.texts + entryBytes*tt.entries*tt.perEntry; got != want {
			t.Errorf("%d: %d bytes, want %d", i, got, want)
		}
	}
}

// holder is an actor whose memory grows with each request.
type holder struct {
	script
	bytes int
}

func (h *holder) Bytes() int { return h.bytes }

func (h *holder) Next(out Outcome) Request {
	h.bytes += 1000
	return h.script.Next(out)
}

// held is a node that tells its memory.
type held struct{ fakeNode }

func (h *held) Bytes() int { return 500 * len(h.keys) }

func TestRoomIsAskedForAllThatARunHolds(t *testing.T) {
	room, most := 0, 1<<20
	full := errors.New("no room")
	task := &holder{script: script{requests: []Request{Sleep{For: 1e9}}}}
	s := scenario(ActorSpec{Name: "A", Process: "p1", New: func() Actor {
		return &holder{script: script{requests: []Request{command("SET", "a", "text", "0s"), Spawn{"task", task}, command("DEL", "a"), command("DEL", "b")}}}
	}})
	s.Nodes[0].Node = &held{}
	s.Nodes = append(s.Nodes, NodeSpec{Name: "n2", Node: &fakeNode{}})
	s.Reserve = func(bytes int) error {
		if bytes < 0 {
			t.Errorf("%d bytes are asked for", bytes)
		}
		if room += bytes; room > most {
			return full
		}
		return nil
	}
	w, trace := replay(t, s, "run A")
	if got := w.Bytes(); got != 3000+500 {
		t.Errorf("the actor and the node hold %d bytes", got)
	}
	if start, step := 2*stepBytes, trace.Bytes(); room != start+step+w.Bytes() || step < 1<<10 {
		t.Errorf("room for %d bytes, want %d for the start, %d for the step and %d for the others", room, start, step, w.Bytes())
	}
	before := room
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); err != nil {
		t.Fatal(err)
	}
	// The actor has grown by 1000 bytes, and the node holds 500 less.
	if grown := trace.Steps[1].bytes + 500; room != before+grown {
		t.Errorf("room for %d bytes more, want %d", room-before, grown)
	}
	most = room
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}

	shown := Step{bytes: 10}
	of := Step{Inside: &Inside{Lines: []Line{{}}}, Ran: []Ran{{}}, ranBytes: 7}
	shown.ShowLines(&of)
	if shown.LineBytes() != 7+2*entryBytes || len(shown.Ran) != 1 {
		t.Errorf("lines that were taken over hold %d bytes", shown.LineBytes())
	}
	if got := (&Trace{Steps: []Step{shown, {bytes: 5}}}).Bytes(); got != 10+5+shown.LineBytes() {
		t.Errorf("a trace with lines holds %d bytes", got)
	}
}

// TestLimitsAreReached makes what just fits, and then one byte more.
func TestLimitsAreReached(t *testing.T) {
	one := func(text string) error {
		w, _ := replay(t, scenario(actor("A", "p1", command("DEL", text))), "")
		_, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"})
		return err
	}
	room := maxStepBytes - len("DEL") - entryBytes // for the note that A ends
	if err := one(strings.Repeat("x", room)); err != nil {
		t.Errorf("a step that fits: %v", err)
	}
	if err := one(strings.Repeat("x", room+1)); err == nil {
		t.Error("a step that does not fit is made")
	}

	talker := actor("A", "p1", Say{strings.Repeat("x", maxSaid)}, Done{Failure: fact.Text(strings.Repeat("x", maxSaid))})
	w, _ := replay(t, scenario(talker), "")
	if a, _ := w.Snapshot().Actor("A"); a.Failure.Error() != strings.Repeat("x", maxSaid) {
		t.Errorf("a failure of 16 KB is told with %d bytes", len(a.Failure.Error()))
	}

	w, trace := replay(t, scenario(actor("A", "p1", command("DEL", "x"))), "")
	for range MaxChoices {
		if _, err := w.Apply(t.Context(), Choice{Kind: Tick, Span: w.scenario.Resolution}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); err == nil || !strings.Contains(err.Error(), "2000 steps") {
		t.Errorf("after %d steps: %v", len(trace.Steps), err)
	}
}
