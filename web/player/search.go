package player

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// A search runs in slices: between two of them the learner can call it off.
const (
	searchHz    = MaxHz // times a second
	searchSlice = 250   // states in a slice, where there is no clock
	searchLook  = 25    // states between two looks at the clock: of programs that compute much, one may take 20 ms
	searchMost  = 4000  // states in a slice, however quick they are

	// The bounds of a search. searchBytes counts its states alone. searchMemory is taken for all of it: a
	// running client takes about 100 KB, and no count exists of what is learned of clients and servers.
	searchStates = 200_000
	searchBytes  = 8 << 20
	searchCasts  = 60
	closerStates = 20_000 // of each closer look: a learner waits for them all
	searchMemory = 24 << 20
)

// searching is one search, from the learner's command until another one replaces it.
type searching struct {
	ui.Search // for the page
	question  lessons.Question
	lesson    *lessons.Lesson // with the edits at the time of the command

	inquiry *lessons.Inquiry // nil: it has ended, and so has what is asked about a breach
	doubts  []doubt          // possible causes of the breach
}

// doubt is a step that may have made a breach possible, with the bounds of a search that excludes it.
type doubt struct {
	step   int
	late   bool // the step is the clock's, while somebody was ready
	bounds search.Bounds
}

func (x *searching) running() bool { return x != nil && x.inquiry != nil }

// checks tells whether the search asks if this version of a lesson is repaired.
func (x *searching) checks(l *lessons.Lesson) bool {
	return x != nil && x.Asked == ui.AskRepair && x.lesson == l
}

// repaired tells whether the search has proven the repair: no breach, and nothing lost.
func (x *searching) repaired(l *lessons.Lesson) bool {
	return x.checks(l) && x.Verdict != nil && x.Verdict.Ending == search.Holds && len(x.Lost) == 0
}

// search begins a search of the lesson with its present edits.
func (s *Session) search(ctx context.Context, c Command) *Error {
	x := &searching{Search: ui.Search{Asked: c.Text}, lesson: s.lesson}
	var err error
	if c.Text == ui.AskRepair {
		if d := s.currentChallenge(); d == nil || d.Goal.Repair == nil {
			return s.refuse(CodeNoChallenge, fact.Of("no-challenge"))
		}
		x.Original = len(s.edits) == 0
		err = s.searchRepair(ctx, x, s.currentChallenge().Goal)
	} else {
		if x.question, err = s.questionIn(c.Text); err != nil {
			return s.refuse(CodeBadMessage, fact.Of("cannot-search", err))
		}
		if len(s.edits) > 0 && x.question.Invariant == "" {
			err = s.searchRepair(ctx, x, lessons.Goal{Repair: &x.question})
		} else {
			s.bound(&x.question)
			x.inquiry, err = s.lesson.Inquire(ctx, x.question, 0, closerStates, closerStates)
		}
	}
	if err != nil {
		return s.refuse(CodeEngine, fact.Of("cannot-search", err))
	}
	s.searching, s.room = x, room{}
	s.enter()
	return nil
}

// searchRepair begins a search that also finds what could happen in the original and cannot happen
// with the edits.
func (s *Session) searchRepair(ctx context.Context, x *searching, goal lessons.Goal) error {
	x.question = *goal.Repair
	s.bound(&x.question)
	goal.Repair = &x.question
	repair, err := lessons.NewRepair(ctx, s.original, s.lesson, goal)
	if err == nil {
		x.inquiry = repair.Inquire(closerStates, closerStates)
	}
	return err
}

// questionIn reads a search as the page asks for it (ui.Search.Asked).
func (s *Session) questionIn(asked string) (lessons.Question, error) {
	if q, starves := s.lesson.Starving(); asked == ui.AskStarve && starves {
		return q, nil
	}
	if rule, isRule := strings.CutPrefix(asked, ui.AskRule); isRule {
		return s.lesson.About(rule), nil
	}
	var q lessons.Question
	late, faults := strings.CutSuffix(asked, ui.AskFaults)
	if faults {
		q.Bounds.Faults = s.lesson.OneFault()
	}
	var err error
	q.Bounds.Time, err = search.ParseTimeBound(late)
	return q, err
}

func (s *Session) bound(q *lessons.Question) {
	q.Bounds.States, q.Bounds.Bytes, q.Bounds.Casts, q.Bounds.Full = searchStates, searchBytes, searchCasts, s.isFull
}

// onlyLooks tells whether a command changes no timeline. Any other command on the lesson ends a search.
func (s *Session) onlyLooks(c Command) bool {
	switch c.Op { //nolint:exhaustive // the others act
	case OpLine, OpThread, OpHint:
		return true
	case OpSeek:
		return c.Pos != nil && *c.Pos <= s.now.len()
	case OpStep:
		return s.now.pos+clamp(c.N) <= s.now.len()
	}
	return false
}

// callOff ends a running search or proof, because the learner has acted. A breach that was found stays.
func (s *Session) callOff() {
	if s.proof.runs() {
		s.Author.endProof(s)
	}
	x := s.searching
	if !x.running() {
		return
	}
	x.Weakest = nil // it is not known yet
	switch {
	case x.Verdict != nil: // what is asked about a breach is not known yet
	case x.inquiry.Closer != nil && x.Asked != ui.AskRepair: // it holds, and was looked at again
		x.settle()
		x.Coarse = true
	default:
		x.inquiry.Search.CallOff()
		v := x.inquiry.Search.Verdict()
		if v.Ending == search.Holds { // of a repair, it is not known yet whether something is lost
			v.Ending, v.Stopped = search.Stops, search.CalledOff
		}
		x.Verdict = &v
	}
	x.end()
}

// begins tells whether a schedule begins with the breach that the search has played. Such a breach
// is no find of the learner's.
func (x *searching) begins(choices []engine.Choice) bool {
	return x != nil && x.Played && prefix(choices, x.Verdict.Schedule)
}

// end frees the searches. The verdict stays.
func (x *searching) end() { x.inquiry, x.doubts = nil, nil }

// continueSearch runs one slice of the search, or of what is asked about a breach once there is one.
func (s *Session) continueSearch(ctx context.Context) {
	x := s.searching
	s.screen.dirty = true
	if x.Verdict != nil {
		s.findWeakest(ctx)
		return
	}
	done, err := s.slice(ctx, x.inquiry.Continue)
	if err != nil {
		s.searching = nil
		s.warn(ui.NoticeError, 0, fact.Of("cannot-search", err))
		return
	}
	if !done {
		return
	}
	x.settle()
	v := *x.Verdict
	if v.Ending != search.Breaks {
		x.end()
		s.announcement = ui.SearchSentence(s.lang, s.searchView(), s.lesson.Rules...)
		return
	}
	if at := stepOfBreak(&s.now, v.Violation.Invariant); !s.wasBrought(at) {
		x.Yours = search.Moves(s.now.choices[:at])
	}
	x.Told = prefix(s.storySteps.choices, s.now.choices)
	s.playFound(ctx)
	x.doubts = doubtsOf(s.now.trace.Steps, x.question.Bounds)
	x.Weakest = x.lesson.NewWeakest(x.question, v, lessons.WeakestStates)
	for _, d := range x.doubts {
		x.Weakest.Deepen(d.bounds)
	}
}

// settle makes the best verdict so far the verdict of the search. If it holds, the tree is that of the first search: with more
// stops of the clock, a tree has a branch for each.
func (x *searching) settle() {
	closer := x.inquiry.Closer
	v := closer.Verdict
	if v.Ending == search.Holds {
		v.Progress, v.Levels, v.Branches = closer.First.Progress, closer.First.Levels, closer.First.Branches
	}
	x.Verdict, x.Lost, x.Coarse = &v, x.inquiry.Lost, v.Ending == search.Holds && (closer.Between != nil || closer.Most != nil)
}

// slice continues a search for SearchTime and at most searchMost states, or without one for searchSlice states.
func (s *Session) slice(ctx context.Context, search func(context.Context, int) (bool, error)) (done bool, err error) {
	s.room.slices++
	if s.SearchTime == 0 {
		return search(ctx, searchSlice)
	}
	end := s.Now().Add(s.SearchTime)
	for states := 0; states < searchMost; states += searchLook {
		if done, err = search(ctx, searchLook); done || err != nil || !s.Now().Before(end) {
			break
		}
	}
	return done, err
}

// playFound plays the breach from the start. The timeline before becomes a branch, unless it begins with
// the breach.
func (s *Session) playFound(ctx context.Context) {
	x := s.searching
	if prefix(s.now.choices, x.Verdict.Schedule) {
		s.now.pos = 0
	} else {
		x.Forked, s.brought = s.now.len() > 0, x.Verdict.Schedule
		s.startAfresh()
	}
	for _, c := range x.Verdict.Schedule {
		if err := s.act(ctx, c); err != nil {
			s.warn(ui.NoticeError, 0, err)
			return
		}
	}
	s.dropWithin(&s.now)
	x.Played = true
	s.announcement = ui.SearchSentence(s.lang, s.searchView(), s.lesson.Rules...)
}

// findWeakest runs one slice of the searches for the weakest assumption under which the breach happens.
func (s *Session) findWeakest(ctx context.Context) {
	x := s.searching
	done, err := s.slice(ctx, x.Weakest.Continue)
	if err != nil {
		x.Weakest = nil
	} else {
		x.blame(done)
	}
	if err != nil || done {
		x.end()
	}
}

// blame finds the culprit: the first doubt under whose bounds the rule that broke holds, as far as that is known.
func (x *searching) blame(done bool) {
	sure := true
	for _, d := range x.doubts {
		switch x.Weakest.Ending(d.bounds) {
		case search.Holds:
			x.Culprit, x.Late = d.step, d.late
			return
		case search.Stops:
			if sure = false; !done {
				return // an earlier doubt comes first
			}
		case search.Breaks:
		}
	}
	x.Doubted = done && sure && len(x.doubts) > 0
}

// doubtsOf are the faults among the steps and then the last step at which somebody was late. The bounds
// of the nth fault of a kind allow n-1 of that kind.
func doubtsOf(steps []engine.Step, b search.Bounds) []doubt {
	var all []doubt
	made := map[engine.ChoiceKind]int{}
	late := 0
	for i, step := range steps {
		kind := step.Choice.Kind
		if kind == engine.Tick && i > 0 && somebodyWasReady(&steps[i-1].After) {
			late = step.N
		}
		if b.Faults[kind] == 0 {
			continue
		}
		made[kind]++
		without := b
		without.Faults = map[engine.ChoiceKind]int{}
		maps.Copy(without.Faults, b.Faults)
		without.Faults[kind] = made[kind] - 1
		all = append(all, doubt{step: step.N, bounds: without})
	}
	if late > 0 && (b.Time.Any || b.Time.Late > 0) {
		without := b
		without.Time = search.Arrive
		all = append(all, doubt{step: late, late: true, bounds: without})
	}
	return all
}

func somebodyWasReady(s *engine.Snapshot) bool {
	return slices.ContainsFunc(s.Actors, func(a engine.ActorState) bool { return a.Status == engine.Ready })
}

// stepOfBreak is the first step that breaks an invariant, from 1; 0: none does.
func stepOfBreak(t *timeline, invariant string) int {
	for i, step := range t.trace.Steps {
		if slices.ContainsFunc(step.Broken, func(v engine.Violation) bool { return v.Invariant == invariant }) {
			return i + 1
		}
	}
	return 0
}

// shortest is the fewest moves that break an invariant, of the lesson's claims and the challenge's solution, which no assumption
// binds; 0: no claim has it.
func (s *Session) shortest(c *lessons.Challenge) int {
	best := 0
	for _, claim := range s.lesson.Claims {
		if claim.Ending == search.Breaks && claim.Question.Invariant == c.Goal.Break && (best == 0 || claim.Length < best) {
			best = claim.Length
		}
	}
	if len(c.Solution) > 0 {
		best = min(best, search.Moves(c.Solution))
	}
	return best
}

// searchView is the search for the page. Its findings about the breach appear only while the timeline
// begins with the breach.
func (s *Session) searchView() *ui.Search {
	x := s.searching
	switch {
	case x == nil:
		return &ui.Search{}
	case x.lesson != s.lesson: // edited since: the page offers the same question again
		return &ui.Search{Asked: x.Asked}
	}
	v := x.Search
	v.Question = &x.question
	v.Running = x.running() && x.Verdict == nil
	v.Waits = s.waits()
	v.Finding = x.running() && x.Verdict != nil
	switch {
	case v.Running && x.inquiry.Closer != nil:
		again, first := x.inquiry.Search.Progress(), x.inquiry.Closer.First
		v.Progress, v.Branches, v.Again = first.Progress, first.Branches, &again
	case v.Running:
		v.Progress, v.Branches = x.inquiry.Search.Progress(), x.inquiry.Search.Branches()
	}
	if !x.begins(s.now.choices) {
		v.Played, v.Culprit, v.Late, v.Doubted = false, 0, false, false
	}
	return &v
}
