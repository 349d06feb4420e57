package decode

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// starves is the rule that only a search can judge.
var starves = search.NobodyStarves{}.Name()

func (d *decoder) claims(f listOf[claimForm]) {
	for _, item := range f.items {
		c := d.claim(item)
		same := func(o lessons.Claim) bool { return o.Ending == c.Ending && reflect.DeepEqual(o.Question, c.Question) }
		if i := slices.IndexFunc(d.lesson.Claims, same); i >= 0 && item.ok() && !d.failed() {
			d.warn(item.node, lessons.CodeDuplicateName, "this verdict stands here a second time", fmt.Sprintf("the first is on line %d: keep one", d.lesson.Claims[i].Place.Line))
		}
		d.lesson.Claims = append(d.lesson.Claims, c)
	}
}

func (d *decoder) claim(f claimForm) lessons.Claim {
	c := lessons.Claim{Ending: search.Holds, Place: d.place(f.node)}
	if d.single(f.at, "a verdict has one of holds and breaks") == nil {
		return c
	}
	about := f.Holds
	if f.Breaks.given() {
		c.Ending, about = search.Breaks, f.Breaks
	}
	c.Question.Invariant = d.searched(about)
	switch {
	case f.Breaks.given() && !f.In.given():
		d.fail(f.Breaks.key, lessons.CodeValue, `this verdict lacks "in"`, "write in: 1, the number of moves; check --fix or Fill in puts the right number there")
	case f.Holds.given() && f.In.given():
		d.fail(f.In.key, lessons.CodeValue, "what holds has no length", "leave it out")
	case f.In.given():
		c.Length = d.count(f.In, engine.MaxChoices)
	}
	c.Question.Bounds = d.bounds(f.Time, f.Faults)
	return c
}

// searched is the rule that a search is about; empty: all that the lesson states.
func (d *decoder) searched(t plainText) string {
	if t.text == starves || t.text != "all" && d.invariant(t) {
		return t.text
	}
	return ""
}

// bounds reads how far a search goes.
func (d *decoder) bounds(late plainText, faults namesOf[plainText]) search.Bounds {
	b := search.Bounds{States: lessons.MostStates}
	if late.ok() {
		t, err := search.ParseTimeBound(late.text)
		if err != nil {
			message, _, _ := strings.Cut(err.Error(), ": write ")
			d.fail(late.node, lessons.CodeValue, message, late.write)
		}
		b.Time = t
	}
	for _, f := range faults.items {
		kind := engine.ChoiceKind(f.name)
		if !slices.ContainsFunc(d.lesson.Faults, func(c engine.Choice) bool { return c.Kind == kind }) {
			d.tell(f.key, lessons.CodeFaultNotAllowed, fact.Of("lesson-fault-forbidden", f.name), fact.Text("name one of them, or add it to faults"))
			continue
		}
		if b.Faults == nil {
			b.Faults = map[engine.ChoiceKind]int{}
		}
		b.Faults[kind] = d.count(f, search.MaxFaults)
	}
	return b
}

func (d *decoder) count(t plainText, most int) int {
	n, err := strconv.Atoi(t.text)
	if t.ok() && (err != nil || n < 1 || n > most) {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%s is not a number from 1 to %d", t.text, most), t.write)
	}
	return n
}

// toRepair reads what must hold in the end.
func (d *decoder) toRepair(f goalForm) *lessons.Question {
	q := lessons.Question{Invariant: d.searched(f.Repair), Bounds: d.bounds(f.Time, f.Faults)}
	if f.Without.given() {
		d.fail(f.Without.key, lessons.CodeValue, "a repair has no without: its faults say what may happen", "leave it out")
	}
	return &q
}

const writeEdits = "write edits: and after script:unlock, client:set-nx or program:A another text for it"

func (d *decoder) repair(c *lessons.Challenge, f challengeForm) {
	if f.Solution.given() {
		d.fail(f.Solution.key, lessons.CodeValue, "the solution of a repair is edits", writeEdits)
		return
	}
	if len(f.Edits.items) == 0 {
		d.fail(f.node, lessons.CodeMissingKey, `the challenge lacks "edits"`, writeEdits)
		return
	}
	c.Place = d.place(f.Edits.key)
	for _, e := range f.Edits.items {
		part, _ := lessons.ParsePart(e.name)
		if _, ok := d.lesson.Source(part); !ok {
			d.unknown(e.key, fact.Text(fmt.Sprintf("this lesson has no part %q", e.name)), e.name, each(d.lesson.Parts(), lessons.Part.String))
			continue
		}
		if text, ok := d.code(e); ok {
			d.compile(text)
			c.Edits = append(c.Edits, lessons.PartEdit{Part: part, Source: text.source})
		}
	}
	d.lesson.Challenges = append(d.lesson.Challenges, *c)
}
