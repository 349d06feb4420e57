package ui

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

func scene(t *testing.T, name string, lang lessons.Lang) View {
	t.Helper()
	i := slices.IndexFunc(storybook, func(p page) bool { return p.name == name })
	if i < 0 {
		t.Fatalf("the storybook has no page %q", name)
	}
	return storybook[i].view(lang)
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		scene  string
		lang   lessons.Lang
		golden string
	}{
		{"released", lessons.En, `
A ran lock, which returned nil. anyLock was created, TTL 30 s. A entered anyLock. A started the task watchdog.
The clock moved on by 2 s to t = 2 s.
B asked for anyLock and was told to wait 28 s (lock returned 28000).
B subscribed to redisson_lock__channel:{anyLock}.
The clock moved on by 18 s to t = 20 s. A worked for 20 s. A:watchdog woke up.
A ran unlock, which returned 1. anyLock was deleted. The message “0” on redisson_lock__channel:{anyLock} was sent to jvm-2. A left the section anyLock. A has finished.`},
		{"released", lessons.Zh, `
A 执行 lock，返回 nil。anyLock 已创建，TTL 为 30 秒。A 进入 anyLock。A 启动后台任务 watchdog。
时钟前进 2 秒，到 t = 2 秒。
B 请求 anyLock，答复是再等 28 秒（lock 返回 28000）。
B 订阅 redisson_lock__channel:{anyLock}。
时钟前进 18 秒，到 t = 20 秒。A 干了 20 秒的活。A:watchdog 醒来。
A 执行 unlock，返回 1。anyLock 被删除。消息“0”（频道 redisson_lock__channel:{anyLock}）发往 jvm-2。A 离开临界区 anyLock。A 已结束。`},
		{"broken", lessons.En, `
A ran lock, which returned nil. anyLock was created, TTL 30 s. A entered anyLock. A started the task watchdog.
The clock moved on by 2 s to t = 2 s.
B asked for anyLock and was told to wait 28 s (lock returned 28000).
The clock moved on by 28 s to t = 30 s. A worked for 20 s. A:watchdog woke up. anyLock expired.
B ran lock, which returned nil. anyLock was created, TTL 30 s. B entered anyLock. Rule broken, mutual exclusion: A and B are inside "anyLock" at the same time.`},
		{"expired", lessons.Zh, `
A 执行 lock，返回 nil。anyLock 已创建，TTL 为 30 秒。A 进入 anyLock。A 启动后台任务 watchdog。
时钟前进 2 秒，到 t = 2 秒。
进程 jvm-1 崩溃。
时钟前进 28 秒，到 t = 30 秒。anyLock 过期。`},
	} {
		v := scene(t, tt.scene, tt.lang)
		var got []string
		for i := range v.Trace.Steps {
			got = append(got, Sentence(tt.lang, &v.Trace.Steps[i]))
		}
		if text := strings.Join(got, "\n"); text != strings.TrimSpace(tt.golden) {
			t.Errorf("%s in %s:\n%s", tt.scene, tt.lang, text)
		}
	}
}

func TestWhatActorsSayBeforeTheFirstStepIsShown(t *testing.T) {
	v := scene(t, "start", lessons.En)
	v.Trace.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteSay, Text: "hello"}, {Actor: "B", Kind: engine.NoteFailed, Failure: fact.Text("boom")}}
	shows := func(fragment string, pos int, want string) {
		t.Helper()
		v.Pos = pos
		for _, f := range fragments(&v, whole(&v)) {
			if f.ID == fragment && !strings.Contains(render(t, f.Component), want) {
				t.Errorf("%s does not show %q after %d steps", fragment, want, pos)
			}
		}
	}
	shows("f-now", 0, "A says: hello. B failed: boom.")
	shows("f-timeline", 0, "“hello”")
	shows("f-log", 0, "A says: hello. B failed: boom.")
	v.Trace.Steps = scene(t, "waiter", lessons.En).Trace.Steps
	shows("f-timeline", 3, "B failed: boom")
	shows("f-log", 3, "A says: hello. B failed: boom.")
}

func TestStepsKeepTheirPlaceBelowTheStart(t *testing.T) {
	v := scene(t, "overflow", lessons.En)
	v.Trace.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteSay, Text: "hello"}}
	for len(v.Trace.Steps) < shown {
		v.Trace.Steps = append(v.Trace.Steps, v.Trace.Steps[0])
	}
	v.Cache = &RenderCache{}
	for range 3 {
		v.Pos = len(v.Trace.Steps)
		kept := render(t, timeline(&v, whole(&v)))
		anew := v
		anew.Cache = nil
		if want := render(t, timeline(&anew, whole(&anew))); kept != want {
			t.Errorf("after %d steps the timeline is\n%s\nand drawn anew\n%s", v.Pos, kept, want)
		}
		v.Trace.Steps = append(v.Trace.Steps, v.Trace.Steps[0])
	}
}

// Whoever stood still for some of a span did not work for all of it, whether they go on before it is over or after; what they
// do then is work again.
func TestWhoWasPausedHasNotWorked(t *testing.T) {
	for _, schedule := range []string{"pause app-1, tick 20s, resume app-1", "tick 1s, pause app-1, tick 1s, resume app-1, tick 18s"} {
		_, trace, err := networked{
			nodes: "redis", programs: map[string]string{"A": `work("20s") work("5s")`}, faults: "pause app-1", schedule: schedule + ", tick 5s",
		}.play()
		if err != nil {
			t.Fatal(err)
		}
		last := len(trace.Steps) - 1
		for i, want := range map[int]string{last - 1: "A woke up.", last: "A worked for 5 s."} {
			if got := Sentence(lessons.En, &trace.Steps[i]); !strings.Contains(got, want) {
				t.Errorf("%s: step %d: %q, want %q", schedule, i+1, got, want)
			}
		}
	}
}

func TestFairQueueSentence(t *testing.T) {
	v := scene(t, "fair", lessons.En)
	want := "C ran lock on anyLock and was refused: 10000. redisson_lock_queue:{anyLock}: 8743c9c0:B was removed. " +
		"redisson_lock_timeout:{anyLock}: 8743c9c0:C 1700000040000 → 1700000035000, 8743c9c0:B was removed."
	if got := Sentence(lessons.En, v.Step()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestScrubBarSaysWhereItIs(t *testing.T) {
	v := scene(t, "past", lessons.En)
	if got, want := valueText(&v), "step 3 of 6, B was refused: lock"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	v.Pos = 0
	if got, want := valueText(&v), "start, 6 steps follow"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a process has noted is seen for as long as it is noted, and its end is told.
func TestWhatAProcessHasNotedIsSeen(t *testing.T) {
	w := newWorld()
	w.trace.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteRemember, Text: "busy:7 = A"}}
	w.step("run A", func(s *engine.Step, _ *engine.Snapshot) {
		s.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteRemember, Text: "busy:7"}}
	})
	v := viewOf(w, lessons.En)
	if text := Sentence(lessons.En, v.Step()); !strings.Contains(text, "A removed what its process had noted: busy:7.") {
		t.Errorf("the end of the note is told as %q", text)
	}
	if all := memoryTexts(&v); len(all) > 0 {
		t.Errorf("after its end there is %v", all)
	}
	v.Pos = 0
	if all := memoryTexts(&v); !slices.Equal(all, []string{"jvm-1: busy:7 = A"}) {
		t.Errorf("at the start there is %v", all)
	}
	if text := atStart(&v); text != "This is the start: nothing has been sent yet. A noted in its process: busy:7 = A." {
		t.Errorf("at the start it says %q", text)
	}
}

func TestAHashIsShortened(t *testing.T) {
	const sha = "6b1bf486c81ceb7edf3c093f4f2a1e0c6b1bf486"
	for text, want := range map[string]string{
		"ERR in f_" + sha + ":2": "ERR in f_6b1bf486…:2",
		sha + "0":                sha + "0",
		"beef":                   "beef",
	} {
		if got := shortHashes(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// The end does not ask for what nobody can do.
func TestTheEndOffersWhatCanBeDone(t *testing.T) {
	v := scene(t, "released", lessons.En)
	after := &v.Trace.Steps[len(v.Trace.Steps)-1].After
	crash := []engine.Option{{Choice: engine.Choice{Kind: engine.Crash, Target: "jvm-1"}}}
	for _, tt := range []struct {
		next    engine.Request
		options []engine.Option
		want    msg
	}{
		{nil, crash, storyDoneAll},
		{engine.Sleep{}, nil, storyDone},
		{engine.Sleep{}, crash, storyDoneFaults},
	} {
		after.Actors, after.Options = []engine.ActorState{{Name: "A", Next: tt.next}}, tt.options
		if got := tryOn(&v); got != tt.want.en {
			t.Errorf("with %v it says %q", tt.options, got)
		}
	}
}

// Scripts pack numbers as bytes that are no letters: where they are told, a dot stands for them.
func TestWhatScriptsPackIsReadable(t *testing.T) {
	v := playedBy(t, "rate-limiter", "run A, run A, run A, tick 4s, run B")
	said := Sentence(v.Lang, &v.Trace.Steps[4])
	if !strings.Contains(said, "B:1") || strings.ContainsFunc(said, unicode.IsControl) {
		t.Errorf("it says %q", said)
	}
}
