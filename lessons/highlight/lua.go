// Package highlight splits code into tokens with the classes in which pages draw them.
package highlight

import "strings"

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

var words = map[string]string{
	"and": Keyword, "break": Keyword, "do": Keyword, "else": Keyword, "elseif": Keyword,
	"end": Keyword, "false": Keyword, "for": Keyword, "function": Keyword, "if": Keyword,
	"in": Keyword, "local": Keyword, "nil": Keyword, "not": Keyword, "or": Keyword,
	"repeat": Keyword, "return": Keyword, "then": Keyword, "true": Keyword,
	"until": Keyword, "while": Keyword,
	"redis": Redis, "KEYS": Redis, "ARGV": Redis,
}

// Lua splits Lua into lines of tokens. It only looks, so text that is no Lua comes
// out as it went in.
func Lua(source string) [][]Token {
	var l lines
	rest := strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	for rest != "" {
		class, n := next(rest)
		l.add(class, rest[:n])
		rest = rest[n:]
	}
	return l.all()
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

// next is the class and the length of the token that text begins with.
func next(text string) (class string, n int) {
	c := text[0]
	switch {
	case strings.HasPrefix(text, "--"):
		if n := longBracket(text[2:]); n > 0 {
			return Comment, 2 + n
		}
		return Comment, until(text, "\n")
	case c == '[':
		if n := longBracket(text); n > 0 {
			return String, n
		}
		return "", 1
	case c == '"' || c == '\'':
		return String, quoted(text)
	case c >= '0' && c <= '9':
		return Number, while(text, func(c byte) bool { return isWord(c) || c == '.' })
	case isWord(c):
		n := while(text, isWord)
		return words[text[:n]], n
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
