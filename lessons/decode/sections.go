package decode

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"

	"lockstep/lessons"
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

// unknown reports a name that nothing has, with the one that was probably meant.
func (d *decoder) unknown(n ast.Node, message, name string, known []string) {
	d.fail(n, lessons.CodeUnknownName, message, lessons.DidYouMean(name, known))
}

// hidesNames tells whether a mistake in a part of the lesson whose names other parts use
// may be why a name is missing.
func hidesNames(p *lessons.Problem) bool {
	switch p.Code { // all others are of the YAML around the names
	case lessons.CodeLua, lessons.CodeProse, lessons.CodeFile, lessons.CodeMissingLanguage:
		return false
	}
	return true
}

// absent reports a name that a part of the lesson should have: once, and not when another mistake may be the reason.
func (d *decoder) absent(n ast.Node, part, name string, code lessons.Code, message, advice string) {
	if d.doubt[part] || d.missed[part+" "+name] {
		return
	}
	d.missed[part+" "+name] = true
	d.fail(n, code, message, advice)
}

// node is the name of one of the lesson's servers.
func (d *decoder) node(t plainText) string {
	if t.ok() && !d.isNode(t.node, t.text) {
		return ""
	}
	return t.text
}
