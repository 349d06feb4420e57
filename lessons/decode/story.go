package decode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

func (d *decoder) story(n ast.Node) {
	const advice = `write a list of beats, such as - run: A`
	for _, item := range d.items(n, "the story", advice, mostBeats) {
		d.lesson.Story = append(d.lesson.Story, d.beat(item))
	}
	if d.moves == 0 && !d.failed() {
		d.fail(n, lessons.CodeValue, "nothing happens in this story", "let an actor run: - run: "+d.lesson.Actors[0].Name)
	}
}

// aBeat is what messages call one.
const aBeat = "a beat"

func (d *decoder) beat(n ast.Node) lessons.Beat {
	b := lessons.Beat{Place: d.place(n)}
	t := d.table(n, aBeat, "write say, run, tick or another move", beatKeys)
	if say := t.get("say"); say != nil {
		b.Say = d.prose(say)
	}
	b.Choices = d.beatChoices(&b, t)
	d.moves += len(b.Choices)
	if ask := t.get("ask"); ask != nil {
		b.Ask = d.ask(ask, b.Choices)
		if len(b.Choices) == 0 {
			d.fail(t.values["ask"].at, lessons.CodeValue, "a question is about a move, and this beat makes none", "put it into the beat that makes the move")
		}
	}
	if expect, ok := t.values["expect"]; ok {
		b.Expect = d.expect(expect.at, expect.value, b.Choices)
	}
	if _, ok := n.(*ast.MappingNode); ok && len(t.values) == 0 {
		d.fail(n, lessons.CodeValue, "this beat has nothing in it", "say something, or let an actor run")
	}
	return b
}

// misread stands for a move with a mistake, so that what the beat says about its
// reply is not a second one.
var misread = []engine.Choice{{Kind: engine.Run}}

// beatChoices reads the one move of a beat, or the list after do.
func (d *decoder) beatChoices(b *lessons.Beat, t table) []engine.Choice {
	var moves []pair
	for _, key := range append([]string{"do"}, engine.ChoiceNames()...) {
		if p, ok := t.values[key]; ok {
			moves = append(moves, p)
		}
	}
	if len(moves) == 0 {
		return nil
	}
	b.Move = d.place(moves[0].at)
	if len(moves) > 1 {
		second := moves[1]
		d.fail(second.at, lessons.CodeValue, fmt.Sprintf("a beat makes one move, and this one has %s and %s", moves[0].key, second.key),
			`begin another beat, or write do: ["run A", "tick 10s"]`)
		return misread
	}
	if moves[0].key == "do" {
		if s, ok := moves[0].value.(*ast.SequenceNode); ok && d.moves+len(s.Values) > engine.MaxChoices {
			d.fail(moves[0].at, lessons.CodeLimit, fmt.Sprintf("a story may make %d moves, and with these it makes %d", engine.MaxChoices, d.moves+len(s.Values)), "tell less")
			return misread
		}
		return d.choices(moves[0].value, "do", `write do: ["run A", "tick 10s"]`)
	}
	c, ok := d.move(moves[0])
	if !ok {
		return misread
	}
	return []engine.Choice{c}
}

// choices reads a list of moves, each as one text.
func (d *decoder) choices(n ast.Node, what, advice string) []engine.Choice {
	var cs []engine.Choice
	for _, item := range d.items(n, what, advice, engine.MaxChoices) {
		c, ok := d.choice(item)
		if !ok || !d.allowed(item, c) {
			c = misread[0]
		}
		cs = append(cs, c)
	}
	return cs
}

// move reads run: A, tick: 10s, tick: alone, crash: jvm-1 …
func (d *decoder) move(p pair) (engine.Choice, bool) {
	kind := engine.ChoiceKind(p.key)
	if kind.Of() == engine.TheClock {
		if _, alone := p.value.(*ast.NullNode); alone {
			return engine.Choice{Kind: kind}, true
		}
		span, ok := d.span(p.value, p.key)
		return engine.Choice{Kind: kind, Span: span}, ok
	}
	text, ok := d.text(p.value, p.key, fmt.Sprintf("write %s: and the name of %s", p.key, kind.Of()))
	if !ok {
		return engine.Choice{}, false
	}
	c, err := engine.ParseChoice(p.key + " " + text)
	if err != nil {
		d.fail(p.value, lessons.CodeValue, err.Error(), "")
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
		advice := ""
		if engine.ChoiceKind(word).Of() == "" {
			advice = lessons.DidYouMean(word, engine.ChoiceNames())
		}
		d.fail(n, lessons.CodeValue, err.Error(), advice)
		return engine.Choice{}, false
	}
	if c.Kind.Of() == engine.TheClock {
		return c, d.onGrid(n, c.Span)
	}
	return c, d.known(n, c)
}

// known tells whether the lesson has the actor or the process of a choice. What
// tasks an actor starts is only known when it runs.
func (d *decoder) known(n ast.Node, c engine.Choice) bool {
	if c.Kind.Of() == engine.AnActor {
		return d.actor(n, c.Target)
	}
	if !slices.Contains(d.processes, c.Target) {
		advice := lessons.DidYouMean(c.Target, d.processes)
		for _, a := range d.lesson.Actors {
			if a.Name == c.Target {
				advice = fmt.Sprintf("%s is an actor of the process %s: write %s %s", a.Name, a.Process, c.Kind, a.Process)
			}
		}
		d.absent(n, "actors", "process "+c.Target, lessons.CodeUnknownName, fmt.Sprintf("this lesson has no process %q", c.Target), advice)
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
		d.absent(n, "actors", root, lessons.CodeUnknownName, fmt.Sprintf("this lesson has no actor %q", root), lessons.DidYouMean(root, names))
		return false
	}
	return true
}

// allowed tells whether the lesson lets a fault happen.
func (d *decoder) allowed(n ast.Node, c engine.Choice) bool {
	need, needed := c.AllowedBy()
	if needed && !slices.Contains(d.lesson.Faults, need) {
		d.absent(n, "faults", need.String(), lessons.CodeFaultNotAllowed, fmt.Sprintf("the faults of this lesson do not allow %q", c), fmt.Sprintf("add %s to faults", need))
		return false
	}
	return true
}
