package ui

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// The storybook is every state that the page can be in, with canned data: what
// the goldens and the screenshots show.

func viewOf(w *world, lang lessons.Lang) View {
	l := lesson()
	v := View{
		Lang: lang, Lesson: l, Catalog: catalog(l), Engine: Embedded,
		Engines: []EngineState{{Kind: Embedded}, {Kind: Redis, Version: "Redis 7.0.15"}},
		Trace:   &w.trace, Pos: len(w.trace.Steps),
		Story: Story{OnStory: true, Total: 6},
	}
	v.Schedule.Lesson = l.Hash
	for _, s := range w.trace.Steps {
		v.Schedule.Choices = append(v.Schedule.Choices, s.Choice)
	}
	return v
}

func offStory(v View, left int) View {
	v.Story = Story{Left: left, Total: 6}
	return v
}

// branchesView has a timeline that broke a rule, one in which the first client crashed
// instead, and one that left the latter.
func branchesView(lang lessons.Lang) View {
	begin := func() *world {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		return w
	}
	here, crashed, later := begin(), begin(), begin()
	here.bIsRefused()
	here.ticks(28 * time.Second)
	here.bBreaksIn()
	crashed.jvm1Crashes()
	crashed.ticks(28 * time.Second)
	later.jvm1Crashes()
	later.bIsRefused()
	v := offStory(viewOf(here, lang), 4)
	v.Branches = []Branch{{Trace: v.Trace}, {ID: 2, Trace: &crashed.trace, From: 2}, {ID: 1, Trace: &later.trace, From: 3, Parent: 1}}
	v.Comparable = v.Engines[1:]
	return v
}

// page is one page of the storybook.
type page struct {
	name string
	view func(lang lessons.Lang) View
}

// claimed is a proof with a finding of each sort.
func claimed() *lessons.Proof {
	at := func(line int) lessons.Place {
		return lessons.Place{File: "01-shop/lesson.yaml", Line: line, Col: 5}
	}
	holds := search.Verdict{Ending: search.Holds}
	breaks := search.Verdict{Ending: search.Breaks, Schedule: make([]engine.Choice, 5), Violation: &engine.Violation{Invariant: "mutual-exclusion"}}
	stops := search.Verdict{Ending: search.Stops, Stopped: search.StatesBound, Progress: search.Progress{Depth: 9}}
	question := lessons.Question{Invariant: "mutual-exclusion"}
	return &lessons.Proof{At: 6, Findings: []lessons.Finding{
		{Claim: lessons.Claim{Ending: search.Holds, Place: at(20)}, Verdict: holds},
		{Claim: lessons.Claim{Ending: search.Holds, Place: at(21)}, Verdict: breaks},
		{Claim: lessons.Claim{Ending: search.Breaks, Length: 4, Place: at(22)}, Verdict: stops},
		{Claim: lessons.Claim{Ending: search.Breaks, Length: 4, Place: at(23)}, Verdict: holds},
		{Claim: lessons.Claim{Ending: search.Holds, Place: at(24)}, Failed: errors.New("a program fails")},
		{Claim: lessons.Claim{Ending: search.Holds, Question: question, Place: at(31)}, Challenge: 1, Verdict: breaks},
		{Claim: lessons.Claim{Ending: search.Holds, Question: question, Place: at(41)}, Challenge: 2},
	}}
}

// triedBranches are those of a search of two clients.
func triedBranches(found bool) []search.Branch {
	run := func(who string) engine.Choice { return engine.Choice{Kind: engine.Run, Target: who} }
	tick := engine.Choice{Kind: engine.Tick}
	return []search.Branch{
		{Choice: run("A"), Levels: []int{1, 3, 9, 4}, Found: found, Branches: []search.Branch{
			{Choice: run("B"), Levels: []int{1, 7, 4}},
			{Choice: engine.Choice{Kind: engine.Crash, Target: "jvm-1"}, Levels: []int{1}},
			{Choice: tick, Passed: 2 * time.Second, Levels: []int{1, 2}, Found: found},
		}},
		{Choice: run("B"), Levels: []int{1, 1, 2}, Branches: []search.Branch{{Choice: run("A"), Levels: []int{1, 2}}}},
		{Choice: tick, Passed: 10 * time.Second, Levels: []int{1}},
	}
}

// rulesFound are the rules of a lesson, after a search of the first.
func rulesFound(v View) Rules {
	name := v.Lesson.RuleNames()[0]
	return Rules{Lesson: v.Lesson, Search: &Search{Asked: AskRule + name, Question: &lessons.Question{Invariant: name}, Verdict: &search.Verdict{Ending: search.Holds}}}
}

var storybook = []page{
	{"start", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Story.Beats, v.Story.Next = []int{0}, &engine.Choice{Kind: engine.Run, Target: "A"}
		return v
	}},
	{"written", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Author = &Author{Draft: true, Proof: ProofPanel(lang, nil, false, false, Rules{})}
		return v
	}},
	{"proving", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		p := claimed()
		p.At = 1
		v.Author = &Author{Draft: true, Proof: ProofPanel(lang, p, true, false, Rules{})}
		return v
	}},
	{"proven", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Author = &Author{Draft: true, Proof: ProofPanel(lang, claimed(), false, false, rulesFound(v))}
		return v
	}},
	{"searching", func(lang lessons.Lang) View {
		v := offStory(viewOf(newWorld(), lang), 1)
		v.Search = &Search{Asked: "any", Question: &lessons.Question{}, Running: true, Progress: search.Progress{States: 12_000, Depth: 9}, Branches: triedBranches(false)}
		return v
	}},
	{"found", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		v := offStory(viewOf(w, lang), 1)
		v.Search = &Search{
			Asked: "any", Question: &lessons.Question{Bounds: search.Bounds{Time: search.AnyLate, Faults: map[engine.ChoiceKind]int{engine.Pause: 1}}},
			Verdict: &search.Verdict{
				Ending: search.Breaks, Schedule: v.Schedule.Choices, Violation: &engine.Violation{Invariant: "mutual-exclusion"},
				Progress: search.Progress{States: 17, Depth: 2}, Levels: []int{1, 4, 12}, Branches: triedBranches(true),
			},
			Played: true, Forked: true, Culprit: 2, Late: true, Yours: 9,
		}
		return v
	}},
	{"it holds", func(lang lessons.Lang) View {
		v := offStory(viewOf(newWorld(), lang), 1)
		v.Search = &Search{
			Asked: "arrive", Question: &lessons.Question{},
			Verdict: &search.Verdict{Ending: search.Holds, Progress: search.Progress{States: 38, Depth: 8}, Levels: []int{1, 3, 9, 12, 8, 5}, Branches: triedBranches(false)},
		}
		return v
	}},
	{"not decided", func(lang lessons.Lang) View {
		v := offStory(viewOf(newWorld(), lang), 1)
		v.Search = &Search{
			Asked: "arrive", Question: &lessons.Question{},
			Verdict: &search.Verdict{Ending: search.Stops, Stopped: search.StatesBound, Progress: search.Progress{States: 38, Depth: 8}, Levels: []int{1, 3, 9, 12, 8, 5}},
		}
		return v
	}},
	{"prediction", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		v := viewOf(w, lang)
		v.Story.Beats, v.Story.Next = []int{2}, &engine.Choice{Kind: engine.Run, Target: "B"}
		v.Prediction = &Prediction{Beat: 2}
		return v
	}},
	{"waiter", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		v := viewOf(w, lang)
		v.Story.Beats, v.Story.Next = []int{3}, &engine.Choice{Kind: engine.Run, Target: "B"}
		v.Prediction = &Prediction{Beat: 2, Given: "0", Graded: true, Expected: "28000"}
		return v
	}},
	{"released", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.bSubscribes()
		w.ticks(18 * time.Second)
		w.aReleases()
		v := viewOf(w, lang)
		v.Story.Done = true
		v.Challenge = &Challenge{Hint: true}
		v.Prediction = &Prediction{Beat: 2, Given: "28000", Graded: true, Right: true, Expected: "28000"}
		return v
	}},
	{"broken and told", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(30 * time.Second)
		w.bBreaksIn()
		v := viewOf(w, lang)
		v.Catalog = []*lessons.Lesson{v.Lesson} // the last one
		v.Story.Done, v.Story.Asked, v.Story.Right = true, 3, 2
		v.Challenge = &Challenge{Shortest: 3}
		return v
	}},
	{"crashed", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.jvm1Crashes()
		return offStory(viewOf(w, lang), 4)
	}},
	{"expired", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.jvm1Crashes()
		w.ticks(28 * time.Second)
		return offStory(viewOf(w, lang), 3)
	}},
	{"broken", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.ticks(28 * time.Second)
		w.bBreaksIn()
		v := offStory(viewOf(w, lang), 4)
		v.Challenge = &Challenge{}
		return v
	}},
	{"branches", branchesView},
	{"beside", func(lang lessons.Lang) View {
		v := branchesView(lang)
		v.Compared = &Compared{Branch: 2, Engine: v.Engines[0], Trace: v.Branches[1].Trace, Same: 2}
		return v
	}},
	{"beside an engine", func(lang lessons.Lang) View {
		v := branchesView(lang)
		stops := engine.Choice{Kind: engine.Run, Target: "B"}
		there := v.Trace.Cut(3)
		v.Compared = &Compared{Engine: v.Engines[1], Trace: &there, Same: 3, Stopped: &engine.NotEnabledError{Choice: stops, Reason: fact.Of("done")}}
		return v
	}},
	{"fair", fairView},
	{"inside the fair lock", insideView(7)},
	{"inside a call", insideView(6)},
	{"inside after a gap", insideView(5)},
	{"inside a failed call", insideView(8)},
	{"the watchdog's code", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(10 * time.Second)
		v := viewOf(w, lang)
		v.Thread = "A:watchdog"
		v.Story.Beats = []int{3}
		return v
	}},
	{"a waiter's code", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.bSubscribes()
		v := viewOf(w, lang)
		v.Story.Beats = []int{3}
		return v
	}},
	{"on a client's line", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		v := viewOf(w, lang)
		v.Trace.Steps[2].Ran = []engine.Ran{
			{Actor: "B", At: at(func() engine.Frame {
				f := inAcquire("B")
				f.Line, f.Locals = 7, append(f.Locals, engine.Local{Name: "ttl", Value: "28000"})
				return f
			}(), inLock(22, ""), inProgram("B", 1))},
			{Actor: "B", At: at(inLock(23, "28000"), inProgram("B", 1))},
			{Actor: "B", At: at(inLock(24, "28000"), inProgram("B", 1))},
		}
		v.ClientLine = 2
		v.Story.Beats = []int{3}
		return v
	}},
	{"overflow", overflowView},
	{"five nodes", fiveNodes},
	{"znodes", znodes.view},
	{"znodes beside a real Redis", func(lang lessons.Lang) View {
		v := znodes.view(lang)
		v.Engine = Redis
		return v
	}},
	{"deadlock", deadlock.view},
	{"redlock", redlock.view},
	{"past", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.bSubscribes()
		w.ticks(18 * time.Second)
		w.aReleases()
		v := viewOf(w, lang)
		v.Pos = 3
		left := newWorld()
		left.aLocks()
		left.ticks(2 * time.Second)
		left.jvm1Crashes()
		v.Branches = []Branch{{Trace: v.Trace}, {ID: 1, Trace: &left.trace, From: 2}}
		v.Story.Beats = []int{3}
		return v
	}},
	{"unavailable", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Engines[1] = EngineState{Kind: Redis, Reason: "no redis-server was found on PATH: install it, or start the playground with --redis-url"}
		v.Story.Beats, v.Story.Next = []int{0}, &engine.Choice{Kind: engine.Run, Target: "A"}
		v.Notice = &Notice{Kind: NoticeError, Text: "The engine could not be switched: no redis-server was found on PATH: install it, or start the playground with --redis-url."}
		return v
	}},
	{"differs", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		v := viewOf(w, lang)
		v.Engine = Redis
		v.Notice = &Notice{Kind: NoticeDiffers, Step: 1, Text: "This engine answers differently at step 1."}
		v.Story.Beats, v.Story.Next = []int{2}, &engine.Choice{Kind: engine.Run, Target: "B"}
		v.Playing = true
		return v
	}},
	{"edited", editedView},
	{"edited and stuck", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		v := viewOf(w, lang)
		v.Edits = &Edits{
			Parts: []lessons.Part{{Kind: lessons.ClientPart, Name: "redisson"}}, Differs: 2,
			NotHere: &engine.NotEnabledError{Choice: engine.Choice{Kind: engine.Run, Target: "B"}, Reason: fact.Of(engine.ReasonFailed, "boom")},
		}
		return v
	}},
}

// editedView is the story with an unlock script that forgets to ask whose lock it is.
func editedView(lang lessons.Lang) View {
	play := func(edited bool) *world {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		if edited {
			w.bBreaksIn()
		} else {
			w.bIsRefused()
		}
		return w
	}
	w, there := play(true), play(false)
	v := viewOf(w, lang)
	v.Edits = &Edits{
		Parts:   []lessons.Part{{Kind: lessons.ScriptPart, Name: "lock"}, {Kind: lessons.ProgramPart, Name: "A"}},
		Offered: []lessons.Part{{Kind: lessons.ScriptPart, Name: "unlock"}},
		Differs: 3, There: &there.trace.Steps[2], Shown: &there.trace.Steps[2],
	}
	v.Branches = []Branch{{Trace: v.Trace}, {ID: 1, Trace: &there.trace, From: 3, Edited: true}}
	v.Story.Failed = []lessons.Unmet{
		{What: fact.Of("reply"), Want: fact.Text("28000"), Got: fact.Text("nil")},
		{What: fact.Of("key", "anyLock"), Want: fact.Of("exists"), Got: fact.Of("no-such-key")},
		{What: fact.Of("broken"), Want: fact.Of("nothing"), Got: fact.Text(fact.List{fact.Of("broken-how", lessons.RuleName("mutual-exclusion"), fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "anyLock"))})},
	}
	return v
}

func fairView(lang lessons.Lang) View {
	w := newWorld()
	w.trace.Start.Actors = append(w.trace.Start.Actors, engine.ActorState{Name: "C", Process: "jvm-3", Status: engine.Ready, Next: lockCall("C"), Until: engine.NoDeadline})
	w.snap.Actors = slices.Clone(w.trace.Start.Actors)
	w.aLocks()
	queue := func(who ...string) engine.Key {
		k := engine.Key{Name: "redisson_lock_queue:{anyLock}", Type: engine.ListKey, Deadline: engine.NoDeadline}
		for _, o := range who {
			k.Items = append(k.Items, engine.Item{Value: "8743c9c0:" + o})
		}
		return k
	}
	scores := func(pairs ...string) engine.Key {
		k := hash("redisson_lock_timeout:{anyLock}", engine.NoDeadline, pairs...)
		k.Type = engine.ZSetKey
		return k
	}
	enqueue := func(who, wait string, keys ...engine.Key) {
		w.step("run "+who, func(s *engine.Step, after *engine.Snapshot) {
			s.Reply = new(reply.OfBulk(wait))
			s.Notes = []engine.Note{{Actor: who, Kind: engine.NoteRefused, Text: "anyLock"}, {Actor: who, Kind: engine.NoteWant, Text: "anyLock"}}
			after.Nodes[0].Keys = append([]engine.Key{after.Nodes[0].Keys[0]}, keys...)
			actorOf(after, who).Wants = []string{"anyLock"}
		})
	}
	w.ticks(10 * time.Second)
	enqueue("B", "20000", queue("B"), scores("8743c9c0:B", "1700000035000"))
	w.ticks(5 * time.Second)
	enqueue("C", "15000", queue("B", "C"), scores("8743c9c0:B", "1700000035000", "8743c9c0:C", "1700000040000"))
	w.step("run C", func(s *engine.Step, after *engine.Snapshot) {
		s.Reply = new(reply.OfInt(10000))
		s.Notes = []engine.Note{{Actor: "C", Kind: engine.NoteRefused, Text: "anyLock"}}
		after.Nodes[0].Keys = append([]engine.Key{after.Nodes[0].Keys[0]}, queue("C"), scores("8743c9c0:C", "1700000035000"))
	})
	v := viewOf(w, lang)
	v.Lesson.Actors = append(v.Lesson.Actors, lessons.Actor{Name: "C", Process: "jvm-3", Program: programLua})
	v.Story.Beats = []int{3}
	return v
}

const fairLua = `while true do
  local first = redis.call('lindex', KEYS[2], 0);
  if first == false then break; end;
  local timeout = redis.call('zscore', KEYS[3], first);
  redis.call('lpop', KEYS[2]);
end;
`

// insideView stands on one of the lines of the last step of the fair lock.
func insideView(at int) func(lessons.Lang) View {
	return func(lang lessons.Lang) View {
		v := fairView(lang)
		step := &v.Trace.Steps[len(v.Trace.Steps)-1]
		before := v.Trace.At(v.Pos - 1).Nodes[0].Keys
		popped := []engine.Key{before[0], step.After.Nodes[0].Keys[1], before[2]}
		first := engine.Local{Name: "first", Value: `"8743c9c0:B"`}
		next := engine.Local{Name: "first", Value: `"8743c9c0:C"`}
		score := engine.Local{Name: "timeout", Value: "1700000035000"}
		step.Inside = &engine.Inside{
			Shown: fairLua, Before: before, Total: 9988,
			Lines: []engine.Line{
				{N: 1, Line: 1, Passes: []int{0}, Keys: before},
				{N: 2, Line: 2, Passes: []int{1}, Keys: before},
				{N: 3, Line: 2, Passes: []int{1}, Keys: before, Call: &engine.Call{Args: []string{`"lindex"`, `"redisson_lock_queue:{anyLock}"`, "0"}, Reply: `"8743c9c0:B"`}},
				{N: 4, Line: 3, Passes: []int{1}, Keys: before, Locals: []engine.Local{first}},
				{N: 9985, Line: 5, Passes: []int{713}, Keys: before, Locals: []engine.Local{next, score}},
				{N: 9986, Line: 5, Passes: []int{713}, Keys: popped, Call: &engine.Call{Args: []string{`"lpop"`, `"redisson_lock_queue:{anyLock}"`}, Reply: `"8743c9c0:B"`}},
				{N: 9987, Line: 3, Passes: []int{714}, Keys: popped, Locals: []engine.Local{next}},
				{N: 9988, Line: 4, Passes: []int{714}, Keys: popped, Call: &engine.Call{Args: []string{`"zscore"`, `"anyLock"`, `"8743c9c0:C"`}, Reply: "WRONGTYPE Operation against a key holding the wrong kind of value", Failed: true}},
			},
		}
		v.Line = at
		return v
	}
}

func overflowView(lang lessons.Lang) View {
	w := newWorld()
	long := strings.Repeat("order-service:inventory:", 6) + "<script>alert(1)</script>"
	for range 9 {
		w.aLocks()
		w.snap.Actors = slices.Clone(w.trace.Start.Actors)
	}
	w.step("run A", func(s *engine.Step, after *engine.Snapshot) {
		s.Reply = new(reply.OfError("WRONGTYPE Operation against a key holding the wrong kind of value " + long))
		k := engine.Key{Name: long, Type: engine.StringKey, Text: strings.Repeat("0123456789abcdef", 20), Deadline: 36 * time.Hour}
		empty := engine.Key{Name: "empty", Type: engine.StringKey, Deadline: engine.NoDeadline}
		h := hash("anyLock", 30*time.Second)
		for i := range 12 {
			h.Items = append(h.Items, engine.Item{Name: strings.Repeat("field", i+1), Value: strings.Repeat("9", 3*i+1)})
		}
		set := engine.Key{Name: "members", Type: engine.SetKey, Deadline: 90 * time.Minute}
		for i := range 9 {
			set.Items = append(set.Items, engine.Item{Name: strings.Repeat("m", i+1)})
		}
		after.Nodes[0].Keys = []engine.Key{h, empty, set, k}
		slices.SortFunc(after.Nodes[0].Keys, func(a, b engine.Key) int { return strings.Compare(a.Name, b.Name) })
		a := actorOf(after, "A")
		a.Position = at(engine.Frame{Chunk: "A", Line: 1, Locals: []engine.Local{{Name: strings.Repeat("name", 20), Value: strconv.Quote(long)}, {Name: "x", Value: "nil"}}})
		a.Status, a.Next, a.Failure = engine.Failed, nil, fact.Text("lesson.yaml:12: attempt to index a nil value (global 'lokc') "+long)
		actorOf(after, "B").Next = engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"set", long, long, "nx"}}}
	})
	return offStory(viewOf(w, lang), 2)
}
