package decode

import (
	"reflect"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// partForms are the parts of an expectation that a lesson has, in the order of lessons.Expectations,
// each of the type that formTypes has for its row.
type partForms []anyForm

var formTypes = map[lessons.Form]reflect.Type{
	lessons.OfReply: reflect.TypeFor[plainText](),
	lessons.List:    reflect.TypeFor[listOf[plainText]](),
	lessons.Names:   reflect.TypeFor[listOf[plainText]](),
	lessons.Absent:  reflect.TypeFor[listOf[goneForm]](),
	lessons.TextFor: reflect.TypeFor[mapOf[plainText]](),
	lessons.ListFor: reflect.TypeFor[mapOf[listOf[plainText]]](),
	lessons.Columns: reflect.TypeFor[mapOf[rowForm]](),
	lessons.Looks:   reflect.TypeFor[mapOf[keyForms]](),
}

func (f *partForms) stand() *at { return &at{} }

func (f *partForms) read(d *decoder, p at) {
	part := reflect.New(p.form.value).Interface().(anyForm)
	d.fill(part, p)
	*f = append(*f, part)
}

func (d *decoder) expect(f expectForm, choices []engine.Choice) *lessons.Expect {
	if !f.ok() {
		return nil
	}
	d.replies(f.Parts, len(choices) > 0 && choices[len(choices)-1].Kind == engine.Run)
	e := &lessons.Expect{Place: d.place(f.key)}
	for _, part := range f.Parts {
		e.Parts = append(e.Parts, d.expected(part)...)
	}
	return e
}

// replies reports a reply that is expected of no request, and a second one.
func (d *decoder) replies(parts partForms, ran bool) {
	var before string
	for _, part := range parts {
		p := part.stand()
		if lessons.ExpectationOf(p.name).Form != lessons.OfReply {
			continue
		}
		if !ran {
			d.fail(p.key, lessons.CodeValue, fact.Of("lesson-no-such-reply", strings.TrimPrefix(p.name, "no-")), fact.Of("lesson-delete-or-run"))
		}
		if before != "" {
			d.fail(p.key, lessons.CodeValue, fact.Of("lesson-both-replies", article(before), article(p.name)), fact.Of("lesson-keep-one-reply"))
		}
		before = p.name
	}
}

func article(name string) string {
	switch name {
	case "error":
		return "an error"
	case "no-reply":
		return "no reply"
	}
	return "a " + name
}

// expected reads what stands under one key.
func (d *decoder) expected(of anyForm) (parts []lessons.Expected) {
	row := lessons.ExpectationOf(of.stand().name)
	switch f := of.(type) {
	case *plainText:
		parts = append(parts, d.about(row, at{key: f.key}, *f))
	case *listOf[plainText]:
		if row.Form == lessons.List {
			return append(parts, d.about(row, at{key: f.key}, f.items...))
		}
		for _, name := range d.sorts(row.Of, f.items...) {
			parts = append(parts, lessons.Expected{Key: row.Key, Name: name, Place: d.place(f.key)})
		}
	case *listOf[goneForm]:
		for _, g := range f.items {
			parts = append(parts, d.gone(row, g)...)
		}
	case *mapOf[plainText]:
		for _, t := range f.items {
			parts = append(parts, d.about(row, t.at, t))
		}
	case *mapOf[listOf[plainText]]:
		for _, l := range f.items {
			parts = append(parts, d.about(row, l.at, l.items...))
		}
	case *mapOf[rowForm]:
		for _, r := range f.items {
			e := d.about(row, r.at)
			e.Items = r.columns()
			parts = append(parts, e)
		}
	case *mapOf[keyForms]:
		for _, k := range f.items {
			parts = append(parts, d.looks(k)...)
		}
	}
	return parts
}

// about reads what is expected of a name; of a place without one, of the beat. A name is not looked at
// beside a wrong text, because one slip should be one message.
func (d *decoder) about(row *lessons.Expectation, p at, texts ...plainText) lessons.Expected {
	before := len(d.found)
	e := lessons.Expected{Key: row.Key, Name: p.name, Texts: d.sorts(row.Is, texts...), Place: d.place(p.key)}
	if p.name != "" && (len(d.found) == before || row.Form != lessons.TextFor) {
		d.sort(row.Of, plainText{at{node: p.key}, p.name})
	}
	return e
}

// gone reads a key that no server must have, or that one server must not have.
func (d *decoder) gone(row *lessons.Expectation, g goneForm) []lessons.Expected {
	switch on := g.keys; {
	case on.Key.ok() && on.Node.ok():
		return []lessons.Expected{{Key: "keys", Node: d.node(on.Node), Name: on.Key.text, Type: lessons.NoKey, Place: d.place(on.Key.node)}}
	case g.ok():
		return []lessons.Expected{{Key: row.Key, Name: g.text, Place: d.place(g.node)}}
	}
	return nil
}
