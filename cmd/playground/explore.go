package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// The exit codes of explore.
const (
	exitHolds  = 0
	exitBreaks = 1
	exitStops  = 2
	exitNoGo   = 3 // there is no verdict
)

// exploreFlags are what explore can be told.
type exploreFlags struct {
	invariant string
	time      string
	faults    string
	grid      time.Duration
	depth     int
	states    int
	megabytes int
	format    string
}

var exploreCommand = command{
	name: "explore", args: "LESSON|DIR|FILE [flags]", summary: "search every schedule of a lesson for one that breaks an invariant",
	wrongUse: exitNoGo,
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &exploreFlags{}
		flags.StringVar(&f.invariant, "invariant", "", "`NAME` of the only invariant that counts, instead of all that the lesson states")
		flags.StringVar(&f.time, "time", "arrive", "`ASSUMPTION` about how late things happen: prompt, arrive, late=2s or any")
		flags.StringVar(&f.faults, "faults", "", "`FAULTS` that may happen, of those that the lesson allows: none, or crash=1,pause=2; without it each kind once")
		flags.Func("grid", "`SPAN` after which the clock may also stop, as in 500ms; without it, where something is due, and if that holds, on the coarsest grid that has all of it", f.setGrid)
		flags.IntVar(&f.depth, "depth", 0, "stop after schedules of `N` choices; 0: no bound")
		flags.IntVar(&f.states, "states", 0, "stop after `N` states; 0: no bound")
		flags.IntVar(&f.megabytes, "memory", 1024, "stop before the process takes more than `N` MB")
		flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
		return f.explore
	},
	more: exploreHelp(),
}

func (f *exploreFlags) setGrid(text string) error {
	span, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("write a span as 500ms")
	}
	f.grid = span
	return nil
}

func exploreHelp() string {
	var b strings.Builder
	b.WriteString("Shorter schedules come first, so what is found is the shortest in which the clock\nstops where it says; moves of the clock in a row count as one choice. \"holds\" is about\nschedules of any length, within the faults that may happen, and under one of these\nassumptions about time:\n\n")
	for _, name := range []string{"prompt", "arrive", "late=2s", "any"} {
		t, _ := search.ParseTimeBound(name)
		fmt.Fprintf(&b, "  %-8s %s\n", name, t.Fact().Error())
	}
	fmt.Fprintf(&b, `
With a break it tells the least, of what it tried, that is enough for it: which faults, and
how late clients may be.

"seen" is what happened in some schedule, and "never" what happened in none: a lock holds
easily where nobody ever waits. playground run LESSON --schedule plays what was found: in
v1.LESSON.A*2.@.@10s.!crash:p1, A acts twice, the clock moves to what is due next, then by
10 s, and p1 crashes.

Interrupted, it tells what it has found so far.

Exit codes: %d all invariants hold, %d one can be broken, %d the search stopped before it had
seen everything, %d there is no verdict: the command is not understood, or went wrong.
`, exitHolds, exitBreaks, exitStops, exitNoGo)
	return b.String()
}

func (f *exploreFlags) explore(ctx context.Context, t terminal, args []string) error {
	l, err := findOne("explore", args, f.format)
	if err != nil {
		return err
	}
	q, err := f.question(l)
	if err != nil {
		return err
	}
	return target{name: embedded}.with(ctx, l, func(nodes []engine.NodeSpec) error {
		line := &progressLine{t: t, began: time.Now()}
		v, err := l.Explore(ctx, nodes, q, line.show)
		line.clear()
		if unknown, ok := errors.AsType[*lessons.UnknownInvariantError](err); ok {
			return usageError{unknown.Error()}
		}
		if err != nil {
			return fmt.Errorf("lesson %s: %w", l.Name, err)
		}
		e := explored{named: args[0], lesson: l, question: q, Verdict: v}
		if err = e.lookBetween(ctx, nodes); err == nil {
			err = e.lookCloser(ctx, nodes)
		}
		if err != nil {
			return fmt.Errorf("lesson %s: %w", l.Name, err)
		}
		if f.format == "json" {
			err = writeJSON(t.out, e.json())
		} else {
			_, err = fmt.Fprint(t.out, e.text())
		}
		if err != nil {
			return err
		}
		return exitWith(map[search.Ending]int{search.Holds: exitHolds, search.Breaks: exitBreaks, search.Stops: exitStops}[e.Ending])
	})
}

// findOne reads the one lesson that a subcommand's argument means, and looks at the format of its output.
func findOne(subcommand string, args []string, format string) (*lessons.Lesson, error) {
	switch {
	case len(args) != 1:
		return nil, usage("%[1]s needs one lesson, as in: playground %[1]s reentrant-lock", subcommand)
	case format != "text" && format != "json":
		return nil, usage("there is no format %q: use text or json", format)
	}
	found, err := find(args[0])
	switch {
	case err != nil:
		return nil, err
	case len(found.broken) > 0:
		return nil, found.broken
	case len(found.lessons) != 1:
		return nil, usage("%s has %d lessons: name one of them", args[0], len(found.lessons))
	}
	return found.lessons[0], nil
}

func (f *exploreFlags) question(l *lessons.Lesson) (lessons.Question, error) {
	bound, err := search.ParseTimeBound(f.time)
	if err != nil {
		return lessons.Question{}, usageError{err.Error()}
	}
	if len(l.Invariants) == 0 && len(l.Rules) == 0 && f.invariant == "" {
		return lessons.Question{}, usage("the lesson states no invariant that could hold or break: write one, or name one of the playground's with --invariant")
	}
	if f.grid%l.Resolution != 0 {
		return lessons.Question{}, usage("the clock of this lesson moves in steps of %s: --grid %s is not a multiple of it", engine.FormatSpan(l.Resolution), engine.FormatSpan(f.grid))
	}
	if f.depth < 0 || f.states < 0 || f.megabytes <= 0 || f.grid < 0 || f.grid%time.Millisecond != 0 {
		return lessons.Question{}, usage("--depth and --states take at least 0, which means no bound, --memory takes at least 1, and --grid a whole number of milliseconds")
	}
	faults, err := f.budget(l)
	return lessons.Question{Invariant: f.invariant, Bounds: search.Bounds{
		Time: bound, Grid: f.grid, Faults: faults, Depth: f.depth, States: f.states, Full: limitMemory(f.megabytes << 20),
	}}, err
}

// budget is how often each kind of fault may happen.
func (f *exploreFlags) budget(l *lessons.Lesson) (map[engine.ChoiceKind]int, error) {
	all := l.OneFault()
	switch f.faults {
	case "":
		return all, nil
	case "none":
		return nil, nil
	}
	faults := map[engine.ChoiceKind]int{}
	for part := range strings.SplitSeq(f.faults, ",") {
		name, count, counted := strings.Cut(strings.TrimSpace(part), "=")
		n := 1
		if counted {
			var err error
			if n, err = strconv.Atoi(count); err != nil || n < 0 || n > search.MaxFaults {
				return nil, usage("%q is not how often a fault may happen: write a number from 0 to %d", count, search.MaxFaults)
			}
		}
		if all[engine.ChoiceKind(name)] == 0 {
			return nil, usage("the lesson allows no fault %q: it allows %s", name, allowed(l))
		}
		faults[engine.ChoiceKind(name)] = n
	}
	return faults, nil
}

func allowed(l *lessons.Lesson) string {
	var names []string
	for _, f := range l.Faults {
		if !slices.Contains(names, string(f.Kind)) {
			names = append(names, string(f.Kind))
		}
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// progressLine tells how far a search has come, if it takes longer than a moment.
type progressLine struct {
	t     terminal
	began time.Time
	shown time.Time
	width int
}

func (p *progressLine) show(at search.Progress) {
	now := time.Now()
	if now.Sub(p.began) < time.Second || now.Sub(p.shown) < 200*time.Millisecond {
		return
	}
	p.shown = now
	line := fmt.Sprintf("%d states, %d choices deep, %.0f states a second, %d MB", at.States, at.Depth,
		float64(at.States)/now.Sub(p.began).Seconds(), memoryTaken()>>20)
	fmt.Fprintf(p.t.err, "\r%-*s", p.width, line)
	p.width = max(p.width, len(line))
}

func (p *progressLine) clear() {
	if p.width > 0 {
		fmt.Fprintf(p.t.err, "\r%*s\r", p.width, "")
	}
}
