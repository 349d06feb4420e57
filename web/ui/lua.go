package ui

import (
	"strings"

	"lockstep/lessons/highlight"
)

// luaHTML is a script as a list of lines in colours, with a mark at one of them;
// 0 is none.
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
