package decode

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

func (d *decoder) story(f listOf[beatForm]) {
	for _, beat := range f.items {
		d.lesson.Story = append(d.lesson.Story, d.beat(beat))
	}
	if f.given() && d.moves == 0 && !d.failed() {
		d.fail(f.node, lessons.CodeValue, fact.Of("lesson-empty-story"), fact.Of("lesson-let-run", d.lesson.Actors[0].Name))
	}
}

func (d *decoder) beat(f beatForm) lessons.Beat {
	if f.ok() && len(f.node.(*ast.MappingNode).Values) == 0 {
		d.fail(f.node, lessons.CodeValue, fact.Of("lesson-empty-beat"), fact.Of("lesson-fill-beat"))
	}
	b := lessons.Beat{Place: d.place(f.node), Say: d.prose(f.Say)}
	b.Choices = d.beatChoices(&b, f)
	d.moves += len(b.Choices)
	b.Ask = d.ask(f.Ask, b.Choices)
	b.Expect = d.expect(f.Expect, b.Choices)
	return b
}

// beatChoices reads the one move of a beat, or the list after do.
func (d *decoder) beatChoices(b *lessons.Beat, f beatForm) []engine.Choice {
	var moves []at
	if f.Do.given() {
		moves = append(moves, f.Do.at)
	}
	for _, m := range f.Move {
		moves = append(moves, m.at)
	}
	if len(moves) == 0 {
		return nil
	}
	b.Move = d.place(moves[0].key)
	all := d.moves
	for _, t := range f.Do.items {
		_, times := repeated(t.text)
		all += times
	}
	switch {
	case len(moves) > 1:
		d.fail(moves[1].key, lessons.CodeValue, fact.Of("lesson-two-moves", moves[0].name, moves[1].name),
			fact.Of("lesson-begin-beat"))
	case all > engine.MaxChoices:
		d.fail(moves[0].key, lessons.CodeLimit, fact.Of("lesson-long-story", engine.MaxChoices, all), fact.Of("lesson-shorten-story"))
	default:
		return d.choices(append(f.Do.items, f.Move...))
	}
	return d.choices([]plainText{{}})
}

// choices reads moves. One with a mistake becomes a run, so that what is said about its
// reply is not a second mistake.
func (d *decoder) choices(texts []plainText) []engine.Choice {
	var cs []engine.Choice
	for _, t := range texts {
		cs = append(cs, d.repeat(t)...)
	}
	return cs
}

// repeat reads one move, as often as it says that it is made: run buyer ×97.
func (d *decoder) repeat(t plainText) []engine.Choice {
	text, times := repeated(t.text)
	t.text = text
	c, ok := d.choice(t, engine.ChoiceNames())
	if !ok || !d.allowed(t.node, c) {
		c = engine.Choice{Kind: engine.Run}
	}
	return slices.Repeat([]engine.Choice{c}, times)
}

// times stands behind a move that is made more than once. No name has this letter.
var times = regexp.MustCompile(`^(.*[^ ]) *×([1-9][0-9]{0,2}) *$`)

func repeated(text string) (move string, count int) {
	m := times.FindStringSubmatch(text)
	if m == nil {
		return text, 1
	}
	count, _ = strconv.Atoi(m[2])
	return m[1], count
}

// almostTimes is what a keyboard without × writes.
var almostTimes = regexp.MustCompile(`^(.*[^ ]) *[x*]([1-9][0-9]{0,2}) *$`)

// choice reads a choice as one text, run A, tick 10s, crash jvm-1, and says which names it could begin with.
func (d *decoder) choice(t plainText, names []string) (engine.Choice, bool) {
	if !t.ok() {
		return engine.Choice{}, false
	}
	c, err := engine.ParseChoice(t.text)
	if err != nil {
		message, advice := fact.Text(err), fact.Fact{}
		word, _, _ := strings.Cut(t.text, " ")
		switch {
		case engine.ChoiceKind(word).Of() == "":
			message, advice = fact.Of("lesson-no-choice", t.text), lessons.Meant(word, names)
		case almostTimes.MatchString(t.text):
			advice = fact.Of("lesson-so-often", almostTimes.ReplaceAllString(t.text, "$1 ×$2"))
		}
		d.fail(t.node, lessons.CodeValue, message, advice)
		return engine.Choice{}, false
	}
	return c, d.onGrid(t.node, c.Span.Abs()) && d.known(t.node, c)
}

// actor tells whether the lesson has an actor, of which name may be a task.
func (d *decoder) actor(n ast.Node, name string) bool {
	return d.actorAmong(n, name, fact.Of("lesson-an-actor"), nil)
}

// actorAmong tells whether the lesson has an actor, where others could be named as well.
func (d *decoder) actorAmong(n ast.Node, name string, what fact.Fact, others []string) bool {
	root, _, _ := strings.Cut(name, ":")
	names := d.lesson.ActorNames()
	if !slices.Contains(names, root) {
		d.absent(n, "actors", root, lessons.CodeUnknownName, fact.Of("lesson-no-such", what, root), lessons.Meant(root, append(names, others...)))
		return false
	}
	return true
}

func (d *decoder) ask(f askForm, choices []engine.Choice) *lessons.Ask {
	if !f.given() {
		return nil
	}
	if len(choices) == 0 {
		d.fail(f.key, lessons.CodeValue, fact.Of("lesson-ask-of-move"), fact.Of("lesson-ask-with-move"))
	}
	offers := texts(f.Options, anything)
	if f.Options.ok() && f.Options.given() && len(offers) < 2 {
		d.fail(f.Options.node, lessons.CodeValue, fact.Of("lesson-no-options"), f.Options.toWrite())
	}
	return &lessons.Ask{Question: f.Question.both(), Answer: d.query(f.Answer, choices), Offers: offers, Accept: texts(f.Accept, anything), Place: d.place(f.Answer.key)}
}

func (d *decoder) query(f queryForm, choices []engine.Choice) lessons.Query {
	one := d.single(f.at, fact.Of("lesson-one-query"))
	if one == nil {
		return lessons.Query{}
	}
	q := lessons.Query{Kind: lessons.QueryKind(one.stand().name)}
	switch {
	case !f.Node.given():
	case q.Kind == lessons.QueryReply || q.Kind == lessons.QueryHolder || q.Kind == lessons.QueryStatus:
		d.fail(f.Node.node, lessons.CodeValue, fact.Of("lesson-not-of-server", q.Kind), fact.Of("lesson-delete-node"))
	default:
		q.Node = d.node(f.Node)
	}
	switch v := one.(type) {
	case *nothing:
		if len(choices) > 0 && choices[len(choices)-1].Kind != engine.Run {
			d.fail(f.node, lessons.CodeValue, fact.Of("lesson-no-reply-here"), fact.Of("lesson-ask-else"))
		}
	case *plainText:
		q.Key = v.text
		if q.Kind == lessons.QueryStatus && v.ok() {
			d.statusOf(v.node, v.text)
		}
	case *keyAndOf:
		if len(v.items) == 2 {
			q.Key, q.Item = v.items[0].text, v.items[1].text
		}
	}
	return q
}

// single is the only value of a mapping, but for node and without; nil when it has none or others.
func (d *decoder) single(p at, message fact.Fact) anyForm {
	values := slices.DeleteFunc(p.values, func(v anyForm) bool {
		return slices.Contains([]string{"node", "with", "without", "in", "still", "time", "faults"}, v.stand().name)
	})
	if len(values) == 1 || !p.ok() {
		return append(values, nil)[0]
	}
	if m, ok := p.node.(*ast.MappingNode); ok && len(values) == 0 && len(m.Values) > len(p.values) {
		return nil // it has a key that there is not, which was told
	}
	n := p.node
	if len(values) > 1 {
		n = values[1].stand().key
	}
	d.fail(n, lessons.CodeValue, message, p.toWrite())
	return nil
}
