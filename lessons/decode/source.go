package decode

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
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

// normal has one kind of line end and no byte order mark.
func normal(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
}

func (s *source) at(line, col int, message, hint string) *Error {
	e := &Error{File: s.path, Line: line, Col: col, Message: message, Hint: hint}
	if line >= 1 && line <= len(s.lines) {
		e.Source = s.lines[line-1]
	}
	return e
}

func (s *source) whole(message, hint string) *Error {
	return &Error{File: s.path, Message: message, Hint: hint}
}

// parse turns the text of a lesson into a tree of mappings, sequences and
// scalars, and refuses what else YAML has.
func (s *source) parse(text string) (body ast.Node, err *Error) {
	defer func() {
		// The parser is not ours: whatever it stumbles over is a mistake in the
		// file, never the end of the program.
		if r := recover(); r != nil {
			body, err = nil, s.whole(fmt.Sprintf("this is not YAML that can be read: %v", r), "")
		}
	}()
	switch {
	case len(text) > mostBytes:
		return nil, s.whole(fmt.Sprintf("the file has %d bytes, and a lesson may have %d", len(text), mostBytes), "split the lesson")
	case !utf8.ValidString(text):
		return nil, s.badText()
	}
	tokens := lexer.Tokenize(normal(text))
	if err := s.plain(tokens); err != nil {
		return nil, err
	}
	file, problem := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if problem != nil {
		return nil, s.syntax(problem)
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, s.at(1, 1, "the lesson is empty", "begin with title: {en: \"…\", zh: \"…\"}")
	}
	if len(file.Docs) > 1 {
		return nil, s.fail(file.Docs[1].Body, "a lesson is one document, and here a second one begins", "delete the line ---")
	}
	return file.Docs[0].Body, nil
}

func (s *source) badText() *Error {
	for i, line := range s.lines {
		if !utf8.ValidString(line) {
			return s.at(i+1, 1, "this line is not UTF-8 text", "save the file as UTF-8")
		}
	}
	return s.whole("this file is not UTF-8 text", "save it as UTF-8")
}

// refused names the parts of YAML that a lesson has no use for; anchors and
// aliases could make a small file into a huge one.
func refused(t token.Type) string {
	switch t {
	case token.AnchorType:
		return "an anchor (&name)"
	case token.AliasType:
		return "an alias (*name)"
	case token.TagType:
		return "a tag (!name)"
	case token.MergeKeyType:
		return "a merge key (<<)"
	case token.DirectiveType:
		return "a directive (%)"
	default:
		return ""
	}
}

// plain refuses tokens that a lesson never needs and nesting that no lesson has,
// before the parser, which follows nesting by recursion, sees them.
func (s *source) plain(tokens token.Tokens) *Error {
	if len(tokens) > mostTokens {
		p := tokens[mostTokens].Position
		return s.at(p.Line, p.Column, fmt.Sprintf("up to here are %d words and signs, and that is all that a lesson may have", mostTokens), "split the lesson")
	}
	depth, line, nested := 0, 0, 0
	for _, t := range tokens {
		if what := refused(t.Type); what != "" {
			return s.at(t.Position.Line, t.Position.Column, "a lesson cannot have "+what,
				"put text that begins with one of & * ! % into quotes")
		}
		if t.Position.Line != line {
			line, nested = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if depth <= 0 {
				nested++
			}
		default:
		}
		if depth > mostDepth || nested > mostNested {
			return s.at(t.Position.Line, t.Position.Column, "this is nested deeper than any lesson is", "check the brackets and dashes")
		}
	}
	return s.indented()
}

// indented bounds the nesting that indentation can make.
func (s *source) indented() *Error {
	for i, line := range s.lines {
		if n := len(line) - len(strings.TrimLeft(line, " ")); n > mostIndent && n < len(line) {
			return s.at(i+1, n+1, fmt.Sprintf("this line is indented by more than %d blanks", mostIndent), "move it to the left")
		}
	}
	return nil
}

func (s *source) syntax(problem error) *Error {
	var e yaml.Error
	if !errors.As(problem, &e) || e.GetToken() == nil {
		return s.whole("this is not YAML: "+problem.Error(), "")
	}
	p := e.GetToken().Position
	hint := "put text that has a colon, a quote or a # into quotes, and indent with blanks"
	return s.at(p.Line, p.Column, "this is not YAML: "+e.GetMessage(), hint)
}

// fail is a mistake at a node.
func (s *source) fail(n ast.Node, message, hint string) *Error {
	line, col := place(n)
	return s.at(line, col, message, hint)
}

// place is where a node begins for a reader: a mapping at its first key.
func place(n ast.Node) (line, col int) {
	switch n := n.(type) {
	case nil:
		return 1, 1
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return place(n.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return place(n.Key)
	case *ast.LiteralNode:
		return n.Start.Position.Line, n.Start.Position.Column
	}
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return 1, 1
	}
	return t.Position.Line, t.Position.Column
}
