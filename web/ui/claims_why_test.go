package ui_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// told is a step that the page names as one that led to a breach.
type told struct {
	step *engine.Step
	text string
}

var toldStep = regexp.MustCompile(`"pos":(\d+)`)

// mostTold is how many steps the page lists of one breach before it leaves any out.
const mostTold = 7

// why checks the list under "Why?": its last step is the breach that is explained, what is said of each step is so, each
// had its part in the breach, and it is told how those got in who are inside, and how they lost what kept others out.
func (p *shown) why() {
	breach := p.explained()
	var all []told
	for _, item := range pieces(p.html["f-why"], "<li>", "</li>") {
		_, arg, _ := strings.Cut(item, "data-arg=")
		m := toldStep.FindStringSubmatch(strings.ReplaceAll(arg, "&#34;", `"`))
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > len(p.trace.Steps) {
			p.wrong("it names step %s", m[1])
			return
		}
		said := words(item)
		all = append(all, told{&p.trace.Steps[n-1], strings.TrimPrefix(said, m[1]+" ")})
	}
	if breach == nil {
		if len(all) > 0 {
			p.wrong("it explains a breach, and there is none")
		}
		return
	}
	if len(all) == 0 || all[len(all)-1].step.N != breach.N {
		p.wrong("the list does not end with the breach of step %d", breach.N)
		return
	}
	if p.pos != breach.N { // what is listed is the same from everywhere
		return
	}
	slice := p.whatLedTo(breach)
	for i, c := range all {
		if i > 0 && all[i-1].step.N >= c.step.N {
			p.wrong("step %d is out of order", c.step.N)
		}
		p.counts["why: a step"]++
		if wrong := p.untrueOf(c.step, c.text); wrong != "" {
			p.miss("why: what is said of a step", "step %d, %q: %s", c.step.N, c.text, wrong)
		}
		if c.step == breach {
			continue
		}
		if wrong := p.noPart(slice, c); wrong != "" {
			p.miss("why: a step", "why step %d broke %v: step %d, %q: %s", breach.N, breach.Broken, c.step.N, c.text, wrong)
		}
	}
	for _, b := range breach.Broken {
		p.entersAreTold(breach, b, all)
	}
	if got := len(pieces(p.html["f-why"], `class="cause-end"`, "</p>")); got != len(breach.Broken) {
		p.wrong("%d breaches are told of %d", got, len(breach.Broken))
	}
}

// explained is the breach that the page explains: the next one from the shown step on, or else the last.
func (p *shown) explained() *engine.Step {
	var last *engine.Step
	for i := range p.trace.Steps {
		if s := &p.trace.Steps[i]; len(s.Broken) > 0 && (last == nil || last.N < p.pos) {
			last = s
		}
	}
	return last
}

// entersAreTold checks that the page says when each of those got in who are inside of a section at which a rule looked, and,
// as far as there is room, when the key went by which each of them kept others out.
func (p *shown) entersAreTold(breach *engine.Step, b engine.Violation, all []told) {
	is := func(n int) bool { return slices.ContainsFunc(all, func(c told) bool { return c.step.N == n }) }
	for _, a := range breach.After.Actors {
		for _, section := range a.Inside {
			exclusive := b.Invariant == "mutual-exclusion" && slices.ContainsFunc(b.Detail.Args, func(arg any) bool { return arg == section })
			if !exclusive && !slices.Contains(b.Looked, engine.Place{Key: section}) {
				continue
			}
			n := breach.N
			for ; n > 0 && !noted(&p.trace.Steps[n-1], a.Name, section, engine.NoteEnter); n-- {
				continue
			}
			p.counts["why: an enter"]++
			if !is(n) {
				p.miss("why: an enter", "why step %d broke %v: that %s got in at step %d is not told", breach.N, b, a.Name, n)
			}
			for ; exclusive && n < breach.N-1 && len(all) < mostTold; n++ {
				had, has := guards(p.trace.At(n), section), guards(p.trace.At(n+1), section)
				for node, k := range had {
					if _, still := has[node]; still || !names(k, a.Name) {
						continue
					}
					p.counts["why: the end of a guard"]++
					if !is(n + 1) {
						p.miss("why: the end of a guard", "why step %d broke %v: that %s on %s went at step %d is not told", breach.N, b, section, node, n+1)
					}
				}
			}
		}
	}
}

// noted tells whether an actor did something on its own in a step.
func noted(s *engine.Step, name, text string, kinds ...engine.NoteKind) bool {
	return slices.ContainsFunc(s.Notes, func(n engine.Note) bool {
		return n.Actor == name && n.Text == text && slices.Contains(kinds, n.Kind)
	})
}

// processOf is the process of an actor, or of a task.
func (p *shown) processOf(name string) string {
	for _, a := range p.lesson.Actors {
		if a.Name == engine.Root(name) {
			return a.Process
		}
	}
	return ""
}
