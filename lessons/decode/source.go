package decode

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// What a lesson file may hold at most, so that reading one costs little however
// it was made.
const (
	mostBytes  = 256 << 10
	mostTokens = 20_000 // keys, values, brackets: the parser's time grows with their square
	mostErrors = 40
	mostDepth  = 16 // of { and [
	mostIndent = 200
	mostNested = 32 // dashes, question marks and colons outside { and [, in one line
)

// source is a file as it stands, for showing lines of it.
type source struct {
	path  string
	lines []string
}

func newSource(path, text string) *source {
	return &source{path: path, lines: strings.Split(normal(text), "\n")}
}

// normal removes the byte order mark, and makes all line ends \n.
func normal(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
}

// endOfLine is the column where a mistake ends that reaches to the end of its line.
const endOfLine = 0

// at is a mistake from one column of a line to another.
func (s *source) at(code lessons.Code, line, col, end int, message, advice fact.Fact) *lessons.Problem {
	p := &lessons.Problem{
		Place:    lessons.Place{File: s.path, Line: line, Col: col, EndCol: end},
		Severity: lessons.Error, Code: code, Message: message, Advice: advice,
	}
	if line >= 1 && line <= len(s.lines) {
		p.Source = s.lines[line-1]
	}
	if end <= col || end > utf8.RuneCountInString(p.Source)+1 { // where nothing stands, the parser has a null
		p.EndCol = max(col, utf8.RuneCountInString(strings.TrimRight(p.Source, " "))+1)
	}
	return p
}

func (s *source) fail(n ast.Node, code lessons.Code, message, advice fact.Fact) *lessons.Problem {
	p := s.place(n)
	return s.at(code, p.Line, p.Col, p.EndCol, message, advice)
}

// parsed is what became of the text of a lesson.
type parsed struct {
	body     ast.Node
	unread   map[string]bool // keys whose part of the text is no YAML
	problems lessons.Problems
}

// parse turns the text of a lesson into a tree of mappings, sequences and scalars,
// and refuses what else YAML has.
func (s *source) parse(text string) (out parsed) {
	defer func() {
		// The parser is not ours: whatever it stumbles over is a mistake in the
		// file, never the end of the program.
		if r := recover(); r != nil {
			out = parsed{problems: lessons.Problems{lessons.Whole(s.path, lessons.CodeYAML, fact.Of("lesson-unread-yaml", r), fact.Fact{})}}
		}
	}()
	if !utf8.ValidString(text) {
		return parsed{problems: lessons.Problems{s.badText()}}
	}
	if p := s.unseen(); p != nil {
		return parsed{problems: lessons.Problems{p}}
	}
	tokens := lexer.Tokenize(normal(text))
	if problems := s.plain(tokens); len(problems) > 0 {
		return parsed{problems: problems}
	}
	body, problem := s.document(tokens)
	if problem == nil {
		return parsed{body: body}
	}
	if tabs := s.tabs(problem); tabs != nil {
		return parsed{problems: lessons.Problems{tabs}}
	}
	if problem.Code == lessons.CodeYAML {
		if parts := s.bySections(); len(parts.problems) > 0 {
			return parts
		}
	}
	return parsed{problems: lessons.Problems{problem}}
}

// document reads tokens that are one YAML document.
func (s *source) document(tokens token.Tokens) (ast.Node, *lessons.Problem) {
	file, problem := parser.Parse(s.listKeys(tokens), 0, parser.AllowDuplicateMapKey())
	if problem != nil {
		return nil, s.syntax(problem)
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, s.at(lessons.CodeMissingKey, 1, 1, endOfLine, fact.Of("lesson-empty"), fact.Of("lesson-begin-title"))
	}
	if len(file.Docs) > 1 {
		return nil, s.fail(file.Docs[1].Body, lessons.CodeKind, fact.Of("lesson-second-document"), fact.Of("lesson-delete-line"))
	}
	return file.Docs[0].Body, nil
}

func (s *source) badText() *lessons.Problem {
	i := slices.IndexFunc(s.lines, func(line string) bool { return !utf8.ValidString(line) })
	return s.at(lessons.CodeFile, i+1, 1, endOfLine, fact.Of("lesson-not-utf8"), fact.Of("lesson-save-utf8"))
}

// unseen is the first character that no reader sees and that makes a text look like another: one that turns the direction of
// writing around, or one that controls a terminal. nil: there is none.
func (s *source) unseen() *lessons.Problem {
	for i, line := range s.lines {
		for at, r := range line {
			if unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\t' && r != '\r' {
				col := utf8.RuneCountInString(line[:at]) + 1
				return s.at(lessons.CodeFile, i+1, col, col+1, fact.Of("lesson-unseen", fmt.Sprintf("%U", r)), fact.Of("lesson-delete"))
			}
		}
	}
	return nil
}

// place is where a node stands for a reader: a mapping at its first key.
func (s *source) place(n ast.Node) lessons.Place {
	p := lessons.Place{File: s.path, Line: 1, Col: 1, EndCol: 2}
	t := head(n)
	if t == nil || t.Position == nil {
		return p
	}
	p.Line, p.Col = t.Position.Line, t.Position.Column
	p.EndCol = s.end(n, t)
	return p
}

func head(n ast.Node) *token.Token {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return head(n.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return head(n.Key)
	case *ast.LiteralNode:
		return n.Start
	}
	return n.GetToken()
}

// end is the column after a node on the line where it begins.
func (s *source) end(n ast.Node, t *token.Token) int {
	var last *token.Token
	switch n := n.(type) {
	case *ast.MappingNode:
		last = n.End
	case *ast.SequenceNode:
		last = n.End
	}
	if last != nil && last.Position.Line == t.Position.Line {
		return last.Position.Column + 1
	}
	text := strings.TrimSpace(t.Origin)
	if last == nil && text != "" && !strings.Contains(text, "\n") {
		return t.Position.Column + utf8.RuneCountInString(text)
	}
	if line := t.Position.Line; line >= 1 && line <= len(s.lines) {
		return utf8.RuneCountInString(strings.TrimRight(s.lines[line-1], " ")) + 1
	}
	return t.Position.Column + 1
}
