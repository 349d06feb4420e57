package player

import (
	"context"
	"reflect"
	"sync"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// A telling is what all sessions share that are told a lesson's story in memory: each step is played once, by the session
// that comes to it first, and its page is drawn once for all who see the same. That is sound because a run is a function
// of lesson and schedule, and a page one of its View; and because nobody changes a step or a drawing that is in it.
type telling struct {
	choices []engine.Choice // the story's

	all      *tellings
	trace    engine.Trace // as far as somebody has come
	drawings map[int][]drawing
	texts    map[string]string // of all drawings, each once
}

// drawing is the page of a view, without the lab.
type drawing struct {
	view  ui.View
	parts []drawn
}

// drawn is a fragment as HTML.
type drawn struct {
	id, html string
	rows     []ui.Row
}

const (
	mostDrawings = 12       // of one place: its languages, at rest and on the way, with as many right answers as learners have
	maxTellings  = 64 << 20 // bytes, about, of those of an edition; beyond them all begin anew
	drawingBytes = 3 << 10  // of a drawing without its texts and rows
	rowBytes     = 32       // of a row without its text
)

// tellings are those of an edition's lessons.
type tellings struct {
	mu    sync.Mutex // of all that is in them
	of    map[*lessons.Lesson]*telling
	bytes int
}

func (all *tellings) find(l *lessons.Lesson) *telling {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of == nil || all.bytes > maxTellings {
		all.of, all.bytes = map[*lessons.Lesson]*telling{}, 0
	}
	t := all.of[l]
	if t == nil {
		t = &telling{choices: l.Choices(), all: all, drawings: map[int][]drawing{}, texts: map[string]string{}}
		all.of[l] = t
	}
	return t
}

// telling is the one that the session shares. It is nil on a real server, and for a draft or with edits.
func (s *Session) telling() *telling {
	if s.lesson != s.listed || s.kind.Real() != "" {
		return nil
	}
	return s.edition.tellings.find(s.lesson)
}

// next is the story's step after those that are done, if it is c and somebody has played it.
func (t *telling) next(done []engine.Choice, c engine.Choice) (engine.Step, bool) {
	n := len(done)
	if t == nil || n >= len(t.choices) || t.choices[n] != c || !prefix(t.choices, done) {
		return engine.Step{}, false
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if n >= len(t.trace.Steps) {
		return engine.Step{}, false
	}
	return t.trace.Steps[n], true
}

// share is a trace of these choices, of the telling's own steps if it is no more than the story. Steps that the telling
// lacks become its.
func (t *telling) share(trace engine.Trace, choices []engine.Choice) engine.Trace {
	if t == nil || !prefix(t.choices, choices) {
		return trace
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.trace.Steps == nil {
		t.trace = engine.Trace{Start: trace.Start, Notes: trace.Notes, Steps: make([]engine.Step, 0, len(t.choices))}
	}
	if have := len(t.trace.Steps); have < len(choices) {
		before := t.trace.Bytes()
		t.trace.Steps = append(t.trace.Steps, trace.Steps[have:]...)
		t.all.bytes += t.trace.Bytes() - before
	}
	return t.trace.Cut(len(choices))
}

// has tells whether a trace is of the telling's own steps.
func (t *telling) has(trace *engine.Trace) bool {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	n := len(trace.Steps)
	return n == 0 || n <= len(t.trace.Steps) && &trace.Steps[0] == &t.trace.Steps[0]
}

// drawing is the page of a view that somebody has seen; nil: nobody has. place says where it is.
func (t *telling) drawing(place int, v *ui.View) []drawn {
	t.all.mu.Lock()
	there := t.drawings[place]
	t.all.mu.Unlock()
	for i := range there {
		if reflect.DeepEqual(&there[i].view, v) {
			return there[i].parts
		}
	}
	return nil
}

// keep makes the page of a view known to others.
func (t *telling) keep(place int, v ui.View, parts []drawn) {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if len(t.drawings[place]) >= mostDrawings {
		return
	}
	for i := range parts {
		parts[i].html = t.text(parts[i].html)
		for k, row := range parts[i].rows {
			parts[i].rows[k] = ui.Row{ID: t.text(row.ID), HTML: t.text(row.HTML)}
		}
		t.all.bytes += rowBytes * len(parts[i].rows)
	}
	t.all.bytes += drawingBytes
	t.drawings[place] = append(t.drawings[place], drawing{view: v, parts: parts})
}

func (t *telling) text(text string) string {
	known, ok := t.texts[text]
	if !ok {
		known = text
		t.texts[text] = text
		t.all.bytes += len(text)
	}
	return known
}

// draw is the page of what the session shows, or of the story alone while that is told.
func (s *Session) draw(ctx context.Context) []drawn {
	v := s.View()
	told := s.shared(&v)
	if told == nil {
		return s.screen.draw(ctx, v)
	}
	place := len(v.Trace.Steps)<<32 | v.Pos
	same := v // and nothing that changes
	same.Trace, same.Schedule, same.Cache, same.Author = nil, engine.Schedule{}, nil, nil
	parts := told.drawing(place, &same)
	if parts == nil {
		parts = s.screen.draw(ctx, v)
		told.keep(place, same, parts)
	}
	return parts
}

// shared is the telling that a view is of, whatever the session has beside it: nothing of its own is shown, and the trace,
// which is the telling's, says with the place all that is left out of a comparison of views.
func (s *Session) shared(v *ui.View) *telling {
	own := v.Notice != nil || s.searching != nil || s.comparison != nil || len(s.branches) > 0 || s.line > 0
	writes := s.authored || s.proof != nil
	if own || writes || !s.screen.told {
		return nil
	}
	told := s.telling()
	if told == nil || !told.has(v.Trace) || !prefix(told.choices, s.now.choices) {
		return nil
	}
	return told
}
