package player

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lockstep/engine"
	"lockstep/engine/quota"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/ui"
)

// onLesson is a session that has a built-in lesson open.
func onLesson(t *testing.T, name string) *Session {
	t.Helper()
	p := &Playground{Catalog: NewCatalog(builtIn(t)), Engines: []Engine{Embedded{}}}
	s := p.NewSession("search")
	if err := s.Load(t.Context(), Place{Lesson: name}); err != nil {
		t.Fatal(err)
	}
	return s
}

func tell(t *testing.T, s *Session, command string) {
	t.Helper()
	for _, m := range s.Handle(t.Context(), []byte(`{"v":1,"id":1,`+command+`}`)) {
		if m.Reply != nil && !m.OK {
			t.Fatalf("%s: %v", command, m.Err)
		}
	}
}

// toTheEnd lets a search go on as the server and the worker do.
func toTheEnd(t *testing.T, s *Session) *ui.Search {
	t.Helper()
	for range 1000 {
		if s.Hz() == 0 {
			return s.View().Search
		}
		s.Advance(context.Background())
	}
	t.Fatal("the search does not end")
	return nil
}

func TestASearchFindsTheShortestBreak(t *testing.T) {
	s := onLesson(t, "compare-and-delete")
	tell(t, s, `"op":"choose","choice":"run B"`)
	tell(t, s, `"op":"search","text":"arrive,faults"`)
	if v := s.View().Search; !v.Running {
		t.Fatal("it does not run")
	}
	v := toTheEnd(t, s)
	if v.Verdict == nil || v.Verdict.Ending != search.Breaks || len(v.Verdict.Schedule) != 4 || !v.Played {
		t.Fatalf("%+v", v)
	}
	if n := s.now.len(); n != 4 || len(s.now.trace.Steps[3].Broken) == 0 {
		t.Errorf("the timeline has %d steps, and the last breaks %v", n, s.now.trace.Steps[n-1].Broken)
	}
	if c := s.now.choices[v.Culprit-1]; c.Kind != engine.Pause || v.Late {
		t.Errorf("what made it possible is %v", c)
	}
	if len(s.branches) != 1 || s.branches[0].len() != 1 || !v.Forked {
		t.Error("the learner's own timeline is lost")
	}
	tell(t, s, `"op":"choose","choice":"run C"`)
	if v := s.View().Search; !v.Played {
		t.Error("who goes on no longer sees what made it possible")
	}
	if c := s.View().Challenge; c != nil && c.Won > 0 && !c.Shown {
		t.Error("what the search has found counts as the learner's")
	}
}

// Who looks at an earlier step while a search runs does not end it, nor what is found out about
// the break; who makes a step does.
func TestWhoLooksLeavesASearchRunning(t *testing.T) {
	s := onLesson(t, "compare-and-delete")
	tell(t, s, `"op":"choose","choice":"run B"`)
	tell(t, s, `"op":"search","text":"arrive,faults"`)
	tell(t, s, `"op":"step","n":-1`)
	if v := s.View().Search; !v.Running || s.now.pos != 0 {
		t.Fatal("a step back calls it off")
	}
	for s.View().Search.Running {
		s.Advance(t.Context())
	}
	tell(t, s, `"op":"seek","pos":1`)
	if v := toTheEnd(t, s); v.Culprit == 0 {
		t.Error("what made it possible is not found out")
	}
	tell(t, s, `"op":"search","text":"any"`)
	tell(t, s, `"op":"choose","choice":"run C"`)
	if v := s.View().Search; v.Running {
		t.Error("it runs on behind a step that was made")
	}
}

// What is found again is no second timeline.
func TestTheSameSearchTwiceLeavesNoBranch(t *testing.T) {
	s := onLesson(t, "compare-and-delete")
	for range 2 {
		tell(t, s, `"op":"search","text":"arrive,faults"`)
		toTheEnd(t, s)
	}
	if n := len(s.branches); n != 0 {
		t.Errorf("there are %d branches", n)
	}
}

// What breaks is told with how little is enough for it.
func TestASearchTellsTheWeakestAssumption(t *testing.T) {
	s := onLesson(t, "compare-and-delete")
	tell(t, s, `"op":"search","text":"any,faults"`)
	v := toTheEnd(t, s)
	if v.Weakest == nil || v.Finding {
		t.Fatal("it is not told")
	}
	if v.Culprit != 0 || !v.Doubted {
		t.Errorf("step %d is blamed, and it breaks without that, too", v.Culprit)
	}
	for lang, want := range map[lessons.Lang]string{
		lessons.En: "Enough to break it: delays of any length; or one pause and clients that begin at any time. It holds with no fault, if nobody is late; or if all begin at once and nobody is late. With more stops of the clock, not all of that was searched.",
		lessons.Zh: "下列任一情况就足以违反规则：任意长的拖延；一次暂停，加上客户端在任意时刻开始。下列任一情况下规则都成立：没有故障，谁都不拖延；所有客户端同时开始且谁都不拖延。让时钟停得更密，这一结论还没有全部搜完。",
	} {
		if got := ui.WeakestText(lang, v.Weakest); got != want {
			t.Errorf("%s", got)
		}
	}
}

// What holds without a step is searched for as far as the break was: what is enough for that is told as such.
func TestASearchBlamesAsFarAsItLooked(t *testing.T) {
	s := onLesson(t, "dead-waiter")
	one := *s.lesson
	one.Invariants, one.Rules = []string{"no-idle-wait"}, nil
	s.lesson = &one
	tell(t, s, `"op":"search","text":"any"`)
	v := toTheEnd(t, s)
	want := "Enough to break it: clients that begin at any time. It holds if all begin at once and nobody is late."
	if got := ui.WeakestText(lessons.En, v.Weakest); !v.Doubted || got != want {
		t.Errorf("step %d is blamed, all doubts are gone: %v, and it tells %s", v.Culprit, v.Doubted, got)
	}
}

// No step is blamed without which it breaks where the clock stops more often: here a client begins between two seconds.
func TestASearchLooksCloserAtWhatItBlames(t *testing.T) {
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(`title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
resolution: 1s
given: {k: {value: "1", ttl: 2s}}
scripts: {after: {source: "if redis.call('exists', KEYS[1]) == 1 then redis.call('set', KEYS[2], 1, 'px', 2000) end"}}
actors:
  A: {process: p1, program: 'redis.eval("after", {"k", "j"})'}
  B: {process: p2, program: 'redis.call("PING")'}
faults: [crash p2]
invariants: [{name: together, lua: '(not exists("j") or exists("k")) and status("B") ~= "crashed"'}]
story: [{run: A}]
`)}}, "01-x")
	if l == nil {
		t.Fatal(err)
	}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}}
	s := p.NewSession("search")
	if err := s.Load(t.Context(), Place{Lesson: "x"}); err != nil {
		t.Fatal(err)
	}
	tell(t, s, `"op":"search","text":"arrive,faults"`)
	if v := toTheEnd(t, s); v.Verdict.Moves() != 1 || v.Culprit != 0 || !v.Doubted {
		t.Errorf("after %d moves, step %d is blamed", v.Verdict.Moves(), v.Culprit)
	}
}

func TestASearchTellsThatLatenessBreaksIt(t *testing.T) {
	s := onLesson(t, "reentrant-lock")
	tell(t, s, `"op":"search","text":"any"`)
	v := toTheEnd(t, s)
	if !v.Late || s.now.choices[v.Culprit-1].Kind != engine.Tick {
		t.Errorf("the step that made it possible is %d of %v, late %v", v.Culprit, s.now.choices, v.Late)
	}
}

func TestASearchComparesWithTheLearnersWay(t *testing.T) {
	s := onLesson(t, "reentrant-lock")
	for _, c := range []string{"run A", "run B", "tick 15s", "tick 15s", "run B"} {
		tell(t, s, fmt.Sprintf(`"op":"choose","choice":%q`, c))
	}
	tell(t, s, `"op":"search","text":"any"`)
	if v := toTheEnd(t, s); v.Yours != 4 || v.Told || len(v.Verdict.Schedule) != 3 {
		t.Errorf("the learner's way has %d moves, and the shortest %d", v.Yours, len(v.Verdict.Schedule))
	}
	tell(t, s, `"op":"search","text":"any"`)
	if v := toTheEnd(t, s); v.Yours != 0 {
		t.Errorf("the moves that a search has played are the learner's own way of %d", v.Yours)
	}
}

// Where a lesson asks whether anybody can wait for ever, the page does, and plays one round of
// the loop on which somebody does.
func TestASearchFindsWhoStarves(t *testing.T) {
	var starving lessons.Lesson
	for _, l := range builtIn(t) {
		if l.Name == "set-nx" {
			starving = *l
		}
	}
	const greedy = `while true do if redis.call("SET", "lock", me, "NX") then sleep("3s") redis.call("DEL", "lock") end sleep("1s") end`
	const patient = `redis.call("GET", "x") want("lock") while not redis.call("SET", "lock", me, "NX") do sleep("4s") end enter("lock") leave("lock")`
	starving.Actors = []lessons.Actor{{Name: "A", Process: "app-1", Program: greedy}, {Name: "B", Process: "app-2", Program: patient}}
	starving.Story, starving.Challenges, starving.Faults = nil, nil, nil
	starving.Claims = []lessons.Claim{{Ending: search.Breaks, Question: lessons.Question{Invariant: "nobody-starves"}}}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{&starving}), Engines: []Engine{Embedded{}}}
	s := p.NewSession("search")
	if err := s.Load(t.Context(), Place{Lesson: "set-nx"}); err != nil {
		t.Fatal(err)
	}
	tell(t, s, `"op":"search","text":"starve"`)
	v := toTheEnd(t, s)
	if v.Verdict == nil || !v.Verdict.Starves() || v.Verdict.Loop != 5 || !v.Played || s.now.len() != 7 {
		t.Fatalf("%+v", v.Verdict)
	}
	if text := ui.SearchSentence(lessons.En, v); text != `B can wait for "lock" for ever: steps 3 to 7 can go round and round.` {
		t.Error(text)
	}
}

func TestASearchTellsThatALessonHolds(t *testing.T) {
	s := onLesson(t, "reentrant-lock")
	tell(t, s, `"op":"search","text":"arrive"`)
	said := ""
	for s.Hz() != 0 {
		for _, m := range s.Advance(t.Context()) {
			if m.Frame != nil {
				said = m.Say
				tell(t, s, fmt.Sprintf(`"op":"ack","rev":%d`, m.Rev))
			}
		}
	}
	v := s.View().Search
	if v.Verdict.Ending != search.Holds || v.Played || s.now.len() != 0 {
		t.Errorf("%+v", v)
	}
	if said == "" || said != ui.SearchSentence(lessons.En, v) {
		t.Errorf("who listens is told %q", said)
	}
}

// What holds where the clock stops only where something is due is looked at again with more stops: ShedLock's first
// lock is already over when it is taken by a client that looked at its clock long before.
func TestASearchLooksCloserAtWhatHolds(t *testing.T) {
	s := onLesson(t, "shedlock")
	bare := *s.lesson
	bare.Claims, bare.Faults = nil, nil
	s.lesson = &bare
	tell(t, s, `"op":"search","text":"`+ui.AskRule+`mutual-exclusion"`)
	for s.searching.running() {
		s.Advance(t.Context())
	}
	v := s.View().Search
	if v.Verdict.Ending != search.Breaks || v.Verdict.Idle != 2 || !v.Played || len(v.Verdict.Schedule) != 7 {
		t.Errorf("%+v", v.Verdict)
	}
}

// Whoever stops a search while it looks closer keeps what has been found before.
func TestAStoppedCloserLookStillHolds(t *testing.T) {
	s := onLesson(t, "wait-ignored")
	tell(t, s, `"op":"search","text":"arrive"`)
	for s.searching.inquiry.Closer == nil {
		s.Advance(t.Context())
	}
	states := s.searching.inquiry.Closer.Verdict.States
	tell(t, s, `"op":"pause"`)
	if v := s.View().Search; v.Running || v.Verdict == nil || v.Verdict.Ending != search.Holds || v.Verdict.States != states || !v.Coarse {
		t.Errorf("%+v", v.Verdict)
	}
}

// A search that has time looks at many states before the page hears of it, and one that has none at
// a few.
func TestASearchGoesOnAsLongAsThereIsTime(t *testing.T) {
	beats := func(now func() time.Time) int {
		s := onLesson(t, "redlock-clock")
		if now != nil {
			s.Now, s.SearchTime = now, time.Minute
		}
		tell(t, s, `"op":"search","text":"arrive,faults"`)
		n := 0
		for ; s.searching.Verdict == nil; n++ {
			s.Advance(t.Context())
		}
		return n
	}
	if n := beats(func() time.Time { return time.Time{} }); n != 1 {
		t.Errorf("with time for all, the page is told %d times before it breaks", n)
	}
	if n := beats(nil); n < 4 {
		t.Errorf("with time for nothing, the page is told %d times before it breaks", n)
	}
	upTo := func(stands int) int {
		asked := 0
		return beats(func() time.Time {
			if asked++; asked <= stands {
				return time.Time{}
			}
			return time.Time{}.Add(time.Duration(asked) * time.Hour)
		})
	}
	some, none := upTo(3), upTo(0) // when it began, and at two looks
	if some != none-2 {
		t.Errorf("with time for two looks more, the page is told %d times, and without %d times", some, none)
	}
	if without := beats(nil); none <= without { // states may take long
		t.Errorf("when each look at the clock is late, the page is told %d times, and without a clock %d times", none, without)
	}
}

func TestWhoActsCallsASearchOff(t *testing.T) {
	s := onLesson(t, "trylock-exits")
	for _, act := range []string{`"op":"pause"`, `"op":"step","n":1`} {
		tell(t, s, `"op":"search","text":"arrive"`)
		s.Advance(t.Context())
		tell(t, s, act)
		v := s.View().Search
		if v.Running || s.Hz() != 0 || v.Verdict == nil || v.Verdict.Stopped != search.CalledOff {
			t.Errorf("after %s: %+v", act, v)
		}
	}
	if s.now.len() != 1 {
		t.Errorf("the step was not made: %d", s.now.len())
	}
}

// What a search keeps of clients is part of the memory that is booked for it.
func TestASearchKeepsFewClientsRunning(t *testing.T) {
	s := onLesson(t, "fair-lock")
	tell(t, s, `"op":"search","text":"arrive"`)
	most := 0
	for range 6 {
		s.Advance(t.Context())
		if x := s.searching; x.running() {
			most = max(most, x.inquiry.Search.Progress().Casts)
		}
	}
	if most < searchCasts/2 || most > searchCasts {
		t.Errorf("it has kept %d, and may keep %d", most, searchCasts)
	}
}

func TestASearchWaitsForMemory(t *testing.T) {
	pool := quota.New(2*searchMemory, 0)
	others, s := pool.Share(), onLesson(t, "set-nx")
	others.Set(2*searchMemory, false)
	s.memory = pool.Share()
	tell(t, s, `"op":"search","text":"arrive"`)
	for range 3 {
		s.Advance(t.Context())
	}
	if v := s.View().Search; !v.Running || !v.Waits || s.Hz() == 0 {
		t.Errorf("without memory it does not wait: %+v", v)
	}
	tell(t, s, `"op":"pause"`)
	if others.Wanted() || pool.Used() > 2*searchMemory+1<<20 {
		t.Error("a search that was called off waits for memory")
	}
	tell(t, s, `"op":"search","text":"arrive"`)
	if !others.Wanted() {
		t.Error("nobody hears that it waits")
	}
	others.Set(0, false)
	s.Advance(t.Context())
	if v := s.View().Search; v.Waits || others.Wanted() {
		t.Error("it waits for memory that is there")
	}
	if v := toTheEnd(t, s); v.Verdict == nil || v.Verdict.Ending != search.Breaks {
		t.Errorf("with memory it finds %+v", v)
	}
}

// Or a few that take minutes would keep everybody else from searching.
func TestALongSearchLeavesItsMemoryToThoseThatWait(t *testing.T) {
	pool := quota.New(2*searchMemory, 0)
	others, s := pool.Share(), onLesson(t, "fair-lock")
	s.memory = pool.Share()
	tell(t, s, `"op":"search","text":"arrive"`)
	s.Advance(t.Context())
	others.Set(0, true)
	for range 3 {
		s.Advance(t.Context())
	}
	if !s.View().Search.Running {
		t.Fatal("it does not get its time")
	}
	s.room.slices = fairSlices
	v := toTheEnd(t, s)
	if v.Verdict == nil || v.Verdict.Ending != search.Stops || v.Verdict.Stopped != search.BytesBound {
		t.Errorf("it goes on to %+v", v.Verdict)
	}
}

func TestASearchMustBeOneThatThereIs(t *testing.T) {
	s := onLesson(t, "set-nx")
	for _, text := range []string{"soon", "repair,faults", "", "starve"} {
		for _, m := range s.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"id":1,"op":"search","text":%q}`, text)) {
			if m.Reply != nil && m.OK {
				t.Errorf("it searches for %q", text)
			}
		}
	}
}

func TestDoingNothingIsNoRepair(t *testing.T) {
	s := onLesson(t, "eval")
	tell(t, s, fmt.Sprintf(`"op":"seek","pos":%d`, len(s.storySteps.choices)))
	tell(t, s, `"op":"edit","part":"script:rename","source":"return nil"`)
	tell(t, s, `"op":"search","text":"repair"`)
	v := toTheEnd(t, s)
	if v.Verdict.Ending != search.Holds || s.View().Challenge.Repaired {
		t.Errorf("%+v", v)
	}
	if says := ui.SearchSentence(lessons.En, v); !strings.Contains(says, `name == "Mia" can never become true`) {
		t.Errorf("it says %q", says)
	}
}

func TestARepairIsAcceptedWhenItHolds(t *testing.T) {
	s := onLesson(t, "set-nx")
	story := len(s.storySteps.choices)
	tell(t, s, fmt.Sprintf(`"op":"seek","pos":%d`, story))
	tell(t, s, `"op":"next-challenge"`)
	edit := func(program string) {
		t.Helper()
		tell(t, s, fmt.Sprintf(`"op":"edit","part":"program:A","source":%q`, program))
		tell(t, s, `"op":"search","text":"repair"`)
	}

	tell(t, s, `"op":"search","text":"repair"`)
	if v := toTheEnd(t, s); v.Verdict.Ending != search.Breaks || !v.Played || s.View().Challenge.Repaired {
		t.Errorf("the lesson as it is: %+v", v)
	}
	edit(`redis.call("GET", "lock")`)
	if v := toTheEnd(t, s); v.Verdict.Ending != search.Holds || len(v.Lost) == 0 || s.View().Challenge.Repaired {
		t.Errorf("who no longer locks has repaired nothing: %+v", v)
	}
	tell(t, s, `"op":"search","text":"any"`)
	toTheEnd(t, s)
	tell(t, s, `"op":"edit","part":"program:A","source":"-- nothing"`)
	if v := s.View().Search; v.Asked != "any" || v.Question != nil {
		t.Errorf("after an edit the page offers %q, and what it found is %+v", v.Asked, v.Question)
	}
	edit(`if trylock("lock", 20) then work("12s") unlock("lock") end error("too late")`)
	if v := toTheEnd(t, s); v.Verdict.Ending != search.Holds || len(v.Lost) == 0 || v.Lost[0].Name != search.Fails || s.View().Challenge.Repaired {
		t.Errorf("whose program breaks off has repaired nothing: %+v", v)
	}
	tell(t, s, `"op":"search","text":"arrive"`)
	if v := toTheEnd(t, s); len(v.Lost) == 0 {
		t.Error("a search of a lesson with edits does not tell what they broke besides the rules")
	}
	says := func() bool {
		var page strings.Builder
		for _, f := range ui.Fragments(s.View()) {
			if err := f.Component.Render(t.Context(), &page); err != nil {
				t.Fatal(err)
			}
		}
		return strings.Contains(page.String(), s.lesson.Challenges[1].Why.HTML.En)
	}
	if says() {
		t.Error("it says why before it is repaired")
	}
	edit(`if trylock("lock", 20) then work("12s") unlock("lock") end`)
	if v := toTheEnd(t, s); !says() {
		t.Error("it does not say why that is right")
	} else if v.Verdict.Ending != search.Holds || len(v.Lost) > 0 || !s.View().Challenge.Repaired {
		t.Errorf("the repair: %+v", v)
	}
	tell(t, s, `"op":"unedit"`)
	if s.View().Challenge != nil && s.View().Challenge.Repaired {
		t.Error("it is repaired without the repair")
	}
	tell(t, s, `"op":"solve"`)
	tell(t, s, `"op":"search","text":"repair"`)
	toTheEnd(t, s)
	if c := s.View().Challenge; !c.Repaired || !c.Shown {
		t.Errorf("the solution: %+v", c)
	}
}

// Whoever stops the check of a repair before all of it has been looked at has repaired nothing.
func TestAStoppedCheckOfARepairIsNoRepair(t *testing.T) {
	for _, c := range []struct {
		at   string
		stop func(*searching) bool
	}{
		{"what is lost", func(x *searching) bool {
			return x.inquiry.Closer == nil && x.inquiry.Search.Verdict().Ending == search.Holds
		}},
		{"a closer look", func(x *searching) bool { return x.inquiry.Closer != nil }},
	} {
		s := onLesson(t, "set-nx")
		tell(t, s, fmt.Sprintf(`"op":"seek","pos":%d`, len(s.storySteps.choices)))
		tell(t, s, `"op":"next-challenge"`)
		program := `if trylock("lock", 20) then work("12s") unlock("lock") end`
		if c.at == "what is lost" {
			program = `redis.call("GET", "lock")`
		}
		tell(t, s, fmt.Sprintf(`"op":"edit","part":"program:A","source":%q`, program))
		tell(t, s, `"op":"search","text":"repair"`)
		for s.searching.running() && !c.stop(s.searching) {
			if done, err := s.searching.inquiry.Continue(t.Context(), 1); err != nil {
				t.Fatal(err)
			} else if done {
				s.continueSearch(t.Context())
			}
		}
		if !s.searching.running() {
			t.Fatalf("%s: it was over before it could be stopped", c.at)
		}
		tell(t, s, `"op":"pause"`)
		if v := s.View().Search; v.Verdict == nil || v.Verdict.Stopped != search.CalledOff || s.View().Challenge.Repaired {
			t.Errorf("%s: %+v", c.at, v.Verdict)
		}
	}
}

// What was found of a repair says nothing of the challenge after it: "it holds" must not stand below "break it".
func TestAChallengeBeginsWithoutWhatWasFoundOfTheOneBefore(t *testing.T) {
	s := onLesson(t, "no-ttl")
	tell(t, s, fmt.Sprintf(`"op":"seek","pos":%d`, len(s.storySteps.choices)))
	tell(t, s, `"op":"search","text":"repair"`)
	if v := toTheEnd(t, s); v.Verdict == nil {
		t.Fatalf("the search has not ended: %+v", v)
	}
	tell(t, s, `"op":"next-challenge"`)
	if v := s.View().Search; v.Asked == ui.AskRepair || v.Verdict != nil {
		t.Errorf("the second challenge comes with what was found of the first: %+v", v)
	}
}

// While a search runs, a frame carries nothing but its progress.
func TestProgressOfASearchIsSmall(t *testing.T) {
	s := onLesson(t, "redisson-lock")
	tell(t, s, `"op":"search","text":"arrive"`)
	for _, m := range s.Advance(t.Context()) {
		for _, f := range m.Frags {
			if f.ID != "f-search" || len(f.HTML) > 5000 || !strings.Contains(f.HTML, "situations") {
				t.Errorf("%s: %d bytes: %s", f.ID, len(f.HTML), f.HTML)
			}
		}
	}
}

// Who looked for a break, or tried one, at the end of a story comes back to that end: the story is not told again.
func TestTheWayBackFromASearchAndATryLeadsToTheEnd(t *testing.T) {
	s := onLesson(t, "set-nx")
	n := len(s.storySteps.choices)
	for _, leave := range []string{`"op":"search","text":"any"`, `"op":"try"`} {
		tell(t, s, fmt.Sprintf(`"op":"seek","pos":%d`, n))
		tell(t, s, leave)
		if toTheEnd(t, s); s.View().Story.OnStory {
			t.Errorf("%s: the learner is still on the story", leave)
		}
		tell(t, s, `"op":"story"`)
		if v := s.View(); v.Pos != n || !v.Story.Done {
			t.Errorf("%s: the way back leads to step %d of %d", leave, v.Pos, n)
		}
	}
	s = onLesson(t, "stranger-deletes") // whose story begins with the shortest break
	tell(t, s, `"op":"seek","pos":11`)
	tell(t, s, `"op":"search","text":"arrive"`)
	toTheEnd(t, s)
	if v := s.View().Story; !v.OnStory || v.To != 11 {
		t.Errorf("where the story begins with what was found, it goes on to step %d of 11", v.To)
	}
}
