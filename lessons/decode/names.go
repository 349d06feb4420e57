package decode

import (
	"github.com/goccy/go-yaml/ast"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// each are the texts of some things.
func each[T any](all []T, text func(T) string) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = text(one)
	}
	return texts
}

// unknown reports a name that nothing has, with the one that was probably meant.
func (d *decoder) unknown(n ast.Node, message fact.Fact, name string, known []string) {
	d.fail(n, lessons.CodeUnknownName, message, lessons.Meant(name, known))
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
func (d *decoder) absent(n ast.Node, part, name string, code lessons.Code, message, advice fact.Fact) {
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
