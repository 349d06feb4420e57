package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"lockstep/lessons"
)

// checkFlags are what check can be told.
type checkFlags struct {
	engines engineFlags
	strict  bool
	fix     bool
	asJSON  bool
}

var checkCommand = command{
	name: "check", args: "[LESSON|DIR|FILE…] [flags]", summary: "play lessons and check that everything happens as they say",
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &checkFlags{}
		f.engines.define(flags, everyEngine)
		flags.BoolVar(&f.strict, "strict", false, "treat warnings as errors: a missing language, lessons that prove nothing")
		flags.BoolVar(&f.fix, "fix", false, "write what happened, and what searches found, into the lessons, wherever expect or verdicts are missing or do not hold")
		flags.BoolVar(&f.asJSON, "json", false, "print all problems as one JSON document")
		return f.check
	},
	more: checkHelp(),
}

func checkHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, `Without an argument it checks the lessons that come with the program. It plays each
story on the chosen engines, twice, and the solution of its challenge; all are the
embedded one, Redis and those of the others that are installed. Hints are shown only for
lessons named as arguments.

--fix writes what happened only when the lesson passes the check afterwards, touches
nothing but expect and verdicts, and shows what it changed. Review it: what happened, and
what was found, is not always what should. Verdicts are written each by itself.

--json writes {version, ok, engines, lessons, problems}. A problem has file, line, col
and endCol (in characters, from 1, the end excluded; line 0 is the whole file),
severity (error, warning, hint), code and message, and where they apply also lesson,
engine, advice, want and got. The codes:

`)
	for _, c := range lessons.Codes {
		fmt.Fprintf(&b, "  %-18s %s\n", c.Code, c.Text)
	}
	fmt.Fprintf(&b, `
Exit codes: %d all is well, %d a lesson has errors (with --strict: or warnings), %d the
command is not understood.
`, exitOK, exitFailed, exitUsage)
	return b.String()
}

func (f *checkFlags) check(ctx context.Context, t terminal, args []string) error {
	sets, err := f.lessonSets(args)
	if err != nil {
		return err
	}
	stages, closeAll, err := f.engines.open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	c := checker{stages: stages, strict: f.strict, hints: len(args) > 0}
	var all summary
	for _, s := range sets {
		all.broken = append(all.broken, s.broken...)
		for _, l := range s.lessons {
			var v verdict
			if f.fix {
				v, err = c.fix(ctx, t, s.library, l)
				if err != nil {
					return err
				}
			} else {
				v = c.check(ctx, l)
			}
			if ctx.Err() != nil {
				return errors.New("the check was called off")
			}
			all.verdicts = append(all.verdicts, v)
			if !f.asJSON {
				v.print(t.out)
			}
		}
	}
	if f.asJSON {
		if err := all.json(t.out, stages); err != nil {
			return err
		}
	} else if len(all.broken) > 0 {
		fmt.Fprintln(t.err, all.broken)
	}
	return all.err()
}

// lessonSets reads the lessons that the arguments mean, all of the program's own when
// there is none.
func (f *checkFlags) lessonSets(args []string) ([]lessonSet, error) {
	if f.fix && f.asJSON {
		return nil, usage("--fix shows what it changes, which is no JSON: leave one of --fix and --json out")
	}
	var sets []lessonSet
	for _, arg := range args {
		s, err := find(arg)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	if len(args) == 0 {
		var own lessonSet
		if err := own.put(catalog()); err != nil {
			return nil, err
		}
		sets = append(sets, own)
	}
	for _, s := range sets {
		if f.fix && s.library == nil {
			return nil, usage("--fix changes files: name the folder of a lesson")
		}
	}
	return sets, nil
}

// summary is what was found in all lessons.
type summary struct {
	broken   lessons.Problems
	verdicts []verdict
}

func (s *summary) err() error {
	failed := 0
	for _, v := range s.verdicts {
		if !v.ok() {
			failed++
		}
	}
	switch {
	case len(s.broken) > 0:
		if len(s.verdicts) == 0 {
			return errors.New("nothing could be read")
		}
		return fmt.Errorf("there are lessons that cannot be read; of the others, %d of %d fail", failed, len(s.verdicts))
	case failed > 0:
		return fmt.Errorf("%d of %d lessons fail", failed, len(s.verdicts))
	}
	return nil
}
