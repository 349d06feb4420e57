package decode

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// sayings are what the parser says, what it means, and what to do.
var sayings = []struct {
	parser      string
	say, advice fact.Fact
}{
	{"sequence end token ']' not found", fact.Of("yaml-bracket"), fact.Of("yaml-close-bracket")},
	{"flow mapping end token '}'", fact.Of("yaml-brace"), fact.Of("yaml-close-brace")},
	{"',' or '}' must be specified", fact.Of("yaml-comma-or-brace"), fact.Of("yaml-quote-in-braces")},
	{"',' or ']' must be specified", fact.Of("yaml-comma-or-bracket"), fact.Of("yaml-quote-in-brackets")},
	{"could not find end character of", fact.Of("yaml-quote"), fact.Of("yaml-end-quote")},
	{"is a reserved character", fact.Of("yaml-reserved"), fact.Of("yaml-quote-reserved")},
	{"could not find flow map content", fact.Of("yaml-no-key"), fact.Of("yaml-spare-comma")},
	{"unexpected scalar value type", fact.Of("yaml-no-item"), fact.Of("yaml-spare-comma")},
	{"mapping value is not allowed", fact.Of("yaml-colon"), fact.Of("yaml-quote-colon")},
	{"non-map value is specified", fact.Of("yaml-no-pair"), fact.Of("yaml-write-pair")},
	{"value is not allowed in this context", fact.Of("yaml-misplaced"), fact.Of("yaml-indent")},
}

// syntax words what the parser says of a text that is no YAML.
func (s *source) syntax(problem error) *lessons.Problem {
	var e yaml.Error
	if !errors.As(problem, &e) || e.GetToken() == nil {
		return lessons.Whole(s.path, lessons.CodeYAML, fact.Of("lesson-not-yaml", problem.Error()), fact.Fact{})
	}
	p := e.GetToken().Position
	message, advice := fact.Text(e.GetMessage()), fact.Of("yaml-quote-or-blanks")
	for _, said := range sayings {
		if strings.Contains(e.GetMessage(), said.parser) {
			message, advice = said.say, said.advice
			break
		}
	}
	found := s.at(lessons.CodeYAML, p.Line, p.Column, endOfLine, fact.Of("lesson-not-yaml", message), advice)
	if i := strings.IndexFunc(found.Source, oddBlank); i >= 0 {
		col := utf8.RuneCountInString(found.Source[:i]) + 1
		found = s.at(lessons.CodeYAML, p.Line, col, col+1, fact.Of("lesson-not-yaml", fact.Of("yaml-odd-blank")), fact.Of("yaml-plain-blank"))
	}
	if strings.Contains(found.Source, "：") && !strings.Contains(found.Source, ": ") {
		found.Advice = fact.Of("yaml-wide-colon")
	}
	return found
}

// oddBlank tells whether a character looks like a blank, and is none to YAML.
func oddBlank(r rune) bool { return r != ' ' && unicode.Is(unicode.Zs, r) }

// tabs is what to say instead of a problem at a line that a tab indents. An editor that
// writes tabs writes many, which are one mistake.
func (s *source) tabs(problem *lessons.Problem) *lessons.Problem {
	if problem.Code != lessons.CodeYAML || s.tab(problem.Line) == 0 {
		return nil
	}
	others := 0
	for i := range s.lines {
		if i+1 != problem.Line && s.tab(i+1) > 0 {
			others++
		}
	}
	advice := fact.Of("lesson-blanks")
	switch {
	case others == 1:
		advice = fact.Of("lesson-blanks-twice")
	case others > 1:
		advice = fact.Of("lesson-blanks-often", others)
	}
	col := s.tab(problem.Line)
	return s.at(lessons.CodeYAML, problem.Line, col, col+1, fact.Of("lesson-not-yaml", fact.Of("lesson-tab")), advice)
}

// tab is the column of the first tab before the text of a line, or 0.
func (s *source) tab(line int) int {
	if line < 1 || line > len(s.lines) {
		return 0
	}
	text := s.lines[line-1]
	return 1 + strings.IndexByte(text[:len(text)-len(strings.TrimLeft(text, " \t"))], '\t')
}
