package lessons_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// stock sells what it has not got when B reads before A writes.
const stock = `
title: {en: "Stock", zh: "库存"}
summary: {en: "Two clients sell one thing.", zh: "两个客户端卖同一件东西。"}
chapter: simple
level: basic
actors:
  A: {program: 'local n = redis.call("INCRBY", "stock", 1) redis.call("DECR", "stock")'}
  B: {program: 'redis.call("DECR", "stock") subscribe("x") receive("x")'}
invariants:
  - {name: stock, lua: (stock or 0) >= 0}
faults: [crash A]
story:
  - run: A
    expect: {reply: 1}
  - run: B
    expect: {reply: 0}
challenge:
  say: {en: "Sell what is not there.", zh: "卖掉没有的东西。"}
  hint: {en: "B first.", zh: "先让 B 来。"}
  goal: {break: stock}
  solution: [run B]
`

func changed(t *testing.T, text, old, replacement string) *lessons.Lesson {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the lesson has no %q", old)
	}
	fsys := fstest.MapFS{"01-stock/lesson.yaml": {Data: []byte(strings.Replace(text, old, replacement, 1))}}
	l, err := decode.Lesson(fsys, "01-stock")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestChallengesAreChecked(t *testing.T) {
	const goal, solution = "goal: {break: stock}", "solution: [run B]"
	for _, c := range []struct {
		name     string
		old, new string
		want     string // what is said: code, message, want, got
	}{
		{name: "it can be won", old: "", want: ""},
		{
			name: "the story wins it", old: goal, new: "goal: {reach: stock == 0}",
			want: "goal: the goal: want something that the story does not show, got it is met after step 2 of the story, in beat 2",
		},
		{
			name: "the start wins it", old: goal, new: "goal: {reach: not exists('stock')}",
			want: "goal: the goal: want something that the story does not show, got it is met after the start, before anybody moved",
		},
		{
			name: "it fails", old: goal, new: "goal: {reach: stock < 0}",
			want: "goal: the goal, after the start, before anybody moved: want it is true or false, got attempt to compare nil with number",
		},
		{
			name: "nothing of the kind happens", old: solution, new: "solution: [run A]",
			want: "solution: the solution: want a step breaks stock, got none of its 1 steps does that",
		},
		{
			name: "something else breaks", old: goal, new: "goal: {reach: inside('x') == 1}",
			want: "solution: the solution: want after a step inside('x') == 1 is true, got none of its 1 steps does that: step 1 breaks stock, no step changes anything that it looks at: are its names right?",
		},
		{
			name: "a move cannot be made", old: solution, new: "solution: [crash A, run A]",
			want: "solution: the solution's move 2: run A: want it may happen now, got the process A has crashed",
		},
		{
			name: "it goes on for too long", old: solution, new: "solution: [run B, run A]",
			want: "long-solution: the goal is reached with move 1 of 2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := changed(t, stock, c.old, c.new)
			r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, p := range r.Problems {
				text := string(p.Code) + ": " + p.Message.Error()
				if p.Want.Code != "" {
					text += ": want " + p.Want.Error() + ", got " + p.Got.Error()
				}
				said = append(said, text)
			}
			got := strings.Join(said, "\n")
			if got != c.want {
				t.Errorf("it is said\n%s\nand not\n%s", got, c.want)
			}
		})
	}
}

func TestAGoalIsReachedOnce(t *testing.T) {
	for _, c := range []struct {
		goal    string
		choices string
		from    int
		step    int
		ok      bool
	}{
		{goal: "{break: stock}", choices: "A"},
		{goal: "{break: stock}", choices: "A.B"},
		{goal: "{break: stock}", choices: "B", step: 1, ok: true},
		{goal: "{break: stock}", choices: "A.A.B.@1s", step: 3, ok: true},
		{goal: "{break: stock}", choices: "B.@1s", from: 1, step: 1, ok: true},
		{goal: "{break: stock}", choices: "B.@1s", from: 2},
		{goal: "{reach: get('stock') == 1}", choices: "A.A", step: 1, ok: true},
		{goal: "{reach: get('stock') == 1}", choices: "A.A", from: 2},
		{goal: "{reach: not exists('stock')}", choices: "A", step: 0, ok: true},
		{goal: "{reach: not exists('stock')}", choices: "A", from: 1},
		{goal: "{reach: 1 == 2}", choices: ""},
		{goal: "{break: stock, without: [crash A]}", choices: "B", step: 1, ok: true},
		{goal: "{break: stock, without: [crash A]}", choices: "B.!crash:A", from: 1, step: 1, ok: true},
		{goal: "{break: stock, without: [crash A]}", choices: "!crash:A.B"},
		{goal: "{break: stock, without: [crash]}", choices: "!crash:A.B"},
		{goal: "{break: stock, with: [crash A]}", choices: "B"},
		{goal: "{break: stock, with: [crash]}", choices: "!crash:A.B", step: 2, ok: true},
		{goal: "{reach: stock == 0, with: [run B, crash A]}", choices: "A.A.!crash:A.B"},
		{goal: "{reach: exists('stock'), with: [run B, crash, tick 1s, run B]}", choices: "A.B.!crash:A.@1s.B", step: 5, ok: true},
		{goal: "{reach: 'exists(\"stock\") and stock < 0', with: [crash]}", choices: "B.!crash:A", step: 2, ok: true},
	} {
		l := changed(t, stock, "{break: stock}", c.goal)
		scenario, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		schedule, err := engine.ParseSchedule(strings.TrimSuffix("v1.x."+c.choices, "."))
		if err != nil {
			t.Fatal(err)
		}
		_, trace, err := engine.Replay(t.Context(), scenario, schedule.Choices)
		if err != nil {
			t.Fatal(err)
		}
		step, ok, err := l.Challenges[0].Goal.Reached(trace, c.from)
		if step != c.step || ok != c.ok || err != nil {
			t.Errorf("%s after %q, from %d on: step %d, %v, %v; want step %d, %v", l.Challenges[0].Goal, c.choices, c.from, step, ok, err, c.step, c.ok)
		}
	}
}

// What a challenge warns of does not win it: each of these schedules once did.
func TestTheAccidentDoesNotWinTheChallenge(t *testing.T) {
	for name, choices := range map[string]string{
		"lost-update":     "B.A.B.C.B.C*10.A.C.A",                                              // a visit of C is still to come
		"lost-renewal":    "A.@.@.B.!cut:redis:app-1.A:watchdog.@1s",                           // the renewal was late, and its reply was lost after that
		"redlock-restart": "!save:n3.A.B.A.B*4.!crash:n3.!restart:n3:from:snapshot.A",          // n3 has voted for B, who is inside, and then for A
		"fair-fast-clock": "@.!clock:app-4:-40s.@.B.@.D.C.D.A.D.!clock:app-4:-40s.@.B.@.A*2.D", // C was late, and D has the only place
	} {
		l := lessons.Find(builtIn(t), name)
		schedule, err := engine.ParseSchedule("v1.x." + choices)
		if err != nil {
			t.Fatal(err)
		}
		scenario, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		_, trace, err := engine.Replay(t.Context(), scenario, schedule.Choices)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range l.Challenges {
			if step, ok, err := c.Goal.Reached(trace, 0); ok || err != nil {
				t.Errorf("%s is won in step %d, %v", name, step, err)
			}
		}
	}
}

func TestAGoalThatFailsSaysWhere(t *testing.T) {
	l := changed(t, stock, "{break: stock}", "{reach: nothing < 0}")
	_, ok, err := l.Challenges[0].Goal.Reached(&engine.Trace{Start: engine.Snapshot{Nodes: []engine.NodeView{{}}}}, 0)
	if ok || err == nil || !strings.Contains(err.Error(), "01-stock/lesson.yaml:20") {
		t.Errorf("%v, %v", ok, err)
	}
}
