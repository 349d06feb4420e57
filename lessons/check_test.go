package lessons_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/redis"
)

var updateCheck = flag.Bool("update-check", false, "rewrite what Check says about testdata/check")

func TestTheBuiltInLessonsKeepTheirPromises(t *testing.T) {
	all := builtIn(t)
	if len(all) == 0 {
		t.Fatal("there are no lessons")
	}
	for _, l := range all {
		t.Run(l.Name, func(t *testing.T) {
			for _, rule := range l.Rules {
				if rule.Say.En == "" || rule.Say.Zh == "" {
					t.Errorf("the rule %s does not say what it means that it broke", rule.Name)
				}
			}
			r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Problems {
				t.Error(f)
			}
			if step := unexplained(l, r.Trace); step > 0 {
				t.Errorf("step %d breaks a rule amid a beat: whoever goes on with the story stops there, and nothing new is said", step)
			}
		})
	}
}

// unexplained is the first step that breaks a rule before its beat is at its end; 0: there is none.
func unexplained(l *lessons.Lesson, trace *engine.Trace) int {
	n := 0
	for _, b := range l.Story {
		for i := range b.Choices {
			n++
			if i < len(b.Choices)-1 && len(trace.Steps[n-1].Broken) > 0 {
				return n
			}
		}
	}
	return 0
}

func TestCheckSaysWhatDoesNotHold(t *testing.T) {
	for _, l := range fixtures(t) {
		t.Run(l.Name, func(t *testing.T) {
			r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, f := range r.Problems {
				fmt.Fprintln(&b, f)
			}
			_, changes, err := decode.Rewrite(l, l.Unproven(r.Trace))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, "What happened instead:")
			for _, c := range changes {
				fmt.Fprintln(&b, strings.Join(c.New, "\n"))
			}
			path := filepath.Join("testdata", "check", l.Name+".txt")
			if *updateCheck {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("go test ./lessons -update-check rewrites %s:\n%s", path, diff)
			}
		})
	}
}

func fixtures(t *testing.T) []*lessons.Lesson {
	t.Helper()
	all, err := decode.All(os.DirFS(filepath.Join("testdata", "check")))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func fixture(t *testing.T, name string) *lessons.Lesson {
	t.Helper()
	for _, l := range fixtures(t) {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("there is no fixture %s", name)
	return nil
}

// gone looks at every server, and says at which the key is; error takes no reply that is
// none, whatever its text.
func TestGoneAndError(t *testing.T) {
	l := changed(t, `
title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
nodes: [n1, n2]
actors:
  A:
    program: |
      redis.call("SET", "k", "ERR")
      node("n2").call("SET", "k", "ERR")
      redis.call("DEL", "k")
      node("n2").call("GET", "k")
      node("n2").call("DEL", "k")
story:
  - {run: A, expect: {reply: OK}}
  - {run: A, expect: {gone: [k]}}
  - {run: A, expect: {gone: [k]}}
  - {run: A, expect: {error: ERR}}
  - {run: A, expect: {gone: [k]}}
`, "", "")
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, p := range r.Problems {
		said = append(said, fmt.Sprintf("%s: %s, got %s", p.Message, p.Want, p.Got))
	}
	want := []string{
		"beat 2: key k: gone, got string ERR", "beat 2: key k on n2: gone, got string ERR",
		"beat 3: key k on n2: gone, got string ERR", `beat 4: reply: an error with ERR, got "ERR"`,
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

// fickle answers differently after it was reset for the second time.
type fickle struct {
	engine.Node
	resets int
}

func (f *fickle) Reset(ctx context.Context) error {
	f.resets++
	return f.Node.Reset(ctx)
}

func (f *fickle) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	res, err := f.Node.Exec(ctx, op)
	if f.resets > 1 {
		res.Reply = reply.OfInt(int64(f.resets))
	}
	return res, err
}

func TestCheckSeesThatTheSecondTimeIsDifferent(t *testing.T) {
	for _, c := range []struct {
		l    *lessons.Lesson
		want []string
	}{
		{fixture(t, "types"), []string{"the second time, step 5\n", "want: 5  t=0s", "got:  5  t=0s"}},
		{changed(t, stock, "", ""), []string{"the second time, step 1\n", "want: 1  t=0s", "got:  1  t=0s"}},
	} {
		c.l.Challenges = nil
		r, err := lessons.Check(t.Context(), c.l, []engine.NodeSpec{{Name: "redis", Node: &fickle{Node: redis.NewNode()}}})
		if err != nil {
			t.Fatal(err)
		}
		last := r.Problems[len(r.Problems)-1].Error()
		for _, want := range c.want {
			if !strings.Contains(last, want) {
				t.Errorf("%q is not in the last failure: %s", want, last)
			}
		}
	}
}

// A program that breaks off is unmet even where nothing is expected, unless it is expected.
func TestAProgramThatBreaksOffIsUnmet(t *testing.T) {
	before := engine.Snapshot{}
	steps := []engine.Step{{
		Notes: []engine.Note{{Kind: engine.NoteFailed, Actor: "A", Text: "oops", Failure: fact.Text("oops")}},
		After: engine.Snapshot{Actors: []engine.ActorState{{Name: "A", Status: engine.Failed}}},
	}}
	var nothing *lessons.Expect
	unmet := nothing.Unmet(&before, steps)
	if len(unmet) != 1 || unmet[0].What.Error() != "program of A" || !strings.Contains(unmet[0].Got.Error(), "oops") {
		t.Errorf("without expectations this is unmet: %v", unmet)
	}
	failed := &lessons.Expect{Parts: []lessons.Expected{{Key: "status", Name: "A", Texts: []string{"failed"}}}}
	if unmet := failed.Unmet(&before, steps); len(unmet) != 0 {
		t.Errorf("when it is expected to fail this is unmet: %v", unmet)
	}
}

// A learner's own text may stand elsewhere and do the same.
func TestTheSameStepOfAnotherText(t *testing.T) {
	a := engine.Step{N: 1, Choice: engine.Choice{Kind: engine.Run, Target: "A"}}
	b, other := a, a
	b.Moves = []engine.Move{{Actor: "A"}}
	b.Inside = &engine.Inside{}
	other.Choice.Target = "B"
	if !lessons.SameStep(a, b) || !lessons.SameStep(b, a) || lessons.SameStep(a, other) {
		t.Error("only what happens in a step makes a difference")
	}
}

// Traces without steps may differ, too.
func TestTracesThatBeginDifferently(t *testing.T) {
	a, b := engine.Trace{}, engine.Trace{Notes: []engine.Note{{Kind: engine.NoteSay, Actor: "A", Text: "hello"}}}
	if step, same := lessons.Compare(&a, &b); step != 0 || same {
		t.Errorf("they differ in step %d, the same: %v", step, same)
	}
	if step, same := lessons.Compare(&b, &b); step != 0 || !same {
		t.Errorf("a trace differs from itself in step %d, the same: %v", step, same)
	}
}

func TestQueries(t *testing.T) {
	five := reply.OfBulk("5")
	step := engine.Step{Reply: &five, After: engine.Snapshot{
		Now:  10_000_000_000,
		Held: []engine.Holding{{Section: "lock", Actors: []string{"A", "B"}}},
		Nodes: []engine.NodeView{{Keys: []engine.Key{
			{Name: "hash", Type: engine.HashKey, Items: []engine.Item{{Name: "A", Value: "2"}}, Deadline: 30_000_000_000},
			{Name: "list", Type: engine.ListKey, Items: []engine.Item{{Value: "x"}, {Value: "y"}}, Deadline: engine.NoDeadline},
			{Name: "set", Type: engine.SetKey, Items: []engine.Item{{Name: "A"}, {Name: "B"}}, Deadline: engine.NoDeadline},
			{Name: "text", Type: engine.StringKey, Text: "5", Deadline: engine.NoDeadline},
			{Name: "zset", Type: engine.ZSetKey, Items: []engine.Item{{Name: "A", Value: "7"}}, Deadline: engine.NoDeadline},
		}}, {Node: "n2", Status: engine.Paused, Keys: []engine.Key{{Name: "other", Type: engine.StringKey, Text: "there", Deadline: engine.NoDeadline}}}},
		Actors: []engine.ActorState{{Name: "B", Status: engine.Waiting}},
	}}
	for _, c := range []struct {
		q    lessons.Query
		want string
	}{
		{lessons.Query{Kind: lessons.QueryReply}, `"5"`},
		{lessons.Query{Kind: lessons.QueryGet, Key: "text"}, "5"},
		{lessons.Query{Kind: lessons.QueryGet, Key: "none"}, "nil"},
		{lessons.Query{Kind: lessons.QueryGet, Key: "hash"}, ""},
		{lessons.Query{Kind: lessons.QueryHGet, Key: "hash", Item: "A"}, "2"},
		{lessons.Query{Kind: lessons.QueryHGet, Key: "hash", Item: "B"}, "nil"},
		{lessons.Query{Kind: lessons.QueryHGet, Key: "list", Item: "B"}, ""},
		{lessons.Query{Kind: lessons.QueryHGet, Key: "zset", Item: "A"}, ""},
		{lessons.Query{Kind: lessons.QueryZScore, Key: "hash", Item: "A"}, ""},
		{lessons.Query{Kind: lessons.QueryLIndex, Key: "zset", Item: "0"}, ""},
		{lessons.Query{Kind: lessons.QueryLIndex, Key: "list", Item: "0"}, "x"},
		{lessons.Query{Kind: lessons.QueryLIndex, Key: "list", Item: "-1"}, "y"},
		{lessons.Query{Kind: lessons.QueryLIndex, Key: "list", Item: "2"}, "nil"},
		{lessons.Query{Kind: lessons.QueryLIndex, Key: "list", Item: "x"}, ""},
		{lessons.Query{Kind: lessons.QueryZScore, Key: "zset", Item: "A"}, "7"},
		{lessons.Query{Kind: lessons.QueryTTL, Key: "hash"}, "20s"},
		{lessons.Query{Kind: lessons.QueryTTL, Key: "list"}, "none"},
		{lessons.Query{Kind: lessons.QueryTTL, Key: "none"}, "nil"},
		{lessons.Query{Kind: lessons.QueryExists, Key: "list"}, "yes"},
		{lessons.Query{Kind: lessons.QueryExists, Key: "none"}, "no"},
		{lessons.Query{Kind: lessons.QueryHolder, Key: "lock"}, "A, B"},
		{lessons.Query{Kind: lessons.QueryHolder, Key: "none"}, "nobody"},
		{lessons.Query{Kind: lessons.QueryGet, Key: "other"}, "nil"},
		{lessons.Query{Kind: lessons.QueryGet, Key: "other", Node: "n2"}, "there"},
		{lessons.Query{Kind: lessons.QueryLLen, Key: "list"}, "2"},
		{lessons.Query{Kind: lessons.QueryLLen, Key: "none"}, "0"},
		{lessons.Query{Kind: lessons.QueryLLen, Key: "hash"}, ""},
		{lessons.Query{Kind: lessons.QueryHLen, Key: "hash"}, "1"},
		{lessons.Query{Kind: lessons.QuerySCard, Key: "set"}, "2"},
		{lessons.Query{Kind: lessons.QueryZCard, Key: "zset"}, "1"},
		{lessons.Query{Kind: lessons.QuerySIsMember, Key: "set", Item: "B"}, "yes"},
		{lessons.Query{Kind: lessons.QuerySIsMember, Key: "set", Item: "C"}, "no"},
		{lessons.Query{Kind: lessons.QuerySIsMember, Key: "none", Item: "C"}, "no"},
		{lessons.Query{Kind: lessons.QuerySIsMember, Key: "hash", Item: "A"}, ""},
		{lessons.Query{Kind: lessons.QueryStatus, Key: "B"}, "waiting"},
		{lessons.Query{Kind: lessons.QueryStatus, Key: "n2"}, "paused"},
		{lessons.Query{Kind: lessons.QueryStatus, Key: "C"}, ""},
	} {
		if got := c.q.Eval([]engine.Step{step}); got != c.want {
			t.Errorf("%s answers %q, want %q", c.q, got, c.want)
		}
	}
	if got := (lessons.Query{Kind: lessons.QueryReply}).Eval(nil); got != "" {
		t.Errorf("without steps the reply is %q, want nothing", got)
	}
	step.Reply = nil
	if got := (lessons.Query{Kind: lessons.QueryReply}).Eval([]engine.Step{step}); got != "" {
		t.Errorf("without a reply it is %q, want nothing", got)
	}
	for want, q := range map[string]lessons.Query{
		"reply": {Kind: lessons.QueryReply}, "get stock": {Kind: lessons.QueryGet, Key: "stock"},
		`hget "a b" A on n2`: {Kind: lessons.QueryHGet, Key: "a b", Item: "A", Node: "n2"},
	} {
		if q.String() != want {
			t.Errorf("a query is written %s, want %s", q, want)
		}
	}
}

// TestAMisspeltKeyIsRecognised: a key that is nearly called so is probably meant.
func TestAMisspeltKeyIsRecognised(t *testing.T) {
	for name, want := range map[string]string{"leadre": `did you mean "leader"?`, "queue": ""} {
		_, r := played(t, `
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
actors:
  A: {program: 'redis.call("SET", "leader", me)'}
story:
  - {run: A, expect: {keys: {`+name+`: {value: A}}}}
`)
		if len(r.Problems) != 1 || r.Problems[0].Advice.Error() != want {
			t.Errorf("of %s it says %v, want %q", name, r.Problems, want)
		}
	}
}
