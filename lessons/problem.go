package lessons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"lockstep/engine/fact"
)

// Place is where something stands in a file of a lesson.
type Place struct {
	File   string
	Line   int // from 1; 0 when the whole file is meant
	Col    int // in characters, from 1
	EndCol int // after the last character of it on that line
}

// String is file:line:col, as far as the place is known.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity is how much a problem matters.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // the lesson cannot be read, or an expectation does not hold
	Warning Severity = "warning" // the lesson runs, but proves less than its author may believe
	Hint    Severity = "hint"    // it may be so on purpose
)

// Problem is something that the author of a lesson should know. As an error it speaks English.
type Problem struct {
	Place
	Severity  Severity
	Code      Code
	Message   fact.Fact // what is wrong
	Advice    fact.Fact // what to write instead
	Want, Got fact.Fact // of an expectation that does not hold
	Source    string    // the line as it stands in the file
}

// Whole is a mistake that concerns a file as a whole.
func Whole(file string, code Code, message, advice fact.Fact) *Problem {
	return &Problem{Place: Place{File: file}, Severity: Error, Code: code, Message: message, Advice: advice}
}

// problem makes a Problem that quotes the line of the lesson at its place.
func (l *Lesson) problem(s Severity, code Code, at Place, message, advice fact.Fact) *Problem {
	return &Problem{Place: at, Severity: s, Code: code, Message: message, Advice: advice, Source: l.line(at)}
}

// Labels are the words around what a problem says.
type Labels struct{ Warning, Hint, Want, Got string }

// Error is the place, what is wrong, the line with a caret under the column, what
// was wanted and came instead, and what to write.
func (p *Problem) Error() string {
	return p.In(Labels{"warning: ", "hint: ", "want: ", "got:  "}, fact.Fact.Error)
}

// In is the text of Error in the language of the labels, which is also the one in which tell words facts.
func (p *Problem) In(l Labels, tell func(fact.Fact) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", p.Place)
	switch p.Severity {
	case Error:
	case Warning:
		b.WriteString(l.Warning)
	case Hint:
		b.WriteString(l.Hint)
	}
	b.WriteString(tell(p.Message))
	if p.Line > 0 && strings.TrimSpace(p.Source) != "" {
		number := fmt.Sprintf("%5d | ", p.Line)
		line, caret := p.pointed()
		fmt.Fprintf(&b, "\n%s%s\n%s| %s^", number, line, strings.Repeat(" ", len(number)-2), caret)
	}
	if p.Want.Code != "" || p.Got.Code != "" {
		below := strings.NewReplacer("\n", "\n        ")
		fmt.Fprintf(&b, "\n  %s%s\n  %s%s", l.Want, below.Replace(tell(p.Want)), l.Got, below.Replace(tell(p.Got)))
	}
	if p.Advice.Code != "" {
		b.WriteString("\n  " + tell(p.Advice))
	}
	return strings.Map(harmless, b.String())
}

// harmless replaces characters that could move a terminal's cursor or reverse its text:
// a lesson may come from anybody.
func harmless(r rune) rune {
	control := unicode.IsControl(r) && r != '\n' && r != '\t'
	if control || unicode.Is(unicode.Bidi_Control, r) {
		return '\uFFFD'
	}
	return r
}

// pointed is the line, shortened around the column when it is long, and the
// blanks that put a caret under the column on a terminal.
func (p *Problem) pointed() (line, caret string) {
	const most, before = 100, 60
	runes := []rune(strings.ToValidUTF8(p.Source, "\uFFFD"))
	col := max(min(p.Col-1, len(runes)), 0)
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

// Problems is a list of problems. As an error it consists of their messages.
type Problems []*Problem

func (ps Problems) Error() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.Error()
	}
	return strings.Join(texts, "\n\n")
}

// Unwrap lets errors.As find each problem.
func (ps Problems) Unwrap() []error {
	out := make([]error, len(ps))
	for i, p := range ps {
		out[i] = p
	}
	return out
}

// Of lists the problems of one severity, in their order.
func (ps Problems) Of(s Severity) Problems {
	var out Problems
	for _, p := range ps {
		if p.Severity == s {
			out = append(out, p)
		}
	}
	return out
}

// Sort puts problems in the order of their places.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b *Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
}
