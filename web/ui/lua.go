package ui

import (
	"strconv"
	"strings"

	"lockstep/lessons/highlight"
)

// luaHTML is a script as a list of highlighted lines, with a mark at one of them (0: none).
func luaHTML(source string, at int) string {
	var b strings.Builder
	b.WriteString(`<ol class="lua">`)
	for i, line := range highlight.Lua(source) {
		if i+1 == at {
			b.WriteString(`<li class="at" aria-current="true">`)
		} else {
			b.WriteString("<li>")
		}
		b.WriteString(highlight.HTML(line))
		b.WriteString("</li>")
	}
	b.WriteString("</ol>")
	return b.String()
}

// passageHTML is a part of a source as a list of numbered lines, with its marks.
func passageHTML(p passage) string {
	var b strings.Builder
	b.WriteString(`<ol class="lua part">`)
	for i, line := range p.Lines {
		n := p.First + i
		b.WriteString(`<li data-n="` + strconv.Itoa(n) + `"`)
		if mark := p.Marks[n]; mark != "" {
			b.WriteString(` class="` + mark + `"`)
			if mark == markAt {
				b.WriteString(` aria-current="true"`)
			}
		}
		b.WriteString(">" + line + "</li>")
	}
	b.WriteString("</ol>")
	return b.String()
}
