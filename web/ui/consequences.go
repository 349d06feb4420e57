package ui

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// line is one thing that came of a step: a mark at a lane, and its words in the gutter. An arrow goes from the server to a
// lane, all else stands at one lane.
type line struct {
	Icon, Text, Class string
	Less              []string       // the text with fewer of its words, the longest first
	X, From           float64        // From is 0 unless it is an arrow; X of what no lane has is 0
	At                engine.Instant // of what came of a move of the clock
	y                 int            // from the top of the timeline
}

// maxLines limits how much of one step the diagram shows; the sentences show everything.
const maxLines = 5

func (d diagram) consequences(v *View, s *engine.Step) []line {
	var lines []line
	for _, m := range s.Delivered {
		lines = append(lines, line{
			Icon: "i-message", Text: message(m.Payload), Class: "mail " + hueOfProcess(v, m.Process),
			X: d.laneOfProcess(v, m.Process), From: d.serverOf(m.Node), At: s.At,
		})
	}
	for _, m := range s.Missed {
		lines = append(lines, line{Icon: "i-denied", Text: message(m.Payload), Class: "mail", X: before(d.serverOf(m.Node), d.laneOfProcess(v, m.Process)), From: d.serverOf(m.Node), At: s.At})
	}
	for _, a := range s.Answered {
		lines = append(lines, line{Icon: "i-dot", Text: "← " + answeredShort(v.Lang, requestOf(s, a), &a.Reply), Class: "note " + hue(v, a.Actor), X: d.laneOf(a.Actor), From: d.serverOf(a.Node), At: s.At})
	}
	for _, r := range s.Replicas {
		lines = append(lines, line{Icon: "i-dot", Text: r.Node + clauseColon.in(v.Lang) + replicaBrief(v.Lang, s, r), Class: "note", X: d.serverOf(r.Node), At: s.At})
	}
	section, refused := refusedSection(s)
	for _, n := range s.Notes {
		atArrow := refused && !granted(s) && n.Actor == s.Choice.Target && n.Text == section
		if shownByLane(n) {
			continue
		}
		if !atArrow || n.Times > 1 || n.Kind != engine.NoteRefused && n.Kind != engine.NoteWant {
			lines = append(lines, d.note(v, n))
		}
	}
	if s.Choice.Kind == engine.Tick {
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.At, b.At) })
	}
	return mostOf(v, lines)
}

func message(payload string) string { return quoted(clip(payload, 20)) }

// shownByLane tells whether a lane shows what a note says: who is inside, who slept, and who ended.
func shownByLane(n engine.Note) bool {
	return slices.Contains([]engine.NoteKind{engine.NoteEnter, engine.NoteLeave, engine.NoteDone, engine.NoteWant, engine.NoteUnwant, engine.NoteWoke}, n.Kind)
}

func (d diagram) note(v *View, n engine.Note) line {
	l := line{Icon: noteIcon(n.Kind), Text: noteBrief(v.Lang, n), Class: "note " + hue(v, n.Actor), X: d.laneOf(n.Actor), At: n.At}
	switch n.Kind { //nolint:exhaustive // the others are short
	case engine.NoteSay:
		l.Less = fewerWords(n.Text)
	case engine.NoteFailed:
		l.Less = lessOfFailure(v.Lang, n)
	}
	return l
}

// lessOfFailure says that somebody failed with less and less of the error, from its end: an error is known by how it begins.
func lessOfFailure(lang lessons.Lang, n engine.Note) (less []string) {
	const least = 5
	text := []rune(clip(Tell(lang, n.Failure), mostLetters))
	for end := len(text) - 1; end >= least; end-- {
		less = append(less, saidOf[n.Kind].in(lang, n.Actor, strings.TrimRight(string(text[:end]), " ,;:")+"…"))
	}
	return less
}

// noteBrief is what a note says beside a lane, where a channel's name would push out what happened and the lane tells
// who speaks.
func noteBrief(lang lessons.Lang, n engine.Note) string {
	switch n.Kind {
	case engine.NoteTimeout:
		return ofEvents(n.Text, zkNoEvent, briefTimeout).in(lang, n.Actor)
	case engine.NoteSay:
		return quoted(n.Text)
	default:
		return noteText(lang, n)
	}
}

func quoted(text string) string { return "“" + text + "”" }

// fewerWords is what somebody says without its last words, the longest first.
func fewerWords(text string) (fewer []string) {
	text = clip(text, mostLetters)
	for end := strings.LastIndexByte(text, ' '); end > 0; end = strings.LastIndexByte(text[:end], ' ') {
		fewer = append(fewer, quoted(strings.TrimRight(text[:end], " ,;:")+" …"))
	}
	return fewer
}

// start is what actors did before the first step.
func (d diagram) start(v *View) []line {
	var lines []line
	for _, n := range v.Lesson.Words.Notes(v.Lang, v.Trace.Notes) {
		lines = append(lines, d.note(v, n))
	}
	lines = mostOf(v, lines)
	for i := range lines {
		lines[i].y = axisHead + lineHeight*(i+1)
	}
	return lines
}

func mostOf(v *View, lines []line) []line {
	if over := len(lines) - maxLines; over > 0 {
		lines = append(lines[:maxLines], line{Icon: "i-dot", Text: timelineMore.in(v.Lang, over), Class: "note"})
	}
	return lines
}

// drawn is where a step and what came of it stand, when it begins at some height.
func (d diagram) drawn(v *View, s *engine.Step, top int) *drawnStep {
	e := &drawnStep{lines: d.consequences(v, s), values: d.valuesOf(v, s), Top: top}
	gap, folded := d.gap(s)
	if gap == 0 {
		e.y = top + d.row - aboveRow
		e.Height = d.row + lineHeight*len(e.lines)
		for i := range e.lines {
			e.lines[i].y = top + d.row + lineHeight*(i+1) - aboveRow
		}
		for i := range e.values {
			e.values[i].y = e.y
		}
		return e
	}
	e.folded = folded
	below := 0 // of the texts that have no room while time passes
	if folded || lineHeight*len(e.lines) > gap {
		below = lineHeight * len(e.lines)
	}
	e.y = top + gap
	e.Height = gap + afterGap + below
	at := func(t engine.Instant) int {
		if folded {
			return e.y
		}
		return top + int(float64(gap)*float64(t-s.From)/float64(max(1, s.At-s.From)))
	}
	last := top - lineHeight/2
	for i := range e.lines {
		l := &e.lines[i]
		if l.y = apart(last, at(l.At), e.y, len(e.lines)-1-i); below > 0 {
			l.y = e.y + lineHeight*(i+1) + 2
		}
		last = l.y
	}
	last = top - lineHeight/2
	for i := range e.values {
		w := &e.values[i]
		w.y = apart(last, at(w.At), e.y, len(e.values)-1-i)
		last = w.y
	}
	return e
}

// apart is the height of a text at an instant of a move of the clock: its own, but not on the last one, and with room for the rest.
func apart(last, at, end, rest int) int { return max(last+lineHeight, min(at, end-lineHeight*rest)) }

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
