package luaprobe

import (
	"fmt"
	"regexp"
	"strings"
)

type kind uint8

const (
	eofToken kind = iota
	nameToken
	keywordToken
	numberToken
	stringToken
	symbolToken
)

// token is a piece of the source, from start to end. What stands between two
// tokens is white space and comments.
type token struct {
	kind       kind
	start, end int
	line       int // it begins on, from 1
	lastLine   int // it ends on: a string may hold line breaks
	text       string
}

// SyntaxError says why a source cannot be probed: it is no Lua 5.1, or it nests
// so deep that no probe fits in.
type SyntaxError struct {
	Line    int // from 1
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

var keywords = map[string]bool{
	"and": true, "break": true, "do": true, "else": true, "elseif": true, "end": true,
	"false": true, "for": true, "function": true, "if": true, "in": true, "local": true,
	"nil": true, "not": true, "or": true, "repeat": true, "return": true, "then": true,
	"true": true, "until": true, "while": true,
}

// scanner cuts a source into tokens as Lua 5.1 does. It does not use gopher-lua's:
// that one forgets where tokens begin, and takes goto for a keyword.
type scanner struct {
	source string
	at     int
	line   int
}

// scan ends with a token of kind eofToken. A first line that begins with #! is
// for the server, and stands before the first token.
func scan(source string) ([]token, error) {
	s := &scanner{source: source, line: 1}
	if strings.HasPrefix(source, "#!") {
		if s.at = strings.IndexByte(source, '\n'); s.at < 0 {
			return nil, s.fail(1, "the #! line is all there is")
		}
	}
	var tokens []token
	for {
		if err := s.skipSpace(); err != nil {
			return nil, err
		}
		t := token{start: s.at, line: s.line}
		err := s.next(&t)
		if err != nil {
			return nil, err
		}
		t.end, t.lastLine = s.at, s.line
		t.text = source[t.start:t.end]
		if t.kind == nameToken && keywords[t.text] {
			t.kind = keywordToken
		}
		tokens = append(tokens, t)
		if t.kind == eofToken {
			return tokens, nil
		}
	}
}

func (s *scanner) fail(line int, message string) error {
	return &SyntaxError{Line: line, Message: message}
}

// peek is the byte at an offset from here, or 0 after the end.
func (s *scanner) peek(offset int) byte {
	if s.at+offset < len(s.source) {
		return s.source[s.at+offset]
	}
	return 0
}

func (s *scanner) more() bool { return s.at < len(s.source) }

// newline passes a line break of one or two characters.
func (s *scanner) newline() {
	if next := s.peek(1); (next == '\n' || next == '\r') && next != s.peek(0) {
		s.at++
	}
	s.at++
	s.line++
}

func (s *scanner) skipSpace() error {
	for s.more() {
		switch c := s.peek(0); {
		case c == '\n' || c == '\r':
			s.newline()
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			s.at++
		case c == '-' && s.peek(1) == '-':
			if err := s.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) comment() error {
	s.at += 2
	if level, ok := s.longBracket(); ok {
		return s.long(level, "unfinished long comment")
	}
	for s.more() && s.peek(0) != '\n' && s.peek(0) != '\r' {
		s.at++
	}
	return nil
}

// longBracket tells whether [[ or [=[ begins here, and how many = it has.
func (s *scanner) longBracket() (level int, ok bool) {
	if s.peek(0) != '[' {
		return 0, false
	}
	for s.peek(1+level) == '=' {
		level++
	}
	return level, s.peek(1+level) == '['
}

// long passes a long string or comment, whose bracket begins here.
func (s *scanner) long(level int, unfinished string) error {
	line := s.line
	s.at += level + 2
	closing := "]" + strings.Repeat("=", level) + "]"
	for s.more() {
		switch c := s.peek(0); {
		case c == '\n' || c == '\r':
			s.newline()
		case c == ']' && strings.HasPrefix(s.source[s.at:], closing):
			s.at += len(closing)
			return nil
		case c == '[' && level == 0 && s.peek(1) == '[':
			return s.fail(s.line, "nesting of [[...]] is deprecated")
		default:
			s.at++
		}
	}
	return s.fail(line, unfinished)
}

func (s *scanner) next(t *token) error {
	if !s.more() {
		t.kind = eofToken
		return nil
	}
	c := s.peek(0)
	switch {
	case isLetter(c):
		t.kind = nameToken
		for isLetter(s.peek(0)) || isDigit(s.peek(0)) {
			s.at++
		}
		return nil
	case isDigit(c) || c == '.' && isDigit(s.peek(1)):
		t.kind = numberToken
		return s.number()
	case c == '"' || c == '\'':
		t.kind = stringToken
		return s.quoted(c)
	case c == '[':
		if level, ok := s.longBracket(); ok {
			t.kind = stringToken
			return s.long(level, "unfinished long string")
		}
	}
	t.kind = symbolToken
	for _, symbol := range symbols {
		if strings.HasPrefix(s.source[s.at:], symbol) {
			s.at += len(symbol)
			return nil
		}
	}
	return s.fail(s.line, fmt.Sprintf("unexpected symbol near %q", c))
}

// symbols are in an order in which the first that fits is the longest.
var symbols = []string{
	"...", "..", "==", "~=", "<=", ">=",
	"+", "-", "*", "/", "%", "^", "#", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s *scanner) quoted(quote byte) error {
	line := s.line
	s.at++
	for s.more() {
		switch c := s.peek(0); c {
		case quote:
			s.at++
			return nil
		case '\n', '\r':
			return s.fail(line, "unfinished string")
		case '\\':
			s.at++
			if err := s.escape(); err != nil {
				return err
			}
		default:
			s.at++
		}
	}
	return s.fail(line, "unfinished string")
}

// escape passes what follows a backslash.
func (s *scanner) escape() error {
	switch c := s.peek(0); {
	case c == '\n' || c == '\r':
		s.newline()
	case isDigit(c):
		code := 0
		for i := 0; i < 3 && isDigit(s.peek(0)); i++ {
			code = code*10 + int(s.peek(0)-'0')
			s.at++
		}
		if code > 255 {
			return s.fail(s.line, "escape sequence too large")
		}
	case s.more():
		s.at++
	}
	return nil
}

// number passes what Lua reads as one number, and refuses what is none.
func (s *scanner) number() error {
	start := s.at
	for isDigit(s.peek(0)) || s.peek(0) == '.' {
		s.at++
	}
	if c := s.peek(0); c == 'e' || c == 'E' {
		s.at++
		if sign := s.peek(0); sign == '+' || sign == '-' {
			s.at++
		}
	}
	for isLetter(s.peek(0)) || isDigit(s.peek(0)) {
		s.at++
	}
	if text := s.source[start:s.at]; !numeral.MatchString(text) {
		return s.fail(s.line, "malformed number near '"+text+"'")
	}
	return nil
}

var numeral = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+([pP][0-9]+)?|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)$`)
