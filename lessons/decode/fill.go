package decode

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// at is the place of a value, and what messages call it. Every value of the format has one;
// it is zero for absent values.
type at struct {
	form  formKey  // that it was read by
	key   ast.Node // nil: it is absent, or an item of a list
	node  ast.Node // nil: it is absent, or of another kind, which was reported
	name  string   // the key
	what  string   // what messages call it
	path  string   // where it stands in the lesson: a language without words for it has this instead
	write string   // what to write when it is of another kind, as tags say it

	values []anyForm // of the keys that are there, in the order of the format
}

// given tells whether the key is there, whatever stands after it.
func (p *at) given() bool { return p.key != nil }

// ok tells whether there is a value of the right kind.
func (p *at) ok() bool { return p.node != nil }

func (p *at) stand() *at { return p }

// called is what messages call it, in each language.
func (p *at) called() fact.Either { return fact.Either{p.what, p.path} }

// toWrite is what to write when it is of another kind.
func (p *at) toWrite() fact.Fact {
	return advise(p.write)
}

// advise tells what to write, as tags say it: by the code of a fact, or in YAML, which no language has words of its own for.
// A | stands between several.
func advise(tag string) fact.Fact {
	if tag == "" || strings.HasPrefix(tag, "lesson-") {
		return fact.Of(tag)
	}
	return fact.Of("lesson-write", oneOf(tag))
}

func oneOf(tag string) fact.OneOf { return strings.Split(tag, " | ") }

// anyForm is implemented by every type of the format.
type anyForm interface{ stand() *at }

// fill reads a value: those that know how by themselves, and others by their tags.
func (d *decoder) fill(v anyForm, p at) {
	if r, ok := v.(interface{ read(d *decoder, p at) }); ok {
		r.read(d, p)
		return
	}
	d.keys(v, p)
}

// keys reads a mapping that may have only the keys of a form, and reports missing and unknown
// ones. It is true if there were none.
func (d *decoder) keys(v anyForm, p at) bool {
	*v.stand() = p
	pairs, ok := d.pairs(p)
	if !ok {
		v.stand().node = nil
		return false
	}
	fields := reflect.ValueOf(v).Elem()
	f := formOf(fields.Type())
	found := map[string]at{}
	for _, key := range pairs {
		name := key.name
		if !slices.Contains(f.names(), name) {
			ok = false
			d.fail(key.key, lessons.CodeUnknownKey, fact.Of("lesson-unknown-key", p.called(), name), strange(key, f))
			name = lessons.Closest(name, f.names()) // or the key that was meant would be missed as well
		}
		if _, twice := found[name]; name != "" && !twice {
			found[name] = key
		}
	}
	for _, k := range f {
		if _, there := found[k.name]; !there && k.need != "" {
			d.lacks(p, k)
		}
	}
	for _, k := range f {
		if key, there := found[k.name]; there {
			d.enter(p, k.name)
			value := fields.Field(k.field).Addr().Interface().(anyForm)
			d.fill(value, key.of(k, p))
			v.stand().values = append(v.stand().values, value)
		}
	}
	return ok && len(found) == len(p.node.(*ast.MappingNode).Values)
}

// of is the place of the value of a key.
func (p at) of(k formKey, mapping at) at {
	p.form, p.name, p.path = k, k.name, mapping.path+"."+k.name
	if _, inner := mapping.node.(*ast.MappingNode); !inner || mapping.what == "the lesson" {
		p.path = k.name
	}
	if write := cmp.Or(k.write, k.need); write != "" {
		p.write = write
	}
	p.what = strings.NewReplacer("WHAT", mapping.what, "NAME", mapping.name).Replace(cmp.Or(k.what, k.name))
	return p
}

// strange is the advice for a key that a form does not have. In { } a comma begins one.
func strange(key at, f form) fact.Fact {
	advice := lessons.Meant(key.name, f.names())
	if _, empty := key.node.(*ast.NullNode); empty && lessons.Closest(key.name, f.names()) == "" {
		advice = fact.Of("lesson-comma-in-text", advice)
	}
	return advice
}

// enter keeps which key of the lesson is read.
func (d *decoder) enter(p at, key string) {
	if p.node == d.body {
		d.part = key
	}
}

// lacks reports a missing key. In a lesson that could be parsed only in part, a key counts as
// missing only if no line begins with it.
func (d *decoder) lacks(p at, k formKey) {
	if p.node == d.body {
		d.doubt[k.name] = true
		if len(d.unread) > 0 && slices.ContainsFunc(d.file.lines, func(line string) bool { return strings.HasPrefix(line, k.name) }) {
			return
		}
	}
	d.fail(p.node, lessons.CodeMissingKey, fact.Of("lesson-lacks-key", p.called(), k.name), advise(k.need))
}

type listOf[T any] struct {
	at
	items []T
}

func (l *listOf[T]) read(d *decoder, p at) {
	s, ok := p.node.(*ast.SequenceNode)
	if !ok {
		d.misfit(p, aList)
		l.at, l.node = p, nil
		return
	}
	what := cmp.Or(p.form.each, "an item of "+p.what)
	var items []at
	for _, n := range s.Values {
		items = append(items, at{form: formKey{is: p.form.is}, node: n, name: p.name, what: what, path: p.path, write: p.write})
	}
	l.fill(d, p, items)
}

// fill reads the items of a list or a mapping, as many as there may be.
func (l *listOf[T]) fill(d *decoder, p at, items []at) {
	l.at = p
	if most := limits[p.form.most]; most > 0 && len(items) > most {
		d.fail(cmp.Or(items[most].key, items[most].node), lessons.CodeLimit,
			fact.Of("lesson-too-many", most, p.form.most, len(items)), fact.Of("lesson-leave-some-out"))
		items = items[:most]
	}
	if len(items) == 0 && p.form.none != "" {
		d.fail(p.node, lessons.CodeValue, fact.Of(p.form.none), p.toWrite())
	}
	l.items = make([]T, len(items))
	for i, item := range items {
		before := d.found
		d.fill(any(&l.items[i]).(anyForm), item)
		if i > 0 && item.node == items[i-1].node {
			d.found = before // of equal actors it was told once
		}
	}
}

// mapOf is a mapping of keys that the lesson chooses.
type mapOf[T any] struct{ listOf[T] }

func (m *mapOf[T]) read(d *decoder, p at) {
	pairs, ok := d.pairs(p)
	if !ok {
		m.at, m.node = p, nil
		return
	}
	for i, key := range pairs {
		pairs[i].form = formKey{is: p.form.is, most: "items"}
		pairs[i].what = strings.TrimSpace(p.form.each + " " + key.name)
		pairs[i].path = p.path + "." + key.name
	}
	m.fill(d, p, pairs)
}

// namesOf is a mapping whose keys are names.
type namesOf[T any] struct{ mapOf[T] }
