package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// checker plays lessons on engines.
type checker struct {
	stages []target
	strict bool // warnings are errors
	hints  bool // hints are wanted
}

// verdict is what was found in one lesson.
type verdict struct {
	lesson *lessons.Lesson
	played []played
	hints  bool
	note   string // what --fix did
}

// played is what one engine showed. The first also has what no engine is needed for.
type played struct {
	engine   string
	why      string // it is not the engine that was asked for; empty: it is
	report   lessons.Report
	problems lessons.Problems
	alone    int // so many of the problems, the last ones, are not of this engine
}

// check plays a lesson on each engine and compares what happened on them.
func (c *checker) check(ctx context.Context, l *lessons.Lesson) verdict {
	v := verdict{lesson: l, hints: c.hints}
	for i, s := range c.stages {
		if i > 0 && !s.plays(l) {
			continue // it would be the first engine once more
		}
		p := played{}
		p.engine, p.why = s.on(l)
		err := s.with(ctx, l, func(nodes []engine.NodeSpec) (err error) {
			p.report, err = lessons.Check(ctx, l, nodes)
			return err
		})
		p.problems = p.report.Problems.Of(lessons.Error)
		if err != nil {
			p.problems = append(p.problems, l.Trouble(err))
		}
		if i == 0 {
			if err == nil && !p.report.Mistake {
				found, failed := l.Prove(ctx) // which is the same on every engine
				if failed != nil {
					found = lessons.Problems{l.Trouble(failed)}
				}
				p.problems = append(p.problems, found...)
			}
			alone := c.alone(l, &p.report, err == nil)
			p.problems, p.alone = append(p.problems, alone...), len(alone)
		} else if err == nil {
			p.problems = append(p.problems, differences(l, &v.played[0], &p)...)
		}
		v.played = append(v.played, p)
	}
	return v
}

// alone is what can be said of a lesson whatever it is played on.
func (c *checker) alone(l *lessons.Lesson, r *lessons.Report, played bool) lessons.Problems {
	out := append(lessons.Problems{}, l.Warnings...)
	out = append(out, r.Problems.Of(lessons.Warning)...)
	if played {
		out = append(out, r.Lint()...)
	}
	out.Sort()
	for i, p := range out {
		if c.strict && p.Severity == lessons.Warning {
			strict := *p
			strict.Severity = lessons.Error
			out[i] = &strict
		}
	}
	return out
}

// differences finds where two engines tell different stories.
func differences(l *lessons.Lesson, a, b *played) lessons.Problems {
	var out lessons.Problems
	type pair struct {
		what string
		a, b *engine.Trace
		at   lessons.Place
	}
	pairs := []pair{{"the story", a.report.Trace, b.report.Trace, l.Story[0].Place}}
	for i := range min(len(a.report.Solutions), len(b.report.Solutions)) {
		pairs = append(pairs, pair{"the solution", a.report.Solutions[i], b.report.Solutions[i], l.Challenges[i].Place})
	}
	for _, t := range pairs {
		if t.a == nil || t.b == nil {
			continue
		}
		if step, same := lessons.Compare(t.a, t.b); !same {
			out = append(out, &lessons.Problem{
				Place: t.at, Severity: lessons.Error, Code: lessons.CodeNotTheSame,
				Message: fact.Of("lesson-differs-on", step, t.what, a.engine),
				Want:    fact.Text(lessons.StepText(t.a, step)), Got: fact.Text(lessons.StepText(t.b, step)),
			})
		}
	}
	return out
}

func (v *verdict) ok() bool {
	return !slices.ContainsFunc(v.played, func(p played) bool { return len(p.problems.Of(lessons.Error)) > 0 })
}

// print tells what was found. What several engines show is told with the first.
func (v *verdict) print(w io.Writer) {
	said := map[string]bool{}
	for i, p := range v.played {
		word := "ok   "
		if len(p.problems.Of(lessons.Error)) > 0 {
			word = "FAIL "
		}
		on := p.engine
		if p.why != "" {
			on += ": " + p.why
		}
		fmt.Fprintf(w, "%s %-20s %3d steps on %s\n", word, v.lesson.Name, p.report.Steps, on)
		same := 0
		for _, problem := range p.problems {
			text := problem.Error()
			switch {
			case problem.Severity == lessons.Hint && !v.hints:
			case i > 0 && said[text]:
				same++
			default:
				said[text] = true
				fmt.Fprintln(w, indent(text))
			}
		}
		switch {
		case same == 1:
			fmt.Fprintln(w, indent("the same as above: 1 problem"))
		case same > 1:
			fmt.Fprintln(w, indent(fmt.Sprintf("the same as above: %d problems", same)))
		}
	}
	if v.note != "" {
		fmt.Fprintln(w, indent(v.note))
	}
}

func indent(text string) string { return "      " + strings.ReplaceAll(text, "\n", "\n      ") }
