package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"lockstep/lessons"
	"lockstep/lessons/highlight"
)

// Album keeps what was drawn of a timeline. What has happened does not change, so
// each step is drawn once, and so are the lanes and each script. The player keeps an
// album with each timeline; an empty one is ready for use.
type Album struct {
	lang    lessons.Lang
	steps   []*picture
	scripts map[string]string   // HTML by source
	lines   map[string][]string // HTML of each line by source
	heads   string              // HTML of the lanes' names
	enter   string              // HTML of the buttons that open a script
}

// Cut is the album of the timeline up to n steps.
func (a *Album) Cut(n int) Album {
	n = min(n, len(a.steps))
	return Album{lang: a.lang, steps: a.steps[:n:n], scripts: a.scripts, lines: a.lines, heads: a.heads, enter: a.enter}
}

// picture is one step as it is drawn. What depends on where the learner stands is
// no part of it.
type picture struct {
	lines      []line
	event, row string // HTML, empty until drawn
}

// album is the one that the player keeps, or one for this drawing alone.
func (v *View) album() *Album {
	if v.Album == nil {
		v.Album = &Album{}
	}
	if v.Album.lang != v.Lang {
		*v.Album = Album{lang: v.Lang, scripts: map[string]string{}, lines: map[string][]string{}}
	}
	return v.Album
}

// picture finds the picture of the step after n others, or begins it.
func (v *View) picture(d diagram, n int) *picture {
	a := v.album()
	for len(a.steps) <= n {
		a.steps = append(a.steps, &picture{lines: d.consequences(v, &v.Trace.Steps[len(a.steps)])})
	}
	return a.steps[n]
}

// script is a script's source in colours, as HTML.
func (v *View) script(source string) string {
	scripts := v.album().scripts
	html, known := scripts[source]
	if !known {
		html = luaHTML(source, 0)
		scripts[source] = html
	}
	return html
}

// lines are a source's lines in colours, as HTML.
func (v *View) lines(source string) []string {
	known := v.album().lines
	lines, ok := known[source]
	if !ok {
		for _, line := range highlight.Lua(source) {
			lines = append(lines, highlight.HTML(line))
		}
		known[source] = lines
	}
	return lines
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
