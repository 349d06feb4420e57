package lessons

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Unmet is the difference between what a beat should have done and what it did.
type Unmet struct {
	What fact.Fact // the reply, the key anyLock, …
	Want fact.Fact
	Got  fact.Fact

	Place Place // of the expectation in the lesson; zero: there is none
}

// Unmet compares an expectation with the steps that a beat made from a state on, in the order of
// Expectations. Even no expectation expects that nothing breaks and no program fails.
func (e *Expect) Unmet(before *engine.Snapshot, steps []engine.Step) []Unmet {
	if e == nil {
		e = &Expect{}
	}
	o := outcomeOf(before, steps)
	unmet := e.failures(o)
	for _, row := range Expectations {
		parts := e.Of(row.Key)
		if parts == nil && row.always {
			parts = []Expected{{Key: row.Key, Place: e.Place}}
		}
		for _, part := range parts {
			differs := row.differs
			if row.unmet != nil {
				differs = row.unmet
			}
			for _, u := range differs(o, part) {
				u.Place = part.Place
				unmet = append(unmet, u)
			}
		}
	}
	return unmet
}

// failures are programs that break off although the beat does not expect it.
func (e *Expect) failures(o outcome) (unmet []Unmet) {
	for _, n := range o.notes(engine.NoteFailed, "") {
		if !e.fails(n.Actor) {
			unmet = append(unmet, Unmet{fact.Of("program-of", n.Actor), fact.Of("goes-on"), fact.Of("it-failed", n.Failure), e.Place})
		}
	}
	return unmet
}

// fails tells whether a program is expected to break off.
func (e *Expect) fails(actor string) bool {
	return slices.ContainsFunc(e.Of("failed"), func(f Expected) bool { return f.Name == actor }) ||
		slices.ContainsFunc(e.Of("status"), func(s Expected) bool { return s.Name == actor && s.Texts[0] == string(engine.Failed) })
}

// differs compares the texts of an expectation with those that the row finds.
func (row Expectation) differs(o outcome, want Expected) []Unmet {
	found, got := row.look(o, want)
	texts, fits := want.Texts, row.fits
	if row.set {
		texts, found = sorted(texts), sorted(found)
	}
	if fits == nil {
		fits = slices.Equal[[]string]
	}
	if fits(texts, found) {
		return nil
	}
	if got.Code == "" {
		got = row.fact(found)
	}
	return []Unmet{{What: about(row.what, want.Name), Want: row.fact(texts), Got: got}}
}

// fact is texts of the row in a message.
func (row Expectation) fact(texts []string) fact.Fact {
	if len(texts) == 0 || row.word == nil {
		return textsFact(texts, row.none)
	}
	return row.word(texts)
}

// about is a fact about a name, or about the beat, which has none.
func about(code, name string) fact.Fact {
	if name == "" {
		return fact.Of(code)
	}
	return fact.Of(code, name)
}

// advice is what to write where an expectation was forgotten, or names what is not there; mostly there is none.
func (b *Beat) advice(u Unmet, before *engine.Snapshot, steps []engine.Step) fact.Fact {
	o := outcomeOf(before, steps)
	switch {
	case u.What.Code == "broken" && len(b.Expect.Of("broken")) == 0:
		rules, _ := o.broken(Expected{})
		return fact.Of("lesson-expect-broken", strings.Join(slices.Compact(rules), ", "))
	case u.Got.Code == "no-such-key":
		var keys []string
		for _, n := range o.after.Nodes {
			for _, k := range n.Keys {
				keys = append(keys, k.Name)
			}
		}
		if near := Closest(fmt.Sprint(u.What.Args[0]), keys); near != "" {
			return fact.Of("lesson-did-you-mean", near)
		}
	}
	return fact.Fact{}
}
