package decode

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
)

// mostSections bounds into how many parts a broken file is cut: more than the format has keys.
const mostSections = 40

// section is the lines of one key of the lesson.
type section struct {
	key  string
	from int // line, from 0
	text []string
}

var sectionStart = regexp.MustCompile(`^['"]?([A-Za-z_-]+)['"]?[ ]*:( |$)`)

// sections cuts a file where a line begins with a key.
func (s *source) sections() []section {
	var out []section
	for i, line := range s.lines {
		if m := sectionStart.FindStringSubmatch(line); m != nil {
			out = append(out, section{key: m[1], from: i})
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			last.text = append(last.text, line)
		}
	}
	return out
}

// bySections parses a file that is no YAML key by key, so that one slip does not hide what else is wrong.
func (s *source) bySections() parsed {
	out := parsed{unread: map[string]bool{}}
	sections := s.sections()
	if len(sections) > mostSections {
		return out
	}
	all := &ast.MappingNode{}
	for _, part := range sections {
		tokens := lexer.Tokenize(strings.Join(part.text, "\n"))
		for _, t := range tokens {
			t.Position.Line += part.from
		}
		body, problem := s.document(tokens)
		if problem != nil {
			out.unread[part.key] = true
			out.problems = append(out.problems, problem)
			continue
		}
		m, ok := body.(*ast.MappingNode)
		if !ok {
			return parsed{}
		}
		if all.Start == nil {
			all.BaseNode, all.Start = m.BaseNode, m.Start
		}
		all.Values = append(all.Values, m.Values...)
	}
	if len(all.Values) > 0 {
		out.body = all
	}
	return out
}

// groundwork are the keys that others cannot be understood without: the story is not read for sense if one of
// them could not be parsed.
var groundwork = []string{"nodes", "cluster", "resolution", "scripts", "actors", "invariants", "faults"}
