package syntax

import (
	"fmt"
	"strings"
)

// token is a symbol of the language: a byte for itself, or one of the constants.
type token int

const (
	tokAnd token = iota + 257
	tokBreak
	tokDo
	tokElse
	tokElseif
	tokEnd
	tokFalse
	tokFor
	tokFunction
	tokIf
	tokIn
	tokLocal
	tokNil
	tokNot
	tokOr
	tokRepeat
	tokReturn
	tokThen
	tokTrue
	tokUntil
	tokWhile
	tokConcat
	tokDots
	tokEq
	tokGe
	tokLe
	tokNe
	tokNumber
	tokName
	tokString
	tokEOS
)

var tokenNames = [...]string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not",
	"or", "repeat", "return", "then", "true", "until", "while", "..", "...", "==", ">=", "<=", "~=",
	"<number>", "<name>", "<string>", "<eof>",
}

var reserved = func() map[string]token {
	words := map[string]token{}
	for t := tokAnd; t <= tokWhile; t++ {
		words[t.String()] = t
	}
	return words
}()

func (t token) String() string {
	switch {
	case t >= tokAnd:
		return tokenNames[t-tokAnd]
	case t < ' ' || t == 127:
		return fmt.Sprintf("char(%d)", int(t))
	}
	return string([]byte{byte(t)})
}

// Error says why a source does not compile.
type Error struct {
	Chunk   string
	Line    int // from 1
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message) }

const endOfSource = -1

// lexeme is a token with what it stands for.
type lexeme struct {
	token token
	num   float64
	str   string
}

// lexer cuts a source into tokens.
type lexer struct {
	source  string
	at      int // of the byte after current
	current int // byte, or endOfSource
	chunk   string

	line, lastLine int // of current and of the last token that was consumed
	t, ahead       lexeme
	buffer         []byte // of the token that is read
}

func (l *lexer) start(source, chunk string) {
	l.source, l.chunk = source, chunk
	l.line, l.lastLine = 1, 1
	l.ahead.token = tokEOS
	l.read()
}

func (l *lexer) read() {
	if l.at >= len(l.source) {
		l.current = endOfSource
		return
	}
	l.current = int(l.source[l.at])
	l.at++
}

func (l *lexer) save() {
	l.buffer = append(l.buffer, byte(l.current))
	l.read()
}

// fail ends the compilation; near is the token that the message shows, 0 for none.
func (l *lexer) fail(message string, near token) {
	switch near {
	case 0:
	case tokName, tokString, tokNumber:
		shown, _, _ := strings.Cut(string(l.buffer), "\x00")
		message += " near '" + shown + "'"
	default:
		message += " near '" + near.String() + "'"
	}
	panic(&Error{Chunk: l.chunk, Line: l.line, Message: message})
}

func (l *lexer) syntaxError(message string) { l.fail(message, l.t.token) }

func (l *lexer) atNewline() bool { return l.current == '\n' || l.current == '\r' }

func (l *lexer) newline() {
	old := l.current
	l.read()
	if l.atNewline() && l.current != old {
		l.read()
	}
	l.line++
}

func (l *lexer) digit() bool { return l.current >= 0 && isDigit(byte(l.current)) }

func (l *lexer) alphanumeric() bool { return l.current >= 0 && isAlphanumeric(byte(l.current)) }

func (l *lexer) saveIf(set string) bool {
	if l.current < 0 || strings.IndexByte(set, byte(l.current)) < 0 {
		return false
	}
	l.save()
	return true
}

func (l *lexer) next() {
	l.lastLine = l.line
	if l.ahead.token != tokEOS {
		l.t = l.ahead
		l.ahead.token = tokEOS
		return
	}
	l.t.token = l.lex(&l.t)
}

func (l *lexer) lookahead() { l.ahead.token = l.lex(&l.ahead) }

func (l *lexer) lex(x *lexeme) token {
	l.buffer = l.buffer[:0]
	for {
		switch c := l.current; c {
		case '\n', '\r':
			l.newline()
		case '-':
			l.read()
			if l.current != '-' {
				return '-'
			}
			l.comment()
		case '[':
			switch level := l.separator(); {
			case level >= 0:
				l.longString(x, level)
				return tokString
			case level == -1:
				return '['
			}
			l.fail("invalid long string delimiter", tokString)
		case '=':
			return l.either('=', tokEq)
		case '<':
			return l.either('<', tokLe)
		case '>':
			return l.either('>', tokGe)
		case '~':
			return l.either('~', tokNe)
		case '"', '\'':
			l.quoted(x, c)
			return tokString
		case '.':
			return l.dots(x)
		case endOfSource:
			return tokEOS
		case ' ', '\t', '\v', '\f':
			l.read()
		default:
			return l.word(x)
		}
	}
}

// either is a comparison that = may follow.
func (l *lexer) either(alone, withEqual token) token {
	l.read()
	if l.current != '=' {
		return alone
	}
	l.read()
	return withEqual
}

func (l *lexer) dots(x *lexeme) token {
	l.save()
	if l.saveIf(".") {
		if l.saveIf(".") {
			return tokDots
		}
		return tokConcat
	}
	if !l.digit() {
		return '.'
	}
	l.number(x)
	return tokNumber
}

func (l *lexer) word(x *lexeme) token {
	if l.digit() {
		l.number(x)
		return tokNumber
	}
	if !l.alphanumeric() {
		c := token(l.current)
		l.read()
		return c
	}
	for l.alphanumeric() {
		l.save()
	}
	x.str = string(l.buffer)
	if word, ok := reserved[x.str]; ok {
		return word
	}
	return tokName
}

func (l *lexer) number(x *lexeme) {
	for l.digit() || l.current == '.' {
		l.save()
	}
	if l.saveIf("Ee") {
		l.saveIf("+-")
	}
	for l.alphanumeric() {
		l.save()
	}
	f, ok := Number(string(l.buffer))
	if !ok {
		l.fail("malformed number", tokNumber)
	}
	x.num = f
}

// separator reads [[ or [=[ and the like; it gives the number of = signs, or less
// than zero if it was none: -1 for a single bracket.
func (l *lexer) separator() int {
	bracket, count := l.current, 0
	l.save()
	for l.current == '=' {
		l.save()
		count++
	}
	if l.current == bracket {
		return count
	}
	return -count - 1
}

func (l *lexer) comment() {
	l.read()
	if l.current == '[' {
		level := l.separator()
		l.buffer = l.buffer[:0]
		if level >= 0 {
			l.longString(nil, level)
			l.buffer = l.buffer[:0]
			return
		}
	}
	for !l.atNewline() && l.current != endOfSource {
		l.read()
	}
}

// longString reads up to the closing bracket; into nothing for a comment.
func (l *lexer) longString(x *lexeme, level int) {
	l.save()
	if l.atNewline() {
		l.newline()
	}
	for {
		switch {
		case l.current == endOfSource && x == nil:
			l.fail("unfinished long comment", tokEOS)
		case l.current == endOfSource:
			l.fail("unfinished long string", tokEOS)
		case l.current == '[':
			if l.separator() == level {
				l.save()
				if level == 0 {
					l.fail("nesting of [[...]] is deprecated", '[')
				}
			}
		case l.current == ']':
			if l.separator() == level {
				l.save()
				if x != nil {
					x.str = string(l.buffer[2+level : len(l.buffer)-2-level])
				}
				return
			}
		case l.atNewline():
			l.buffer = append(l.buffer, '\n')
			l.newline()
			if x == nil {
				l.buffer = l.buffer[:0]
			}
		case x != nil:
			l.save()
		default:
			l.read()
		}
	}
}

func (l *lexer) quoted(x *lexeme, mark int) {
	l.save()
	for l.current != mark {
		switch l.current {
		case endOfSource:
			l.fail("unfinished string", tokEOS)
		case '\n', '\r':
			l.fail("unfinished string", tokString)
		case '\\':
			l.read()
			l.escape()
		default:
			l.save()
		}
	}
	l.save()
	x.str = string(l.buffer[1 : len(l.buffer)-1])
}

func (l *lexer) escape() {
	const names, values = "abfnrtv", "\a\b\f\n\r\t\v"
	switch {
	case l.current == endOfSource:
	case l.atNewline():
		l.buffer = append(l.buffer, '\n')
		l.newline()
	case l.digit():
		c := 0
		for n := 0; n < 3 && l.digit(); n++ {
			c = 10*c + l.current - '0'
			l.read()
		}
		if c > 255 {
			l.fail("escape sequence too large", tokString)
		}
		l.buffer = append(l.buffer, byte(c))
	case strings.IndexByte(names, byte(l.current)) >= 0:
		l.buffer = append(l.buffer, values[strings.IndexByte(names, byte(l.current))])
		l.read()
	default:
		l.save()
	}
}
