package decode

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

func (d *decoder) expect(f expectForm, choices []engine.Choice) *lessons.Expect {
	if !f.ok() {
		return nil
	}
	e := &lessons.Expect{Places: map[string]lessons.Place{"": d.place(f.key)}}
	for _, part := range f.values {
		e.Places[part.stand().name] = d.place(part.stand().key)
	}
	d.expectReply(f, e, len(choices) > 0 && choices[len(choices)-1].Kind == engine.Run)
	for _, key := range f.Keys.items {
		e.Keys = append(e.Keys, d.looks(key)...)
	}
	d.expectRows(f, e)
	d.expectGone(f, e)
	for _, section := range f.Holds.items {
		e.Holds = append(e.Holds, lessons.ExpectHolding{Section: section.name, Actors: texts(section, d.isActor), Place: d.place(section.key)})
	}
	d.expectNodes(f, e)
	e.Failed, e.Says = d.expectTexts(f.Failed), d.expectTexts(f.Says)
	for _, process := range f.Events.items {
		if d.isProcess(process.key, process.name) {
			e.Events = append(e.Events, lessons.ExpectEvents{Process: process.name, Events: texts(process, anything), Place: d.place(process.key)})
		}
	}
	e.Messages, e.Woke, e.Broken = texts(f.Messages, anything), texts(f.Woke, d.isActor), texts(f.Broken, d.invariant)
	return e
}

// expectGone reads which keys must not be there.
func (d *decoder) expectGone(f expectForm, e *lessons.Expect) {
	for _, item := range f.Gone.items {
		switch on := item.on; {
		case on.Key.ok() && on.Node.ok():
			e.Keys = append(e.Keys, lessons.ExpectKey{Node: d.node(on.Node), Name: on.Key.text, Type: lessons.NoKey, Place: d.place(on.Key.node)})
		case item.ok():
			e.Gone = append(e.Gone, item.text)
			e.Places["gone "+item.text] = d.place(item.node)
		}
	}
}

// expectTexts reads what actors must say, or fail with.
func (d *decoder) expectTexts(f mapOf[plainText]) []lessons.ExpectText {
	var out []lessons.ExpectText
	for _, t := range f.items {
		switch {
		case !t.ok():
		case strings.TrimSpace(t.text) == "":
			d.fail(t.node, lessons.CodeValue, "every text contains the empty one", "write "+f.form.write)
		default:
			d.actor(t.key, t.name)
			out = append(out, lessons.ExpectText{Actor: t.name, Text: t.text, Place: d.place(t.key)})
		}
	}
	return out
}

// expectReply reads what the beat's last request must come to.
func (d *decoder) expectReply(f expectForm, e *lessons.Expect, ran bool) {
	var given []at
	for _, p := range []at{f.Reply.at, f.Error.at, f.NoReply.at} {
		if p.given() && !ran {
			d.fail(p.key, lessons.CodeValue, fmt.Sprintf("there is no %s, because the last move of this beat is not run", strings.TrimPrefix(p.name, "no-")), "delete it, or add run")
		}
		if p.given() {
			given = append(given, p)
		}
	}
	if f.Error.ok() && strings.TrimSpace(f.Error.text) == "" {
		d.fail(f.Error.node, lessons.CodeValue, "every error contains the empty text", f.Error.write)
	}
	if len(given) > 1 {
		d.fail(given[1].key, lessons.CodeValue, fmt.Sprintf("a move cannot have both %s and %s", article(given[0].name), article(given[1].name)), "keep one of reply, error and no-reply")
	}
	e.Reply, e.Error, e.NoReply = d.reply(f.Reply), f.Error.text, engine.NoReply(f.NoReply.text)
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

// expectNodes reads what actors and nodes must do, and be to each other.
func (d *decoder) expectNodes(f expectForm, e *lessons.Expect) {
	for _, s := range f.Status.items {
		d.status(s)
		e.Status = append(e.Status, lessons.ExpectStatus{Actor: s.name, Status: engine.Status(s.text), Place: d.place(s.key)})
	}
	for _, a := range f.Answers.items {
		d.actor(a.key, a.name)
		a.write = f.Reply.write
		if text := d.reply(a); text != nil {
			e.Answers = append(e.Answers, lessons.ExpectAnswer{Actor: a.name, Reply: *text, Place: d.place(a.key)})
		}
	}
	for _, b := range f.Behind.items {
		if n, ok := d.lag(b); ok && d.isReplicated(b.key, b.name) {
			e.Behind = append(e.Behind, lessons.ExpectBehind{Node: b.name, Writes: n, Place: d.place(b.key)})
		}
	}
	e.Leads = texts(f.Leads, func(t plainText) bool { return d.isReplicated(t.node, t.text) })
}

// status looks whether an actor or a node can do what it is expected to.
func (d *decoder) status(s plainText) {
	if d.statusOf(s.key, s.name) {
		return
	}
	can := []string{string(engine.Ready), string(engine.Paused), string(engine.Crashed)}
	if s.ok() && s.text != "" && !slices.Contains(can, s.text) {
		d.fail(s.node, lessons.CodeValue, fmt.Sprintf("%s is a node, which is never %s", s.name, s.text), "write one of: "+strings.Join(can, ", "))
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

// isReplicated tells whether a node is a replica, or has one.
func (d *decoder) isReplicated(n ast.Node, name string) bool {
	return d.isNode(n, name) && d.replicates(n, name)
}

// lost is how far a replica is behind that lost its leader.
const lost = "lost"

// lag reads how far behind a replica must be.
func (d *decoder) lag(t plainText) (writes int, ok bool) {
	if !t.ok() || t.text == lost {
		return lessons.LostLeader, t.ok()
	}
	writes, err := strconv.Atoi(t.text)
	if err != nil || writes < 0 || writes > engine.MaxChoices {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%q is no number of writes", t.text), "write how many are on their way to the replica, or lost")
		return 0, false
	}
	return writes, true
}

func lagText(writes int) string {
	if writes == lessons.LostLeader {
		return lost
	}
	return strconv.Itoa(writes)
}

func (d *decoder) isProcess(n ast.Node, name string) bool {
	if slices.Contains(d.processes, name) {
		return true
	}
	d.absent(n, "actors", "process "+name, lessons.CodeUnknownName, fmt.Sprintf("this lesson has no process %q", name), lessons.DidYouMean(name, d.processes))
	return false
}

// replyForm is what reply.Reply.String writes.
var replyForm = regexp.MustCompile(`^(nil|true|false|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|".*"|\[.*\]|\{.*\}|[A-Z]+)$`)

func (d *decoder) reply(t plainText) *string {
	if !t.ok() {
		return nil
	}
	text := strings.TrimSpace(t.text)
	if !replyForm.MatchString(text) {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%q is not a reply", text), fmt.Sprintf("%s; a text reply keeps its quotes: '%q'", t.write, text))
		return nil
	}
	return &text
}

// looks reads what a key must look like: once, or once for each server that has it.
func (d *decoder) looks(f keyForms) []lessons.ExpectKey {
	var out []lessons.ExpectKey
	for _, one := range f.items {
		k := d.key(one)
		if k.Node == d.lesson.Nodes[0].Name && f.ok() {
			k.Node = ""
		}
		if slices.ContainsFunc(out, func(o lessons.ExpectKey) bool { return o.Node == k.Node }) {
			d.fail(one.node, lessons.CodeDuplicateName, "an earlier item is for the same server", f.write)
		}
		out = append(out, k)
	}
	return out
}

func (d *decoder) key(f keyForm) lessons.ExpectKey {
	k := lessons.ExpectKey{Name: f.name, Node: d.node(f.Node), Type: engine.KeyType(f.Type.text), Place: d.place(cmp.Or(f.key, f.node))}
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
func (d *decoder) keyValue(f keyValue, k *lessons.ExpectKey) {
	kinds, text := []engine.KeyType{engine.StringKey}, ""
	switch f.node.(type) {
	case *ast.MappingNode:
		kinds = []engine.KeyType{engine.HashKey, engine.ZSetKey, engine.StreamKey, engine.ZnodeKey}
	case *ast.SequenceNode:
		kinds = []engine.KeyType{engine.ListKey, engine.SetKey}
	default:
		text, _ = scalar(f.node)
		k.Text = &text
	}
	if k.Type != "" && !slices.Contains(kinds, k.Type) {
		d.fail(f.node, lessons.CodeKind, fmt.Sprintf("the value of a %s must be %s, not %s", k.Type, written[k.Type], describe(f.node)), "")
		return
	}
	before := len(d.found)
	f.readItems(d)
	switch {
	case k.Text != nil:
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
