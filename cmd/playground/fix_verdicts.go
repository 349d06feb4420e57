package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

// fixVerdicts writes what searches found, where a verdict of a lesson is not so, or where a lesson with rules
// has none. Each is written by itself, whatever else is wrong with the lesson; one that no search could decide stays.
func fixVerdicts(ctx context.Context, t terminal, library *decode.Library, l *lessons.Lesson) (*lessons.Lesson, error) {
	changes, err := provenVerdicts(ctx, l)
	if err != nil || len(changes) == 0 {
		return l, err
	}
	lines := strings.Split(l.YAML, "\n")
	for _, c := range slices.Backward(changes) {
		lines = slices.Replace(lines, c.Line-1, c.Line-1+len(c.Old), c.New...)
	}
	text := strings.Join(lines, "\n")
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

func provenVerdicts(ctx context.Context, l *lessons.Lesson) ([]decode.Change, error) {
	switch {
	case len(l.Invariants) == 0 && len(l.Rules) == 0:
		return nil, nil
	case len(l.Claims) == 0:
		return newVerdicts(ctx, l)
	}
	p := l.NewProof(0, 0)
	for !p.Continue(ctx, 1024) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	var changes []decode.Change
	lines := strings.Split(l.YAML, "\n")
	for _, f := range p.Findings {
		if f.Challenge > 0 || f.Proven() || f.Open() || f.Failed != nil {
			continue
		}
		line := lines[f.Place.Line-1]
		open, end := strings.IndexByte(line, '{'), strings.LastIndexByte(line, '}')
		if open < 0 || end < open {
			continue // it has lines of its own
		}
		q := f.Question
		if f.Verdict.Ending == search.Breaks && q.Invariant == "" {
			q.Invariant = f.Verdict.Violation.Invariant
		}
		changes = append(changes, decode.Change{Line: f.Place.Line, Old: []string{line}, New: []string{line[:open] + author.Claim(f.Verdict, q) + line[end+1:]}})
	}
	return changes, nil
}

// newVerdicts are those of a lesson that has none.
func newVerdicts(ctx context.Context, l *lessons.Lesson) ([]decode.Change, error) {
	block, err := author.NewVerdicts(ctx, l)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(l.YAML, "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "story:") })
	if len(block) == 0 || at < 0 {
		return nil, nil
	}
	if strings.HasSuffix(lines[at], "\r") {
		for i := range block {
			block[i] += "\r"
		}
	}
	return []decode.Change{{Line: at + 1, New: block}}, nil
}
