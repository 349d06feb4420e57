package decode

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

// partForms are the parts of an expectation that are there, each in the form of its row in
// lessons.Expectations.
type partForms []anyForm

// formTypes are the types of the forms that a row can have.
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

// replies looks whether there can be a reply, and whether no more than one is expected.
func (d *decoder) replies(parts partForms, ran bool) {
	var before string
	for _, part := range parts {
		p := part.stand()
		if lessons.ExpectationOf(p.name).Form != lessons.OfReply {
			continue
		}
		if !ran {
			d.fail(p.key, lessons.CodeValue, fmt.Sprintf("there is no %s, because the last move of this beat is not run", strings.TrimPrefix(p.name, "no-")), "delete it, or add run")
		}
		if before != "" {
			d.fail(p.key, lessons.CodeValue, fmt.Sprintf("a move cannot have both %s and %s", article(before), article(p.name)), "keep one of reply, error and no-reply")
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
	add := func(at ast.Node, e lessons.Expected) {
		e.Key, e.Place = row.Key, d.place(at)
		parts = append(parts, e)
	}
	// entry is what a mapping says of a name. Of a wrong text about it nothing more is said.
	entry := func(p at, items []engine.Item, texts ...plainText) {
		before := len(d.found)
		e := lessons.Expected{Name: p.name, Texts: d.sorts(row.Is, texts...), Items: items}
		if p.name != "" && (len(d.found) == before || row.Form != lessons.TextFor) {
			d.sort(row.Of, plainText{at{node: p.key}, p.name})
		}
		add(p.key, e)
	}
	switch f := of.(type) {
	case *plainText:
		add(f.key, lessons.Expected{Texts: d.sorts(row.Is, *f)})
	case *listOf[plainText]:
		if row.Form == lessons.List {
			add(f.key, lessons.Expected{Texts: d.sorts(row.Is, f.items...)})
			break
		}
		for _, name := range d.sorts(row.Of, f.items...) {
			add(f.key, lessons.Expected{Name: name})
		}
	case *listOf[goneForm]:
		for _, item := range f.items {
			if on := item.on; on.Key.ok() && on.Node.ok() {
				parts = append(parts, lessons.Expected{Key: "keys", Node: d.node(on.Node), Name: on.Key.text, Type: lessons.NoKey, Place: d.place(on.Key.node)})
			} else if item.ok() {
				add(item.node, lessons.Expected{Name: item.text})
			}
		}
	case *mapOf[plainText]:
		for _, t := range f.items {
			entry(t.at, nil, t)
		}
	case *mapOf[listOf[plainText]]:
		for _, l := range f.items {
			entry(l.at, nil, l.items...)
		}
	case *mapOf[rowForm]:
		for _, r := range f.items {
			entry(r.at, r.columns())
		}
	case *mapOf[keyForms]:
		for _, k := range f.items {
			for _, e := range d.looks(k) {
				e.Key = row.Key
				parts = append(parts, e)
			}
		}
	}
	return parts
}

// sortsOf are the sorts of names and texts that a row can have, and what must be true of each. A
// text becomes as the engine compares it.
var sortsOf = map[string]func(*decoder, *plainText){
	"actor":     func(d *decoder, t *plainText) { d.actor(t.node, t.text) },
	"process":   (*decoder).process,
	"replica":   (*decoder).replica,
	"row":       (*decoder).row,
	"lock":      (*decoder).lock,
	"invariant": func(d *decoder, t *plainText) { d.invariant(*t) },
	"status":    (*decoder).status,
	"behind":    (*decoder).behind,
	"reply":     (*decoder).reply,
	"error":     part("every error contains the empty text"),
	"part":      part("every text contains the empty one"),
}

// sorts is texts of one sort, without those that are none.
func (d *decoder) sorts(of string, all ...plainText) []string {
	texts := []string{}
	for _, t := range all {
		if t.ok() {
			texts = append(texts, d.sort(of, t))
		}
	}
	return texts
}

func (d *decoder) sort(of string, t plainText) string {
	if look, ok := sortsOf[of]; ok {
		look(d, &t)
	}
	return t.text
}

// part refuses the empty text, which proves nothing.
func part(message string) func(*decoder, *plainText) {
	return func(d *decoder, t *plainText) {
		if strings.TrimSpace(t.text) == "" {
			d.fail(t.node, lessons.CodeValue, message, t.write)
		}
	}
}

// status looks whether an actor or a node can do what it is expected to.
func (d *decoder) status(t *plainText) {
	if d.statusOf(t.key, t.name) {
		return
	}
	can := []string{string(engine.Ready), string(engine.Paused), string(engine.Crashed)}
	if t.text != "" && !slices.Contains(can, t.text) {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%s is a node, which is never %s", t.name, t.text), "write one of: "+strings.Join(can, ", "))
	}
}

// statusOf looks whether there is an actor or a node, and is true if it is an actor.
func (d *decoder) statusOf(n ast.Node, name string) (actor bool) {
	nodes := d.lesson.NodeNames()
	if slices.Contains(nodes, name) {
		return false
	}
	d.actorAmong(n, name, "actor or node", nodes)
	return true
}

// replica looks whether a node is a replica, or has one.
func (d *decoder) replica(t *plainText) {
	if d.isNode(t.node, t.text) {
		d.replicates(t.node, t.text)
	}
}

// behind reads how far behind a replica must be.
func (d *decoder) behind(t *plainText) {
	if t.text == lessons.Lost {
		return
	}
	writes, err := strconv.Atoi(t.text)
	if err != nil || writes < 0 || writes > engine.MaxChoices {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%q is no number of writes", t.text), "write how many are on their way to the replica, or lost")
	}
	t.text = strconv.Itoa(writes)
}

func (d *decoder) process(t *plainText) {
	if !slices.Contains(d.processes, t.text) {
		d.absent(t.node, "actors", "process "+t.text, lessons.CodeUnknownName, fmt.Sprintf("this lesson has no process %q", t.text), lessons.DidYouMean(t.text, d.processes))
	}
}

// replyForm is what reply.Reply.String writes.
var replyForm = regexp.MustCompile(`^(nil|true|false|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|".*"|\[.*\]|\{.*\}|[A-Z]+)$`)

func (d *decoder) reply(t *plainText) {
	t.text = strings.TrimSpace(t.text)
	if !replyForm.MatchString(t.text) {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%q is not a reply", t.text),
			fmt.Sprintf("write %s; a text reply keeps its quotes: '%q'", lessons.ExpectationOf("reply").Write, t.text))
	}
}

// looks reads what a key must look like: once, or once for each server that has it.
func (d *decoder) looks(f keyForms) []lessons.Expected {
	var out []lessons.Expected
	for _, one := range f.items {
		k := d.key(one)
		if k.Node == d.lesson.Nodes[0].Name && f.ok() {
			k.Node = ""
		}
		if slices.ContainsFunc(out, func(o lessons.Expected) bool { return o.Node == k.Node }) {
			d.fail(one.node, lessons.CodeDuplicateName, "an earlier item is for the same server", f.write)
		}
		out = append(out, k)
	}
	return out
}

func (d *decoder) key(f keyForm) lessons.Expected {
	k := lessons.Expected{Name: f.name, Node: d.node(f.Node), Type: engine.KeyType(f.Type.text), Place: d.place(cmp.Or(f.key, f.node))}
	if f.TTL.text == "none" {
		none := engine.NoDeadline
		k.TTL = &none
	} else if span, ok := d.span(f.TTL); ok {
		k.TTL = &span
	}
	if k.Type == lessons.NoKey && (f.Value.given() || f.TTL.given()) {
		d.fail(f.Type.node, lessons.CodeValue, "a key of type none is not there, and has no value and no ttl", "leave type out, or the others")
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
	engine.ZnodeKey:  "a mapping of data, czxid, version and owner",
}

// keyValue reads a mapping (hash, zset), a list (list, set) or a scalar (string).
// Without a type the value's form is all that is known of it.
func (d *decoder) keyValue(f keyValue, k *lessons.Expected) {
	kinds := []engine.KeyType{engine.StringKey}
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
		d.fail(f.node, lessons.CodeKind, fmt.Sprintf("the value of a %s must be %s, not %s", k.Type, written[k.Type], describe(f.node)), "")
		return
	}
	before := len(d.found)
	f.readItems(d)
	switch {
	case k.Texts != nil:
		if _, ok := scalar(f.node); !ok {
			d.misfit(f.at, "text")
		}
	case len(f.items) == 0 && len(d.found) == before:
		d.fail(f.node, lessons.CodeValue, "a key without items does not exist", "write its items; that it is not there is said with gone: ["+k.Name+"]")
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
			d.fail(v.node, lessons.CodeValue, fmt.Sprintf("%q is not a score", v.text), "write a number")
		}
		return engine.Item{Name: v.name, Value: s}
	}
	return engine.Item{Name: v.name, Value: v.text}
}

// invariant tells whether a name is that of one of the lesson's invariants.
func (d *decoder) invariant(t plainText) bool {
	known := slices.Clone(d.lesson.Invariants)
	for _, r := range d.lesson.Rules {
		known = append(known, r.Name)
	}
	advice := lessons.DidYouMean(t.text, known)
	switch {
	case !t.ok() || slices.Contains(known, t.text):
		return t.ok()
	case slices.Contains(engine.RuleNames(), t.text):
		advice = "add it to invariants"
	}
	d.absent(t.node, "invariants", t.text, lessons.CodeUnknownName, fmt.Sprintf("the invariants of this lesson do not include %q", t.text), advice)
	return false
}
