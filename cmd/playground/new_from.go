package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
	"lockstep/lessons/draft"
)

// fromFlags say of which scripts `new` makes a lesson.
type fromFlags struct {
	files  []string
	lock   string
	unlock string // a file, or the name of a script
}

// draftStates bound each search for a verdict of a lesson that was just made.
const draftStates = 300_000

// draft makes a lesson of the scripts.
func (f *fromFlags) draft(ctx context.Context, name string) (draft.Lesson, error) {
	chosen := draft.Chosen{Take: f.lock, Give: f.unlock}
	files := f.files
	if _, err := os.Stat(f.unlock); f.unlock != "" && err == nil {
		files, chosen.Give = append(files, f.unlock), ""
	}
	var scripts []draft.Script
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return draft.Lesson{}, fmt.Errorf("%s cannot be read: %w", file, cause(err))
		}
		found, err := draft.Scripts(file, string(text))
		if err != nil {
			return draft.Lesson{}, err
		}
		scripts = append(scripts, found...)
		if i == len(f.files) { // of the file that unlocks
			chosen.Give = found[0].Name
		}
	}
	return draft.New(ctx, name, scripts, chosen)
}

// writeNew makes the lesson, searches it, and writes it.
func (f *fromFlags) writeNew(ctx context.Context, t terminal, dir, wanted string) error {
	return writeNew(t, dir, wanted, func(folder, name, _ string) ([]lessons.File, error) {
		made, err := f.draft(ctx, name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(t.out, "It plays %s.", strings.Join(made.Played, ", "))
		if len(made.Left) > 0 {
			fmt.Fprintf(t.out, " Not played: %s; --lock and --unlock choose others.", strings.Join(made.Left, ", "))
		}
		fmt.Fprintln(t.out)
		for _, doubt := range made.Doubts {
			fmt.Fprintf(t.out, "Look at this: %s.\n", doubt.Error())
		}
		return prove(ctx, t, folder, made.Files)
	})
}

// nameFrom is the name of a lesson that is made of a file.
func nameFrom(file string) string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	return strings.Trim(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, name), "-0123456789")
}

// prove writes into a lesson what happened in its story, and what searches found, and tells of them.
func prove(ctx context.Context, t terminal, folder string, files []lessons.File) ([]lessons.File, error) {
	l, problems := author.Reader{}.Read(folder, files)
	if l == nil {
		return nil, problems
	}
	text := l.YAML
	if report, err := lessons.Check(ctx, l, func(context.Context) ([]engine.NodeSpec, error) { return l.Open(lessons.Embedded), nil }); err == nil {
		if filled, _, err := decode.Rewrite(l, l.Unproven(report.Trace)); err == nil {
			text = filled
		}
	}
	if len(l.Invariants) > 0 {
		claims, err := findVerdicts(ctx, t, l)
		if err != nil {
			return nil, err
		}
		text = strings.Replace(text, "\nstory:", "\nverdicts:\n"+strings.Join(claims, "\n")+"\n\nstory:", 1)
	}
	files[0].Text = text
	return files, nil
}

// findVerdicts searches without faults and with one of each kind, and returns what a lesson says of it.
func findVerdicts(ctx context.Context, t terminal, l *lessons.Lesson) ([]string, error) {
	fmt.Fprintf(t.out, "\nEvery schedule of the two clients: %s.\n", search.Arrive.Fact().Error())
	f := &finder{t: t, lesson: l, said: map[string]bool{}}
	for _, with := range []struct {
		says   string
		faults map[engine.ChoiceKind]int
	}{
		{"Nobody fails", nil},
		{"One crash", map[engine.ChoiceKind]int{engine.Crash: 1}},
		{"One pause", map[engine.ChoiceKind]int{engine.Pause: 1}},
	} {
		q := lessons.Question{Bounds: search.Bounds{Faults: with.faults, States: draftStates}}
		broken, err := f.find(ctx, q, with.says)
		if err == nil && broken != "" && broken != mutualExclusion && slices.Contains(l.Invariants, mutualExclusion) {
			q.Invariant = mutualExclusion // which matters more
			_, err = f.find(ctx, q, with.says+", "+mutualExclusion+" alone")
		}
		if err != nil {
			return nil, err
		}
	}
	return f.claims, nil
}

const mutualExclusion = "mutual-exclusion"

// finder searches for the verdicts of a lesson.
type finder struct {
	t      terminal
	lesson *lessons.Lesson
	claims []string
	said   map[string]bool // schedules that were printed
}

// find searches, prints how it ended, and returns the rule that breaks.
func (f *finder) find(ctx context.Context, q lessons.Question, says string) (broken string, err error) {
	nodes := f.lesson.Open(lessons.Embedded)
	v, err := f.lesson.Explore(ctx, nodes, q, nil)
	if err != nil {
		return "", err
	}
	if v.Ending != search.Stops {
		f.claims = append(f.claims, "  - "+claimYAML(v, q))
	}
	switch v.Ending {
	case search.Holds:
		fmt.Fprintf(f.t.out, "%s: it holds (%d states)\n", says, v.States)
	case search.Breaks:
		broken = v.Violation.Invariant
		fmt.Fprintf(f.t.out, "%s: %s breaks in %d: %s\n", says, broken, len(v.Schedule), v.Violation.Detail.Error())
		return broken, f.show(ctx, nodes, v.Schedule)
	default:
		fmt.Fprintf(f.t.out, "%s: nothing breaks in %d choices or fewer; more were not searched\n", says, max(v.Depth-1, 0))
	}
	return broken, nil
}

// show prints the steps of a schedule that was not printed yet.
func (f *finder) show(ctx context.Context, nodes []engine.NodeSpec, schedule []engine.Choice) error {
	text := engine.Schedule{Choices: schedule}.String()
	if f.said[text] {
		return nil
	}
	f.said[text] = true
	s, err := f.lesson.Scenario(nodes)
	if err != nil {
		return err
	}
	_, trace, err := engine.Replay(ctx, s, schedule)
	if err != nil {
		return err
	}
	for i := range trace.Steps {
		fmt.Fprintf(f.t.out, "  %s\n", headline(&trace.Steps[i]))
	}
	return nil
}
