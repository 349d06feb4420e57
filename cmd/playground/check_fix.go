package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

// fix writes what happened into a lesson, where it expects nothing or something
// else, if the lesson passes the check afterwards.
func (c *checker) fix(ctx context.Context, t terminal, library *decode.Library, l *lessons.Lesson) (verdict, error) {
	l, err := fixVerdicts(ctx, t, library, l)
	if err != nil {
		return verdict{}, err
	}
	before := c.check(ctx, l)
	trace := before.played[0].report.Trace
	if trace == nil {
		return before, nil
	}
	expects := l.Unproven(trace)
	if len(expects) == 0 {
		return before, nil
	}
	var fixed *lessons.Lesson
	text, changes, err := decode.Rewrite(l, expects)
	if err == nil {
		fixed, err = again(library, l, text)
	}
	if err != nil {
		before.note = fmt.Sprintf("not fixed: %v", err)
		return before, nil
	}
	after := c.check(ctx, fixed)
	if !after.ok() {
		after.before(l, changes)
		after.note = "no expectation was written, since this is left: put it right first"
		return after, nil
	}
	if err := replaceFile(l.File, l.YAML, text); err != nil {
		return verdict{}, err
	}
	fmt.Fprintf(t.out, "%s: review what happened, it need not be right\n%s", l.File, diff(changes))
	return after, nil
}

// before puts what was found in a text with changes where it stands without them,
// which is what the author sees.
func (v *verdict) before(l *lessons.Lesson, changes []decode.Change) {
	lines := strings.Split(l.YAML, "\n")
	for i := range v.played {
		for j, p := range v.played[i].problems {
			line, kept := lineBefore(p.Line, changes)
			if p.File != l.File || line < 1 || line > len(lines) {
				continue
			}
			moved := *p
			moved.Line, moved.Source = line, strings.TrimRight(lines[line-1], "\r")
			if !kept {
				moved.Col = 1 + len(moved.Source) - len(strings.TrimLeft(moved.Source, " "))
				moved.EndCol = moved.Col
			}
			v.played[i].problems[j] = &moved
		}
	}
}

// lineBefore translates a line number of the changed text to the text before the changes. A
// line that a change wrote has none of its own: kept is false, and before is the change's first line.
func lineBefore(line int, changes []decode.Change) (before int, kept bool) {
	for _, c := range changes {
		switch {
		case line < c.Line:
			return line, true
		case line < c.Line+len(c.New):
			return c.Line, false
		}
		line += len(c.Old) - len(c.New)
	}
	return line, true
}

// again reads a lesson with another text. That nothing but expectations changed is
// looked at, since a slip here would damage somebody's work.
func again(library *decode.Library, l *lessons.Lesson, text string) (*lessons.Lesson, error) {
	dir := filepath.Base(filepath.Dir(l.File))
	with := *library
	with.Texts = map[string]string{dir + "/" + decode.Filename: text}
	fixed, err := with.Lesson(dir)
	if err != nil {
		return nil, err
	}
	if !author.Unchanged(fixed, l) {
		return nil, errors.New("the way this file is laid out does not let its expectations be changed alone")
	}
	return fixed, nil
}

// replaceFile puts a file's new text in its place at once, unless somebody else has
// changed the file meanwhile.
func replaceFile(name, was, text string) error {
	now, err := os.ReadFile(name)
	if err == nil && string(now) != was {
		return fmt.Errorf("%s was changed while it was checked: nothing was written, run it again", name)
	}
	if err == nil {
		err = overwrite(name, text)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, cause(err))
	}
	return nil
}

// overwrite puts the new text of a file in its place, also where the name is a link.
func overwrite(name, text string) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	file := filepath.Base(target)
	part := file + ".part" // its new text, beside it
	_ = root.Remove(part)  // of a program that was killed
	info, err := root.Stat(file)
	if err == nil {
		err = writeFile(root, part, text, info.Mode().Perm())
	}
	if err == nil {
		err = root.Rename(part, file)
	}
	if err != nil {
		_ = root.Remove(part) // the error before says more
	}
	return err
}

func diff(changes []decode.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "@ line %d\n", c.Line)
		for _, line := range c.Old {
			fmt.Fprintf(&b, "- %s\n", strings.TrimRight(line, "\r"))
		}
		for _, line := range c.New {
			fmt.Fprintf(&b, "+ %s\n", strings.TrimRight(line, "\r"))
		}
	}
	return b.String()
}

// fixVerdicts writes what searches found, where a verdict of a lesson is not so, or where a lesson with rules
// has none. Each is written by itself, whatever else is wrong with the lesson; one that no search could decide stays.
func fixVerdicts(ctx context.Context, t terminal, library *decode.Library, l *lessons.Lesson) (*lessons.Lesson, error) {
	p := l.NewProof(search.Bounds{})
	for !p.Continue(ctx, 1024) {
		if ctx.Err() != nil {
			return l, ctx.Err()
		}
	}
	changes, err := author.ProvenVerdicts(ctx, l, p, lessons.MostStates)
	if err != nil || len(changes) == 0 {
		return l, err
	}
	text := decode.Applied(l.YAML, changes)
	fixed, err := again(library, l, text)
	if err != nil {
		return l, nil //nolint:nilerr // the check says what is wrong with it
	}
	if err := replaceFile(l.File, l.YAML, text); err != nil {
		return nil, err
	}
	fmt.Fprintf(t.out, "%s: what searches of all schedules found\n%s", l.File, diff(changes))
	return fixed, nil
}
