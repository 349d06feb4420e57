// Package highlight splits code into tokens with the classes in which pages draw them.
package highlight

import (
	"strings"

	"lockstep/luaexec/syntax"
)

// Token is a piece of code with its class.
type Token struct{ Class, Text string }

// The classes of tokens; plain text has none.
const (
	Keyword = "k"
	String  = "s"
	Number  = "n"
	Comment = "c"
	Redis   = "r" // redis.call and its like, KEYS and ARGV; the name of a command
)

// Lua splits Lua into lines of tokens. It only looks, so text that is no Lua comes
// out as it went in.
func Lua(source string) [][]Token {
	var l lines
	source = strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	at := int32(0)
	for _, t := range syntax.Tokens(source) {
		l.add("", source[at:t.Start])
		text := source[t.Start:t.End]
		l.add(class(t.Kind, text), text)
		at = t.End
	}
	return l.all()
}

func class(k syntax.Kind, text string) string {
	switch {
	case k.IsWord():
		return Keyword
	case k == syntax.TokString:
		return String
	case k == syntax.TokNumber:
		return Number
	case k == syntax.TokComment:
		return Comment
	case text == "redis" || text == "KEYS" || text == "ARGV":
		return Redis
	}
	return ""
}

// lines gathers tokens, joining neighbours of one class.
type lines struct{ done [][]Token }

func (l *lines) all() [][]Token {
	if l.done == nil {
		return [][]Token{nil}
	}
	return l.done
}

func (l *lines) add(class, text string) {
	l.done = l.all()
	for i, part := range strings.Split(text, "\n") {
		if i > 0 {
			l.done = append(l.done, nil)
		}
		if part == "" {
			continue
		}
		line := &l.done[len(l.done)-1]
		if n := len(*line); n > 0 && (*line)[n-1].Class == class {
			(*line)[n-1].Text += part
			continue
		}
		*line = append(*line, Token{class, part})
	}
}
