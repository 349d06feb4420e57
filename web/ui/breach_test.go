package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// The steps that led to two clients in one section: the first got in, its lease ended,
// the second got in. That the second was refused before had no part in it.
func TestABreachTellsTheStepsThatLedThere(t *testing.T) {
	w := newWorld()
	w.aLocks()
	w.ticks(2 * time.Second)
	w.bIsRefused()
	w.ticks(28 * time.Second)
	w.bBreaksIn()
	v := viewOf(w, lessons.En)
	var steps []int
	var texts []string
	for _, c := range causes(&v, explained(&v)) {
		steps = append(steps, c.Step.N)
		texts = append(texts, c.Text)
	}
	if want := []int{1, 4, 5}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v: %q", steps, want, texts)
	}
	if !strings.Contains(texts[len(texts)-2], "expired") {
		t.Errorf("the lease's end is told as %q", texts[len(texts)-2])
	}
	for pos := range len(v.Trace.Steps) {
		v.Pos = pos
		if s := explained(&v); s == nil || s.N != 5 {
			t.Errorf("at step %d the explained breach is %v", pos, s)
		}
	}
}

func TestABreachIsASentence(t *testing.T) {
	v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == "broken" })].view(lessons.En)
	if text := breachText(&v, v.Step().Broken[0]); text != "A and B are inside “anyLock” at the same time." && text != `A and B are inside "anyLock" at the same time.` {
		t.Errorf("it says %q", text)
	}
	own := *v.Lesson
	own.Rules = []lessons.Rule{{Name: "one-order", Say: lessons.Text{En: "The order was shipped twice.", Zh: "订单发了两次货。"}}}
	v.Lesson, v.Lang = &own, lessons.Zh
	b := v.Step().Broken[0]
	b.Invariant = "one-order"
	if text := breachText(&v, b); text != "订单发了两次货。" {
		t.Errorf("a lesson's own rule says %q", text)
	}
	step := engine.Step{Broken: []engine.Violation{b}}
	if head, text := brokenHead(&v, b), Sentence(v.Lang, &step, own.Rules...); head != "规则被破坏" || !strings.Contains(text, "规则被破坏：订单发了两次货。") {
		t.Errorf("in Chinese its head is %q and its sentence %q", head, text)
	}
	v.Lang = lessons.En
	if head := brokenHead(&v, b); head != "Rule broken: one order" {
		t.Errorf("in English its head is %q", head)
	}
}

// Off the story nobody has written words for what is seen: the page says it all the same.
func TestOffTheStoryThePageStillComments(t *testing.T) {
	for name, want := range map[string]string{
		"crashed": "A is gone: jvm-1 has crashed.",
		"broken":  "B is inside anyLock. Its key expires in 30 s.",
		"waiter":  "B wants anyLock. What it does next: SUBSCRIBE redisson_lock__channel:{anyLock}.",
	} {
		v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == name })].view(lessons.En)
		if got := strings.Join(remarks(&v), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: the page says\n%s", name, got)
		}
	}
	v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == "broken" })].view(lessons.En)
	if got := insideRemark(&v, v.Snapshot(), "A", "anyLock"); got != "A is inside anyLock, and the key anyLock is not its own any more." {
		t.Errorf("of a lock that somebody else has it says %q", got)
	}
}

// A rule of a lesson is told in its prose, and never as code, unless the lesson has no prose: then the page says so.
func TestARuleIsToldInProse(t *testing.T) {
	v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == "broken" })].view(lessons.En)
	b := engine.Violation{Invariant: "one-order", Detail: fact.Of("rule-broken", "orders <= 1")}
	own := *v.Lesson
	own.Rules = []lessons.Rule{{Name: "one-order", Lua: "orders <= 1", Say: lessons.Text{En: "The order was shipped twice.", Zh: "订单发了两次货。"}}}
	v.Lesson = &own
	for _, lang := range []lessons.Lang{lessons.En, lessons.Zh} {
		v.Lang = lang
		step := engine.Step{N: 1, Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Broken: []engine.Violation{b}}
		for _, text := range []string{breachText(&v, b), breachWhy(&v, b), Sentence(lang, &step, own.Rules...)} {
			if strings.Contains(text, "<=") {
				t.Errorf("%s: code is told: %q", lang, text)
			}
		}
	}
	own.Rules, v.Lang = nil, lessons.En
	if text := breachText(&v, b); text != "The lesson has no words for this rule, only its code: orders <= 1 no longer holds." {
		t.Errorf("of a rule without words it says %q", text)
	}
}

// What a rule about values looks at was read and written before: that is why it is broken.
func TestABreachOfValuesTellsWhoReadAndWroteThem(t *testing.T) {
	w, one := newWorld(), reply.OfInt(1)
	for i, command := range []string{"A GET", "B GET", "A DECR", "B DECR"} {
		s := engine.Step{
			N: i + 1, Choice: engine.Choice{Kind: engine.Run, Target: command[:1]}, After: w.snap,
			Request: engine.Exec{Node: "redis", Op: engine.Op{Args: []string{command[2:], "book"}}}, Reply: &one,
		}
		if command[2:] == "DECR" {
			s.Changes = []engine.Change{{Node: "redis", Key: "book", Old: &engine.Key{}, New: &engine.Key{}}}
		}
		w.trace.Steps = append(w.trace.Steps, s)
	}
	w.trace.Steps[3].Broken = []engine.Violation{{Invariant: "no-book-sold-twice", Looked: []engine.Place{{Node: "redis", Key: "book"}}}}
	if steps, want := w.led(), []int{1, 2, 3, 4}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v", steps, want)
	}
}

// A lock that was renewed many times: who took it is told, and only as many renewals as there is room for.
func TestABreachTellsWhoTookTheLockRatherThanEachRenewal(t *testing.T) {
	w, one := newWorld(), reply.OfInt(1)
	for n := 1; n <= 11; n++ {
		s := engine.Step{
			N: n, Choice: engine.Choice{Kind: engine.Run, Target: "A"}, After: w.snap, Reply: &one,
			Request: engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"SET", "order"}}},
			Changes: []engine.Change{{Node: "redis", Key: "order", Old: &engine.Key{Deadline: engine.Instant(n)}, New: &engine.Key{Deadline: engine.Instant(n + 1)}}},
		}
		if n == 2 {
			s.Changes[0].Old = nil
		}
		w.trace.Steps = append(w.trace.Steps, s)
	}
	w.trace.Steps[10].Broken = []engine.Violation{{Invariant: "nobody-shut-out", Looked: []engine.Place{{Node: "redis", Key: "order"}}}}
	if steps, want := w.led(), []int{1, 2, 5, 6, 7, 8, 9, 10, 11}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v", steps, want)
	}
}

// A clock that has jumped is told, however much was written after it.
func TestABreachTellsOfTheFaultRatherThanOfEachWrite(t *testing.T) {
	w := newWorld()
	for n := 1; n <= 11; n++ {
		s := engine.Step{
			N: n, Choice: engine.Choice{Kind: engine.Run, Target: "A"}, After: w.snap,
			Changes: []engine.Change{{Node: "redis", Key: "report", New: &engine.Key{}}},
		}
		if n == 2 {
			s.Choice, s.Changes = engine.Choice{Kind: engine.Clock, Target: "jvm-1"}, nil
		}
		w.trace.Steps = append(w.trace.Steps, s)
	}
	w.trace.Steps[10].Broken = []engine.Violation{{Invariant: "newest-last", Looked: []engine.Place{{Node: "redis", Key: "report"}}}}
	if steps, want := w.led(), []int{1, 2, 5, 6, 7, 8, 9, 10, 11}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v", steps, want)
	}
}

// led are the steps that the page tells of the breach.
func (w *world) led() (steps []int) {
	v := viewOf(w, lessons.En)
	for _, c := range causes(&v, explained(&v)) {
		steps = append(steps, c.Step.N)
	}
	return steps
}

// A lease runs on while a process is paused, until it is over: then that is what the page says.
func TestAPausedHolderIsToldOfItsLease(t *testing.T) {
	w := newWorld()
	w.aLocks()
	pause := func(_ *engine.Step, after *engine.Snapshot) {
		actorOf(after, "A").Status = engine.Paused
	}
	w.step("pause jvm-1", pause)
	says := func(want string) {
		t.Helper()
		v := offStory(viewOf(w, lessons.En), 1)
		if got := strings.Join(remarks(&v), "\n"); !strings.Contains(got, want) {
			t.Errorf("the page says\n%s", got)
		}
	}
	says("A: jvm-1 is paused and stands still, and the time of its key runs on.")
	w.step("tick 30s", func(s *engine.Step, after *engine.Snapshot) {
		after.Nodes[0].Keys = nil
	})
	says("A: jvm-1 is paused and stands still, and its lease is over.")
}
