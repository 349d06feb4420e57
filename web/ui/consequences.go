package ui

import (
	"cmp"
	"math"
	"slices"

	"lockstep/engine"
	"lockstep/lessons"
)

// line is one thing that came of a step, drawn below it. An arrow goes from the
// server to a lane, all else stands at one lane.
type line struct {
	Icon, Text, Class string
	X, From           float64        // From is 0 unless it is an arrow
	Row               int            // below the step; -1: beside it
	At                engine.Instant // of what came of a move of the clock
	Near              float64        // the next lane at which something stands in its row; 0: it is alone there
}

// inRows gives each line its row: lines at different lanes share one. The first line may stand
// beside a step of the clock, which has no arrow; tick is the length of that step's text in letters, 0
// when the step is not the clock's.
func inRows(lines []line, tick int) []line {
	row, first := -1, 0 // of the lines in this row
	if tick == 0 && len(lines) > 0 {
		row = 0
	}
	for i := range lines {
		l := &lines[i]
		alone := l.From > 0 || l.X == margin || row < 0 && desk.letters(margin, l.X) < tick
		clashes := slices.ContainsFunc(lines[first:i], func(o line) bool { return !apart(o.X, l.X) || o.From > 0 || o.X == margin })
		if i > first && (alone || clashes) || alone && row < 0 {
			row++
			first = i
		}
		l.Row = row
		for j := first; j < i; j++ {
			lines[j].shares(l.X)
			l.shares(lines[j].X)
		}
	}
	return lines
}

// shares notes that something stands in the same row at another lane.
func (l *line) shares(x float64) {
	if l.Near == 0 || math.Abs(x-l.X) < math.Abs(l.Near-l.X) {
		l.Near = x
	}
}

// height is how many rows lines take below their step.
func height(lines []line) int {
	if len(lines) == 0 {
		return 0
	}
	return lines[len(lines)-1].Row + 1
}

// base is where a line's text stands: above the dashes beside a step of the clock.
func (l line) base(y int) int {
	if l.Row < 0 {
		return y - 5
	}
	return y + 4
}

// left is how many letters there are at the left of a text: beside a step of the clock, fewer by its own.
func (l line) left(b breadth) int {
	n := b.letters(margin, l.X)
	if l.Row < 0 {
		n -= mostTick
	}
	return max(n, 0)
}

// room is how many letters a text has that shares its row.
func (l line) room(b breadth) int { return min(sharedRoom, b.between(l.X, l.Near)) }

// maxLines limits how much of one step the diagram shows; the sentences show everything.
const maxLines = 5

func (d diagram) consequences(v *View, s *engine.Step) []line {
	var lines []line
	for _, e := range s.Expired {
		lines = append(lines, line{Icon: "i-expired", Text: saidExpired.in(v.Lang, onNode(v, e.Node, cutMiddle(e.Key, sharedRoom))), Class: "gone", X: d.serverOf(e.Node), At: e.At})
	}
	for _, m := range s.Delivered {
		lines = append(lines, line{
			Icon: "i-message", Text: m.Payload, Class: "mail " + hueOfProcess(v, m.Process),
			X: d.laneOfProcess(v, m.Process), From: d.serverOf(m.Node), At: s.At,
		})
	}
	for _, m := range s.Missed {
		lines = append(lines, line{Icon: "i-denied", Text: m.Payload, Class: "mail", X: before(d.serverOf(m.Node), d.laneOfProcess(v, m.Process)), From: d.serverOf(m.Node), At: s.At})
	}
	for _, a := range s.Answered {
		lines = append(lines, line{Icon: "i-dot", Text: answeredShort(v.Lang, requestOf(s, a), &a.Reply), Class: "note " + hue(v, a.Actor), X: d.laneOf(a.Actor), From: d.serverOf(a.Node), At: s.At})
	}
	for _, r := range s.Replicas {
		lines = append(lines, line{Icon: "i-dot", Text: replicaBrief(v.Lang, r), Class: "note", X: d.serverOf(r.Node), At: s.At})
	}
	section, refused := refusedSection(s)
	for _, n := range s.Notes {
		atArrow := refused && !granted(s) && n.Actor == s.Choice.Target && n.Text == section
		if shownByLane(n) {
			continue
		}
		if !atArrow || n.Kind != engine.NoteRefused && n.Kind != engine.NoteWant {
			lines = append(lines, d.note(v, n))
		}
	}
	if s.Choice.Kind == engine.Tick {
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.At, b.At) })
	}
	lines = mostOf(v, lines)
	for _, b := range s.Broken {
		text := brokenLabel.in(v.Lang, ruleName(v.Lang, v.Lesson.Rules, b.Invariant))
		lines = append(lines, line{Icon: "i-broken", Text: text, Class: "bad", X: margin})
	}
	beside := 0
	if s.Choice.Kind == engine.Tick {
		beside = width(tickText(v, s)) + 2
	}
	return inRows(lines, beside)
}

// tickText is how far the clock moved.
func tickText(v *View, s *engine.Step) string { return "+" + span(v.Lang, s.At-s.From) }

// shownByLane tells whether a lane shows what a note says: who is inside, and who ended.
func shownByLane(n engine.Note) bool {
	return slices.Contains([]engine.NoteKind{engine.NoteEnter, engine.NoteLeave, engine.NoteDone, engine.NoteWant, engine.NoteUnwant}, n.Kind)
}

func (d diagram) note(v *View, n engine.Note) line {
	return line{Icon: noteIcon(n.Kind), Text: noteBrief(v.Lang, n), Class: "note " + hue(v, n.Actor), X: d.laneOf(n.Actor), At: n.At}
}

// noteBrief is what a note says beside a lane, where a channel's name would push out what happened.
func noteBrief(lang lessons.Lang, n engine.Note) string {
	if n.Kind == engine.NoteTimeout {
		return ofEvents(n.Text, zkNoEvent, briefTimeout).in(lang, n.Actor)
	}
	return noteText(lang, n)
}

// start is what actors did before the first step.
func (d diagram) start(v *View) []line {
	var lines []line
	for _, n := range v.Trace.Notes {
		lines = append(lines, d.note(v, n))
	}
	return mostOf(v, lines)
}

func mostOf(v *View, lines []line) []line {
	if over := len(lines) - maxLines; over > 0 {
		lines = append(lines[:maxLines], line{Icon: "i-dot", Text: timelineMore.in(v.Lang, over), Class: "note", X: margin})
	}
	return lines
}

func noteIcon(k engine.NoteKind) string {
	switch k {
	case engine.NoteEnter, engine.NoteReenter:
		return "i-lock"
	case engine.NoteFailed, engine.NoteRefused:
		return "i-denied"
	case engine.NoteWoke, engine.NoteTimeout, engine.NoteNoReply:
		return "i-time"
	case engine.NoteLeave, engine.NoteStay, engine.NoteWant, engine.NoteUnwant, engine.NoteSay, engine.NoteRemember, engine.NoteSpawn, engine.NoteCancel, engine.NoteDone:
	}
	return "i-dot"
}
