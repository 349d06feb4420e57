package decode

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is one mistake in a file of a lesson, with its place.
type Error struct {
	File    string // path within the file system that was read
	Line    int    // 1 is the first; 0 when the whole file is meant
	Col     int    // in characters, 1 is the first
	Source  string // the line as it stands in the file
	Message string // what is wrong
	Hint    string // what to write instead
}

// Errors is every mistake that was found.
type Errors []*Error

// Error is the place, the mistake, the line with a caret under the column and
// what to write instead.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s%s", e.File, e.Message, e.hint("\n  "))
	}
	number := fmt.Sprintf("%5d | ", e.Line)
	line, caret := e.pointed()
	return fmt.Sprintf("%s:%d:%d: %s\n%s%s\n%s| %s^%s", e.File, e.Line, e.Col, e.Message,
		number, line, strings.Repeat(" ", len(number)-2), caret, e.hint("\n  "))
}

func (e *Error) hint(before string) string {
	if e.Hint == "" {
		return ""
	}
	return before + e.Hint
}

// pointed is the line, shortened around the column when it is long, and the
// blanks that put a caret under the column on a terminal.
func (e *Error) pointed() (line, caret string) {
	const most, before = 100, 60
	runes := []rune(strings.ToValidUTF8(e.Source, "\uFFFD"))
	col := max(min(e.Col-1, len(runes)), 0)
	start, end := 0, len(runes)
	if len(runes) > most && col > before {
		start = col - before
	}
	end = min(end, start+most)
	for _, r := range runes[start:col] {
		switch {
		case r == '\t':
			caret += "\t"
		case wide(r):
			caret += "  "
		default:
			caret += " "
		}
	}
	line = string(runes[start:end])
	if start > 0 {
		line, caret = "…"+line, " "+caret
	}
	if end < len(runes) {
		line += "…"
	}
	return line, caret
}

// wide tells whether terminals give a character two columns: most of what a
// Chinese text is written with.
func wide(r rune) bool {
	return r >= 0x1100 && r <= 0x115F || r >= 0x2E80 && r <= 0xA4CF || r >= 0xAC00 && r <= 0xD7A3 ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF60 ||
		r >= 0xFFE0 && r <= 0xFFE6 || r >= 0x1F300 && r <= 0x1FAFF || r >= 0x20000 && r <= 0x3FFFD
}

func (es Errors) Error() string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n\n")
}

// Unwrap lets errors.As find each mistake.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// asError is nil when there is no mistake.
func (es Errors) asError() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

// closest is the name that was probably meant, or "".
func closest(name string, known []string) string {
	best, distance := "", 3
	switch n := utf8.RuneCountInString(name); {
	case n <= 2:
		return "" // anything would be close
	case n <= 5:
		distance = 2
	}
	for _, k := range known {
		if d := edits(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// edits counts the letters to insert, delete, change or swap between two names.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 40 || len(y) > 40 {
		return 40
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// meant is the advice for a name that is not known.
func meant(name string, known []string) string {
	if best := closest(name, known); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	if len(known) == 0 {
		return ""
	}
	return "write one of: " + strings.Join(known, ", ")
}
