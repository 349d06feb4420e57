package decode

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/lessons"
)

// at is where a value stands, and what messages say of it. Every value of the format
// has one; those that are absent have none of it.
type at struct {
	form  formKey  // that it was read by
	key   ast.Node // nil: it is absent, or an item of a list
	node  ast.Node // nil: it is absent, or of another kind, which was said
	name  string   // the key
	what  string   // it is called
	write string   // what to do when it is of another kind
}

// given tells whether the key is there, whatever stands after it.
func (p *at) given() bool { return p.key != nil }

// ok tells whether there is a value of the right kind.
func (p *at) ok() bool { return p.node != nil }

func (p *at) stand() *at { return p }

// anyForm is what every type of the format can do.
type anyForm interface{ stand() *at }

// fill reads a value: those that know how by themselves, and others by their tags.
func (d *decoder) fill(v anyForm, p at) {
	if c, ok := v.(interface{ called() (what, write string) }); ok {
		what, write := c.called()
		p.what = cmp.Or(what, p.what)
		if write != "" {
			p.write = "write " + write
		}
	}
	if r, ok := v.(interface{ read(d *decoder, p at) }); ok {
		r.read(d, p)
		return
	}
	d.keys(v, p)
}

// keys reads a mapping that may have the keys of a form and no others, and says which
// are missing. It tells whether no key had to be complained about.
func (d *decoder) keys(v anyForm, p at) bool {
	*v.stand() = p
	pairs, ok := d.pairs(p)
	if !ok {
		v.stand().node = nil
		return false
	}
	fields := reflect.ValueOf(v).Elem()
	f := formOf(fields.Type())
	found := map[string]pair{}
	for _, key := range pairs {
		name := key.key
		if !f.has(name) {
			ok = false
			d.fail(key.at, lessons.CodeUnknownKey, fmt.Sprintf("%s has no %q", p.what, name), strange(key, f))
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
			d.fill(fields.Field(k.index).Addr().Interface().(anyForm), p.inside(k, key))
		}
	}
	return ok && len(found) == len(p.node.(*ast.MappingNode).Values)
}

// inside is where the value of a key stands.
func (p at) inside(k formKey, key pair) at {
	write := p.write
	if own := cmp.Or(k.write, k.need); own != "" {
		write = "write " + own
	}
	what := strings.NewReplacer("WHAT", p.what, "NAME", p.name).Replace(cmp.Or(k.what, k.name))
	return at{form: k, key: key.at, node: key.value, name: k.name, what: what, write: write}
}

// strange is the advice for a key that a form does not have. In { } a comma begins one.
func strange(p pair, f form) string {
	advice := lessons.Meant(p.key, f.names())
	if _, empty := p.value.(*ast.NullNode); empty && lessons.Closest(p.key, f.names()) == "" {
		advice = "put text that has a comma into quotes; else " + advice
	}
	return advice
}

// enter keeps which key of the lesson is read.
func (d *decoder) enter(p at, key string) {
	if p.node == d.body {
		d.part = key
	}
}

// lacks says that a key is missing, if it is: of a lesson that could be parsed in part
// it is when no line begins with it.
func (d *decoder) lacks(p at, k formKey) {
	d.enter(p, k.name)
	if p.node == d.body {
		d.doubt[k.name] = true
		if len(d.unread) > 0 && slices.ContainsFunc(d.file.lines, func(line string) bool { return strings.HasPrefix(line, k.name) }) {
			return
		}
	}
	d.fail(p.node, lessons.CodeMissingKey, fmt.Sprintf("%s lacks %q", p.what, k.name), "write "+k.need)
}

// given are the keys of a form that are there, in the order of the format.
func given(v anyForm) []anyForm {
	var out []anyForm
	fields := reflect.ValueOf(v).Elem()
	for i := range fields.NumField() {
		if !fields.Type().Field(i).IsExported() {
			continue
		}
		if v, ok := fields.Field(i).Addr().Interface().(anyForm); ok && v.stand().given() {
			out = append(out, v)
		}
	}
	return out
}

// list is a list of values.
type listOf[T any] struct {
	at

	items []T
}

func (l *listOf[T]) read(d *decoder, p at) {
	l.at = p
	s, ok := p.node.(*ast.SequenceNode)
	if !ok {
		d.misfit(p, "a list")
		l.node = nil
		return
	}
	nodes := s.Values
	if most := p.form.most; most > 0 && len(nodes) > most {
		d.fail(nodes[most], lessons.CodeLimit, fmt.Sprintf("%s may have %d items, and this is one more", p.what, most), "")
		nodes = nodes[:most]
	}
	if len(nodes) == 0 && p.form.none != "" {
		d.fail(p.node, lessons.CodeValue, p.form.none, p.write)
	}
	l.items = make([]T, len(nodes))
	for i, n := range nodes {
		d.fill(any(&l.items[i]).(anyForm), at{node: n, name: p.name, what: "an item of " + p.what, write: p.write})
	}
}

// dict is a mapping of keys that the lesson chooses.
type mapOf[T any] struct {
	at

	items []T
}

func (l *mapOf[T]) read(d *decoder, p at) {
	l.at = p
	pairs, ok := d.pairs(p)
	if !ok {
		l.node = nil
		return
	}
	if most := p.form.most; most > 0 && len(pairs) > most {
		d.fail(pairs[most].at, lessons.CodeLimit, fmt.Sprintf("a lesson may have %d %s, and this one has %d", most, p.what, len(pairs)), "leave some out")
		pairs = pairs[:most]
	}
	if len(pairs) == 0 && p.form.none != "" {
		d.fail(p.node, lessons.CodeValue, p.form.none, p.write)
	}
	l.items = make([]T, len(pairs))
	for i, key := range pairs {
		item := at{form: formKey{name: p.name, most: limits["items"]}, key: key.at, node: key.value, name: key.key, what: strings.TrimSpace(p.form.each + " " + key.key), write: p.write}
		d.fill(any(&l.items[i]).(anyForm), item)
	}
}

// named is a mapping whose keys are names.
type namesOf[T any] struct{ mapOf[T] }
