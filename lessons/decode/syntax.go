package decode

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"lockstep/lessons"
)

// sayings are what the parser says, what it means, and what to do.
var sayings = []struct{ parser, say, advice string }{
	{"sequence end token ']' not found", "this [ is not closed", "write ] behind its last item"},
	{"flow mapping end token '}'", "this { is not closed", "write } behind its last value"},
	{"',' or '}' must be specified", "here a comma or a } is missing", "close each { with }, and put text that has a colon, a comma or a quote into quotes"},
	{"',' or ']' must be specified", "here a comma or a ] is missing", "close each [ with ], and put text that has a colon, a comma or a quote into quotes"},
	{"could not find end character of", "this text has no closing quote", "end it with the quote that it begins with"},
	{"is a reserved character", "no text can begin with this character", "put the text into quotes; if it is in quotes, one of them is missing"},
	{"could not find flow map content", "here a key is missing", "leave one comma out"},
	{"unexpected scalar value type", "here an item is missing", "leave one comma out"},
	{"mapping value is not allowed", "the colon here makes a key out of text that cannot be one", "put text that has a colon into quotes, and indent the keys of one mapping alike"},
	{"non-map value is specified", "this line is not a key with a value", "write a key, a colon and a blank; indent lines of Lua or of text deeper than their key"},
	{"value is not allowed in this context", "this does not fit the lines above it", "indent the keys of one mapping alike, and begin each item of a list with -"},
}

// syntax words what the parser says of a text that is no YAML.
func (s *source) syntax(problem error) *lessons.Problem {
	var e yaml.Error
	if !errors.As(problem, &e) || e.GetToken() == nil {
		return lessons.Whole(s.path, lessons.CodeYAML, "this is not YAML: "+problem.Error(), "")
	}
	p := e.GetToken().Position
	message, advice := e.GetMessage(), "put text that has a colon, a quote or a # into quotes, and indent with blanks"
	for _, said := range sayings {
		if strings.Contains(message, said.parser) {
			message, advice = said.say, said.advice
			break
		}
	}
	found := s.at(lessons.CodeYAML, p.Line, p.Column, endOfLine, "this is not YAML: "+message, advice)
	if i := strings.IndexFunc(found.Source, oddBlank); i >= 0 {
		col := utf8.RuneCountInString(found.Source[:i]) + 1
		found = s.at(lessons.CodeYAML, p.Line, col, col+1, "this is not YAML: the blank here is not an ordinary one", "write the blank of the space bar instead")
	}
	if strings.Contains(found.Source, "：") && !strings.Contains(found.Source, ": ") {
		found.Advice = "write the colon as : and a blank, not as ："
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
	advice := "write blanks instead"
	switch {
	case others == 1:
		advice += ", here and in one other line"
	case others > 1:
		advice += fmt.Sprintf(", here and in %d other lines", others)
	}
	col := s.tab(problem.Line)
	return s.at(lessons.CodeYAML, problem.Line, col, col+1, "this is not YAML: a tab indents this line", advice)
}

// tab is the column of the first tab before the text of a line, or 0.
func (s *source) tab(line int) int {
	if line < 1 || line > len(s.lines) {
		return 0
	}
	text := s.lines[line-1]
	return 1 + strings.IndexByte(text[:len(text)-len(strings.TrimLeft(text, " \t"))], '\t')
}
