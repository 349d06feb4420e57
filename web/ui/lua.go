package ui

import (
	"html"
	"strings"
)

// luaToken is a piece of Lua with the class that it is drawn in.
type luaToken struct{ class, text string }

// The classes of tokens; plain text has none.
const (
	luaKeyword = "k"
	luaString  = "s"
	luaNumber  = "n"
	luaComment = "c"
	luaRedis   = "r" // redis.call and its like, KEYS and ARGV
)

var luaWords = map[string]string{
	"and": luaKeyword, "break": luaKeyword, "do": luaKeyword, "else": luaKeyword, "elseif": luaKeyword,
	"end": luaKeyword, "false": luaKeyword, "for": luaKeyword, "function": luaKeyword, "if": luaKeyword,
	"in": luaKeyword, "local": luaKeyword, "nil": luaKeyword, "not": luaKeyword, "or": luaKeyword,
	"repeat": luaKeyword, "return": luaKeyword, "then": luaKeyword, "true": luaKeyword,
	"until": luaKeyword, "while": luaKeyword,
	"redis": luaRedis, "KEYS": luaRedis, "ARGV": luaRedis,
}

// luaLines splits Lua into lines of tokens. It only looks, so text that is no
// Lua comes out as it went in.
func luaLines(source string) [][]luaToken {
	lines := [][]luaToken{nil}
	add := func(class, text string) {
		for i, part := range strings.Split(text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part == "" {
				continue
			}
			line := &lines[len(lines)-1]
			if n := len(*line); n > 0 && (*line)[n-1].class == class {
				(*line)[n-1].text += part
				continue
			}
			*line = append(*line, luaToken{class, part})
		}
	}
	rest := strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	for rest != "" {
		class, n := luaNext(rest)
		add(class, rest[:n])
		rest = rest[n:]
	}
	return lines
}

// luaHTML is a script as a list of lines in colours, with a mark at one of them;
// 0 is none.
func luaHTML(source string, at int) string {
	var b strings.Builder
	b.WriteString(`<ol class="lua">`)
	for i, line := range luaLines(source) {
		if i+1 == at {
			b.WriteString(`<li class="at" aria-current="true">`)
		} else {
			b.WriteString("<li>")
		}
		for _, t := range line {
			text := html.EscapeString(t.text)
			if t.class != "" {
				text = `<i class="` + t.class + `">` + text + "</i>"
			}
			b.WriteString(text)
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ol>")
	return b.String()
}

// luaNext is the class and the length of the token that text begins with.
func luaNext(text string) (class string, n int) {
	c := text[0]
	switch {
	case strings.HasPrefix(text, "--"):
		if n := longBracket(text[2:]); n > 0 {
			return luaComment, 2 + n
		}
		return luaComment, until(text, "\n")
	case c == '[':
		if n := longBracket(text); n > 0 {
			return luaString, n
		}
		return "", 1
	case c == '"' || c == '\'':
		return luaString, quoted(text)
	case c >= '0' && c <= '9':
		return luaNumber, while(text, func(c byte) bool { return isWord(c) || c == '.' })
	case isWord(c):
		n := while(text, isWord)
		return luaWords[text[:n]], n
	}
	return "", 1
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func while(text string, ok func(byte) bool) int {
	n := 0
	for n < len(text) && ok(text[n]) {
		n++
	}
	return n
}

func until(text, end string) int {
	if n := strings.Index(text, end); n >= 0 {
		return n
	}
	return len(text)
}

// longBracket is the length of a [[long string]] or [==[one]==]; 0 when there is none.
func longBracket(text string) int {
	if text == "" || text[0] != '[' {
		return 0
	}
	level := while(text[1:], func(c byte) bool { return c == '=' })
	if len(text) < level+2 || text[level+1] != '[' {
		return 0
	}
	end := "]" + strings.Repeat("=", level) + "]"
	return min(until(text, end)+len(end), len(text))
}

func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return i
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}
