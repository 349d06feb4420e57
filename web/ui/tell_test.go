package ui

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		reason fact.Fact
		en, zh string
	}{
		{fact.Fact{}, "", ""},
		{fact.Of("sleeping", engine.At(12_500*time.Millisecond)), "it sleeps until t = 12.5 s", "休眠到 t = 12.5 秒"},
		{fact.Of("waiting-until", "ch", engine.At(30*time.Second)), "it waits for a message on ch until t = 30 s", "等待 ch 上的消息，最晚到 t = 30 秒"},
		{fact.Of("crashed", "jvm-1"), "the process jvm-1 has crashed", "进程 jvm-1 已崩溃"},
		{fact.Of("failed", fact.Text("boom")), "its program failed: boom", "程序已失败：boom"},
		{
			fact.Of("failed", fact.Of("too-many-tasks", 32)), "its program failed: has 32 tasks, and may have no more",
			"程序已失败：已有 32 个任务，不能再启动更多",
		},
		{fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "lock"), `A and B are inside "lock" at the same time`, "A 和 B 同时在 lock 中"},
		{fact.Of("mutual-exclusion", fact.Names{"A", "B", "C"}, "lock"), `A, B and C are inside "lock" at the same time`, "A、B 和 C 同时在 lock 中"},
		{fact.Of("working", engine.At(12*time.Second)), "it works until t = 12 s", "工作到 t = 12 秒"},
		{
			fact.Of("clock-grid", engine.Span(1500*time.Millisecond)), "the clock stops only where something is due, and before that every 1.5 s",
			"时钟只在有事件到期时停下，到期之前每隔 1.5 秒也停一次",
		},
		{fact.Of("schedule-part", 3, fact.Of("no-choice", "?")), `part 3 of the schedule: "?" is not a choice`, `步骤序列的第 3 部分："?" 不是有效的选择`},
	} {
		if got := Tell(lessons.En, tt.reason); got != tt.en {
			t.Errorf("%s in English: %q, want %q", tt.reason.Code, got, tt.en)
		}
		if got := Tell(lessons.Zh, tt.reason); got != tt.zh {
			t.Errorf("%s in Chinese: %q, want %q", tt.reason.Code, got, tt.zh)
		}
	}
}

// What a lesson expected and what came is told on its page.
func TestEveryUnmetExpectationSpeaksChinese(t *testing.T) {
	before := &engine.Snapshot{Nodes: []engine.NodeView{{Node: "redis"}}}
	after := engine.Snapshot{
		Nodes: []engine.NodeView{{Node: "redis", Keys: []engine.Key{
			{Name: "a", Type: engine.ListKey, Deadline: engine.NoDeadline}, {Name: "b", Type: engine.StringKey, Text: "w", Deadline: engine.NoDeadline},
		}}},
		Held:   []engine.Holding{{Section: "lock", Actors: []string{"A"}}},
		Actors: []engine.ActorState{{Name: "A", Status: engine.Sleeping}},
	}
	expect := &lessons.Expect{Parts: []lessons.Expected{
		{Key: "reply", Texts: []string{"nil"}},
		{Key: "error", Texts: []string{"WRONGTYPE"}},
		{Key: "keys", Name: "gone"},
		{Key: "keys", Name: "a", Type: engine.HashKey},
		{Key: "keys", Name: "b", Texts: []string{"v"}, TTL: new(time.Second)},
		{Key: "keys", Name: "c", Node: "redis"},
		{Key: "gone", Name: "a"},
		{Key: "holds", Name: "lock"},
		{Key: "status", Name: "A", Texts: []string{"ready"}},
		{Key: "status", Name: "Z", Texts: []string{"finished"}},
		{Key: "woke", Texts: []string{"A"}},
		{Key: "messages", Texts: []string{"0"}},
		{Key: "broken", Texts: []string{"mutual-exclusion"}},
	}}
	steps := []engine.Step{{
		After: after, Notes: []engine.Note{{Actor: "B", Kind: engine.NoteFailed, Failure: fact.Text("boom")}},
		Broken: []engine.Violation{{Invariant: "nobody-waits-forever", Detail: fact.Of("nobody-waits-forever", "A")}},
	}}
	unmet := expect.Unmet(before, steps)
	if len(unmet) < 13 {
		t.Fatalf("only %d expectations are unmet: %v", len(unmet), unmet)
	}
	for _, u := range unmet {
		en, zh := unmetText(&View{Lang: lessons.En, Lesson: &lessons.Lesson{}}, u), unmetText(&View{Lang: lessons.Zh, Lesson: &lessons.Lesson{}}, u)
		if strings.Contains(en+zh, "%!") || !strings.Contains(en, ": expected ") || Tell(lessons.En, u.What) == Tell(lessons.Zh, u.What) {
			t.Errorf("in English: %q, in Chinese: %q", en, zh)
		}
		for _, f := range []fact.Fact{u.Want, u.Got} {
			if f.Code != "text" && !strings.ContainsFunc(Tell(lessons.Zh, f), func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				t.Errorf("%q in Chinese is %q", f, Tell(lessons.Zh, f))
			}
		}
	}
	broken := slices.IndexFunc(unmet, func(u lessons.Unmet) bool { return u.What.Code == "broken" })
	got := unmetText(&View{Lang: lessons.Zh, Lesson: &lessons.Lesson{}}, unmet[broken])
	if want := "被破坏的规则：应为 互斥，实际为 没有人永远等待（A 在等待，但已经没有任何事件能唤醒它）"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A rule of the lesson's own is called in Chinese as its words say, wherever it is named.
func TestAnUnmetRuleOfTheLessonIsCalledByItsWords(t *testing.T) {
	v := &View{Lang: lessons.Zh, Lesson: &lessons.Lesson{Rules: []lessons.Rule{{Name: "sold-once", Say: lessons.Text{En: "A thing is sold once.", Zh: "一件货只卖一次。"}}}}}
	got := unmetText(v, lessons.Unmet{What: fact.Of("broken"), Want: fact.Of("nothing"), Got: fact.Of("broken-how", lessons.RuleName("sold-once"), fact.Of("nothing"))})
	if !strings.Contains(got, "一件货只卖一次") || strings.Contains(got, "sold") {
		t.Errorf("it says %q", got)
	}
}
