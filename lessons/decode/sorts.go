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

// sortsOf are the sorts that rows of lessons.Expectations give their names and texts. Each reports
// what a text cannot be, and puts it into the one form in which it is compared.
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
	"error":     part(fact.Of("lesson-every-error")),
	"part":      part(fact.Of("lesson-every-text")),
}

// sorts reads texts of one sort. A value that is no text was reported, and is left out.
func (d *decoder) sorts(of string, all ...plainText) (texts []string) {
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
func part(message fact.Fact) func(*decoder, *plainText) {
	return func(d *decoder, t *plainText) {
		if strings.TrimSpace(t.text) == "" {
			d.fail(t.node, lessons.CodeValue, message, t.toWrite())
		}
	}
}

// status looks whether an actor, a task or a node can do what it is expected to.
func (d *decoder) status(t *plainText) {
	actor := d.statusOf(t.key, t.name)
	can := []string{string(engine.Ready), string(engine.Paused), string(engine.Crashed)}
	isTask := strings.Contains(t.name, ":")
	switch {
	case !actor && t.text != "" && !slices.Contains(can, t.text):
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-never-status", t.name, t.text), fact.Of("lesson-write-one-of", strings.Join(can, ", ")))
	case actor && isTask && t.text == string(engine.Finished):
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-task-gone", t.name), fact.Of("lesson-write", string(lessons.NoTask)))
	case actor && !isTask && t.text == string(lessons.NoTask):
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-actor-there", t.name), fact.Of("lesson-write-or-task", string(engine.Finished), t.name))
	}
}

// statusOf looks whether there is an actor or a node, and is true if it is an actor.
func (d *decoder) statusOf(n ast.Node, name string) (actor bool) {
	nodes := d.lesson.NodeNames()
	if slices.Contains(nodes, name) {
		return false
	}
	d.actorAmong(n, name, fact.Of("lesson-an-actor-or-node"), nodes)
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
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-no-writes", t.text), fact.Of("lesson-write-lag"))
	}
	t.text = strconv.Itoa(writes)
}

func (d *decoder) process(t *plainText) {
	if !slices.Contains(d.processes, t.text) {
		d.absent(t.node, "actors", "process "+t.text, lessons.CodeUnknownName, fact.Of("lesson-no-such", fact.Of("lesson-a-process"), t.text), lessons.Meant(t.text, d.processes))
	}
}

var replyForm = regexp.MustCompile(`^(nil|true|false|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|".*"|\[.*\]|\{.*\}|[A-Z]+)$`)

func (d *decoder) reply(t *plainText) {
	t.text = strings.TrimSpace(t.text)
	if !replyForm.MatchString(t.text) {
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-no-reply", t.text),
			fact.Of("lesson-write-reply", oneOf(lessons.ExpectationOf("reply").Write), t.text))
	}
}

// invariant tells whether a name is that of one of the lesson's invariants.
func (d *decoder) invariant(t plainText) bool {
	known := d.lesson.Stated()
	advice := lessons.Meant(t.text, known)
	switch {
	case !t.ok() || slices.Contains(known, t.text):
		return t.ok()
	case slices.Contains(engine.RuleNames(), t.text):
		advice = fact.Of("lesson-add-invariant")
	}
	d.absent(t.node, "invariants", t.text, lessons.CodeUnknownName, fact.Of("lesson-not-stated", t.text), advice)
	return false
}
