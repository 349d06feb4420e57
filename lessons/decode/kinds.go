package decode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

// The kinds of values that have no keys of their own, with the shapes that an editor
// checks. What a lesson may mean by them is found out when all of it is read.
type (
	luaText      struct{ plainText }
	exprLua      struct{ plainText }
	luaFile      struct{ plainText }
	nameText     struct{ plainText }
	nodeName     struct{ plainText }
	actorName    struct{ plainText }
	actorRef     struct{ plainText } // an actor of this lesson, or a task of it
	invariantRef struct{ plainText } // an invariant of this lesson
	spanText     struct{ plainText }
	ttlSpan      struct{ spanText }
	choiceText   struct{ plainText }
	faultText    struct{ choiceText }
)

func (luaText) called() (what, write string) {
	return "", "it after |, indented, on lines of its own"
}

func (exprLua) called() (what, write string) {
	return "the expression", "it after |, indented, on lines of its own"
}

func (nodeName) called() (what, write string)     { return "the name of a node", "" }
func (actorRef) called() (what, write string)     { return "an actor", "its name" }
func (invariantRef) called() (what, write string) { return "an invariant", "its name" }
func (spanText) called() (what, write string)     { return "", "a duration such as 30s or 1500ms" }

func (choiceText) called() (what, write string) {
	return "a choice", `it as "run A", "tick 10s" or "crash jvm-1"`
}

// aBeat is what messages call one.
const aBeat = "a beat"

func (beatForm) called() (what, write string) { return aBeat, "say, run, tick or another move" }

// plainText is text, or a number or a truth value read as text.
type plainText struct {
	at

	text string
}

func (t *plainText) read(d *decoder, p at) {
	text, ok := scalar(p.node)
	if !ok {
		d.misfit(p, "text")
		p.node = nil
	}
	t.at, t.text = p, text
}

func (t plainText) plain() plainText { return t }

// texts are those of a list that are texts; nil when the list is absent.
func texts[T interface{ plain() plainText }](l listOf[T], fit ...func(plainText) bool) []string {
	if !l.given() {
		return nil
	}
	out := []string{}
	for _, item := range l.items {
		if t := item.plain(); t.ok() && !slices.ContainsFunc(fit, func(fits func(plainText) bool) bool { return !fits(t) }) {
			out = append(out, t.text)
		}
	}
	return out
}

// oneOf is one of a few words.
type oneOf[W interface{ words() []string }] struct{ plainText }

func (oneOf[W]) words() []string { return (*new(W)).words() }

func (o oneOf[W]) called() (what, write string) {
	return "", "one of: " + strings.Join(o.words(), ", ")
}

func (o *oneOf[W]) read(d *decoder, p at) {
	o.plainText.read(d, p)
	if words := o.words(); o.ok() && !slices.Contains(words, o.text) {
		d.unknown(p.node, fmt.Sprintf("there is no %s %q", p.form.name, o.text), o.text, words)
		o.text = ""
	}
}

// tickSpan is a span, or nothing: to the next timer.
type tickSpan struct{ spanText }

// nothing stands after a key that says all by itself.
type nothing struct{ at }

func (n *nothing) read(_ *decoder, p at) { n.at = p }

// keyAndOf is a key and an item of it.
type keyAndOf struct{ listOf[plainText] }

func (k *keyAndOf) read(d *decoder, p at) {
	k.listOf.read(d, p)
	if k.ok() && len(k.items) != 2 {
		d.fail(p.node, lessons.CodeValue, p.what+" needs a key and an item", p.write)
		k.items = nil
	}
}

// keyValue is a text, a list or a mapping: which one depends on the key's type.
type keyValue struct {
	at

	list   listOf[plainText]
	fields mapOf[plainText]
}

func (k *keyValue) read(d *decoder, p at) {
	k.at = p
	switch p.node.(type) {
	case *ast.MappingNode:
		p.form.most, p.write = 0, `write it after the colon; an empty text is ""`
		d.fill(&k.fields, p)
	case *ast.SequenceNode:
		p.write = "write value: [A, B]"
		d.fill(&k.list, p)
	}
}

// keyForms is a keyForm, or one for each server.
type keyForms struct{ listOf[keyForm] }

func (k *keyForms) read(d *decoder, p at) {
	if _, several := p.node.(*ast.SequenceNode); several {
		p.write = "write [{node: n1, value: A}, {node: n2, value: B}]"
		p.form.most, p.form.none = limits["nodes"], "this list is empty"
		k.listOf.read(d, p)
		return
	}
	k.items = make([]keyForm, 1)
	d.fill(&k.items[0], p)
}

// invariantForm is the name of a rule, or a rule of the lesson's own.
type invariantForm struct {
	plainText

	own ruleForm
}

func (i *invariantForm) read(d *decoder, p at) {
	p.what = "an invariant"
	if _, own := p.node.(*ast.MappingNode); own {
		d.fill(&i.own, p)
	} else {
		i.plainText.read(d, p)
	}
}

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

// moveForms are the moves that a beat can make, each under a key of its own.
type moveForms []plainText

func (m *moveForms) stand() *at { return &at{} }

func (m *moveForms) read(d *decoder, p at) {
	t := plainText{at: p}
	if _, alone := p.node.(*ast.NullNode); !alone || engine.ChoiceKind(p.name).Of() != engine.TheClock {
		t.read(d, p)
	}
	*m = append(*m, t)
}

func (e *expectForm) read(d *decoder, p at) {
	if _, empty := p.node.(*ast.NullNode); !empty { // else an author's note that something belongs here
		d.keys(e, p)
	}
}
