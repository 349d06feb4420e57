package decode

import (
	"reflect"
	"slices"
	"strconv"

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
			d.warn(item.node, lessons.CodeDuplicateName, fact.Of("lesson-verdict-twice"), fact.Of("lesson-first-on-line", d.lesson.Claims[i].Place.Line))
		}
		d.lesson.Claims = append(d.lesson.Claims, c)
	}
}

func (d *decoder) claim(f claimForm) lessons.Claim {
	c := lessons.Claim{Ending: search.Holds, Place: d.place(f.node)}
	if d.single(f.at, fact.Of("lesson-one-verdict")) == nil {
		return c
	}
	about := f.Holds
	if f.Breaks.given() {
		c.Ending, about = search.Breaks, f.Breaks
	}
	c.Question.Invariant = d.searched(about)
	switch {
	case f.Breaks.given() && !f.In.given():
		d.fail(f.Breaks.key, lessons.CodeValue, fact.Of("lesson-no-in"), fact.Of("lesson-write-in"))
	case f.Holds.given() && f.In.given():
		d.fail(f.In.key, lessons.CodeValue, fact.Of("lesson-holds-no-length"), fact.Of("lesson-leave-out"))
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
			d.fail(late.node, lessons.CodeValue, fact.Text(err), fact.Fact{})
		}
		b.Time = t
	}
	for _, f := range faults.items {
		kind := engine.ChoiceKind(f.name)
		if !slices.ContainsFunc(d.lesson.Faults, func(c engine.Choice) bool { return c.Kind == kind }) {
			d.fail(f.key, lessons.CodeFaultNotAllowed, fact.Of("lesson-fault-forbidden", f.name), fact.Of("lesson-name-fault"))
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
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-no-count", t.text, most), t.toWrite())
	}
	return n
}

// toRepair reads what must hold in the end.
func (d *decoder) toRepair(f goalForm) *lessons.Question {
	q := lessons.Question{Invariant: d.searched(f.Repair), Bounds: d.bounds(f.Time, f.Faults)}
	for _, key := range []at{f.With.at, f.Without.at} {
		if key.given() {
			d.fail(key.key, lessons.CodeValue, fact.Of("lesson-repair-no-way", key.name), fact.Of("lesson-leave-out"))
		}
	}
	return &q
}

var writeEdits = fact.Of("lesson-write-edits")

func (d *decoder) repair(c *lessons.Challenge, f challengeForm) {
	if f.Solution.given() {
		d.fail(f.Solution.key, lessons.CodeValue, fact.Of("lesson-solution-edits"), writeEdits)
		return
	}
	if len(f.Edits.items) == 0 {
		d.fail(f.node, lessons.CodeMissingKey, fact.Of("lesson-no-edits"), writeEdits)
		return
	}
	c.Place = d.place(f.Edits.key)
	for _, e := range f.Edits.items {
		part, _ := lessons.ParsePart(e.name)
		if _, ok := d.lesson.Source(part); !ok {
			d.unknown(e.key, fact.Of("lesson-no-part", e.name), e.name, each(d.lesson.Parts(), lessons.Part.String))
			continue
		}
		if text, ok := d.code(e); ok {
			d.compile(text)
			c.Edits = append(c.Edits, lessons.PartEdit{Part: part, Source: text.source})
		}
	}
	d.lesson.Challenges = append(d.lesson.Challenges, *c)
}
