package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

func TestStepPlaysTheStoryAndGoesBack(t *testing.T) {
	d := open(t)
	d.at(0, "")
	d.ok(`"op":"step","n":1`)
	d.at(1, "A")
	d.ok(`"op":"step","n":3`)
	d.at(4, "A.B.@2s.A")
	d.ok(`"op":"step","n":-3`)
	d.at(1, "A.B.@2s.A")
	d.ok(`"op":"step","n":9`) // to the end of the story, and no further
	d.at(5, "A.B.@2s.A.B")
	if s := d.session.View().Story; !s.Done || !s.OnStory || s.Next != nil || fmt.Sprint(s.Beats) != "[4 5]" {
		t.Errorf("at the end: %+v", s)
	}
	d.refused(`"op":"step","n":1`, CodeNoNext)
	d.ok(`"op":"step","n":-99`)
	d.at(0, "A.B.@2s.A.B")
	d.ok(`"op":"step","n":0`)
	d.at(0, "A.B.@2s.A.B")
}

func TestWhatIsSaidBeforeTheFirstStepStaysAtTheStart(t *testing.T) {
	d := open(t)
	d.ok(editing("program:A", `say("hello") redis.call("PING") redis.call("PING")`))
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"seek","pos":0`)
	d.ok(`"op":"choose","choice":"tick 1s"`) // the step is cut off
	d.ok(`"op":"seek","pos":0`)
	if !strings.Contains(d.html["f-now"], "A says: hello") {
		t.Errorf("the start shows %s", d.html["f-now"])
	}
	d.shown()
}

func TestStepBackNeedsNoEngine(t *testing.T) {
	d := open(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"seek","pos":4`)
	d.redis.down = true
	d.ok(`"op":"step","n":-2`)
	d.at(2, "A.B.@2s.A")
	d.ok(`"op":"step","n":1`)
	d.at(3, "A.B.@2s.A")
}

func TestASentenceIsSaidForEachManualStepOnly(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	if want := ui.Sentence(lessons.En, d.session.View().Step()); d.last.Say != want || want == "" {
		t.Errorf("said %q, want %q", d.last.Say, want)
	}
	d.ok(`"op":"play","hz":2`)
	for _, m := range d.session.Advance(t.Context()) {
		d.take(m)
		if m.Frame != nil && m.Say != "" {
			t.Errorf("autoplay says %q", m.Say)
		}
	}
	d.at(2, "A.B")
}

func TestSeekBeyondThePresentPlaysTheStory(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":3`)
	d.at(3, "A.B.@2s")
	d.ok(`"op":"seek","pos":1`)
	d.at(1, "A.B.@2s")
	d.ok(`"op":"seek","pos":1000000000000`)
	d.at(5, "A.B.@2s.A.B")
	d.ok(`"op":"seek","pos":-7`)
	d.at(0, "A.B.@2s.A.B")
	d.refused(`"op":"seek"`, CodeBadMessage)
}

// leftLast is the timeline that was left last; nil: none was.
func leftLast(d *testClient) *ui.Branch {
	if all := d.session.View().Branches; len(all) > 0 {
		return &all[1]
	}
	return nil
}

func TestChooseInThePastForksAndGhostGoesBack(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"seek","pos":1`)
	d.ok(`"op":"choose","choice":"run B"`) // what happened next anyway: no fork
	d.at(2, "A.B.@2s.A")
	if g := leftLast(d); g != nil {
		t.Fatalf("repeating the future left a ghost: %+v", g)
	}
	d.ok(`"op":"choose","choice":"crash jvm-1"`)
	d.at(3, "A.B.!crash:jvm-1")
	if g := leftLast(d); g == nil || g.From != 2 || len(g.Trace.Steps) != 4 {
		t.Fatalf("ghost %+v, want one of 4 steps forked at 2", g)
	}
	if s := d.session.View().Story; s.OnStory || s.Left != 3 || s.Next != nil {
		t.Errorf("off the story: %+v", s)
	}
	d.refused(`"op":"step","n":1`, CodeNoNext)
	d.ok(`"op":"choose","choice":"tick 30s"`)
	d.at(4, "A.B.!crash:jvm-1.@30s")

	d.ok(`"op":"ghost"`)
	d.at(2, "A.B.@2s.A")
	d.ok(`"op":"step","n":3`) // the engine goes on where this timeline ends
	d.at(5, "A.B.@2s.A.B")
	d.ok(`"op":"ghost"`)
	d.at(4, "A.B.!crash:jvm-1.@30s")
	d.ok(`"op":"choose","choice":"run B"`)
	d.at(5, "A.B.!crash:jvm-1.@30s.B")
}

func TestAGhostOfTheSameLengthIsAnotherWorld(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"seek","pos":1`)
	d.ok(`"op":"choose","choice":"tick 5s"`)
	d.at(2, "A.@5s")
	d.ok(`"op":"ghost"`)
	d.ok(`"op":"seek","pos":3`)
	d.at(3, "A.B.@2s")
	if at := d.session.View().Step().At; at != 2*time.Second {
		t.Errorf("the clock is at %s: the step was made where the other timeline ends", at)
	}
}

func TestForkMakesAPlaceThePresent(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"fork"`) // nothing lies ahead
	d.at(4, "A.B.@2s.A")
	d.ok(`"op":"seek","pos":1`)
	d.ok(`"op":"fork"`)
	d.at(1, "A")
	if g := leftLast(d); g == nil || g.From != 1 || len(g.Trace.Steps) != 4 {
		t.Fatalf("ghost %+v, want one of 4 steps forked at 1", g)
	}
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.at(2, "A.@1s")
	d.ok(`"op":"ghost"`)
	d.at(1, "A.B.@2s.A")
}

func TestStoryDropsWhatLeftIt(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.ok(`"op":"choose","choice":"run B"`)
	d.at(3, "A.@1s.B")
	d.ok(`"op":"story"`)
	d.at(1, "A")
	if g := leftLast(d); g == nil || g.From != 1 || len(g.Trace.Steps) != 3 {
		t.Errorf("ghost %+v", g)
	}
	d.ok(`"op":"step","n":1`)
	d.at(2, "A.B")
	d.ok(`"op":"story"`) // nothing to drop
	d.at(2, "A.B")
}

func TestResetKeepsTheOldTimelineAsTheGhost(t *testing.T) {
	d := open(t)
	d.refused(`"op":"ghost"`, CodeNoGhost)
	d.ok(`"op":"step","n":3`)
	d.ok(`"op":"reset"`)
	d.at(0, "")
	d.ok(`"op":"choose","choice":"run B"`)
	d.at(1, "B")
	d.ok(`"op":"ghost"`)
	d.at(3, "A.B.@2s") // as it was left
}

func TestResetAsksAgain(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"answer","beat":2,"text":"nil"`)
	if a := d.session.View().Prediction; a == nil || !a.Graded {
		t.Fatalf("the answer is not graded: %+v", a)
	}
	d.ok(`"op":"reset"`)
	d.ok(`"op":"step","n":1`)
	if a := d.session.View().Prediction; a == nil || a.Given != "" || a.Graded {
		t.Errorf("after a reset the question is %+v", a)
	}
}

func TestAChoiceThatMayNotHappenChangesNothing(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	for _, test := range []struct {
		choice string
		code   Code
		part   string
	}{
		{"run A", CodeNotEnabled, "2 s"},
		{"run Z", CodeNotEnabled, "no Z"},
		{"crash jvm-2", CodeNotEnabled, "jvm-2"},
		{"resume jvm-1", CodeNotEnabled, ""},
		{"tick 150ms", CodeBadChoice, "100ms"},
		{"tick 1us", CodeBadChoice, "milliseconds"},
		{"tick -1s", CodeBadChoice, "more than zero"},
		{"tick 900000h", CodeBadChoice, "limit"},
		{"fly away", CodeBadChoice, "not a choice"},
		{"", CodeBadChoice, ""},
	} {
		if msg := d.refused(fmt.Sprintf(`"op":"choose","choice":%q`, test.choice), test.code); !strings.Contains(msg, test.part) {
			t.Errorf("%s: %q does not contain %q", test.choice, msg, test.part)
		}
		d.at(1, "A")
	}
	d.ok(`"op":"step","n":1`)
	d.at(2, "A.B")
}

func TestAChoiceThatMayNotHappenIsRefusedInChinese(t *testing.T) {
	d := open(t)
	d.ok(`"op":"load","lesson":"two-clients","lang":"zh"`)
	d.ok(`"op":"step","n":1`)
	kinds := engine.ChoiceNames()
	allButOne, last := strings.Join(kinds[:len(kinds)-1], "、"), kinds[len(kinds)-1]
	for choice, want := range map[string]string{
		"run A":      `现在不能执行 "run A"：工作到 t = 2 秒。`,
		"run Z":      `现在不能执行 "run Z"：本课没有 Z。`,
		"tick 150ms": "无法执行：本课的时钟以 100ms 的整数倍前进：150ms 不是。",
		"tick -1s":   "无法执行：时长 -1s 必须大于零。",
		"fly away":   `无法执行："fly away" 不是有效的选择：请使用 ` + allButOne + " 或 " + last + "。",
	} {
		if err := d.send(fmt.Sprintf(`"op":"choose","choice":%q`, choice)); err == nil || err.Msg != want {
			t.Errorf("%s: %v, want %s", choice, err, want)
		}
	}
}

func TestAutoplayStopsAtAQuestionAndAtTheEnd(t *testing.T) {
	d := open(t)
	advance := func(want int) {
		t.Helper()
		for _, m := range d.session.Advance(t.Context()) {
			d.take(m)
		}
		if d.last.Pos != want {
			t.Fatalf("at %d, want %d", d.last.Pos, want)
		}
	}
	d.ok(`"op":"play","hz":4`)
	if d.session.Hz() != 4 || !d.last.Playing {
		t.Fatal("not playing")
	}
	advance(1) // B's question is open here
	if d.session.Hz() != 0 || d.last.Playing {
		t.Fatal("plays on over an open question")
	}
	advance(1)
	d.ok(`"op":"play"`)
	advance(2)
	d.ok(`"op":"pause"`)
	advance(2)
	d.ok(`"op":"play","hz":1`)
	d.ok(`"op":"step","n":-1`)
	advance(1) // acting by hand has paused it
	d.ok(`"op":"play","hz":20`)
	for n := 2; n <= 5; n++ {
		advance(n)
	}
	if d.session.Hz() != 0 {
		t.Error("plays on at the end")
	}
	d.refused(`"op":"play","hz":1`, CodeNoNext)
	for _, hz := range []string{"-1", "0.0001", "1000", "1e300"} {
		d.refused(`"op":"play","hz":`+hz, CodeBadMessage)
	}
}

func TestAPredictionIsGradedByTheEngine(t *testing.T) {
	d := open(t)
	d.refused(`"op":"answer","beat":2,"text":"nil"`, CodeNoQuestion)
	d.ok(`"op":"step","n":1`)
	if a := d.session.View().Prediction; a == nil || a.Beat != 2 || a.Graded {
		t.Fatalf("the question is not open: %+v", a)
	}
	d.refused(`"op":"answer","beat":1,"text":"nil"`, CodeNoQuestion)
	d.refused(`"op":"answer","beat":2,"text":"`+strings.Repeat("x", 1000)+`"`, CodeBadMessage)
	d.ok(`"op":"answer","beat":2,"text":" OK "`)
	d.at(2, "A.B")
	if a := d.session.View().Prediction; a == nil || *a != (ui.Prediction{Beat: 2, Given: "OK", Graded: true, Expected: "nil"}) {
		t.Fatalf("graded %+v", a)
	}
	d.ok(`"op":"step","n":1`)
	if a := d.session.View().Prediction; a != nil {
		t.Errorf("the result still stands: %+v", a)
	}
	d.ok(`"op":"seek","pos":1`)
	if a := d.session.View().Prediction; a == nil || !a.Graded {
		t.Errorf("back at the question its result is gone: %+v", a)
	}
	d.ok(`"op":"answer","beat":2,"text":"NIL"`)
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"step","n":-1`)
	if a := d.session.View().Prediction; a == nil || a.Given != "OK" {
		t.Errorf("back at the verdict, the first answer is %+v", a)
	}
	if s := d.session.View().Story; s.Asked != 1 || s.Right != 0 {
		t.Errorf("the second answer counts: %d of %d are right", s.Right, s.Asked)
	}
	d.at(2, "A.B.@2s")
	d.ok(`"op":"reset"`)
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"answer","beat":2,"text":"NIL"`)
	if s := d.session.View().Story; s.Asked != 1 || s.Right != 1 {
		t.Errorf("of %d answers from the start %d are right", s.Asked, s.Right)
	}
}

func TestAnEmptyAnswerAsksToBeShown(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"answer","beat":2,"text":" "`)
	d.at(2, "A.B")
	if a := d.session.View().Prediction; a == nil || *a != (ui.Prediction{Beat: 2, Graded: true, Expected: "nil"}) {
		t.Fatalf("graded %+v", a)
	}
	if s := d.session.View().Story; s.Asked != 0 {
		t.Errorf("who was shown has answered %d questions", s.Asked)
	}
	if !strings.Contains(d.html["f-story"], "The answer:") || strings.Contains(d.html["f-story"], "Not quite") {
		t.Errorf("the story says %s", d.html["f-story"])
	}
}

func TestTheScheduleHasALimit(t *testing.T) {
	d := open(t)
	d.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.@100ms*%d"`, engine.MaxChoices))
	if d.last.Pos != engine.MaxChoices {
		t.Fatalf("at %d", d.last.Pos)
	}
	d.refused(`"op":"choose","choice":"tick 100ms"`, CodeTooLong)
	d.ok(`"op":"step","n":-1`)
	d.ok(`"op":"choose","choice":"tick 200ms"`)
}

func TestChinese(t *testing.T) {
	d := open(t)
	d.ok(`"op":"load","lesson":"two-clients","lang":"zh"`)
	d.ok(`"op":"seek","pos":5`)
	if want := ui.Sentence(lessons.Zh, d.session.View().Step()); d.last.Say != want {
		t.Errorf("said %q, want %q", d.last.Say, want)
	}
	if msg := d.refused(`"op":"step","n":1`, CodeNoNext); !strings.Contains(msg, "故事") {
		t.Errorf("not in Chinese: %s", msg)
	}
}

// TestACrowdActsTogether: one click on ▶, or on Continue, makes all moves of a crowd in a beat, and each is a
// step to look at. Other actors go on one by one.
func TestACrowdActsTogether(t *testing.T) {
	l := fixture()
	l.Name = "crowd"
	l.Actors[0].Program = `redis.call("GET", "n") redis.call("GET", "n")`
	l.Actors = append(l.Actors, lessons.Actor{Name: "buyer", Process: "shop", Count: 5, Program: `redis.call("INCR", "n") redis.call("DECR", "n") redis.call("GET", "n")`})
	all := lessons.Beat{Choices: slices.Repeat([]engine.Choice{{Kind: engine.Run, Target: "buyer"}}, 5)}
	two := lessons.Beat{Choices: slices.Repeat([]engine.Choice{{Kind: engine.Run, Target: "A"}}, 2)}
	l.Story = []lessons.Beat{all, two, all, all}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}}
	d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
	d.ok(`"op":"load","lesson":"crowd"`)
	for _, want := range []int{5, 6, 7, 12} {
		d.ok(`"op":"step","n":1`)
		if d.last.Pos != want {
			t.Fatalf("▶ leads to step %d, want %d", d.last.Pos, want)
		}
	}
	if reply := d.session.View().Trace.Steps[4].Reply.String(); reply != "5" {
		t.Errorf("the fifth client is told %s, want 5", reply)
	}
	d.ok(`"op":"play","pos":13`)
	if d.last.Pos != 17 {
		t.Fatalf("Continue leads to step %d, want 17", d.last.Pos)
	}
	d.ok(`"op":"step","n":-5`)
	d.ok(`"op":"step","n":-9`)
	if d.last.Pos != 3 {
		t.Errorf("9 steps back it stands at step %d, want 3", d.last.Pos)
	}
	if heads := d.rows["head-1"] + d.rows["head-2"] + d.rows["head-3"]; !strings.Contains(heads, "×5") {
		t.Error("the page does not say how many clients the crowd has")
	}
}
