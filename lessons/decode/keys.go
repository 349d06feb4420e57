package decode

import (
	"cmp"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// looks reads what a key must look like: once, or once for each server that has it.
func (d *decoder) looks(f keyForms) []lessons.Expected {
	var out []lessons.Expected
	for _, one := range f.items {
		k := d.key(one)
		if k.Node == d.lesson.Nodes[0].Name && f.ok() {
			k.Node = ""
		}
		if slices.ContainsFunc(out, func(o lessons.Expected) bool { return o.Node == k.Node }) {
			d.fail(one.node, lessons.CodeDuplicateName, fact.Of("lesson-same-server"), f.toWrite())
		}
		out = append(out, k)
	}
	return out
}

func (d *decoder) key(f keyForm) lessons.Expected {
	k := lessons.Expected{Key: "keys", Name: f.name, Node: d.node(f.Node), Type: engine.KeyType(f.Type.text), Place: d.place(cmp.Or(f.key, f.node))}
	if f.TTL.text == "none" {
		none := engine.NoDeadline
		k.TTL = &none
	} else if span, ok := d.span(f.TTL); ok {
		k.TTL = &span
	}
	if k.Type == lessons.NoKey && (f.Value.given() || f.TTL.given()) {
		d.fail(f.Type.node, lessons.CodeValue, fact.Of("lesson-type-none"), fact.Of("lesson-leave-type-out"))
	} else if f.Value.ok() {
		d.keyValue(f.Value, &k)
	}
	return k
}

// written is how the value of each type is.
var written = map[engine.KeyType]string{
	engine.StringKey: "one text",
	engine.HashKey:   "a mapping of fields to values",
	engine.ListKey:   "a list",
	engine.SetKey:    "a list of members",
	engine.ZSetKey:   "a mapping of members to scores",
	engine.StreamKey: "a mapping of ids to fields and values",
	engine.ZnodeKey:  "a text, its data, or a mapping of some of data, czxid, version and owner",
}

// keyValue reads a mapping (hash, zset), a list (list, set) or a scalar (string).
// Without a type the value's form is all that is known of it.
func (d *decoder) keyValue(f keyValue, k *lessons.Expected) {
	kinds := []engine.KeyType{engine.StringKey, engine.ZnodeKey}
	switch f.node.(type) {
	case *ast.MappingNode:
		kinds = []engine.KeyType{engine.HashKey, engine.ZSetKey, engine.StreamKey, engine.ZnodeKey}
	case *ast.SequenceNode:
		kinds = []engine.KeyType{engine.ListKey, engine.SetKey}
	default:
		text, _ := scalar(f.node)
		k.Texts = []string{text}
	}
	if k.Type != "" && !slices.Contains(kinds, k.Type) {
		d.fail(f.node, lessons.CodeKind, fact.Of("lesson-value-misfit", k.Type, written[k.Type], describe(f.node)), fact.Fact{})
		return
	}
	before := len(d.found)
	f.readItems(d)
	switch {
	case k.Texts != nil:
		if _, ok := scalar(f.node); !ok {
			d.misfit(f.at, aText)
		}
	case len(f.items) == 0 && len(d.found) == before:
		d.fail(f.node, lessons.CodeValue, fact.Of("lesson-no-items"), fact.Of("lesson-write-items", k.Name))
	}
	for _, v := range f.items {
		k.Items = append(k.Items, d.item(v, k.Type))
	}
}

// item is an element of a list, a member of a set, or a field or member with its value.
func (d *decoder) item(v plainText, kind engine.KeyType) engine.Item {
	switch {
	case kind == engine.SetKey:
		return engine.Item{Name: v.text}
	case !v.given():
		return engine.Item{Value: v.text}
	case kind == engine.ZSetKey && v.ok():
		s, ok := score(v.text)
		if !ok {
			d.fail(v.node, lessons.CodeValue, fact.Of("lesson-no-score", v.text), fact.Of("lesson-write-number"))
		}
		return engine.Item{Name: v.name, Value: s}
	}
	return engine.Item{Name: v.name, Value: v.text}
}
