package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// What a step did is said with all that matters: why a client refuses what it was granted, the
// condition of a statement, whose session ends, which way a clock jumped.
func TestSentencesSayWhatMatters(t *testing.T) {
	ask := func(args ...string) engine.Step {
		return engine.Step{
			Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Request: engine.Exec{Node: "n", Op: engine.Op{Args: args}},
			After: engine.Snapshot{Nodes: []engine.NodeView{{Node: "n"}}, Actors: []engine.ActorState{{Name: "A"}}},
		}
	}
	granted := ask("SET", "lock", "A")
	granted.Reply = new(reply.Reply)
	*granted.Reply = reply.OfStatus("OK")
	granted.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteRefused, Text: "stock"}}
	update := ask("UPDATE stock SET stock = stock - 1, version = version + 1 WHERE id = 10 AND stock > 0")
	update.Reply = new(reply.Reply)
	*update.Reply = reply.OfInt(1)
	znode := func(deadline engine.Instant) *engine.Key {
		return &engine.Key{Name: "/lock/a", Type: engine.ZnodeKey, Deadline: deadline, Items: []engine.Item{{Name: "owner", Value: "app-1"}}}
	}
	crash := engine.Step{
		Choice:  engine.Choice{Kind: engine.Crash, Target: "app-1"},
		Changes: []engine.Change{{Key: "/lock/a", Old: znode(engine.NoDeadline), New: znode(6 * time.Second)}},
	}
	jump := func(d time.Duration) engine.Step {
		s := ask()
		s.Choice = engine.Choice{Kind: engine.Clock, Target: "n", Span: d}
		return s
	}
	for _, tt := range []struct {
		step   engine.Step
		en, zh string
	}{
		{granted, "A sent SET lock A and got OK, but A counts stock as not taken.", "A 发送 SET lock A，返回 OK，但 A 判定没有拿到 stock。"},
		{update, "A sent " + "UPDATE stock SET stock = stock - 1, version = version + 1 WHERE id = 10 AND stock > 0 and got 1 row.", "UPDATE stock SET stock = stock - 1, version = version + 1 WHERE id = 10 AND stock > 0"},
		{crash, "/lock/a: the session of app-1 expires in 6 s.", "/lock/a：app-1 的会话 6 秒后过期。"},
		{jump(578160 * time.Hour), "The clock of n jumped forward by 66 years.", "n 的时钟向前跳了 66 年。"},
		{jump(578161 * time.Hour), "The clock of n jumped forward by ≈ 66 years.", "n 的时钟向前跳了约 66 年。"},
		{jump(-2 * time.Second), "The clock of n jumped back by 2 s.", "n 的时钟向后跳了 2 秒。"},
	} {
		if got := happened(lessons.En, &tt.step); !strings.Contains(got, tt.en) {
			t.Errorf("in English: %s, want %s", got, tt.en)
		}
		if got := happened(lessons.Zh, &tt.step); !strings.Contains(got, tt.zh) {
			t.Errorf("in Chinese: %s, want %s", got, tt.zh)
		}
	}
}

// Beside a lane stands what happened, not the channel on which it did.
func TestTimeoutsAreShortBesideLanes(t *testing.T) {
	for channel, want := range map[string][2]string{
		"redisson_lock__channel:{lock}": {"C: no message came", "C 等消息超时"},
		"/lock/a":                       {"C: no event came", "C 等事件超时"},
	} {
		n := engine.Note{Actor: "C", Kind: engine.NoteTimeout, Text: channel}
		if got := [2]string{noteBrief(lessons.En, n), noteBrief(lessons.Zh, n)}; got != want {
			t.Errorf("%s: %q, want %q", channel, got, want)
		}
	}
}

func TestNamesAreCutInTheMiddle(t *testing.T) {
	for name, want := range map[string]string{
		"short":                         "short",
		"redisson_lock_queue:{stock}":   "redisson_…e:{stock}",
		"redisson_lock_timeout:{stock}": "redisson_…t:{stock}",
	} {
		if got := cutMiddle(name, 19); got != want {
			t.Errorf("%s is cut to %s, want %s", name, got, want)
		}
	}
}

// A question offers the answers that it names, in the words of its language.
func TestAnswersToChooseFrom(t *testing.T) {
	v := View{Lang: lessons.Zh, Lesson: &lessons.Lesson{Story: []lessons.Beat{{Ask: &lessons.Ask{
		Question: lessons.Text{En: "Is `A` ready afterwards, or blocked?"}, Answer: lessons.Query{Kind: lessons.QueryStatus, Key: "A"},
	}}}}}
	if got, want := answersOffered(&v, Prediction{}), []string{"ready", "blocked"}; !slices.Equal(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
	v.Lesson.Story[0].Ask.Question.En = "What is `A`?"
	for _, answer := range answersOffered(&v, Prediction{}) {
		if text := answerText(&v, Prediction{}, answer); strings.Contains(text, answer) {
			t.Errorf("%s is offered as %s in Chinese", answer, text)
		}
	}
	v.Lesson.Story[0].Ask.Answer = lessons.Query{Kind: lessons.QueryTTL, Key: "lock"}
	if got, want := answerText(&v, Prediction{}, "none"), "无（没有 TTL）"; got != want {
		t.Errorf("no TTL is %s, want %s", got, want)
	}
}
