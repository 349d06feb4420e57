package decode

import (
	"cmp"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/node/redis/cluster"
)

func (d *decoder) given(f *lessonForm) {
	for _, forms := range f.Given.items {
		for i, k := range d.looks(forms.keyForms) {
			if g, ok := d.givenKey(forms.items[i], k); ok {
				d.lesson.Given = append(d.lesson.Given, g)
			}
		}
	}
}

func (d *decoder) givenKey(f keyForm, k lessons.Expected) (lessons.Given, bool) {
	of, _ := d.lesson.Node(cmp.Or(k.Node, d.lesson.Nodes[0].Name))
	text := of.Kind.Row().Text
	if text != engine.StringKey && f.ok() && (cmp.Or(k.Type, text) != text || k.TTL != nil || k.Texts == nil) {
		d.fail(f.node, lessons.CodeValue, fact.Of("lesson-given-as-text", k.Name, of.Name, of.Kind), fact.Of("lesson-write-given", k.Name, of.Name))
		return lessons.Given{}, false
	}
	switch {
	case k.Type == lessons.NoKey || k.Type == engine.StreamKey || k.Type == engine.ZnodeKey && text != engine.ZnodeKey:
		d.fail(f.Type.node, lessons.CodeValue, fact.Of("lesson-type-not-given", k.Type), fact.Of("lesson-give-types"))
		return lessons.Given{}, false
	case !f.ok():
		return lessons.Given{}, false
	case !f.Value.given():
		d.fail(f.node, lessons.CodeValue, fact.Of("lesson-no-value-of", k.Name), fact.Of("lesson-write-value"))
		return lessons.Given{}, false
	case !f.Value.ok() || k.Texts == nil && len(k.Items) == 0:
		return lessons.Given{}, false
	}
	g := lessons.Given{Key: engine.Key{Name: k.Name, Type: cmp.Or(k.Type, typeOf(f.Value, text)), Items: k.Items, Deadline: engine.NoDeadline}}
	if k.Texts != nil {
		g.Key.Text = k.Texts[0]
	}
	if k.TTL != nil {
		g.Key.Deadline = *k.TTL
	}
	var ok bool
	g.Node, ok = d.givenTo(f, k)
	return g, ok
}

// typeOf is the type of a key that does not say its own.
func typeOf(f keyValue, text engine.KeyType) engine.KeyType {
	switch f.node.(type) {
	case *ast.MappingNode:
		return engine.HashKey
	case *ast.SequenceNode:
		return engine.ListKey
	}
	return text
}

// givenTo is the node that has a key: in a cluster there is only one that may.
func (d *decoder) givenTo(f keyForm, k lessons.Expected) (string, bool) {
	name := cmp.Or(k.Node, d.lesson.Nodes[0].Name)
	if !d.keeps(cmp.Or(f.Node.node, f.key), name) {
		return "", false
	}
	slot := cluster.Slot(k.Name)
	for _, r := range d.lesson.Cluster {
		switch {
		case slot < r.First || slot > r.Last || r.Node == name:
		case f.Node.given():
			d.fail(f.Node.node, lessons.CodeValue, fact.Of("lesson-slot-elsewhere", name, slot, k.Name), fact.Of("lesson-write-or-drop-node", r.Node))
			return "", false
		default:
			name = r.Node
		}
	}
	if of, _ := d.lesson.Node(name); of.ReplicaOf != "" {
		d.fail(cmp.Or(f.Node.node, f.key), lessons.CodeValue, fact.Of("lesson-given-to-replica", name), fact.Of("lesson-give-to", of.ReplicaOf))
		return "", false
	}
	return name, true
}
