package highlight

import (
	"html"
	"regexp"
	"strings"

	"lockstep/luaexec/syntax"
)

// HTML is one line of tokens: escaped text, with an element around what has a class.
func HTML(line []Token) string {
	var b strings.Builder
	for _, t := range line {
		text := html.EscapeString(t.Text)
		if t.Class != "" {
			text = `<i class="` + t.Class + `">` + text + "</i>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// Block is the HTML of a block of code in a language that the caller names, as
// after ``` in Markdown. Only lua has colours.
func Block(language, source string) string {
	if language != "lua" {
		return html.EscapeString(source)
	}
	var b strings.Builder
	for _, line := range Lua(source) {
		b.WriteString(HTML(line) + "\n")
	}
	return b.String()
}

var (
	// sent is a command: its name, in capitals, is the first word.
	sent = regexp.MustCompile(`^[A-Z]{2,}( [^=(]*)?$`)
	// written is what only Lua looks like: a call, an index, a comparison, a text.
	written = regexp.MustCompile(`[A-Za-z_]\w*[(\[]|[=~<>]=|["']|\.\.|^(KEYS|ARGV|redis)\b`)
)

// Inline is the HTML of a piece of code within a sentence, which names no language:
// a command, Lua when it looks like some, else only a name.
func Inline(code string) string {
	switch {
	case strings.Contains(code, "\n"):
	case syntax.IsWord(code) || written.MatchString(code):
		return HTML(Lua(code)[0])
	case sent.MatchString(code):
		return HTML(Command(code))
	}
	return html.EscapeString(code)
}
