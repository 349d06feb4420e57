package author

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// Fill is a lesson's text with what a proof of it found, and with what its story did, where the lesson says nothing or
// something else: each is written by itself, whatever else is wrong with the lesson. For a lesson without verdicts it makes
// some, of searches of at most so many states.
func (d Reader) Fill(ctx context.Context, folder string, l *lessons.Lesson, p *lessons.Proof, states int) (string, error) {
	changes, err := ProvenVerdicts(ctx, l, p, states)
	if err != nil {
		return "", err
	}
	filled := *l
	filled.YAML = decode.Applied(l.YAML, changes)
	report, err := check(ctx, l)
	if err == nil && report.Trace != nil {
		expects := l.Unproven(report.Trace)
		for _, i := range slices.Sorted(maps.Keys(expects)) {
			if text, _, err := decode.Rewrite(&filled, map[int]*lessons.Expect{i: expects[i]}); err == nil {
				filled.YAML = text
			}
		}
	}
	files := d.Files(l)
	files[0].Text = filled.YAML
	again, problems := d.Read(folder, files)
	switch {
	case again == nil:
		return "", problems
	case !Unchanged(again, l):
		return "", errNotAlone
	}
	return filled.YAML, nil
}

var errNotAlone = errors.New("the way this file is laid out does not let its expectations be changed alone")

// Unchanged tells whether two versions of a lesson differ in their expectations and verdicts alone.
func Unchanged(a, b *lessons.Lesson) bool {
	same := a.Hash == b.Hash && len(a.Story) == len(b.Story) && a.Title == b.Title && a.Summary == b.Summary
	for i := range b.Story {
		same = same && sameBeat(&a.Story[i], &b.Story[i])
	}
	return same
}

func sameBeat(a, b *lessons.Beat) bool {
	var was, is lessons.Ask
	if a.Ask != nil && b.Ask != nil {
		was, is = *a.Ask, *b.Ask
	}
	return (a.Ask == nil) == (b.Ask == nil) && a.Say == b.Say && was.Question == is.Question &&
		was.Answer == is.Answer && slices.Equal(was.Accept, is.Accept) && slices.Equal(a.Choices, b.Choices)
}

// ProvenVerdicts are what searches found, where a verdict of a lesson is not so, or where a lesson with rules has none. One
// that no search could decide stays, and so do all while the lesson's Lua has a mistake in it.
func ProvenVerdicts(ctx context.Context, l *lessons.Lesson, p *lessons.Proof, states int) ([]decode.Change, error) {
	played, err := check(ctx, l)
	switch {
	case err != nil || played.Mistake:
		return nil, nil //nolint:nilerr // Check tells it
	case len(l.Invariants) == 0 && len(l.Rules) == 0:
		return nil, nil
	case len(l.Claims) == 0:
		return newVerdicts(ctx, l, states)
	}
	var changes []decode.Change
	lines := strings.Split(l.YAML, "\n")
	for _, f := range p.Findings {
		if f.Challenge > 0 || f.Proven() || f.Open() || f.Failed != nil {
			continue
		}
		line := lines[f.Place.Line-1]
		open, end := strings.IndexByte(line, '{'), strings.LastIndexByte(line, '}')
		if open < 0 || end < open || strings.Count(line, "{breaks:")+strings.Count(line, "{holds:") > 1 {
			continue // it has lines of its own, or is not alone on its line
		}
		q := f.Question
		if f.Verdict.Ending == search.Breaks && q.Invariant == "" {
			q.Invariant = f.Verdict.Violation.Invariant
		}
		changes = append(changes, decode.Change{Line: f.Place.Line, Old: []string{line}, New: []string{line[:open] + Claim(f.Verdict, q) + line[end+1:]}})
	}
	return changes, nil
}

// newVerdicts are those of a lesson that has none.
func newVerdicts(ctx context.Context, l *lessons.Lesson, states int) ([]decode.Change, error) {
	found, err := verdicts(ctx, l, Each{States: states})
	if err != nil {
		return nil, err
	}
	block := Verdicts(found)
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
