package sql

import (
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenNumber
	tokenText
	tokenSign
	tokenBroken // a text without an end
	tokenComment
)

// token is a word, a number, a text or a sign of a statement.
type token struct {
	kind   tokenKind
	text   string // of a text, what it says; of all else, what is written
	at     int    // byte in the statement
	quoted bool   // a word between backquotes, which is always a name
}

// is tells whether a token is a word or a sign of the language.
func (t token) is(text string) bool {
	return (t.kind == tokenWord || t.kind == tokenSign) && !t.quoted && strings.EqualFold(t.text, text)
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// tokenAt reads the token at or after a byte, and tells where the next may begin.
func tokenAt(s string, at int) (token, int) {
	for at < len(s) && strings.IndexByte(" \t\r\n", s[at]) >= 0 {
		at++
	}
	if at == len(s) {
		return token{kind: tokenEnd, at: at}, at
	}
	if end := commentAt(s, at); end > at {
		return token{kind: tokenComment, text: s[at:end], at: at}, end
	}
	end := at + 1
	switch c := s[at]; {
	case isLetter(c):
		for end < len(s) && (isLetter(s[end]) || isDigit(s[end])) {
			end++
		}
		return token{kind: tokenWord, text: s[at:end], at: at}, end
	case isDigit(c):
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		return token{kind: tokenNumber, text: s[at:end], at: at}, end
	case c == '\'' || c == '"':
		return quoted(s, at)
	case c == '`':
		if i := strings.IndexByte(s[end:], '`'); i > 0 {
			return token{kind: tokenWord, text: s[end : end+i], at: at, quoted: true}, end + i + 1
		}
		return token{kind: tokenBroken, text: s[at:], at: at}, len(s)
	}
	for _, sign := range []string{"<=", ">=", "<>", "!=", "<=>"} {
		if strings.HasPrefix(s[at:], sign) {
			end = at + len(sign)
		}
	}
	return token{kind: tokenSign, text: s[at:end], at: at}, end
}

// commentAt is the end of the comment that begins at a byte, or that byte when none does.
func commentAt(s string, at int) int {
	rest := s[at:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		if i := strings.Index(rest[2:], "*/"); i >= 0 {
			return at + i + 4
		}
		return at
	case rest[0] == '#', rest == "--", strings.HasPrefix(rest, "--") && rest[2] <= ' ':
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			return at + i
		}
		return len(s)
	}
	return at
}

// escapes are what stands for itself in no text.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '0': 0, 'b': '\b', 'Z': 26}

// quoted reads a text, in which a doubled quote or one after a backslash stands for itself.
func quoted(s string, at int) (token, int) {
	quote := s[at]
	var b strings.Builder
	for i := at + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote && i+1 < len(s) && s[i+1] == quote:
			b.WriteByte(c)
			i++
		case c == quote:
			return token{kind: tokenText, text: b.String(), at: at}, i + 1
		case c == '\\' && i+1 < len(s):
			i++
			switch e, ok := escapes[s[i]]; {
			case ok:
				b.WriteByte(e)
			case s[i] == '%' || s[i] == '_': // what patterns of LIKE need
				b.WriteString(s[i-1 : i+1])
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return token{kind: tokenBroken, text: s[at:], at: at}, len(s)
}

// Bind puts values in the place of the question marks of a statement, as a driver does
// that prepares nothing on the server. ok is false when there are not as many.
func Bind(statement string, values []string) (bound string, ok bool) {
	var b strings.Builder
	used, from := 0, 0
	for at := 0; ; {
		t, next := tokenAt(statement, at)
		if t.kind == tokenEnd {
			break
		}
		at = next
		if t.kind != tokenSign || t.text != "?" {
			continue
		}
		if used == len(values) {
			return "", false
		}
		b.WriteString(statement[from:t.at] + values[used])
		used, from = used+1, next
	}
	b.WriteString(statement[from:])
	return b.String(), used == len(values)
}

// Quote is a text as a statement has it.
func Quote(s string) string { return "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(s) + "'" }
