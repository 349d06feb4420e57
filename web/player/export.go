package player

import (
	"bytes"
	"encoding/json"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/web/ui"
)

// export is the timeline as a file: its trace as `playground run` prints it, in the same
// formats, or a picture.
func (s *Session) export(c Command) Message {
	m := replyTo(c.ID, nil)
	switch trace := withoutLines(s.now.trace); c.Text {
	case "text":
		m.File = trace.String()
	case "json":
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(&trace); err != nil {
			panic("player: a trace cannot be encoded: " + err.Error())
		}
		m.File = b.String()
	case "svg":
		m.File = ui.Picture(s.View())
	default:
		return replyTo(c.ID, s.refuse(CodeBadMessage, fact.Of("no-format", clip(c.Text))))
	}
	return m
}

// withoutLines is a trace without the lines of code that ran, and where actors stand in it.
func withoutLines(t engine.Trace) engine.Trace {
	t.Start.Actors = slices.Clone(t.Start.Actors)
	for i := range t.Start.Actors {
		t.Start.Actors[i].Position = nil
	}
	t.Steps = slices.Clone(t.Steps)
	for i := range t.Steps {
		t.Steps[i].Moves, t.Steps[i].Ran, t.Steps[i].Inside = nil, nil, nil
	}
	return t
}
