package ui

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"lockstep/lessons"
	"lockstep/lessons/highlight"
)

// luaHTML is a list of highlighted lines, with a mark at one of them (0: none).
func luaHTML(lines []string, at int) string {
	var b strings.Builder
	b.WriteString(`<ol class="lua">`)
	for i, line := range lines {
		if i+1 == at {
			b.WriteString(`<li class="at" aria-current="true">`)
		} else {
			b.WriteString("<li>")
		}
		b.WriteString(line + "</li>")
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
func lineHTML(lang lessons.Lang, words lessons.Words, line []highlight.Token) string {
	var b strings.Builder
	for i, t := range line {
		translated, known := words.Comment(lang, t.Text)
		if !known || t.Class != highlight.Comment {
			b.WriteString(highlight.HTML(line[i : i+1]))
			continue
		}
		b.WriteString(`<i class="` + t.Class + `"><span class="translated">` + html.EscapeString(translated) +
			`</span><span class="original" lang="` + Tag(lang.Other()) + `">` + html.EscapeString(t.Text) + `</span></i>`)
	}
	return b.String()
}

// translates tells whether the page shows comments of a lesson's sources in another language
// than they have.
func translates(v *View) bool {
	return slices.ContainsFunc(v.Lesson.Parts(), func(p lessons.Part) bool {
		source, _ := v.Lesson.Source(p)
		return SourceToEdit(v.Lang, v.Lesson.Words, source) != source
	})
}

// SourceToEdit is a source as its readers edit it: with comments in their language.
func SourceToEdit(lang lessons.Lang, words lessons.Words, source string) string {
	lines := strings.Split(source, "\n")
	for i, tokens := range highlight.Lua(source) {
		var b strings.Builder
		for _, t := range tokens {
			text := t.Text
			if translated, known := words.Comment(lang, t.Text); known && t.Class == highlight.Comment {
				text = translated
			}
			b.WriteString(text)
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}
