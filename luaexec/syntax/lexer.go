package syntax

import "strings"

// Tokens cuts a source into tokens, including comments. It never fails: a string without its closing
// quote, for one, ends with the line.
func Tokens(source string) []Token {
	l := &lexer{source: source, line: 1}
	for {
		t := l.next()
		l.tokens = append(l.tokens, t)
		if t.Kind == TokEOF {
			return l.tokens
		}
	}
}

type lexer struct {
	source string
	chunk  string
	at     int
	line   int32
	err    *Error // in the current token
	tokens []Token
}

func (l *lexer) next() Token {
	for {
		switch l.peek(0) {
		case '\n', '\r':
			l.newline()
		case ' ', '\t', '\v', '\f':
			l.at++
		default:
			t := Token{Start: int32(l.at), Line: l.line}
			t.Kind = l.lex(&t)
			t.End, t.LastLine = int32(l.at), l.line
			t.err, l.err = l.err, nil
			return t
		}
	}
}

func (l *lexer) lex(t *Token) Kind {
	c := l.peek(0)
	switch {
	case l.at >= len(l.source):
		return TokEOF
	case c == '-' && l.peek(1) == '-':
		l.comment()
		return TokComment
	case c == '"' || c == '\'':
		l.quoted(t, c)
		return TokString
	case c == '[' && (l.peek(1) == '[' || l.peek(1) == '='):
		return l.bracket(t)
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		l.number()
		return TokNumber
	case isAlphanumeric(c):
		start := l.at
		l.word()
		if word, ok := words[l.source[start:l.at]]; ok {
			return word
		}
		return TokName
	}
	for k := TokDots; k >= TokConcat; k-- { // the longer one first
		if l.accept(k.String()) {
			return k
		}
	}
	for k := TokEqual; k <= TokUnequal; k++ {
		if l.accept(k.String()) {
			return k
		}
	}
	l.at++
	return Kind(c)
}

// peek is the byte at an offset from here, or 0 after the end.
func (l *lexer) peek(offset int) byte {
	if l.at+offset < len(l.source) {
		return l.source[l.at+offset]
	}
	return 0
}

func (l *lexer) accept(text string) bool {
	if !strings.HasPrefix(l.source[l.at:], text) {
		return false
	}
	l.at += len(text)
	return true
}

// fail records the first error of the current token. The message shows near up to a zero byte, as in C.
func (l *lexer) fail(message, near string) {
	if l.err == nil {
		near, _, _ = strings.Cut(near, "\x00")
		l.err = &Error{l.chunk, int(l.line), message + " near '" + near + "'"}
	}
}

// newline passes a line break: \n, \r, \r\n or \n\r.
func (l *lexer) newline() {
	if next := l.peek(1); (next == '\n' || next == '\r') && next != l.peek(0) {
		l.at++
	}
	l.at++
	l.line++
}

func (l *lexer) atNewline() bool { return l.peek(0) == '\n' || l.peek(0) == '\r' }

func (l *lexer) word() {
	for isAlphanumeric(l.peek(0)) {
		l.at++
	}
}

func (l *lexer) number() {
	start := l.at
	for isDigit(l.peek(0)) || l.peek(0) == '.' {
		l.at++
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		l.at++
		if sign := l.peek(0); sign == '+' || sign == '-' {
			l.at++
		}
	}
	l.word()
	text := l.source[start:l.at]
	isHexFraction := strings.ContainsAny(text, "xX") && strings.ContainsAny(text, "pP.") // gopher-lua has none
	if _, ok := Number(text); !ok || isHexFraction {
		l.fail("malformed number", text)
	}
}

func (l *lexer) comment() {
	l.at += len("--")
	if level := l.longLevel(); level >= 0 {
		l.long(level, "comment")
		return
	}
	for l.at < len(l.source) && !l.atNewline() {
		l.at++
	}
}

// longLevel is the number of = in the long bracket that begins here; -1: none does.
func (l *lexer) longLevel() int {
	if l.peek(0) != '[' {
		return -1
	}
	level := 0
	for l.peek(1+level) == '=' {
		level++
	}
	if l.peek(1+level) != '[' {
		return -1
	}
	return level
}

// bracket reads a long string. [= without a second [ is an error.
func (l *lexer) bracket(t *Token) Kind {
	if level := l.longLevel(); level >= 0 {
		t.value = l.long(level, "string")
		return TokString
	}
	start := l.at
	for l.at++; l.peek(0) == '='; l.at++ {
	}
	l.fail("invalid long string delimiter", l.source[start:l.at])
	return TokString
}

// long reads a long string or comment. Its text lacks a line break at its beginning, and has \n for every other.
func (l *lexer) long(level int, what string) string {
	l.at += level + 2
	closing := "]" + strings.Repeat("=", level) + "]"
	var text strings.Builder
	for first := true; ; first = false {
		switch {
		case l.at >= len(l.source):
			l.fail("unfinished long "+what, TokEOF.String())
			return ""
		case l.atNewline():
			if !first {
				text.WriteByte('\n')
			}
			l.newline()
		case l.accept(closing):
			return text.String()
		case level == 0 && l.peek(0) == '[' && l.peek(1) == '[':
			l.fail("nesting of [[...]] is deprecated", "[")
			l.at++
		default:
			text.WriteByte(l.peek(0))
			l.at++
		}
	}
}

func (l *lexer) quoted(t *Token, mark byte) {
	text := []byte{mark}
	for l.at++; l.peek(0) != mark || l.at >= len(l.source); {
		switch {
		case l.at >= len(l.source):
			l.fail("unfinished string", TokEOF.String())
			return
		case l.atNewline():
			l.fail("unfinished string", string(text))
			return
		case l.peek(0) == '\\':
			l.at++
			text = l.escape(text)
		default:
			text = append(text, l.peek(0))
			l.at++
		}
	}
	l.at++
	t.value = string(text[1:])
}

// escape reads the rest of an escape sequence behind its backslash. An unknown letter stands for itself.
func (l *lexer) escape(text []byte) []byte {
	const names, values = "abfnrtv", "\a\b\f\n\r\t\v"
	c := l.peek(0)
	switch {
	case l.at >= len(l.source):
		return text
	case l.atNewline():
		l.newline()
		return append(text, '\n')
	case isDigit(c):
		code := 0
		for n := 0; n < 3 && isDigit(l.peek(0)); n++ {
			code = 10*code + int(l.peek(0)-'0')
			l.at++
		}
		if code > 255 {
			l.fail("escape sequence too large", string(text))
		}
		return append(text, byte(code))
	}
	l.at++
	if i := strings.IndexByte(names, c); i >= 0 {
		c = values[i]
	}
	return append(text, c)
}
