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
	mostActors  = 16
	mostScripts = 32
	mostNodes   = 8
	mostBeats   = 200
)

// resolution is the step of the clock unless a lesson says otherwise.
const resolution = 100 * time.Millisecond

const bothLanguages = `write both languages: {en: "…", zh: "…"}`

func (d *decoder) read(body ast.Node) {
	t := d.table(body, "the lesson", `begin with title: {en: "…", zh: "…"}`,
		"title", "summary", "chapter", "level", "sources", "nodes", "resolution", "client", "scripts", "actors",
		"invariants", "faults", "story")
	l := d.lesson
	if n := d.require(t, "title", `title: {en: "…", zh: "…"}`); n != nil {
		l.Title = d.bilingual(n, "the title")
	}
	if n := d.require(t, "summary", `summary: {en: "…", zh: "…"}, one sentence for the list of lessons`); n != nil {
		l.Summary = d.bilingual(n, "the summary")
	}
	d.chapter(t)
	d.level(t)
	if n := t.get("sources"); n != nil {
		l.Sources = d.texts(n, "sources", `write sources: ["000 Redisson可重入锁"]`)
	}
	d.resolution(t)
	d.nodes(t)
	d.client(t)
	if n := t.get("scripts"); n != nil {
		d.scripts(n)
	}
	if n := d.require(t, "actors", "actors: {A: {process: jvm-1, program: …}}"); n != nil {
		d.actors(n)
	}
	if n := t.get("invariants"); n != nil {
		d.invariants(n)
	}
	if n := t.get("faults"); n != nil {
		d.faults(n)
	}
	if n := d.require(t, "story", "story: and a list of beats, such as - run: A"); n != nil {
		d.story(n)
	}
}

// bilingual reads {en: …, zh: …}.
func (d *decoder) bilingual(n ast.Node, what string) lessons.Text {
	t := d.table(n, what, bothLanguages, "en", "zh")
	return lessons.Text{En: d.language(t, "en"), Zh: d.language(t, "zh")}
}

func (d *decoder) language(t table, lang string) string {
	n := d.require(t, lang, lang+`: "…": the page speaks both languages`)
	if n == nil {
		return ""
	}
	text, ok := d.text(n, t.what+" in "+lang, bothLanguages)
	if ok && strings.TrimSpace(text) == "" {
		d.fail(n, t.what+" in "+lang+" is empty", bothLanguages)
	}
	return text
}

func (d *decoder) chapter(t table) {
	keys := make([]string, len(lessons.Chapters))
	for i, c := range lessons.Chapters {
		keys[i] = c.Key
	}
	d.lesson.Chapter = d.oneOf(d.require(t, "chapter", "chapter: with one of "+strings.Join(keys, ", ")), "chapter", keys)
}

func (d *decoder) level(t table) {
	levels := []string{string(lessons.Basic), string(lessons.Advanced)}
	d.lesson.Level = lessons.Level(d.oneOf(d.require(t, "level", "level: basic or advanced"), "level", levels))
}

// oneOf reads a scalar that is one of a few words; n may be nil.
func (d *decoder) oneOf(n ast.Node, what string, words []string) string {
	if n == nil {
		return ""
	}
	text, ok := d.text(n, what, "write one of: "+strings.Join(words, ", "))
	if ok && !slices.Contains(words, text) {
		d.fail(n, fmt.Sprintf("there is no %s %q", what, text), meant(text, words))
		return ""
	}
	return text
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

func (d *decoder) nodes(t table) {
	d.lesson.Nodes = []string{"redis"}
	n := t.get("nodes")
	if n == nil {
		return
	}
	const hint = "write nodes: [redis]"
	var names []string
	for _, item := range d.items(n, "nodes", hint) {
		text, ok := d.text(item, "the name of a node", hint)
		if !ok {
			continue
		}
		if _, ok := d.name(pair{key: text, at: item}, "a node"); !ok {
			continue
		}
		if slices.Contains(names, text) {
			d.fail(item, fmt.Sprintf("%q stands here for the second time", text), "give each node a name of its own")
		}
		names = append(names, text)
	}
	switch {
	case len(names) == 0:
		d.fail(n, "a lesson needs at least one node", hint)
	case len(names) > mostNodes:
		d.fail(n, fmt.Sprintf("%d nodes are more than the %d that a lesson may have", len(names), mostNodes), "")
	default:
		d.lesson.Nodes = names
	}
}

func (d *decoder) invariants(n ast.Node) {
	const hint = `write engine rules by name, or {name: stock, lua: "stock >= 0"}`
	rules := engine.RuleNames()
	seen := map[string]bool{}
	for _, item := range d.items(n, "invariants", hint) {
		if _, own := item.(*ast.MappingNode); own {
			d.rule(item, seen)
			continue
		}
		name, ok := d.text(item, "an invariant", hint)
		switch {
		case !ok:
		case !slices.Contains(rules, name):
			d.fail(item, fmt.Sprintf("there is no invariant %q", name), meant(name, rules))
		case seen[name]:
			d.fail(item, fmt.Sprintf("%q stands here for the second time", name), "name each invariant once")
		default:
			d.lesson.Invariants = append(d.lesson.Invariants, name)
		}
		seen[name] = true
	}
}

// rule reads an invariant of the lesson's own.
func (d *decoder) rule(n ast.Node, seen map[string]bool) {
	t := d.table(n, "an invariant", "", "name", "lua")
	nameNode := d.require(t, "name", `name: stock, and lua: "stock >= 0"`)
	luaNode := d.require(t, "lua", `lua: "stock >= 0", an expression over the keys`)
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
		d.fail(nameNode, fmt.Sprintf("%q is the name of another invariant", name), "give it a name of its own")
		return
	}
	seen[name] = true
	code, ok := d.code(luaNode, "the expression")
	if !ok {
		return
	}
	d.compileRule(code)
	d.lesson.Rules = append(d.lesson.Rules, lessons.Rule{
		Name: name, Lua: strings.TrimSpace(code.source), File: d.file.path, Line: code.line,
	})
}

func (d *decoder) faults(n ast.Node) {
	const hint = `write faults: [crash jvm-1, pause jvm-1, drop jvm-1]`
	for _, item := range d.items(n, "faults", hint) {
		c, ok := d.choice(item)
		if !ok {
			continue
		}
		switch {
		case c.Kind == engine.Resume:
			d.fail(item, "resume need not be allowed", fmt.Sprintf("write pause %s: resume comes with it", c.Target))
		case c.Kind == engine.Run || c.Kind == engine.Tick:
			d.fail(item, fmt.Sprintf("%q is no fault", c), hint)
		case slices.Contains(d.lesson.Faults, c):
			d.fail(item, fmt.Sprintf("%q stands here for the second time", c), "name each fault once")
		default:
			d.lesson.Faults = append(d.lesson.Faults, c)
		}
	}
}
