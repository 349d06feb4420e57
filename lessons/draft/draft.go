package draft

import (
	"context"
	"slices"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Lesson is a lesson that was made of scripts.
type Lesson struct {
	Files  []lessons.File // lesson.yaml and the scripts that it plays
	Played []string       // their names: what takes the lock, gives it back, extends it
	Left   []string       // names of scripts that it does not play
	Doubts []fact.Fact    // what could not be told, and what was taken instead
}

// Chosen are the scripts to play, by name; empty: those that go together best.
type Chosen struct{ Take, Give string }

// New makes a lesson with a name of scripts. It ends soon after the context has, with its cause.
func New(ctx context.Context, name string, scripts []Script, chosen Chosen) (Lesson, error) {
	sources := slices.DeleteFunc(slices.Clone(scripts), func(s Script) bool { return s.Commands != nil })
	if len(sources) == 0 && len(scripts) > 0 {
		return scripts[0].Commands.lesson(ctx, name)
	}
	all := candidates(sources)
	for _, c := range all {
		if c.part == takes && c.wantsSet(ctx) {
			c.part = extends
		}
	}
	best, err := pick(ctx, all, chosen)
	if ctx.Err() != nil { // trials that were cut off tell nothing
		err = context.Cause(ctx)
	}
	if err != nil {
		return Lesson{}, err
	}
	d := &drafted{name: name, tried: best}
	if best.take != nil && !best.excludes() && (best.grantsNobody() || !d.refusesNobody()) {
		if command := best.take.alwaysYes(); command != "" {
			return Lesson{}, best.take.zeroIsTrue(command)
		}
	}
	if err := best.keepsExtreme(ctx); err != nil {
		return Lesson{}, err
	}
	if best.remembers() {
		return Lesson{}, fact.Of("draft-idempotent", best.take.File, best.take.Line, best.take.Name)
	}
	if best.grantsNobody() {
		return Lesson{}, fact.Of("draft-grants-nobody", best.take.File, best.take.Line, best.take.Name, best.first.String())
	}
	if best.tellsFirst() {
		return Lesson{}, fact.Of("draft-tells-first", best.take.File, best.take.Line, best.take.Name)
	}
	if d.extend = extension(all, best); d.extend != nil {
		nameKeys(d.played()...)
		for i, is := range d.extend.roles {
			if is == token && best.give != nil && slices.ContainsFunc(best.give.roles, func(r role) bool { return r >= answered }) {
				d.extend.roles[i] = slices.Max(best.give.roles)
			}
		}
	}
	if err := d.claim(ctx); err != nil {
		return Lesson{}, err
	}
	d.limit(ctx)
	d.tell(ctx)
	l := Lesson{Doubts: d.doubts, Files: []lessons.File{{Name: "lesson.yaml", Text: d.yaml()}}}
	for _, c := range all {
		if !slices.Contains(d.played(), c) {
			l.Left = append(l.Left, c.Name)
		}
	}
	for _, c := range d.played() {
		l.Played = append(l.Played, c.Name)
		l.Files = append(l.Files, lessons.File{Name: c.Name + ".lua", Text: c.Source})
	}
	return l, nil
}

// drafted is a lesson as it is written.
type drafted struct {
	name string
	tried
	extend  *candidate    // nil: there is none
	span    time.Duration // in which a limiter lets one pass; 0: it is a lock
	again   time.Duration // after which it lets pass whom it refused, sooner than after the span; 0: it does not
	steps   time.Duration // of the lesson's clock; 0: the usual ones
	noTTL   bool          // it ends by itself, and its key has no TTL
	forGood bool          // it does not end, and its key has no TTL
	forever bool          // it counts calls, and lets no second one pass within a day
	kept    bool          // whoever gets it keeps it
	fills   string        // a list of permits that it makes, for clients to take from; empty: it makes none
	made    string        // the key that is the lock, where the script makes its name; empty: lockKey
	doubts  []fact.Fact

	commands *Commands // in place of scripts
}

func (d *drafted) played() []*candidate {
	return slices.DeleteFunc([]*candidate{d.take, d.give, d.extend}, func(c *candidate) bool { return c == nil })
}
