package decode

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

// What a lesson may have at most: more than anybody can follow on a page.
const (
	mostActors     = 16
	mostScripts    = 32
	mostNodes      = 8
	mostInvariants = 16
	mostFaults     = 64
	mostBeats      = 200
	mostSources    = 20
	mostMeanings   = 32  // of KEYS, or of ARGV
	mostItems      = 500 // of a list in an expectation
	mostText       = 500 // bytes of a title, a summary or a question
	mostName       = 40  // characters of what an actor, a process, a node … is called
)

// resolution is the step of the clock unless a lesson says otherwise.
const resolution = 100 * time.Millisecond

func (d *decoder) read(body ast.Node) {
	t := d.table(body, "the lesson", `begin with title: {en: "…", zh: "…"}`, lessonKeys)
	l := d.lesson
	if n := t.get("title"); n != nil {
		l.Title = d.bilingual(n, "the title")
	}
	if n := t.get("summary"); n != nil {
		l.Summary = d.bilingual(n, "the summary")
	}
	l.Chapter = d.oneOf(t.get("chapter"), "chapter", chapterWord("").words())
	l.Level = lessons.Level(d.oneOf(t.get("level"), "level", levelWord("").words()))
	if n := t.get("sources"); n != nil {
		l.Sources = d.texts(n, "sources", `write sources: ["Redis documentation: distributed locks"]`, mostSources)
	}
	d.resolution(t)
	d.client(t)
	d.lesson.Nodes = []string{"redis"}
	d.names(t, "nodes", d.nodes)
	d.names(t, "scripts", d.scripts)
	d.names(t, "actors", d.actors)
	d.names(t, "invariants", d.invariants)
	d.names(t, "faults", d.faults)
	if !d.understood() {
		return
	}
	if n := t.get("story"); n != nil {
		d.story(n)
	}
	if n := t.get("challenge"); n != nil {
		d.challenge(n)
	}
}

func (d *decoder) resolution(t table) {
	d.lesson.Resolution = resolution
	n := t.get("resolution")
	if n == nil {
		return
	}
	d.lesson.Resolution = 0 // it need not be a multiple of the default
	if span, ok := d.span(n, "the resolution"); ok {
		d.lesson.Resolution = span
	}
}

func (d *decoder) nodes(n ast.Node) {
	const advice = "write nodes: [redis]"
	var names []string
	items := d.items(n, "nodes", advice, mostNodes)
	if s, ok := n.(*ast.SequenceNode); ok && len(s.Values) == 0 {
		d.fail(n, lessons.CodeValue, "a lesson needs at least one node", advice)
	}
	for _, item := range items {
		text, ok := d.text(item, "the name of a node", advice)
		if !ok {
			continue
		}
		if _, ok := d.name(pair{key: text, at: item}, "a node"); !ok {
			continue
		}
		if slices.Contains(names, text) {
			d.twice(item, text, "give each node a name of its own")
		}
		names = append(names, text)
		d.declare("node", text, item)
	}
	if len(names) > 0 {
		d.lesson.Nodes = names
	}
}

func (d *decoder) twice(n ast.Node, name, advice string) {
	d.fail(n, lessons.CodeDuplicateName, fmt.Sprintf("%q stands here for the second time", name), advice)
}

// declare keeps where a part of the lesson stands.
func (d *decoder) declare(kind, name string, n ast.Node) {
	d.lesson.Declared[kind+" "+name] = d.place(n)
}

func (d *decoder) invariants(n ast.Node) {
	const advice = `write engine rules by name, or {name: stock, lua: "stock >= 0"}`
	rules := engine.RuleNames()
	seen := map[string]bool{}
	for _, item := range d.items(n, "invariants", advice, mostInvariants) {
		if _, own := item.(*ast.MappingNode); own {
			d.rule(item, seen)
			continue
		}
		name, ok := d.text(item, "an invariant", advice)
		switch {
		case !ok:
		case !slices.Contains(rules, name):
			d.unknown(item, fmt.Sprintf("there is no invariant %q", name), name, rules)
		case seen[name]:
			d.twice(item, name, "name each invariant once")
		default:
			d.lesson.Invariants = append(d.lesson.Invariants, name)
			d.declare("invariant", name, item)
		}
		seen[name] = true
	}
}

// rule reads an invariant of the lesson's own.
func (d *decoder) rule(n ast.Node, seen map[string]bool) {
	t := d.table(n, "an invariant", "", ruleKeys)
	nameNode, luaNode := t.get("name"), t.get("lua")
	if nameNode == nil || luaNode == nil {
		return
	}
	name, ok := d.text(nameNode, "the name of an invariant", "")
	if !ok {
		return
	}
	if _, ok := d.name(pair{key: name, at: nameNode}, "an invariant"); !ok {
		return
	}
	if seen[name] || slices.Contains(engine.RuleNames(), name) {
		d.fail(nameNode, lessons.CodeDuplicateName, fmt.Sprintf("%q is the name of another invariant", name), "give it a name of its own")
		return
	}
	seen[name] = true
	if rule, ok := d.expression(luaNode, name, "write one that is true while all is well, such as stock >= 0"); ok {
		d.declare("invariant", name, nameNode)
		d.lesson.Rules = append(d.lesson.Rules, rule)
	}
}

// expression reads a Lua expression over the keys.
func (d *decoder) expression(n ast.Node, name, advice string) (lessons.Rule, bool) {
	c, ok := d.code(n, "the expression")
	if !ok {
		return lessons.Rule{}, false
	}
	d.compileExpression(c, advice)
	return lessons.Rule{Name: name, Lua: strings.TrimSpace(c.source), Place: d.codePlace(c)}, true
}

func (d *decoder) faults(n ast.Node) {
	const advice = `write faults: [crash jvm-1, pause jvm-1, drop jvm-1]`
	for _, item := range d.items(n, "faults", advice, mostFaults) {
		c, ok := d.choice(item)
		if !ok {
			continue
		}
		need, fault := c.AllowedBy()
		switch {
		case !fault:
			d.fail(item, lessons.CodeValue, fmt.Sprintf("%q is no fault", c), advice)
		case need != c:
			d.fail(item, lessons.CodeValue, fmt.Sprintf("%s need not be allowed", c.Kind), fmt.Sprintf("write %s: %s comes with it", need, c.Kind))
		case slices.Contains(d.lesson.Faults, c):
			d.twice(item, c.String(), "name each fault once")
		default:
			d.lesson.Faults = append(d.lesson.Faults, c)
			d.declare("fault", c.String(), item)
		}
	}
}
