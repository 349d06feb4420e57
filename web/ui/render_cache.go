package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"lockstep/lessons"
	"lockstep/lessons/highlight"
)

// RenderCache keeps what was drawn of a timeline. What has happened does not change, so
// each step is drawn once, and so are the lanes and each script. The player keeps an
// album with each timeline; an empty one is ready for use.
type RenderCache struct {
	lang    lessons.Lang
	steps   []*drawnStep
	scripts map[string]string   // HTML by source
	lines   map[string][]string // HTML of each line by source
	heads   string              // HTML of the lanes' names
	enter   string              // HTML of the buttons that open a script
}

// Cut is the album of the timeline up to n steps.
func (a *RenderCache) Cut(n int) RenderCache {
	n = min(n, len(a.steps))
	return RenderCache{lang: a.lang, steps: a.steps[:n:n], scripts: a.scripts, lines: a.lines, heads: a.heads, enter: a.enter}
}

// drawnStep is one step as it is drawn. What depends on where the learner stands is
// no part of it.
type drawnStep struct {
	lines      []line
	event, row string // HTML, empty until drawn
}

// cache is the one that the player keeps, or one for this drawing alone.
func (v *View) cache() *RenderCache {
	if v.Cache == nil {
		v.Cache = &RenderCache{}
	}
	if v.Cache.lang != v.Lang {
		*v.Cache = RenderCache{lang: v.Lang, scripts: map[string]string{}, lines: map[string][]string{}}
	}
	return v.Cache
}

// drawnStep finds the picture of the step after n others, or begins it.
func (v *View) drawnStep(d diagram, n int) *drawnStep {
	a := v.cache()
	for len(a.steps) <= n {
		a.steps = append(a.steps, &drawnStep{lines: d.consequences(v, &v.Trace.Steps[len(a.steps)])})
	}
	return a.steps[n]
}

// script is a script's source in colours, as HTML.
func (v *View) script(source string) string {
	scripts := v.cache().scripts
	html, known := scripts[source]
	if !known {
		html = luaHTML(source, 0)
		scripts[source] = html
	}
	return html
}

// lines are a source's lines in colours, as HTML.
func (v *View) lines(source string) []string {
	known := v.cache().lines
	lines, ok := known[source]
	if !ok {
		for _, line := range highlight.Lua(source) {
			lines = append(lines, highlight.HTML(line))
		}
		known[source] = lines
	}
	return lines
}

// cached draws a component unless that has been done.
func cached(html *string, c templ.Component) templ.Component {
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
