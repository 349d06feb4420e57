package decode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

// moveKeys are the choices that a beat can make with one key.
var moveKeys = []string{"run", "tick", "crash", "pause", "resume", "drop"}

func (d *decoder) story(n ast.Node) {
	const hint = `write a list of beats, such as - run: A`
	beats := d.items(n, "the story", hint)
	if len(beats) > mostBeats {
		d.fail(beats[mostBeats], fmt.Sprintf("a story may have %d beats", mostBeats), "tell it in two lessons")
		return
	}
	for _, item := range beats {
		d.lesson.Story = append(d.lesson.Story, d.beat(item))
	}
	if d.moves == 0 && len(d.errs) == 0 {
		d.fail(n, "nothing happens in this story", "let an actor run: - run: "+d.lesson.Actors[0].Name)
	}
}

func (d *decoder) beat(n ast.Node) lessons.Beat {
	line, _ := place(n)
	b := lessons.Beat{File: d.file.path, Line: line}
	t := d.table(n, "a beat", "write say, run, tick or another move",
		append([]string{"say", "ask", "do", "expect"}, moveKeys...)...)
	if say := t.get("say"); say != nil {
		b.Say = d.prose(say)
	}
	b.Choices = d.beatChoices(t)
	d.moves += len(b.Choices)
	if ask := t.get("ask"); ask != nil {
		b.Ask = d.ask(ask, b.Choices)
	}
	if expect := t.get("expect"); expect != nil {
		b.Expect = d.expect(expect, b.Choices)
	}
	if len(t.values) == 0 {
		d.fail(n, "this beat has nothing in it", "say something, or let an actor run")
	}
	return b
}

// misread stands for a move with a mistake, so that what the beat says about its
// reply is not a second one.
var misread = []engine.Choice{{Kind: engine.Run}}

// beatChoices reads the one move of a beat, or the list after do.
func (d *decoder) beatChoices(t table) []engine.Choice {
	var moves []pair
	for _, key := range append([]string{"do"}, moveKeys...) {
		if p, ok := t.values[key]; ok {
			moves = append(moves, p)
		}
	}
	if len(moves) == 0 {
		return nil
	}
	if len(moves) > 1 {
		second := moves[1]
		d.fail(second.at, fmt.Sprintf("a beat makes one move, and this one has %s and %s", moves[0].key, second.key),
			`begin another beat, or write do: ["run A", "tick 10s"]`)
		return misread
	}
	if moves[0].key == "do" {
		return d.do(moves[0].value)
	}
	c, ok := d.move(moves[0])
	if !ok {
		return misread
	}
	return []engine.Choice{c}
}

func (d *decoder) do(n ast.Node) []engine.Choice {
	const hint = `write do: ["run A", "tick 10s"]`
	var cs []engine.Choice
	for _, item := range d.items(n, "do", hint) {
		c, ok := d.choice(item)
		if !ok || !d.allowed(item, c) {
			c = misread[0]
		}
		cs = append(cs, c)
		if d.moves+len(cs) > engine.MaxChoices {
			d.fail(item, fmt.Sprintf("a story may make %d moves", engine.MaxChoices), "")
			return nil
		}
	}
	return cs
}

// move reads run: A, tick: 10s, tick: alone, crash: jvm-1 …
func (d *decoder) move(p pair) (engine.Choice, bool) {
	kind := engine.ChoiceKind(p.key)
	if kind == engine.Tick {
		if _, alone := p.value.(*ast.NullNode); alone {
			return engine.Choice{Kind: engine.Tick}, true
		}
		span, ok := d.span(p.value, "tick")
		return engine.Choice{Kind: engine.Tick, Span: span}, ok
	}
	text, ok := d.text(p.value, p.key, fmt.Sprintf("write %s: and the name of %s", p.key, targetOf(kind)))
	if !ok {
		return engine.Choice{}, false
	}
	c, err := engine.ParseChoice(p.key + " " + text)
	if err != nil {
		d.fail(p.value, err.Error(), "")
		return engine.Choice{}, false
	}
	return c, d.known(p.value, c) && d.allowed(p.value, c)
}

// choice reads a choice as one text: run A, tick 10s, crash jvm-1.
func (d *decoder) choice(n ast.Node) (engine.Choice, bool) {
	text, ok := d.text(n, "a choice", `write it as "run A", "tick 10s" or "crash jvm-1"`)
	if !ok {
		return engine.Choice{}, false
	}
	c, err := engine.ParseChoice(text)
	if err != nil {
		word, _, _ := strings.Cut(text, " ")
		hint := ""
		if !slices.Contains(moveKeys, word) {
			hint = meant(word, moveKeys)
		}
		d.fail(n, err.Error(), hint)
		return engine.Choice{}, false
	}
	if c.Kind == engine.Tick {
		return c, d.onGrid(n, c.Span)
	}
	return c, d.known(n, c)
}

func targetOf(kind engine.ChoiceKind) string {
	if kind == engine.Run {
		return "an actor"
	}
	return "a process"
}

// known tells whether the lesson has the actor or the process of a choice. What
// tasks an actor starts is only known when it runs.
func (d *decoder) known(n ast.Node, c engine.Choice) bool {
	if c.Kind == engine.Run {
		return d.actor(n, c.Target)
	}
	if !slices.Contains(d.processes, c.Target) {
		hint := meant(c.Target, d.processes)
		for _, a := range d.lesson.Actors {
			if a.Name == c.Target {
				hint = fmt.Sprintf("%s is an actor of the process %s: write %s %s", a.Name, a.Process, c.Kind, a.Process)
			}
		}
		d.fail(n, fmt.Sprintf("this lesson has no process %q", c.Target), hint)
		return false
	}
	return true
}

// actor tells whether the lesson has an actor, of which name may be a task.
func (d *decoder) actor(n ast.Node, name string) bool {
	root, _, _ := strings.Cut(name, ":")
	names := make([]string, len(d.lesson.Actors))
	for i, a := range d.lesson.Actors {
		names[i] = a.Name
	}
	if !slices.Contains(names, root) {
		d.fail(n, fmt.Sprintf("this lesson has no actor %q", root), meant(root, names))
		return false
	}
	return true
}

// allowed tells whether the lesson lets a fault happen.
func (d *decoder) allowed(n ast.Node, c engine.Choice) bool {
	need := c
	switch c.Kind {
	case engine.Run, engine.Tick:
		return true
	case engine.Resume:
		need.Kind = engine.Pause
	case engine.Crash, engine.Pause, engine.Drop:
	}
	if !slices.Contains(d.lesson.Faults, need) {
		d.fail(n, fmt.Sprintf("the faults of this lesson do not allow %q", c), fmt.Sprintf("add %s to faults", need))
		return false
	}
	return true
}

func (d *decoder) ask(n ast.Node, choices []engine.Choice) *lessons.Ask {
	const hint = `write ask: {question: {en: "…", zh: "…"}, answer: {hget: [anyLock, A]}}`
	t := d.table(n, "a question", hint, "question", "answer")
	a := &lessons.Ask{}
	if q := d.require(t, "question", `question: {en: "…", zh: "…"}`); q != nil {
		a.Question = d.bilingual(q, "the question")
	}
	if answer := d.require(t, "answer", "answer: {hget: [anyLock, A]}, which the engine looks up"); answer != nil {
		a.Answer = d.query(answer, choices)
	}
	return a
}

// queryArgs is how many names each query takes: none, a key, or a key and an item.
var queryArgs = map[lessons.QueryKind]int{
	lessons.QueryReply: 0,
	lessons.QueryGet:   1, lessons.QueryTTL: 1, lessons.QueryExists: 1, lessons.QueryHolder: 1,
	lessons.QueryHGet: 2, lessons.QueryLIndex: 2, lessons.QueryZScore: 2,
}

var queryNames = []string{"reply", "get", "hget", "lindex", "zscore", "ttl", "exists", "holder"}

func (d *decoder) query(n ast.Node, choices []engine.Choice) lessons.Query {
	const hint = "write answer: {hget: [anyLock, A]}, {get: stock}, {ttl: anyLock}, {holder: anyLock} or {reply: }"
	ps := d.pairs(n, "the answer", hint)
	if len(ps) != 1 {
		if len(ps) > 1 {
			d.fail(ps[1].at, "the answer is one query", hint)
		}
		return lessons.Query{}
	}
	q := lessons.Query{Kind: lessons.QueryKind(ps[0].key)}
	if q.Kind == lessons.QueryReply {
		if len(choices) == 0 || choices[len(choices)-1].Kind != engine.Run {
			d.fail(n, "there is no reply, since no actor runs last in this beat", "ask for something else, or add run")
		}
		return q
	}
	want, ok := queryArgs[q.Kind]
	if !ok {
		d.fail(ps[0].at, fmt.Sprintf("there is no query %q", ps[0].key), meant(ps[0].key, queryNames))
		return lessons.Query{}
	}
	if want == 1 {
		q.Key, _ = d.text(ps[0].value, ps[0].key, fmt.Sprintf("write {%s: key}", q.Kind))
		return q
	}
	args := d.texts(ps[0].value, ps[0].key, fmt.Sprintf("write {%s: [key, item]}", q.Kind))
	if len(args) != want {
		if _, list := ps[0].value.(*ast.SequenceNode); !list {
			return lessons.Query{} // and that was said
		}
		d.fail(ps[0].value, fmt.Sprintf("%s needs a key and an item", q.Kind), fmt.Sprintf("write {%s: [key, item]}", q.Kind))
		return lessons.Query{}
	}
	q.Key, q.Item = args[0], args[1]
	return q
}
