package syntax

import (
	"slices"
	"strconv"
	"strings"
)

// ForGopher writes a source in the dialect of gopher-lua, in which goto cannot be a name
// and a hexadecimal number cannot have a fraction. Lines stay as they are.
func (t *Tree) ForGopher() string {
	if !strings.Contains(t.Source, "goto") && !strings.Contains(t.Source, "0x") && !strings.Contains(t.Source, "0X") {
		return t.Source
	}
	free := "goto_" // a name that the source does not use
	for strings.Contains(t.Source, free) {
		free += "_"
	}
	var out strings.Builder
	copied := 0
	replace := func(start, token int, with string) {
		out.WriteString(t.Source[copied:start] + with)
		copied = int(t.Tokens[token].End)
	}
	for i, token := range t.Tokens {
		start := int(token.Start)
		switch text := t.Text(i); {
		case token.Kind == TokNumber && strings.ContainsAny(text, "xX"):
			n, _ := Number(text)
			replace(start, i, strconv.FormatFloat(n, 'g', 17, 64))
		case token.Kind != TokName || text != "goto":
		case i > 0 && t.Tokens[i-1].Kind == '.':
			dot := int(t.Tokens[i-1].Start)
			replace(dot, i, strings.Repeat("\n", strings.Count(t.Source[dot:start], "\n"))+`["goto"]`)
		case slices.Contains(t.gotos, i):
			replace(start, i, `["goto"]`)
		default:
			replace(start, i, free)
		}
	}
	return out.String() + t.Source[copied:]
}
