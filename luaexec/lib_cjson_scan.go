package luaexec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/syntax"
)

// jsonKind is the kind of a token of JSON, as messages name it.
type jsonKind string

const (
	jsonInvalid     jsonKind = "T_ERROR"
	jsonObjectBegin jsonKind = "T_OBJ_BEGIN"
	jsonObjectEnd   jsonKind = "T_OBJ_END"
	jsonArrayBegin  jsonKind = "T_ARR_BEGIN"
	jsonArrayEnd    jsonKind = "T_ARR_END"
	jsonString      jsonKind = "T_STRING"
	jsonNumber      jsonKind = "T_NUMBER"
	jsonBoolean     jsonKind = "T_BOOLEAN"
	jsonNothing     jsonKind = "T_NULL"
	jsonColon       jsonKind = "T_COLON"
	jsonComma       jsonKind = "T_COMMA"
	jsonEnd         jsonKind = "T_END"
)

type jsonToken struct {
	kind    jsonKind
	at      int        // where it begins, or what is wrong with it
	text    string     // of a string
	value   lua.LValue // of any other token that is one; else nil
	problem string     // of an invalid token
}

// jsonScanner cuts a text into tokens, as leniently as cjson does. A zero byte
// ends the text, as in C.
type jsonScanner struct {
	text string
	at   int
}

// peek is the byte i further on; beyond the end there are zeros.
func (s *jsonScanner) peek(i int) byte {
	if s.at+i < len(s.text) {
		return s.text[s.at+i]
	}
	return 0
}

// jsonMarks are the tokens of one byte.
var jsonMarks = [256]jsonKind{
	'{': jsonObjectBegin, '}': jsonObjectEnd, '[': jsonArrayBegin, ']': jsonArrayEnd,
	',': jsonComma, ':': jsonColon,
}

var jsonWords = []struct {
	word  string
	kind  jsonKind
	value lua.LValue
}{{"true", jsonBoolean, lua.LTrue}, {"false", jsonBoolean, lua.LFalse}, {"null", jsonNothing, jsonNull}}

func (s *jsonScanner) next() jsonToken {
	for c := s.peek(0); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = s.peek(0) {
		s.at++
	}
	c, at := s.peek(0), s.at
	if kind := jsonMarks[c]; kind != "" {
		s.at++
		return jsonToken{kind: kind, at: at}
	}
	switch {
	case c == 0:
		return jsonToken{kind: jsonEnd, at: at}
	case c == '"':
		return s.string()
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case !strings.ContainsRune("fiInNt+", rune(c)):
		return s.problem("invalid token")
	}
	for _, w := range jsonWords {
		if strings.HasPrefix(s.text[s.at:], w.word) {
			s.at += len(w.word)
			return jsonToken{kind: w.kind, at: at, value: w.value}
		}
	}
	word := strings.ToLower(s.text[s.at:min(s.at+3, len(s.text))])
	if c == '+' || word == "inf" || word == "nan" { // numbers that C reads and JSON does not have
		return s.number()
	}
	return s.problem("invalid token")
}

func (s *jsonScanner) problem(what string) jsonToken {
	return jsonToken{kind: jsonInvalid, at: s.at, problem: what}
}

func (s *jsonScanner) number() jsonToken {
	f, rest := syntax.NumberPrefix(s.text[s.at:])
	n := len(s.text) - s.at - len(rest)
	if n == 0 {
		return s.problem("invalid number")
	}
	t := jsonToken{kind: jsonNumber, at: s.at, value: lua.LNumber(f)}
	s.at += n
	return t
}

var jsonUnescape = map[byte]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r',
}

func (s *jsonScanner) string() jsonToken {
	begin := s.at
	s.at++
	// Most strings are without escapes, and a piece of the text.
	if n := strings.IndexAny(s.text[s.at:], "\"\\\x00"); n >= 0 && s.peek(n) == '"' {
		s.at += n + 1
		return jsonToken{kind: jsonString, at: begin, text: s.text[s.at-n-1 : s.at-1]}
	}
	var out []byte
	for {
		c := s.peek(0)
		switch {
		case c == '"':
			s.at++
			return jsonToken{kind: jsonString, at: begin, text: string(out)}
		case c == 0:
			return s.problem("unexpected end of string")
		case c == '\\' && s.peek(1) == 'u':
			r, n, ok := s.unicodeEscape()
			if !ok {
				return s.problem("invalid unicode escape code")
			}
			out = utf8.AppendRune(out, r)
			s.at += n
			continue
		case c == '\\':
			if c = jsonUnescape[s.peek(1)]; c == 0 {
				return s.problem("invalid escape code")
			}
			s.at++
		}
		out = append(out, c)
		s.at++
	}
}

// unicodeEscape reads \uXXXX, or two of them that make one character, n bytes in
// all.
func (s *jsonScanner) unicodeEscape() (r rune, n int, ok bool) {
	r, ok = s.hex4(2)
	if !ok || r&0xF800 != 0xD800 {
		return r, 6, ok
	}
	if r&0x400 != 0 || s.peek(6) != '\\' || s.peek(7) != 'u' {
		return 0, 0, false
	}
	low, ok := s.hex4(8)
	return (r&0x3FF<<10 | low&0x3FF) + 0x10000, 12, ok && low&0xFC00 == 0xDC00
}

func (s *jsonScanner) hex4(i int) (r rune, ok bool) {
	at := s.at + i
	if at+4 > len(s.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(s.text[at:at+4], 16, 16)
	return rune(n), err == nil
}
