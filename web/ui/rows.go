package ui

import (
	"context"
	"html"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// The steps of the diagram and of its sentences are rows: what is in them does not change,
// and what depends on where the learner stands is said by the elements around it.

func (e event) pictureID() string  { return "ev-" + px(e.N) }
func (e event) sentenceID() string { return "said-" + px(e.N) }

// pictureHTML is a step in the diagram.
func (e event) pictureHTML(v *View, d diagram) string {
	if e.picture == "" {
		var p pen
		p.event(v, d, e)
		e.picture = p.String()
	}
	return e.picture
}

func (e event) sentenceHTML(v *View) string {
	if e.sentence == "" {
		e.sentence = `<td><button type="button">` + px(e.N) + `</button></td><td>` + span(v.Lang, e.At) + `</td><td>` + html.EscapeString(Sentence(v.Lang, v.Lesson.Words.Step(v.Lang, e.Step), v.Lesson.Rules...)) + `</td>`
	}
	return e.sentence
}

func (d diagram) pictures(v *View) []Row {
	return d.rows(func(e event) Row { return Row{e.pictureID(), e.pictureHTML(v, d)} })
}

func (d diagram) sentences(v *View) []Row {
	return d.rows(func(e event) Row { return Row{e.sentenceID(), e.sentenceHTML(v)} })
}

// heads are what is in the heads of the actors' lanes.
func heads(v *View) []Row {
	var all []Row
	var html strings.Builder
	ctx := templ.InitializeContext(context.Background())
	for _, a := range v.Snapshot().Actors {
		if a.Task {
			continue
		}
		html.Reset()
		if err := actorHead(v, a).Render(ctx, &html); err != nil {
			panic("ui: the head of " + a.Name + " cannot be drawn: " + err.Error())
		}
		all = append(all, Row{headID(v, a), html.String()})
	}
	return all
}

func (d diagram) rows(of func(event) Row) []Row {
	rows := make([]Row, len(d.Events))
	for i, e := range d.Events {
		rows[i] = of(e)
	}
	return rows
}

// eventPictures are the elements of the steps.
func eventPictures(v *View, d diagram) templ.Component {
	var p pen
	for i, e := range d.Events {
		class := ""
		switch {
		case e.Current:
			class = "current"
		case e.Future:
			class = "future"
		}
		class = with(class, d.unsaid(i), "unsaid")
		class = with(class, slices.Contains(d.whys, e.Step), "cause")
		p.write(`<g id="`, e.pictureID())
		if class != "" {
			p.write(`" class="`, class)
		}
		p.write(`" data-row>`)
		if d.Whole {
			p.write(e.pictureHTML(v, d))
		}
		p.write(`</g>`)
	}
	return p.drawn()
}

func eventSentence(v *View, d diagram, e event) templ.Component {
	var p pen
	p.write(`<tr id="`, e.sentenceID(), `" data-step="`, px(e.N))
	switch {
	case e.Current:
		p.write(`" aria-current="step`)
	case e.Future:
		p.write(`" class="future`)
	}
	p.write(`" data-row>`)
	if d.Whole {
		p.write(e.sentenceHTML(v))
	}
	p.write(`</tr>`)
	return p.drawn()
}

// whole is the layout of a page that no frame comes to.
func whole(v *View) diagram {
	d := layout(v)
	d.Whole = true
	return d
}
