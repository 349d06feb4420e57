package decode

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"lockstep/lessons"
)

// names reads a part of the lesson whose names other parts use. A mistake in it may
// be why a name is missing.
func (d *decoder) names(t table, key string, read func(ast.Node)) {
	before := len(d.found)
	n := t.get(key)
	if n != nil {
		read(n)
	}
	d.doubt[key] = d.unread[key] || n == nil && t.form.needs(key) || slices.ContainsFunc(d.found[before:], hidesNames)
}

func hidesNames(p *lessons.Problem) bool {
	switch p.Code { //nolint:exhaustive // all others are of the YAML around the names
	case lessons.CodeLua, lessons.CodeProse, lessons.CodeFile, lessons.CodeMissingLanguage:
		return false
	}
	return true
}

// absent reports a name that a part of the lesson should have: once, and not when
// another mistake may be the reason.
func (d *decoder) absent(n ast.Node, part, name string, code lessons.Code, message, advice string) {
	if d.doubt[part] || d.missed[part+" "+name] {
		return
	}
	d.missed[part+" "+name] = true
	d.fail(n, code, message, advice)
}

// node reads the name of one of the lesson's servers.
func (d *decoder) node(n ast.Node) string {
	name, ok := d.text(n, "node", "write the name of one of nodes")
	if ok && !slices.Contains(d.lesson.Nodes, name) {
		d.absent(n, "nodes", name, lessons.CodeUnknownName, "there is no node \""+name+"\"", lessons.DidYouMean(name, d.lesson.Nodes))
		return ""
	}
	return name
}
