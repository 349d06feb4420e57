package decode

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// The parser takes no list for a key. Here a list before a colon, as in [A, B]: {program: …}, becomes one text,
// which only the names of equal actors may be.

// listKeys puts each list that is a key into one token.
func (s *source) listKeys(tokens token.Tokens) token.Tokens {
	var out token.Tokens
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if n := listKey(tokens[i:]); n > 0 {
			from, to := t.Position.Column-1, tokens[i+n-1].Position.Column
			if line := []rune(s.lines[t.Position.Line-1]); to <= len(line) {
				t = token.String(string(line[from:to]), string(line[from:to]), t.Position)
				i += n - 1
			}
		}
		out.Add(t)
	}
	return out
}

// listKey is of how many tokens the list is that tokens begin with, if it stands in one line before a colon.
func listKey(tokens token.Tokens) int {
	for i, t := range tokens {
		switch {
		case (t.Type == token.SequenceStartType) != (i == 0), t.Position.Line != tokens[0].Position.Line:
			return 0
		case t.Type != token.SequenceEndType:
		case i+1 < len(tokens) && tokens[i+1].Type == token.MappingValueType && tokens[i+1].Position.Line == t.Position.Line:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// isList tells whether a key was a list: no other text begins with a bracket unless it has quotes.
func isList(key ast.Node) bool {
	text, ok := key.(*ast.StringNode)
	return ok && strings.HasPrefix(text.Token.Origin, "[")
}

// listed are the texts in a key that was a list, each as a key at its own place.
func listed(key ast.Node) (names []ast.MapKeyNode) {
	t := key.GetToken()
	column := t.Position.Column + 1
	for part := range strings.SplitSeq(strings.Trim(t.Value, "[]"), ",") {
		at := *t.Position
		at.Column = column + len([]rune(part)) - len([]rune(strings.TrimLeft(part, " ")))
		column += len([]rune(part)) + 1
		part = strings.TrimSpace(part)
		names = append(names, ast.String(token.String(strings.Trim(part, `"'`), part, &at)))
	}
	return names
}

// actorsForm is a mapping of actors, in which equal ones may stand together.
type actorsForm struct{ namesOf[actorForm] }

func (f *actorsForm) read(d *decoder, p at) {
	if m, ok := p.node.(*ast.MappingNode); ok {
		each := *m
		each.Values = nil
		for _, v := range m.Values {
			if !isList(v.Key) {
				each.Values = append(each.Values, v)
				continue
			}
			for _, name := range listed(v.Key) {
				each.Values = append(each.Values, ast.MappingValue(v.Start, name, v.Value))
			}
		}
		p.node = &each
	}
	f.namesOf.read(d, p)
}

func (f actorsForm) shape(is string) *schema {
	s := f.namesOf.shape(is)
	s.PropertyNames = &schema{Type: "string", Pattern: `^(` + namePattern + `|\[ *` + namePattern + `( *, *` + namePattern + `)* *\])$`}
	return s
}

// processOf is the process of the nth of so many equal actors; its text is empty without one.
func (d *decoder) processOf(f actorForm, n, all int) plainText {
	_, several := f.Process.node.(*ast.SequenceNode)
	switch {
	case !f.Process.ok():
		return plainText{}
	case !several:
		return f.Process.items[0]
	case len(f.Process.items) == all:
		return f.Process.items[n]
	case n == 0:
		d.fail(f.Process.node, lessons.CodeValue, fact.Of("lesson-processes-misfit", all, len(f.Process.items)), fact.Of("lesson-name-processes"))
	}
	return plainText{}
}

// equals tells which of the actors that stand together one is, from 0, and how many they are.
func equals(all []actorForm, i int) (n, of int) {
	same := func(a actorForm) bool { return a.node != nil && a.node == all[i].node }
	if all[i].node == nil {
		return 0, 1
	}
	first := slices.IndexFunc(all, same)
	for _, a := range all {
		if same(a) {
			of++
		}
	}
	return i - first, of
}
