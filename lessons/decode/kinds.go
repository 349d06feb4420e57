package decode

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// The values that are no mapping with keys of the format alone. What a lesson may mean by
// them is found out when all of it is read.

// plainText is text, or a number or a truth value read as text.
type plainText struct {
	at
	text string
}

func (t *plainText) read(d *decoder, p at) {
	text, ok := scalar(p.node)
	if !ok {
		d.misfit(p, aText)
		p.node = nil
	} else if words := kinds[p.form.is].Enum; words != nil && !slices.Contains(words, text) {
		d.unknown(p.node, fact.Of("lesson-no-value", fact.Either{p.form.is, p.path}, text), text, words)
		text = ""
	}
	t.at, t.text = p, text
}

// texts are those of a list that are texts and fit; nil when the list is absent.
func texts(l listOf[plainText], fits func(plainText) bool) []string {
	if !l.given() {
		return nil
	}
	out := []string{}
	for _, t := range l.items {
		if t.ok() && fits(t) {
			out = append(out, t.text)
		}
	}
	return out
}

func anything(plainText) bool { return true }

// nothing stands after a key that says all by itself.
type nothing struct{ at }

func (n *nothing) read(_ *decoder, p at) { n.at = p }

type keyAndOf struct{ listOf[plainText] }

func (k *keyAndOf) read(d *decoder, p at) {
	k.listOf.read(d, p)
	if k.ok() && len(k.items) != 2 {
		d.fail(p.node, lessons.CodeValue, fact.Of("lesson-one-key-one-item", p.called()), p.toWrite())
		k.items = nil
	}
}

// keyValue is a text, a list or a mapping: which one depends on the key's type.
type keyValue struct{ listOf[plainText] }

func (k *keyValue) read(_ *decoder, p at) { k.at = p }

// readItems reads the items once it is known that they fit the key's type.
func (k *keyValue) readItems(d *decoder) {
	p := k.at
	switch p.node.(type) {
	case *ast.MappingNode:
		p.form.most = ""
		p.write = "lesson-write-after-colon"
		var m mapOf[plainText]
		m.read(d, p)
		k.listOf = m.listOf
	case *ast.SequenceNode:
		p.form.each, p.write = "", "value: [A, B]"
		k.listOf.read(d, p)
	}
}

// oneOrMore is one value, or a list of them: the process of all equal actors, or one for each.
type oneOrMore[T any] struct{ listOf[T] }

func (o *oneOrMore[T]) read(d *decoder, p at) {
	if _, several := p.node.(*ast.SequenceNode); several {
		o.listOf.read(d, p)
		return
	}
	o.items = make([]T, 1)
	one := any(&o.items[0]).(anyForm)
	d.fill(one, p)
	o.at = *one.stand()
}

// keyForms is a keyForm, or one for each server.
type keyForms struct{ listOf[keyForm] }

func (k *keyForms) read(d *decoder, p at) {
	if _, several := p.node.(*ast.SequenceNode); several {
		p.write = "[{node: n1, value: A}, {node: n2, value: B}]"
		p.form.most, p.form.none = "nodes", "lesson-list-empty"
		k.listOf.read(d, p)
		return
	}
	k.items = make([]keyForm, 1)
	d.fill(&k.items[0], p)
}

// givenForms is the text of a string, or as keyForms.
type givenForms struct{ keyForms }

func (g *givenForms) read(d *decoder, p at) {
	if _, text := scalar(p.node); text {
		g.items = []keyForm{{at: p, Value: keyValue{listOf[plainText]{at: p}}}}
		return
	}
	g.keyForms.read(d, p)
}

// textOr is a text, or a mapping with the keys of a form.
type textOr[T any] struct {
	plainText

	keys T
}

func (t *textOr[T]) read(d *decoder, p at) {
	if _, mapped := p.node.(*ast.MappingNode); mapped {
		d.fill(any(&t.keys).(anyForm), p)
	} else {
		t.plainText.read(d, p)
	}
}

// goneForm is a key that no server must have, or that one must not have.
type goneForm = textOr[goneKeyForm]

// invariantForm is the name of a rule, or a rule of the lesson's own.
type invariantForm struct{ textOr[ruleForm] }

// meaningForm is text that is the same in every language, or textForm.
type meaningForm struct{ both textForm }

func (m *meaningForm) stand() *at { return &m.both.at }

func (m *meaningForm) read(d *decoder, p at) {
	if _, both := p.node.(*ast.MappingNode); both {
		d.fill(&m.both, p)
		return
	}
	m.both.En.read(d, p)
	m.both.Zh, m.both.at = m.both.En, m.both.En.at
}

// moveForms are the moves that a beat can make, each under a key of its own, as the texts
// that they are after do.
type moveForms []plainText

func (m *moveForms) stand() *at { return &at{} }

func (m *moveForms) read(d *decoder, p at) {
	t := plainText{at: p, text: p.name}
	_, alone := p.node.(*ast.NullNode)
	if !alone || engine.ChoiceKind(p.name).Of() != engine.TheClock {
		t.read(d, p)
		if t.ok() && strings.TrimSpace(t.text) == "" {
			d.fail(p.node, lessons.CodeValue, fact.Of("lesson-empty-value", p.called()), p.toWrite())
			t.node = nil
		}
		t.text = p.name + " " + t.text
	}
	*m = append(*m, t)
}

func (e *expectForm) read(d *decoder, p at) {
	if _, empty := p.node.(*ast.NullNode); !empty { // else an author's note that something belongs here
		d.keys(e, p)
	}
}
