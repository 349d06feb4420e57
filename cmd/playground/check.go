package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

var checkCommand = command{
	name: "check", args: "[LESSON|DIR…] [flags]", summary: "play lessons and see whether all happens as they say",
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &engineFlags{}
		f.define(flags, "embedded", "redis", "all")
		return func(ctx context.Context, t terminal, args []string) error { return check(ctx, t, f, args) }
	},
}

func check(ctx context.Context, t terminal, f *engineFlags, args []string) error {
	found, mistakes, err := lessonsOf(args)
	if err != nil {
		return err
	}
	stages, closeAll, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	failed := 0
	for _, l := range found {
		if !checkOne(ctx, t, stages, l) {
			failed++
		}
		if ctx.Err() != nil {
			return errors.New("the check was called off")
		}
	}
	if mistakes != nil {
		fmt.Fprintln(t.err, mistakes)
	}
	switch {
	case mistakes != nil:
		return fmt.Errorf("there are lessons that cannot be read; of the others, %d of %d fail", failed, len(found))
	case failed > 0:
		return fmt.Errorf("%d of %d lessons fail", failed, len(found))
	}
	return nil
}

// lessonsOf reads the lessons that the arguments mean, all of the program's own
// when there is none. mistakes is what cannot be read of them.
func lessonsOf(args []string) (found []*lessons.Lesson, mistakes, err error) {
	if len(args) == 0 {
		found, mistakes = catalog()
		return found, mistakes, nil
	}
	for _, arg := range args {
		some, problem := find(arg)
		if _, bad := errors.AsType[usageError](problem); bad {
			return nil, nil, problem
		}
		found = append(found, some...)
		mistakes = errors.Join(mistakes, problem)
	}
	return found, mistakes, nil
}

// checkOne checks a lesson on each engine and compares what happened on them.
func checkOne(ctx context.Context, t terminal, stages []stage, l *lessons.Lesson) bool {
	good := true
	var first *engine.Trace
	for _, s := range stages {
		var r lessons.Report
		err := s.with(ctx, l, func(nodes []engine.NodeSpec) (err error) {
			r, err = lessons.Check(ctx, l, func(context.Context) ([]engine.NodeSpec, error) { return nodes, nil })
			return err
		})
		var problems []string
		for _, f := range r.Problems {
			problems = append(problems, f.Error())
		}
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case first == nil:
			first = r.Trace
		default:
			if step, same := lessons.Compare(first, r.Trace); !same {
				problems = append(problems, difference(stages[0].name, first, s.name, r.Trace, step))
			}
		}
		if len(problems) == 0 {
			fmt.Fprintf(t.out, "ok    %-20s %3d steps on %s\n", l.Name, r.Steps, s.name)
			continue
		}
		good = false
		fmt.Fprintf(t.out, "FAIL  %-20s %3d steps on %s\n%s\n", l.Name, r.Steps, s.name, indent(strings.Join(problems, "\n")))
	}
	return good
}

// difference shows a step on two engines.
func difference(nameA string, a *engine.Trace, nameB string, b *engine.Trace, step int) string {
	at := func(t *engine.Trace) string {
		if step < 1 || step > len(t.Steps) {
			return "nothing\n"
		}
		return t.Steps[step-1].String()
	}
	return fmt.Sprintf("the engines differ at step %d\n%s:\n%s%s:\n%s", step, nameA, at(a), nameB, strings.TrimSuffix(at(b), "\n"))
}

func indent(text string) string { return "      " + strings.ReplaceAll(text, "\n", "\n      ") }
