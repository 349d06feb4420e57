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
		{jump(-2 * time.Second), "The clock of n jumped back by 2 s.", "n 的时钟往回跳了 2 秒。"},
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
	if got, want := answerText(&v, Prediction{}, "none"), "没有 TTL"; got != want {
		t.Errorf("no TTL is %s, want %s", got, want)
	}
	v.Lesson.Story[0].Ask.Answer = lessons.Query{Kind: lessons.QueryReply}
	for answer, want := range map[string]string{"[{got: 1}]": "got: 1", "[]": "[]", "[{id: 1}, {id: 2}]": "[{id: 1}, {id: 2}]"} {
		if got := answerText(&v, Prediction{}, answer); got != want {
			t.Errorf("%s is offered as %s, want %s", answer, got, want)
		}
	}
}

// The page speaks of Redis where there is one, and of no other server.
func TestServersOfSeveralKindsAreNotCalledRedis(t *testing.T) {
	v := View{Lang: lessons.Zh, Lesson: &lessons.Lesson{Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}, {Name: "zk", Kind: lessons.ZooKeeper}}}}
	if got := dataLabel(&v) + ", " + sideServerText(&v); got != "各服务器中的数据, 服务器端" {
		t.Errorf("the panels are called %s", got)
	}
	for _, tt := range []struct {
		args []string
		want msg
	}{
		{[]string{"create", "/lock", "A"}, scriptRequest},
		{[]string{"SELECT stock FROM books"}, scriptRequest},
		{[]string{"GET", "lock"}, scriptCommand},
	} {
		if got := plainText(v.Lang, engine.Exec{Op: engine.Op{Args: tt.args}}); got != tt.want.zh {
			t.Errorf("%q is called %s", tt.args, got)
		}
	}
}

// The answer to a question about a reply is what the page says of that reply.
func TestAnswersAreSaidAsReplies(t *testing.T) {
	ask := lessons.Ask{Answer: lessons.Query{Kind: lessons.QueryReply}}
	for _, tt := range []struct {
		args []string
		r    reply.Reply
		want string
	}{
		{[]string{"exists", "/lock/a"}, reply.Reply{}, "不存在"},
		{[]string{"SELECT stock FROM books"}, reply.OfArray(reply.OfMap(reply.OfStatus("stock"), reply.OfInt(3))), "stock: 3"},
		{[]string{"INSERT INTO locks VALUES (1)"}, reply.OfError("ERROR 1062 (23000): Duplicate entry '1' for key 'PRIMARY'"), "ERROR 1062"},
		{[]string{"GET", "lock"}, reply.Reply{}, "nil"},
	} {
		s := engine.Step{Request: engine.Exec{Op: engine.Op{Args: tt.args}}, Reply: &tt.r}
		v := View{Lang: lessons.Zh, Pos: 1, Trace: &engine.Trace{Steps: []engine.Step{s}}, Lesson: &lessons.Lesson{Story: []lessons.Beat{{Ask: &ask}}}}
		if got := expectedText(&v, Prediction{Expected: tt.r.String()}); got != tt.want {
			t.Errorf("%s answers %s, want %s", tt.args[0], got, tt.want)
		}
	}
}

// A request that is under way, or at which a client crashed, is not what it does next.
func TestNextIsWhatIsStillToBeDone(t *testing.T) {
	get := engine.Exec{Node: "n4", Op: engine.Op{Args: []string{"GET", "lock"}}}
	for _, tt := range []struct {
		a            engine.ActorState
		head, inCode string
	}{
		{engine.ActorState{Status: engine.Ready, Next: get}, "next", "next: sends to n4"},
		{engine.ActorState{Status: engine.Ready, Next: get, Answered: true}, "next", "next: takes the reply from n4"},
		{engine.ActorState{Status: engine.Unanswered, Next: get}, "sent", "sent to n4:"},
		{engine.ActorState{Status: engine.Blocked, Next: get, InNode: true}, "sent", "sent to n4:"},
		{engine.ActorState{Status: engine.Paused, Next: get, InNode: true}, "sent", "sent to n4:"},
		{engine.ActorState{Status: engine.Waiting, Next: engine.Await{Name: "watchdog"}}, "now", "wait for the task watchdog"},
		{engine.ActorState{Status: engine.Crashed, Next: get}, "stopped at", "It stopped here and will never get past"},
	} {
		head, _ := nextInHead(lessons.En, tt.a)
		inCode, _ := nextText(lessons.En, tt.a)
		if head != tt.head || inCode != tt.inCode {
			t.Errorf("%s: it says %q and %q, want %q and %q", tt.a.Status, head, inCode, tt.head, tt.inCode)
		}
	}
}

func TestFoldedKeysKeepTheEndsOfTheirNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"redisson_lock_queue:{stock}": {"redisson_lock_q", "ueue:{stock}"},
		"lock":                        {"lo", "ck"},
		"":                            {"", ""},
	} {
		if head, tail := parted(name); [2]string{head, tail} != want {
			t.Errorf("%q is parted into %q and %q", name, head, tail)
		}
	}
}

// dataOffered are answers that look like English and are what a key or a row has.
var dataOffered = []string{"nil", "read", "write", "name", "jack"}

// An answer that a lesson offers in English words has words in Chinese, too.
func TestOfferedAnswersSpeakChinese(t *testing.T) {
	for _, l := range lessonsBuiltIn(t) {
		v := &View{Lang: lessons.Zh, Lesson: l}
		for i, beat := range l.Story {
			if beat.Ask == nil {
				continue
			}
			for _, offer := range beat.Ask.Offers {
				if strings.Trim(offer, "abcdefghijklmnopqrstuvwxyz ") == "" && !slices.Contains(dataOffered, offer) && answerText(v, Prediction{Beat: i}, offer) == offer {
					t.Errorf("%s offers %q in Chinese: give it words in answerWords (messages.go), or name it as data in dataOffered", l.Name, offer)
				}
			}
		}
	}
}

func TestADigitIsTheAnswerOrItsPlace(t *testing.T) {
	for answers, want := range map[string]string{
		"yes no":       "1 2",
		"0 1 2":        "0 1 2",
		"-1 0 1 98":    " 0 1 ",
		"nil 1000 300": "  ",
		"A1 B nobody":  "1 2 3",
	} {
		all := strings.Fields(answers)
		keys := make([]string, len(all))
		for i := range all {
			keys[i] = answerKey(all, i)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("of the answers %s the keys are %q, want %q", answers, got, want)
		}
	}
}
