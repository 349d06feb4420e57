package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"lockstep/lessons"
)

// Album keeps what was drawn of a timeline. What has happened does not change, so
// each step is drawn once, and so is each script. The player keeps an album with
// each timeline; an empty one is ready for use.
type Album struct {
	lang    lessons.Lang
	steps   []*picture
	scripts map[string]string // HTML by source
}

// Cut is the album of the timeline up to n steps.
func (a *Album) Cut(n int) Album {
	n = min(n, len(a.steps))
	return Album{lang: a.lang, steps: a.steps[:n:n], scripts: a.scripts}
}

// picture is one step as it is drawn. What depends on where the learner stands is
// no part of it.
type picture struct {
	lines      []line
	event, row string // HTML, empty until drawn
}

// picture finds the picture of the step after n others, or begins it.
func (v *View) picture(d diagram, n int) *picture {
	a := v.Album
	if a == nil {
		return &picture{lines: d.consequences(v, &v.Trace.Steps[n])}
	}
	if a.lang != v.Lang {
		*a = Album{lang: v.Lang}
	}
	for len(a.steps) <= n {
		a.steps = append(a.steps, &picture{lines: d.consequences(v, &v.Trace.Steps[len(a.steps)])})
	}
	return a.steps[n]
}

// script is a script's source in colours, as HTML.
func (v *View) script(source string) string {
	if v.Album == nil {
		return luaHTML(source)
	}
	html, known := v.Album.scripts[source]
	if !known {
		html = luaHTML(source)
		if v.Album.scripts == nil {
			v.Album.scripts = map[string]string{}
		}
		v.Album.scripts[source] = html
	}
	return html
}

// kept draws a component unless that has been done.
func kept(html *string, c templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if *html == "" {
			var b strings.Builder
			if err := c.Render(ctx, &b); err != nil {
				return err
			}
			*html = b.String()
		}
		_, err := io.WriteString(w, *html)
		return err
	})
}
