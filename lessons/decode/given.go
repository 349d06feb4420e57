package decode

import (
	"cmp"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
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
		d.fail(f.node, lessons.CodeValue, fmt.Sprintf("%s is on %s, a %s, and is given as a text", k.Name, of.Name, of.Kind), fmt.Sprintf(`write given: {%s: ""}, or {node: %s, value: ""}`, k.Name, of.Name))
		return lessons.Given{}, false
	}
	switch {
	case k.Type == lessons.NoKey || k.Type == engine.StreamKey || k.Type == engine.ZnodeKey && text != engine.ZnodeKey:
		d.fail(f.Type.node, lessons.CodeValue, fmt.Sprintf("a key of type %s cannot be given", k.Type), "give a string, hash, list, set or zset")
		return lessons.Given{}, false
	case !f.ok():
		return lessons.Given{}, false
	case !f.Value.given():
		d.fail(f.node, lessons.CodeValue, "the key "+k.Name+` lacks "value"`, `write value: "text", {field: 1} or [A, B]`)
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
			d.fail(f.Node.node, lessons.CodeValue, fmt.Sprintf("%s does not have the slot %d of the key %s", name, slot, k.Name), "write "+r.Node+", or leave node out")
			return "", false
		default:
			name = r.Node
		}
	}
	if of, _ := d.lesson.Node(name); of.ReplicaOf != "" {
		d.fail(cmp.Or(f.Node.node, f.key), lessons.CodeValue, name+" is a replica, which has what its leader was given", "give it to "+of.ReplicaOf)
		return "", false
	}
	return name, true
}
