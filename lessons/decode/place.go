package decode

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"lockstep/lessons"
)

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

// head is the token that a node begins with.
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
