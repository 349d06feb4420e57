package draft

import (
	"cmp"
	"regexp"
	"strings"
)

// literal is a string literal of a program's source.
type literal struct {
	start, end int    // in the source, with its quotes
	text       string // that it stands for
	filled     bool   // names in braces stand for values
}

// scan finds the string literals of a source in any of the common languages. bare is the source with its
// comments blanked out, byte for byte as long.
func scan(source string) (bare string, found []literal) {
	s := &scanner{source: source, bare: []byte(source)}
	for s.at < len(source) {
		s.next()
	}
	return string(s.bare), s.found
}

type scanner struct {
	source string
	at     int
	bare   []byte
	found  []literal
}

var (
	rubyDoc = regexp.MustCompile("^(?:<<[~-]['\"]?([A-Za-z_]+)['\"]?|<<['\"]?([A-Z_]{2,})['\"]?)")
	phpDoc  = regexp.MustCompile(`^<<<\s*['"]?([A-Za-z_]+)['"]?`)
	percent = regexp.MustCompile(`^%[qQ]?([({\[|])`)
	rawRust = regexp.MustCompile(`^r(#+)"`)

	lifetime = regexp.MustCompile(`^'[a-z_]+[^a-z_']`) // of Rust
)

// next goes on by a comment, a literal or a byte.
func (s *scanner) next() {
	rest := s.source[s.at:]
	switch {
	case strings.HasPrefix(rest, "//") && !s.follows(":"), rest[0] == '#' && !s.follows("&r") && !strings.HasPrefix(rest, "#{") && !strings.HasPrefix(rest, "#["):
		s.skip(until(rest, "\n", 0))
	case strings.HasPrefix(rest, "/*"):
		s.skip(until(rest, "*/", 2))
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
		s.quoted(rest[:3], !s.raw())
	case rest[0] == '`':
		s.quoted("`", false)
	case rest[0] == '"' && strings.Contains(s.prefix(s.at), "@"): // C#'s verbatim: a quote within it is doubled
		s.doubled()
	case rest[0] == '"':
		s.quoted(`"`, !s.raw())
	case rest[0] == '\'' && !(s.follows("&<") && lifetime.MatchString(rest)):
		s.quoted("'", !s.raw())
	case rawRust.MatchString(rest):
		m := rawRust.FindStringSubmatch(rest)
		s.between(len(m[0]), `"`+m[1])
	case phpDoc.MatchString(rest):
		s.document(phpDoc.FindStringSubmatch(rest))
	case rubyDoc.MatchString(rest):
		s.document(rubyDoc.FindStringSubmatch(rest))
	case percent.MatchString(rest) && s.mayBegin():
		m := percent.FindStringSubmatch(rest)
		s.nested(len(m[0]), m[1][0])
	default:
		s.at++
	}
}

// until is where a text ends with an end that is looked for after some bytes; without one, where it ends.
func until(text, end string, after int) int {
	if i := strings.Index(text[min(after, len(text)):], end); i >= 0 {
		return after + i + len(end)
	}
	return len(text)
}

// skip blanks a comment out.
func (s *scanner) skip(n int) {
	for i := s.at; i < s.at+n; i++ {
		if s.bare[i] != '\n' {
			s.bare[i] = ' '
		}
	}
	s.at += n
}

func (s *scanner) follows(any string) bool {
	return s.at > 0 && strings.IndexByte(any, s.source[s.at-1]) >= 0
}

// raw tells whether the letter before a quote says that a backslash is one.
func (s *scanner) raw() bool {
	return s.follows("rR@") && (s.at < 2 || !isWord(s.source[s.at-2]))
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// mayBegin tells a literal in percent signs from a division's rest.
func (s *scanner) mayBegin() bool {
	before := strings.TrimRight(s.source[:s.at], " \t\n")
	return before == "" || strings.IndexByte("=(,[{|:", before[len(before)-1]) >= 0
}

// quoted takes a literal in quotes.
func (s *scanner) quoted(quote string, escapes bool) {
	start, i := s.at, s.at+len(quote)
	var text strings.Builder
	for ; i < len(s.source); i++ {
		c := s.source[i]
		switch {
		case strings.HasPrefix(s.source[i:], quote):
			if line := text.String(); quote == "`" && !strings.Contains(line, "\n") { // of JavaScript: a script of Go in one line has no \n
				text.Reset()
				text.WriteString(strings.ReplaceAll(line, `\n`, "\n"))
			}
			s.found = append(s.found, literal{start, i + len(quote), text.String(), s.braces(start)})
			s.at = i + len(quote)
			return
		case c == '\\' && i+1 < len(s.source) && (escapes || quote == "`" && strings.IndexByte("`\n", s.source[i+1]) >= 0):
			i++
			text.WriteString(escaped(s.source[i]))
		case c == '\n' && quote == "'" && !escapes:
			s.at++ // an apostrophe
			return
		default:
			text.WriteByte(c)
		}
	}
	s.at++
}

// prefix is the letters and signs before a quote that say how it is read.
func (s *scanner) prefix(at int) string {
	before := s.source[:at]
	return before[len(strings.TrimRight(before, "$@fFrRbB")):]
}

// braces tells whether names in braces stand for values in the literal.
func (s *scanner) braces(at int) bool { return strings.ContainsAny(s.prefix(at), "$fF") }

// doubled takes a literal that has a quote where two stand.
func (s *scanner) doubled() {
	start := s.at
	for i := start + 1; i < len(s.source); i++ {
		if s.source[i] != '"' {
			continue
		}
		if i+1 < len(s.source) && s.source[i+1] == '"' {
			i++
			continue
		}
		s.found = append(s.found, literal{start, i + 1, strings.ReplaceAll(s.source[start+1:i], `""`, `"`), s.braces(start)})
		s.at = i + 1
		return
	}
	s.at++
}

func escaped(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case '\n':
		return ""
	}
	return string(c)
}

// between takes a literal without escapes.
func (s *scanner) between(begin int, end string) {
	rest := s.source[s.at+begin:]
	n := strings.Index(rest, end)
	if n < 0 {
		s.at++
		return
	}
	s.found = append(s.found, literal{s.at, s.at + begin + n + len(end), rest[:n], false})
	s.at += begin + n + len(end)
}

// nested takes a literal in brackets, which it may have itself.
func (s *scanner) nested(begin int, opening byte) {
	closing := map[byte]byte{'(': ')', '{': '}', '[': ']', '|': '|'}[opening]
	depth := 1
	for i := s.at + begin; i < len(s.source); i++ {
		switch s.source[i] {
		case closing:
			depth--
		case opening:
			depth++
		}
		if depth == 0 {
			s.found = append(s.found, literal{s.at, i + 1, s.source[s.at+begin : i], false})
			s.at = i + 1
			return
		}
	}
	s.at++
}

// document takes the lines up to one that has nothing but the word; what stands behind the opening is read first.
func (s *scanner) document(m []string) {
	word := cmp.Or(m[len(m)-1], m[1])
	opening, rest, ok := strings.Cut(s.source[s.at:], "\n")
	at := s.at + len(opening) + 1
	for line := range strings.Lines(rest) {
		if strings.TrimRight(strings.TrimSpace(line), ";,.)") == word && ok {
			begin := s.at + len(opening) + 1
			s.found = append(s.found, literal{s.at, at + strings.Index(line, word) + len(word), s.source[begin:at], false})
			s.at = at + strings.Index(line, word) + len(word)
			return
		}
		at += len(line)
	}
	s.at++
}
