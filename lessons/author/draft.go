package author

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/lessons/draft"
)

// Draft is a lesson that was made of somebody's scripts, with what searches of all its schedules found.
type Draft struct {
	draft.Lesson
	Found []lessons.Found
	Rules []lessons.Rule // the lesson's own
}

// Each bounds each search of a draft by itself. One that reaches a bound stops, and the next begins.
type Each struct {
	States int
	Within func(context.Context) (context.Context, context.CancelFunc) // bounds the time; nil: it has no bound
}

// Draft makes a lesson of scripts, plays its story and searches its schedules. Its lesson.yaml expects what happened, and
// claims what was found. The error is a fact when the scripts make no lesson.
func (d Reader) Draft(ctx context.Context, folder string, scripts []draft.Script, chosen draft.Chosen, each Each) (Draft, error) {
	for _, script := range scripts {
		if n := len(script.Source); n > decode.MostLua {
			return Draft{}, fact.Of("draft-long", script.File, script.Line, n, decode.MostLua)
		}
	}
	made, err := draft.New(ctx, decode.NameOf(folder), scripts, chosen)
	if err != nil {
		return Draft{}, err
	}
	l, problems := d.Read(folder, made.Files)
	if l == nil {
		return Draft{}, problems
	}
	text, story := l.YAML, &engine.Trace{}
	if report, err := check(ctx, l); err == nil {
		if report.Mistake {
			return Draft{}, fact.Of("draft-not-played", report.Problems[0].Message)
		}
		story = report.Trace
		if filled, _, err := decode.Rewrite(l, l.Unproven(report.Trace)); err == nil {
			text = filled
		}
	}
	found, err := verdicts(ctx, l, each)
	if err != nil {
		return Draft{}, err
	}
	made.Files[0].Text = strings.Replace(text, "\nstory:", "\n"+strings.Join(append(Verdicts(found), "story:"), "\n"), 1) + challenge(found, story)
	if onlyOutlived(found) {
		made.Doubts = append(made.Doubts, fact.Of("draft-outlived"))
	}
	if slices.ContainsFunc(found, func(f lessons.Found) bool { return f.Coarse }) {
		made.Doubts = append(made.Doubts, fact.Of("draft-coarse"))
	}
	return Draft{made, found, l.Rules}, nil
}

const challengeYAML = `
challenge:
  say:
    en: "A search has broken %[2]s in %[3]d moves. Break it, too."
    zh: "搜索用 %[3]d 步就违反了 %[2]s。你也来试试。"
  goal: {break: %[1]s}
  hint: {en: %[4]q, zh: %[5]q}
  solution: [%[6]s]
`

// challenge asks for the first breach that was found and that the story does not show, with its schedule as the solution.
func challenge(found []lessons.Found, story *engine.Trace) string {
	shown := func(rule string) bool {
		return slices.ContainsFunc(story.Steps, func(s engine.Step) bool {
			return slices.ContainsFunc(s.Broken, func(b engine.Violation) bool { return b.Invariant == rule })
		})
	}
	i := slices.IndexFunc(found, func(f lessons.Found) bool {
		return f.Trace != nil && !f.Verdict.Starves() && !shown(f.Verdict.Violation.Invariant)
	})
	if i < 0 {
		return ""
	}
	v, rule := found[i].Verdict, found[i].Verdict.Violation.Invariant
	var moves []string
	hintEn, hintZh := "The search used no fault.", "搜索没有用到任何故障。" // others may do with less: it has not looked for that
	for _, c := range v.Schedule {
		moves = append(moves, c.String())
		if c.Kind.IsFault() {
			hintEn, hintZh = "The search used `"+c.String()+"`.", "搜索用到了 `"+c.String()+"`。"
		}
	}
	return fmt.Sprintf(challengeYAML, rule, "`"+rule+"`", v.Moves(), hintEn, hintZh, strings.Join(moves, ", "))
}

// onlyOutlived tells whether two clients are inside together after a pause, and proven never to be without one.
func onlyOutlived(found []lessons.Found) bool {
	paused := false
	for _, f := range found {
		pauses := f.Question.Bounds.Faults[engine.Pause] > 0
		outlived := f.Verdict.Ending == search.Breaks && f.Verdict.Violation.Invariant == "mutual-exclusion"
		if !pauses && (outlived || f.Verdict.Ending == search.Stops) {
			return false
		}
		paused = paused || outlived
	}
	return paused
}

// late is how late each request may be in one search of a draft: well below its lease, so what breaks is the lock's doing.
const late = 2 * time.Second

// questions are what a draft is searched for: with everybody in time, with requests that are a little late where clients
// may pause, and with one fault of each kind.
func questions(l *lessons.Lesson) []search.Bounds {
	all := []search.Bounds{{}}
	once := l.OneFault()
	if once[engine.Pause] > 0 {
		all = append(all, search.Bounds{Time: search.TimeBound{Late: late}})
	}
	for _, kind := range slices.Sorted(maps.Keys(once)) {
		all = append(all, search.Bounds{Faults: map[engine.ChoiceKind]int{kind: 1}})
	}
	return all
}

// verdicts are what searches find of all questions. When a rule breaks, each of the others is asked by itself: a lock that
// two can be inside of may still be one that nobody else releases.
func verdicts(ctx context.Context, l *lessons.Lesson, each Each) ([]lessons.Found, error) {
	rules := l.Stated()
	if len(rules) == 0 {
		return nil, nil
	}
	var all []lessons.Found
	for _, bounds := range questions(l) {
		bounds.States = each.States
		q := lessons.Question{Bounds: bounds}
		first, err := find(ctx, l, q, each)
		if err != nil {
			return nil, err
		}
		all = append(all, first)
		if first.Verdict.Ending != search.Breaks {
			continue
		}
		for _, q.Invariant = range rules {
			if q.Invariant == first.Verdict.Violation.Invariant {
				continue
			}
			alone, err := find(ctx, l, q, each)
			if err != nil {
				return nil, err
			}
			all = append(all, alone)
		}
	}
	return all, nil
}

// within is the context of one search.
func (e Each) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if e.Within == nil {
		return context.WithCancel(ctx)
	}
	return e.Within(ctx)
}

// find searches a question, looks more closely at what holds, and plays what breaks.
func find(ctx context.Context, l *lessons.Lesson, q lessons.Question, each Each) (lessons.Found, error) {
	nodes := l.Open(lessons.Embedded)
	within, enough := each.within(ctx)
	defer enough()
	v, err := l.Explore(within, nodes, q, nil)
	if err != nil {
		return lessons.Found{}, err
	}
	closer, err := l.Finer(within, nodes, q, v)
	better := closer.Verdict
	f := lessons.Found{Question: q, Verdict: better}
	f.Coarse = better.Ending == search.Holds && closer.Between != nil
	if better.Ending == v.Ending && v.Ending != search.Stops && !f.Coarse {
		f.Claim = Claim(v, q)
	}
	if err != nil || better.Ending != search.Breaks {
		return f, err
	}
	s, err := l.Scenario(nodes)
	if err != nil {
		return lessons.Found{}, err
	}
	_, f.Trace, err = engine.Replay(ctx, s, better.Schedule)
	return f, err
}

// Verdicts are the lines of a lesson that say what was found; none, if nothing was.
func Verdicts(found []lessons.Found) []string {
	var lines []string
	for _, f := range found {
		if f.Claim != "" {
			lines = append(lines, "  - "+f.Claim)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{"verdicts:"}, append(lines, "")...)
}

// Claim is a verdict as a lesson has it.
func Claim(v search.Verdict, q lessons.Question) string {
	var parts []string
	if v.Ending == search.Breaks {
		parts = []string{"breaks: " + cmp.Or(q.Invariant, v.Violation.Invariant), fmt.Sprintf("in: %d", v.Moves())}
	} else {
		parts = []string{"holds: " + cmp.Or(q.Invariant, "all")}
	}
	if q.Bounds.Time != search.Arrive {
		parts = append(parts, "time: "+q.Bounds.Time.String())
	}
	var faults []string
	for _, kind := range slices.Sorted(maps.Keys(q.Bounds.Faults)) {
		faults = append(faults, fmt.Sprintf("%s: %d", kind, q.Bounds.Faults[kind]))
	}
	if len(faults) > 0 {
		parts = append(parts, "faults: {"+strings.Join(faults, ", ")+"}")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
