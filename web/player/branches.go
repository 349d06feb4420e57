package player

import (
	"context"
	"slices"

	"lockstep/engine/fact"
	"lockstep/web/ui"
)

// mostBranches is how many timelines are kept that were left behind.
const mostBranches = 12

type branch struct {
	timeline
	id   int          // from 1; no two have the same
	kept KeptTimeline // for browsers to keep
}

// leave keeps a timeline that is left behind.
func (s *Session) leave(t timeline) {
	s.dropWithin(&t)
	s.lastBranch++
	s.branches = append(s.branches, branch{timeline: t, id: s.lastBranch, kept: s.kept(&t)})
	if len(s.branches) > mostBranches {
		s.branches = slices.Delete(s.branches, 0, 1)
	}
	s.dropWithin(&s.now)
}

// dropWithin drops the branches that have nothing but the beginning of a timeline.
func (s *Session) dropWithin(t *timeline) {
	s.branches = slices.DeleteFunc(s.branches, func(b branch) bool { return b.within(t) })
}

// within tells whether another timeline has all that this one has.
func (t *timeline) within(other *timeline) bool {
	return t.kind == other.kind && prefix(other.choices, t.choices) && slices.Equal(t.edits, other.edits)
}

// findBranch is a place among the branches: of the one with an id, or of the newest.
func (s *Session) findBranch(id int) (int, *Error) {
	i := len(s.branches) - 1
	if id != 0 {
		i = slices.IndexFunc(s.branches, func(b branch) bool { return b.id == id })
	}
	if i < 0 {
		return 0, s.refuse(CodeNoGhost, fact.Of("no-branch"))
	}
	return i, nil
}

// swapBranch goes to a timeline that was left behind, at the place where it was left, and
// leaves the present one. One that was played on another engine is played anew on this one.
func (s *Session) swapBranch(ctx context.Context, c Command) *Error {
	i, bad := s.findBranch(c.N)
	if bad != nil {
		return bad
	}
	was, left := s.now, s.branches[i]
	next := left.timeline
	s.applyEdits(next.edits)
	if next.kind == s.kind {
		s.now = next
	} else {
		s.now.pos = next.pos
		if err := s.replayOn(ctx, s.kind, next.choices); err != nil {
			s.now = was
			s.applyEdits(was.edits)
			return s.engineError(fact.Of("cannot-switch", err), err)
		}
	}
	s.branches = slices.Delete(s.branches, i, i+1)
	s.leave(was)
	if c := s.comparison; c != nil && c.branch == left.id { // seen from the other side
		s.endComparison()
		if _, within := s.findBranch(s.lastBranch); within == nil {
			s.comparison = &comparison{branch: s.lastBranch, timeline: timeline{kind: was.kind}}
		}
	}
	s.announceStep()
	return nil
}

// branchViews are the timelines as a tree: the present one first, and each other below one
// that it shares its beginning with.
func (s *Session) branchViews() []ui.Branch {
	if len(s.branches) == 0 {
		return nil
	}
	all := []branch{{timeline: s.now}}
	all = append(all, s.branches...)
	slices.Reverse(all[1:])
	views := make([]ui.Branch, len(all))
	for i := range all {
		b := &all[i]
		views[i] = ui.Branch{ID: b.id, Trace: &b.trace, Leaves: forkedAt(b.choices, s.storySteps.choices), Edited: !slices.Equal(b.edits, s.edits)}
		for j := range all[:i] {
			if n := forkedAt(b.choices, all[j].choices); j == 0 || n > views[i].From {
				views[i].From, views[i].Parent = n, j
			}
		}
	}
	return views
}

// dropBranches forgets the timelines that were left behind.
func (s *Session) dropBranches(context.Context, Command) *Error {
	if s.comparison != nil && s.comparison.branch != 0 {
		s.endComparison()
	}
	s.branches, s.unplayed = nil, nil
	return nil
}
