package ui

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"lockstep/lessons"
	"lockstep/lessons/highlight"
)

// luaHTML is a script as a list of highlighted lines, with a mark at one of them (0: none).
func luaHTML(lang lessons.Lang, source string, at int) string {
	var b strings.Builder
	b.WriteString(`<ol class="lua">`)
	for i, line := range highlight.Lua(source) {
		if i+1 == at {
			b.WriteString(`<li class="at" aria-current="true">`)
		} else {
			b.WriteString("<li>")
		}
		b.WriteString(lineHTML(lang, line))
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

// lineHTML is a line in colours. A comment in another language stands there in the reader's too,
// and the style sheet shows one of them.
func lineHTML(lang lessons.Lang, line []highlight.Token) string {
	var b strings.Builder
	for i, t := range line {
		english, known := lessons.EnglishComment(t.Text)
		if lang != lessons.En || !known {
			b.WriteString(highlight.HTML(line[i : i+1]))
			continue
		}
		b.WriteString(`<i class="` + t.Class + `"><span class="translated">` + html.EscapeString(english) +
			`</span><span class="original" lang="` + Tag(lessons.Zh) + `">` + html.EscapeString(t.Text) + `</span></i>`)
	}
	return b.String()
}

// translates tells whether the page shows comments of a lesson's scripts in another language
// than they have.
func translates(v *View) bool {
	return v.Lang == lessons.En && slices.ContainsFunc(v.Lesson.Scripts, func(s lessons.Script) bool {
		return slices.ContainsFunc(highlight.Lua(s.Source), func(line []highlight.Token) bool {
			return slices.ContainsFunc(line, func(t highlight.Token) bool {
				_, known := lessons.EnglishComment(t.Text)
				return known
			})
		})
	})
}

// SourceToEdit is a script as its readers edit it: with comments in their language.
func SourceToEdit(lang lessons.Lang, source string) string {
	if lang != lessons.En {
		return source
	}
	lines := strings.Split(source, "\n")
	for i, tokens := range highlight.Lua(source) {
		var b strings.Builder
		for _, t := range tokens {
			text := t.Text
			if english, known := lessons.EnglishComment(t.Text); known {
				text = english
			}
			b.WriteString(text)
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}
