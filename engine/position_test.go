package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// placed is an actor whose line is how many requests it has made.
type placed struct {
	script
	line  int
	asked *int // how often anybody wanted to know
}

func (p *placed) Next(out Outcome) Request {
	p.line++
	return p.script.Next(out)
}

func (p *placed) Watch(func(*Position) bool) {}

func (p *placed) Position() *Position {
	*p.asked++
	return &Position{Frames: []Frame{{Chunk: "lib", First: 10, Last: 20, Line: p.line}, {Chunk: "A", Line: 1}}}
}

// movesOf is who moved in a step, from which line to which.
func movesOf(s Step) string {
	line := func(p *Position) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprint(p.Frames[0].Line)
	}
	var texts []string
	for _, m := range s.Moves {
		texts = append(texts, m.Actor+" "+line(m.From)+" to "+line(m.To))
	}
	return strings.Join(texts, ", ")
}

func TestActorsAreAskedWhereTheyStandWhenTheyOrTheirTasksMove(t *testing.T) {
	asked := 0
	newPlaced := func(requests ...Request) func() Actor {
		return func() Actor { return &placed{script: script{requests: requests}, asked: &asked} }
	}
	s := scenario(
		ActorSpec{Name: "A", Process: "p1", New: newPlaced(
			command("SET", "x", "1", "0"), Spawn{"task", newPlaced(Sleep{For: time.Second}, Sleep{For: time.Second}, command("DEL", "x"))()},
			Sleep{For: time.Second}, command("DEL", "x"))},
		ActorSpec{Name: "B", Process: "p2", New: newPlaced(command("DEL", "y"), Leave{"nothing"})},
		actor("C", "p3", command("DEL", "z")))
	s.Positions, s.Faults = true, choices(t, "crash p2")
	w, trace := replay(t, s, "run A, tick 5s, run B, run C, run A, crash p2")
	for i, want := range []string{
		"A 1 to 3, A:task - to 1", // it began within A's move
		"A 3 to 4, A:task 1 to 3", // which woke twice
		"B 1 to 2",                // and failed
		"",                        // of an actor that does not tell
		"A 4 to 5",
		"",
	} {
		if got := movesOf(trace.Steps[i]); got != want {
			t.Errorf("step %d: %s, want %s", i+1, got, want)
		}
	}
	if _, sleeps := trace.Steps[0].Moves[0].Next.(Sleep); !sleeps || trace.Steps[2].Moves[0].Next != nil {
		t.Errorf("A asks for %v, and B, which failed, for %v", trace.Steps[0].Moves[0].Next, trace.Steps[2].Moves[0].Next)
	}
	if b, _ := w.Snapshot().Actor("B"); b.Position == nil || b.Position.Frames[0].Line != 2 || b.Failure.Code == "" {
		t.Errorf("B failed at %v", b.Position)
	}
	if want := 2 + (2 + 2) + (3 + 2) + 1 + (1 + 1); asked != want {
		t.Errorf("positions were asked for %d times, want %d", asked, want)
	}

	asked = 0
	s.Positions = false
	_, trace = replay(t, s, "run A, tick 5s")
	if asked > 0 || trace.Steps[0].Moves != nil || trace.Steps[0].After.Actors[0].Position != nil {
		t.Error("nobody wants to know where actors stand, and they are asked")
	}
}

func TestCallsAreComparedWithTheSameCallBefore(t *testing.T) {
	frame := func(first, line int) Frame { return Frame{Chunk: "lib", First: first, Last: first + 5, Line: line} }
	main := func(line int) Frame { return Frame{Chunk: "A", Line: line} }
	for _, tt := range []struct {
		name     string
		from, to *Position
		want     string // the line before of each call, innermost first
	}{
		{"the start", nil, &Position{[]Frame{main(1)}}, "[-]"},
		{"the same call", &Position{[]Frame{frame(10, 12), main(1)}}, &Position{[]Frame{frame(10, 13), main(1)}}, "[12 1]"},
		{"a call more", &Position{[]Frame{main(1)}}, &Position{[]Frame{frame(10, 13), main(2)}}, "[- 1]"},
		{"a call less", &Position{[]Frame{frame(20, 21), frame(10, 13), main(2)}}, &Position{[]Frame{frame(10, 14), main(2)}}, "[13 2]"},
		{
			"another call between", &Position{[]Frame{frame(20, 21), frame(10, 13), main(2)}},
			&Position{[]Frame{frame(20, 21), frame(30, 33), main(2)}}, "[- - 2]",
		},
		{
			"a call that ends like another", &Position{[]Frame{{Chunk: "lib", First: 12, Last: 20, Line: 14}, main(2)}},
			&Position{[]Frame{{Chunk: "lib", First: 10, Last: 20, Line: 14}, main(2)}}, "[- 2]",
		},
		{"the end", &Position{[]Frame{main(1)}}, nil, "[]"},
	} {
		m := Move{From: tt.from, To: tt.to}
		var lines []string
		if tt.to != nil {
			for i := range tt.to.Frames {
				lines = append(lines, "-")
				if before := m.Before(i); before != nil {
					lines[i] = fmt.Sprint(before.Line)
				}
			}
		}
		if got := fmt.Sprint(lines); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// walker tells its line as many times as it has requests behind it.
type walker struct {
	placed
	tell  func(*Position) bool
	ended *int // how often nobody wanted to be told any more
}

func (w *walker) Watch(tell func(*Position) bool) {
	if w.tell = tell; tell == nil {
		*w.ended++
	}
}

func (w *walker) Next(out Outcome) Request {
	for i := 0; w.tell != nil && i <= w.line; i++ {
		if !w.tell(&Position{Frames: []Frame{{Chunk: "A", Line: i}}}) {
			break
		}
	}
	return w.placed.Next(out)
}

func TestTheLinesOfAWatchedStepAreKeptInOrder(t *testing.T) {
	asked, ended := 0, 0
	newWalker := func(requests ...Request) func() Actor {
		return func() Actor {
			return &walker{placed: placed{script: script{requests: requests}, asked: &asked}, ended: &ended}
		}
	}
	s := scenario(ActorSpec{Name: "A", Process: "p1", New: newWalker(
		command("SET", "x", "1", "0"), Spawn{"task", newWalker(Sleep{For: time.Second})()}, command("DEL", "x"))})
	s.Positions = true
	s.Watch = func(step int) bool { return step == 1 }
	_, trace := replay(t, s, "run A, run A")
	var got []string
	for _, r := range trace.Steps[0].Ran {
		got = append(got, fmt.Sprint(r.Actor, " ", r.At.Frames[0].Line))
	}
	if want := "A 0, A 1, A:task 0, A 0, A 1, A 2"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
	if trace.Steps[1].Ran != nil || ended != 2 {
		t.Errorf("a step that nobody watches has lines, or %d of 2 actors were told so", ended)
	}

	var large Step
	for large.ran("A", &Position{Frames: []Frame{{Locals: []Local{{Value: strings.Repeat("x", maxStepBytes/8)}}}}}) {
		continue
	}
	if n := len(large.Ran); n != 7 {
		t.Errorf("%d large lines are kept, want 7", n)
	}

	many := make([]Request, 40)
	for i := range many {
		many[i] = Say{"x"}
	}
	s.Actors[0].New = newWalker(append([]Request{command("DEL", "x")}, many...)...)
	_, trace = replay(t, s, "run A")
	if n := len(trace.Steps[0].Ran); n != 500 {
		t.Errorf("%d lines are kept, want 500", n)
	}
}
