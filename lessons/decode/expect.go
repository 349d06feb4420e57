package decode

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

func (d *decoder) expect(at, n ast.Node, choices []engine.Choice) *lessons.Expect {
	if _, empty := n.(*ast.NullNode); empty {
		return nil // an author's note that something belongs here, as if it were not there
	}
	t := d.table(n, "expect", "write expect: {reply: 1, keys: {anyLock: {ttl: 30s}}}", expectKeys)
	e := &lessons.Expect{Places: map[string]lessons.Place{"": d.place(at)}}
	for key, p := range t.values {
		e.Places[key] = d.place(p.at)
	}
	ran := len(choices) > 0 && choices[len(choices)-1].Kind == engine.Run
	for _, key := range []string{"reply", "error"} {
		if t.has(key) && !ran {
			d.fail(t.values[key].at, lessons.CodeValue, fmt.Sprintf("there is no %s, since no actor runs last in this beat", key), "delete it, or add run")
		}
	}
	if n := t.get("error"); n != nil {
		const advice = `write a part of the error, such as "WRONGTYPE"`
		e.Error, _ = d.text(n, "error", advice)
		if text, ok := scalar(n); ok && strings.TrimSpace(text) == "" {
			d.fail(n, lessons.CodeValue, "every error has an empty text in it", advice)
		}
		if t.has("reply") {
			d.fail(t.values["error"].at, lessons.CodeValue, "a reply and an error cannot both come", "keep one of reply and error")
		}
	}
	if n := t.get("reply"); n != nil {
		e.Reply = d.reply(n)
	}
	if n := t.get("keys"); n != nil {
		for _, p := range d.pairs(n, "keys", "write keys: {anyLock: {type: hash, value: {A: 1}, ttl: 30s}}") {
			e.Keys = append(e.Keys, d.looks(p)...)
		}
	}
	if n := t.get("gone"); n != nil {
		const advice = "write gone: [anyLock]"
		for _, item := range d.items(n, "gone", advice, mostItems) {
			if name, ok := d.text(item, "an item of gone", advice); ok {
				e.Gone = append(e.Gone, name)
				e.Places["gone "+name] = d.place(item)
			}
		}
	}
	if n := t.get("holds"); n != nil {
		e.Holds = d.holds(n)
	}
	if n := t.get("status"); n != nil {
		e.Status = d.statuses(n)
	}
	if n := t.get("messages"); n != nil {
		e.Messages = d.texts(n, "messages", `write the payloads: messages: ["0"]`, mostItems)
	}
	if n := t.get("woke"); n != nil {
		e.Woke = d.actorNames(n, "woke")
	}
	if n := t.get("broken"); n != nil {
		e.Broken = d.broken(n)
	}
	return e
}

// replyForm is what reply.Reply.String writes.
var replyForm = regexp.MustCompile(`^(nil|true|false|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|".*"|\[.*\]|\{.*\}|[A-Z]+)$`)

func (d *decoder) reply(n ast.Node) *string {
	const advice = `write 1, nil, OK, '"text"' or '[1, "text"]'`
	text, ok := scalar(n)
	if !ok {
		d.fail(n, lessons.CodeKind, "reply must be text, and this is "+describe(n), advice)
		return nil
	}
	text = strings.TrimSpace(text)
	if !replyForm.MatchString(text) {
		d.fail(n, lessons.CodeValue, fmt.Sprintf("%q is no reply", text), fmt.Sprintf("%s; a text reply keeps its quotes: '%q'", advice, text))
		return nil
	}
	return &text
}

// looks reads what a key must look like: once, or once for each server that has it.
func (d *decoder) looks(p pair) []lessons.ExpectKey {
	const advice = "write [{node: n1, value: A}, {node: n2, value: B}]"
	if _, several := p.value.(*ast.SequenceNode); !several {
		return []lessons.ExpectKey{d.key(p)}
	}
	var out []lessons.ExpectKey
	for _, item := range d.items(p.value, "the key "+p.key, advice, mostNodes) {
		k := d.key(pair{key: p.key, at: item, value: item})
		if k.Node == d.lesson.Nodes[0] {
			k.Node = ""
		}
		if slices.ContainsFunc(out, func(o lessons.ExpectKey) bool { return o.Node == k.Node }) {
			d.fail(item, lessons.CodeDuplicateName, "an item before this is of the same server", advice)
		}
		out = append(out, k)
	}
	if s, ok := p.value.(*ast.SequenceNode); ok && len(s.Values) == 0 {
		d.fail(s, lessons.CodeValue, "this list is empty", advice)
	}
	return out
}

func (d *decoder) key(p pair) lessons.ExpectKey {
	k := lessons.ExpectKey{Name: p.key}
	k.Place = d.place(p.at)
	t := d.table(p.value, "the key "+p.key, "write {type: hash, value: {A: 1}, ttl: 30s}", keyKeys)
	if n := t.get("node"); n != nil {
		k.Node = d.node(n)
	}
	if n := t.get("type"); n != nil {
		k.Type = engine.KeyType(d.oneOf(n, "type", typeWord("").words()))
	}
	if n := t.get("ttl"); n != nil {
		if text, _ := scalar(n); text == "none" {
			none := engine.NoDeadline
			k.TTL = &none
		} else if span, ok := d.span(n, "ttl"); ok {
			k.TTL = &span
		}
	}
	if n := t.get("value"); n != nil {
		d.keyValue(n, &k)
	}
	return k
}

// forms is how the value of each type is written.
var forms = map[engine.KeyType]string{
	engine.StringKey: "one text",
	engine.HashKey:   "a mapping of fields to values",
	engine.ListKey:   "a list",
	engine.SetKey:    "a list of members",
	engine.ZSetKey:   "a mapping of members to scores",
	engine.StreamKey: "a mapping of ids to fields and values",
}

// keyValue reads a mapping (hash, zset), a list (list, set) or a scalar (string).
// Without a type the value's form is all that is known of it.
func (d *decoder) keyValue(n ast.Node, k *lessons.ExpectKey) {
	var fits bool
	switch n.(type) {
	case *ast.MappingNode:
		fits = k.Type == engine.HashKey || k.Type == engine.ZSetKey || k.Type == engine.StreamKey
	case *ast.SequenceNode:
		fits = k.Type == engine.ListKey || k.Type == engine.SetKey
	default:
		fits = k.Type == engine.StringKey
	}
	if !fits && k.Type != "" {
		d.fail(n, lessons.CodeKind, fmt.Sprintf("the value of a %s is %s, and this is %s", k.Type, forms[k.Type], describe(n)), "")
		return
	}
	before := len(d.found)
	switch n := n.(type) {
	case *ast.MappingNode:
		k.Items = d.members(n, k.Type)
	case *ast.SequenceNode:
		k.Items = d.elements(n, k.Type)
	default:
		if text, ok := d.text(n, "the value", `write value: "text", {field: 1} or [A, B]`); ok {
			k.Text = &text
		}
		return
	}
	if len(k.Items) == 0 && len(d.found) == before {
		d.fail(n, lessons.CodeValue, "a key without any item does not exist", "name it under gone: ["+k.Name+"]")
	}
}

// members reads the fields of a hash or the scores of a zset.
func (d *decoder) members(n ast.Node, kind engine.KeyType) []engine.Item {
	items := []engine.Item{}
	for _, p := range d.pairs(n, "the value", "") {
		text, ok := d.text(p.value, "the value of "+p.key, `write it after the colon; an empty text is ""`)
		if !ok {
			continue
		}
		if kind == engine.ZSetKey {
			s, ok := score(text)
			if !ok {
				d.fail(p.value, lessons.CodeValue, fmt.Sprintf("%q is no score", text), "write a number")
				continue
			}
			text = s
		}
		items = append(items, engine.Item{Name: p.key, Value: text})
	}
	return items
}

func (d *decoder) elements(n ast.Node, kind engine.KeyType) []engine.Item {
	items := []engine.Item{}
	for _, text := range d.texts(n, "the value", "write value: [A, B]", mostItems) {
		if kind == engine.SetKey {
			items = append(items, engine.Item{Name: text})
		} else {
			items = append(items, engine.Item{Value: text})
		}
	}
	return items
}

func (d *decoder) holds(n ast.Node) []lessons.ExpectHolding {
	const advice = "write holds: {anyLock: [A]}; nobody is []"
	var out []lessons.ExpectHolding
	for _, p := range d.pairs(n, "holds", advice) {
		h := lessons.ExpectHolding{Section: p.key, Actors: d.actorNames(p.value, p.key)}
		h.Place = d.place(p.at)
		out = append(out, h)
	}
	return out
}

// actorNames reads a list of actors or their tasks; it is never nil.
func (d *decoder) actorNames(n ast.Node, what string) []string {
	names := []string{}
	for _, item := range d.items(n, what, "write a list of actors: [A]", mostItems) {
		if text, ok := d.text(item, "an actor", "write its name"); ok && d.actor(item, text) {
			names = append(names, text)
		}
	}
	return names
}

func (d *decoder) statuses(n ast.Node) []lessons.ExpectStatus {
	var out []lessons.ExpectStatus
	for _, p := range d.pairs(n, "status", "write status: {B: waiting}") {
		d.actor(p.at, p.key)
		s := lessons.ExpectStatus{Actor: p.key, Status: engine.Status(d.oneOf(p.value, "status", statusWord("").words()))}
		s.Place = d.place(p.at)
		out = append(out, s)
	}
	return out
}

// broken reads which of the lesson's invariants a beat breaks.
func (d *decoder) broken(n ast.Node) []string {
	names := []string{}
	for _, item := range d.items(n, "broken", "write broken: [mutual-exclusion]", mostInvariants) {
		if name, ok := d.invariant(item); ok {
			names = append(names, name)
		}
	}
	return names
}

// invariant reads the name of one of the lesson's invariants.
func (d *decoder) invariant(n ast.Node) (string, bool) {
	name, ok := d.text(n, "an invariant", "write its name")
	if !ok {
		return "", false
	}
	known := slices.Clone(d.lesson.Invariants)
	for _, r := range d.lesson.Rules {
		known = append(known, r.Name)
	}
	switch {
	case slices.Contains(known, name):
		return name, true
	case slices.Contains(engine.RuleNames(), name):
		d.absent(n, "invariants", name, lessons.CodeUnknownName, fmt.Sprintf("the invariants of this lesson do not have %q", name), "add it to invariants")
	default:
		d.absent(n, "invariants", name, lessons.CodeUnknownName, fmt.Sprintf("the invariants of this lesson do not have %q", name), lessons.DidYouMean(name, known))
	}
	return "", false
}
