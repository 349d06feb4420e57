package decode

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// limits are how many items a lesson may have at most, by what the tags of the format
// call them: more than anybody can follow on a page.
var limits = map[string]int{
	"actors":     16,
	"scripts":    32,
	"tables":     16,
	"columns":    16,
	"nodes":      8,
	"invariants": 16,
	"faults":     64,
	"beats":      200,
	"moves":      engine.MaxChoices,
	"sources":    20,
	"challenges": 8,
	"verdicts":   8,
	"meanings":   32,  // of KEYS, or of ARGV
	"items":      500, // of a list in an expectation
}

const (
	mostText = 500 // bytes of a title, a summary or a question
	mostName = 40  // characters of what an actor, a process, a node … is called
)

// resolution is the step of the clock unless a lesson says otherwise.
const resolution = 100 * time.Millisecond

func (d *decoder) read(body ast.Node) {
	var f lessonForm
	d.fill(&f, at{node: body, what: "the lesson", path: path.Base(d.file.path), write: `title: {en: "…", zh: "…"}`})
	l := d.lesson
	l.Title, l.Summary = f.Title.both(), f.Summary.both()
	l.Chapter, l.Level = f.Chapter.text, lessons.Level(f.Level.text)
	l.Sources = texts(f.Sources, anything)
	l.Versions = d.statements(f.Versions)
	for _, w := range f.Words.items {
		l.Words = append(l.Words, w.both())
		d.declare("words", w.En.text, w.node)
	}
	d.others(&f)
	l.Cause, l.Affected, l.Cured = d.prose(f.Cause), d.statements(f.Affected), d.statements(f.Cured)
	d.open(f.Cured)
	if f.Chapter.ok() {
		d.declare("chapter", f.Chapter.text, f.Chapter.node)
	}
	l.Nodes = []lessons.Node{{Name: "redis", Kind: lessons.Redis}}
	l.Resolution = resolution
	if f.Resolution.given() {
		l.Resolution = 0 // it need not be a multiple of the default
		l.Resolution, _ = d.span(f.Resolution)
	}
	l.Timeout, _ = d.span(f.Timeout)
	d.client(f.Client)
	for _, part := range []struct {
		key  string
		read func(*lessonForm)
	}{{"nodes", d.nodes}, {"cluster", d.cluster}, {"given", d.given}, {"scripts", d.scripts}, {"actors", d.actors}, {"invariants", d.invariants}, {"faults", d.faults}} {
		d.part = part.key
		part.read(&f)
	}
	d.part = ""
	if !slices.ContainsFunc(groundwork, func(key string) bool { return d.unread[key] }) {
		d.story(f.Story)
		d.challenges(&f)
		d.claims(f.Verdicts)
	}
}

func (d *decoder) twice(n ast.Node, name string, advice fact.Fact) {
	d.fail(n, lessons.CodeDuplicateName, fact.Of("lesson-key-twice", name), advice)
}

// declare keeps where a part of the lesson stands.
func (d *decoder) declare(kind, name string, n ast.Node) {
	d.lesson.Declared[kind+" "+name] = d.place(n)
}

func (d *decoder) invariants(f *lessonForm) {
	rules := engine.RuleNames()
	seen := map[string]bool{}
	for _, i := range f.Invariants.items {
		switch {
		case i.keys.ok():
			d.rule(i.keys, seen)
		case !i.ok():
		case !slices.Contains(rules, i.text):
			d.unknown(i.node, fact.Of("lesson-no-invariant", i.text), i.text, rules)
		case seen[i.text]:
			d.twice(i.node, i.text, fact.Of("lesson-each-once"))
		default:
			d.lesson.Invariants = append(d.lesson.Invariants, i.text)
			d.declare("invariant", i.text, i.node)
		}
		seen[i.text] = true
	}
}

func (d *decoder) rule(f ruleForm, seen map[string]bool) {
	name := f.Name.text
	switch {
	case !f.Name.ok() || !f.Lua.given() || !d.name(f.Name.node, name):
		return
	case seen[name] || slices.Contains(engine.RuleNames(), name):
		d.fail(f.Name.node, lessons.CodeDuplicateName, fact.Of("lesson-invariant-twice", name), fact.Of("lesson-own-name"))
		return
	}
	seen[name] = true
	if rule, ok := d.expression(f.Lua, name, fact.Of("lesson-write-rule")); ok {
		d.declare("invariant", name, f.Name.node)
		if f.Say.given() {
			rule.Say = f.Say.both()
		}
		d.lesson.Rules = append(d.lesson.Rules, rule)
	}
}

// expression reads a Lua expression over the keys.
func (d *decoder) expression(f plainText, name string, advice fact.Fact) (lessons.Rule, bool) {
	c, ok := d.code(f)
	if !ok {
		return lessons.Rule{}, false
	}
	d.compileExpression(c, advice)
	return lessons.Rule{Name: name, Lua: strings.TrimSpace(c.source), Place: d.codePlace(c)}, true
}
