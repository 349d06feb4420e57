package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis"
)

// runFlags are what run can be told.
type runFlags struct {
	engines  engineFlags
	schedule string
	format   string
	lines    bool
}

var runCommand = command{
	name: "run", args: "LESSON|DIR|FILE [flags]", summary: "play a lesson's story, or a schedule, and print what happened",
	more: `A lesson that has no server of the chosen engine plays on the embedded one. Whether everything
happened as the lesson says is for playground check to tell.
`,
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &runFlags{}
		f.engines.define(flags)
		flags.StringVar(&f.schedule, "schedule", "", "`SCHEDULE` to play instead of the story: v1.5f3a9c12.A.@10s.A as in a link, or moves: \"run A, tick 10s, run A\"")
		flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
		flags.BoolVar(&f.lines, "lines", false, "print the lines that each script and program ran, with their variables")
		return f.run
	},
}

func (f *runFlags) run(ctx context.Context, t terminal, args []string) error {
	l, err := findOne("run", args, f.format)
	if err != nil {
		return err
	}
	schedule := engine.Schedule{Lesson: l.Hash, Choices: l.Choices()}
	if f.schedule != "" {
		if schedule, err = parseSchedule(l, f.schedule); err != nil {
			return usageError{err.Error()}
		}
	}
	stages, closeAll, err := f.engines.open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	if engine, why := stages[0].on(l); why != "" {
		fmt.Fprintf(t.err, "playground: %s is played on the %s engine: %s\n", l.Name, engine, why)
	}
	return stages[0].with(ctx, l, func(nodes []engine.NodeSpec) error {
		return f.play(ctx, t, l, schedule, nodes)
	})
}

// parseSchedule reads what a link has, or moves as a challenge's solution has them.
func parseSchedule(l *lessons.Lesson, text string) (engine.Schedule, error) {
	first, _, _ := strings.Cut(text, ",")
	if _, err := engine.ParseChoice(first); err != nil {
		return engine.ParseSchedule(text)
	}
	s := engine.Schedule{Lesson: l.Hash}
	for move := range strings.SplitSeq(text, ",") {
		c, err := engine.ParseChoice(move)
		if err != nil {
			return engine.Schedule{}, err
		}
		s.Choices = append(s.Choices, c)
	}
	if len(s.Choices) > engine.MaxChoices {
		return engine.Schedule{}, fmt.Errorf("the schedule is longer than %d choices", engine.MaxChoices)
	}
	return s, nil
}

// play prints the trace as far as the schedule could be played.
func (f *runFlags) play(ctx context.Context, t terminal, l *lessons.Lesson, s engine.Schedule, nodes []engine.NodeSpec) error {
	scenario, err := l.Scenario(nodes)
	if err != nil {
		return err
	}
	if f.lines {
		scenario.Positions, scenario.Look = true, redis.Look
		scenario.Watch = func(int) bool { return true }
	}
	_, trace, err := engine.Replay(ctx, scenario, s.Choices)
	var stopped *engine.NotEnabledError
	if err != nil && !errors.As(err, &stopped) {
		if trace != nil {
			return fmt.Errorf("lesson %s, step %d: %w", l.Name, len(trace.Steps)+1, err)
		}
		return fmt.Errorf("lesson %s: %w", l.Name, err)
	}
	if err := f.print(t, trace); err != nil {
		return err
	}
	switch {
	case stopped != nil && s.Lesson != l.Hash:
		return fmt.Errorf("the schedule is for another version of the lesson (%s, this is %s) and differs at step %d: %q may not happen there: %w",
			s.Lesson, l.Hash, len(trace.Steps)+1, stopped.Choice, stopped.Reason)
	case stopped != nil:
		return fmt.Errorf("the schedule stops at step %d: %q may not happen there: %w", len(trace.Steps)+1, stopped.Choice, stopped.Reason)
	case s.Lesson != l.Hash:
		fmt.Fprintf(t.err, "playground: the schedule is for another version of the lesson (%s, this is %s): every step of it could be played\n",
			s.Lesson, l.Hash)
	}
	return nil
}

func (f *runFlags) print(t terminal, trace *engine.Trace) error {
	if f.format == "json" {
		return writeJSON(t.out, trace)
	}
	_, err := fmt.Fprint(t.out, trace)
	return err
}
