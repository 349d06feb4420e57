package lessons_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

const failing = `
title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
client: mine
scripts:
  get: {file: get.lua}
  add:
    source: |
      local n = 1
      return redis.call('INCRBY', KEYS[1], n)
actors:
  A:
    program: |
      redis.call("PING")
      take("k")
      redis.call("PING")
  B: {program: 'redis.call("PING") redis.call("PING")'}
story:
  - {run: A, expect: {reply: PONG, status: {B: ready}}}
  - {run: A, expect: {reply: 1, keys: {k: {value: "1"}}}}
  - {run: A, expect: {reply: '"1"'}}
  - {run: A, expect: {reply: PONG}}
  - {run: B, expect: {reply: PONG}}
  - {run: B, expect: {reply: PONG}}
challenge:
  say: {en: "x", zh: "x"}
  hint: {en: "x", zh: "x"}
  goal: {reach: k == 7}
  solution: [run A, run A, run A]
`

// What breaks off in Lua is told once, at its line, and not again for what follows
// from it: neither in other beats nor in the challenge.
func TestAFailureIsToldOnceAndAtItsLine(t *testing.T) {
	const client = "function take(k)\n  redis.eval(\"add\", {k}, {})\n  redis.eval(\"get\", {k}, {})\nend\n"
	const get = "local k = KEYS[1]\nreturn redis.call('GET', k)\n"
	for _, c := range []struct{ name, file, old, new, want string }{
		{
			"a name that is misspelt", "01-a/lesson.yaml", `take("k")`, `tke("k")`,
			"01-a/lesson.yaml:16:7: beat 1: the program of A fails: attempt to call ",
		},
		{
			"a name that is nearly right", "01-a/lesson.yaml", `take("k")`, `worx("1s")`,
			"01-a/lesson.yaml:16:7: beat 1: the program of A fails: attempt to call global 'worx' (a nil value)\n   16 |       worx(\"1s\")\n      |       ^\n  did you mean \"work\"?",
		},
		{
			"a function of the client that is nearly right", "01-a/lesson.yaml", `take("k")`, `takes("k")`,
			"\n  did you mean \"take\"?",
		},
		{
			"a library that programs do not have", "01-a/lesson.yaml", `take("k")`, `os.time()`,
			"\n  of Lua's libraries a program has string, table and math; now() is the client's clock",
		},
		{
			"a span that is none", "01-a/lesson.yaml", `take("k")`, `sleep("soon")`,
			"01-a/lesson.yaml:16:7: beat 1: the program of A fails: \"soon\" is not a duration: write it as 30s or 1500ms\n   16 |       sleep(\"soon\")\n      |       ^",
		},
		{
			"a node that is not there", "01-a/lesson.yaml", `take("k")`, `node("n2").call("PING")`,
			"01-a/lesson.yaml:16:7: beat 1: the program of A fails: there is no node \"n2\" in this lesson; it has redis",
		},
		{
			"an error of a command", "01-a/lesson.yaml", `take("k")`, `redis.call("GET")`,
			"01-a/lesson.yaml:16:7: beat 2: the program of A fails: ERR wrong number of arguments for 'get' command",
		},
		{
			"a task", "01-a/lesson.yaml", `take("k")`, `spawn("dog", function() local x = nil + 1 end)`,
			"01-a/lesson.yaml:16:7: beat 1: the program of A:dog fails: ",
		},
		{
			"in one line", "01-a/lesson.yaml", `'redis.call("PING") redis.call("PING")'`, `'redis.call("PING") x.y = 1'`,
			"01-a/lesson.yaml:18:16: beat 5: the program of B fails: attempt to index",
		},
		{
			"in quotes with line breaks", "01-a/lesson.yaml", `'redis.call("PING") redis.call("PING")'`, `"redis.call('PING')\nx.y = 1"`,
			"01-a/lesson.yaml:18:16: beat 5: the program of B fails: attempt to index",
		},
		{
			"before the first request", "01-a/lesson.yaml", "      redis.call(\"PING\")\n      take", "      redis.call({})\n      take",
			"01-a/lesson.yaml:15:7: the program of A fails: argument 1 is a table",
		},
		{
			"a client", "clients/mine.lua", `redis.eval("get", {k}, {})`, `got(k)`,
			"clients/mine.lua:3:3: beat 2: the program of A fails: attempt to call ",
		},
		{
			"who called the client", "clients/mine.lua", `redis.eval("get", {k}, {})`, `got(k)`,
			"; it was called at 01-a/lesson.yaml:16:7\n    3 |   got(k)\n",
		},
		{
			"a client that cannot be loaded", "clients/mine.lua", "function take", "x.y = 1\nfunction take",
			"clients/mine.lua:1:1: the client mine cannot be loaded: attempt to index a nil value\n    1 | x.y = 1\n",
		},
		{
			"a client that is not loaded since it says so", "clients/mine.lua", "function take", `error("lock:7: busy", 0)` + "\nfunction take",
			"01-a/lesson.yaml:5:9: the client mine cannot be loaded: lock:7: busy\n",
		},
		{
			"a client that asks while it is loaded", "clients/mine.lua", "function take", "redis.call(\"PING\")\nfunction take",
			"01-a/lesson.yaml:5:9: the client mine cannot be loaded: it sends a request while it is loaded: a client may only define functions",
		},
		{
			"a script in the lesson", "01-a/lesson.yaml", "redis.call('INCRBY'", "redis.cal('INCRBY'",
			"01-a/lesson.yaml:11:7: beat 2: the script add fails, which A runs: attempt to call field 'cal' (a nil value)\n   11 |       return redis.cal(",
		},
		{
			"a script in a file", "01-a/get.lua", "'GET', k)", "'GET')",
			"01-a/get.lua:2:1: beat 3: the script get fails, which A runs: Wrong number of args calling Redis command from script\n    2 | return",
		},
		{
			"an indented line of a script in a file", "01-a/get.lua", "return redis.call('GET', k)", "if k then\n  return redis.call('GET')\nend",
			"01-a/get.lua:3:3: beat 3: the script get fails, which A runs: Wrong number of args calling Redis command from script\n    3 |   return",
		},
		{
			"an error that a script returns", "01-a/get.lua", "return redis.call('GET', k)", "return redis.error_reply('STALE token')",
			"clients/mine.lua:3:3: beat 3: the program of A fails: STALE token; it was called at 01-a/lesson.yaml:16:7",
		},
		{
			"an error that looks like a place of another program", "01-a/lesson.yaml", `take("k")`, `error("lock:7: busy", 0)`,
			"01-a/lesson.yaml:16:7: beat 1: the program of A fails: lock:7: busy\n",
		},
		{
			"two that break off in one line", "clients/mine.lua", "take(k)\n", "take(k) spawn(\"dog\", function() oops() end) oops()\n",
			"clients/mine.lua:1:1: beat 1: the program of A:dog fails: ",
		},
		{
			"a task whose name YAML must have quoted", "01-a/lesson.yaml", `take("k")`, `spawn("dog", function() error("busy") end) take("k")`,
			"if it should, write status: {\"A:dog\": failed} in the beat's expect",
		},
		{
			"too much to show", "01-a/lesson.yaml", "redis.call(\"PING\")\n      take", "redis.call(\"SET\", \"k\", (\"x\"):rep(300000))\n      take",
			"01-a/lesson.yaml:20:6: beat 1: its reply and the data on the servers take about",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"01-a/lesson.yaml": failing[1:], "01-a/get.lua": get, "clients/mine.lua": client}
			if !strings.Contains(files[c.file], c.old) {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			files[c.file] = strings.Replace(files[c.file], c.old, c.new, 1)
			fsys := fstest.MapFS{}
			for name, text := range files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			l, err := decode.Lesson(fsys, "01-a")
			if err != nil {
				t.Fatal(err)
			}
			r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
			if err != nil {
				r.Problems = append(r.Problems, l.Trouble(err))
			}
			if len(r.Problems) != 1 || !strings.Contains(r.Problems.Error(), c.want) {
				t.Errorf("want only\n%s\ngot\n%v", c.want, r.Problems)
			}
		})
	}
}

// The story is played on after a failure, so that check --fix has all of it to write.
func TestAfterAFailureTheStoryIsPlayedOn(t *testing.T) {
	text := strings.NewReplacer("client: mine\n", "", "  get: {file: get.lua}\n", "").Replace(failing)
	l := changed(t, text, `take("k")`, `spawn("dog", function() oops() end) redis.eval("add", {"k"}) redis.call("GET", "k")`)
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Problems) != 1 || r.Steps != 6 {
		t.Fatalf("after %d steps it says\n%v", r.Steps, r.Problems)
	}
	if p := r.Problems[0]; p.EndCol != len(p.Source)+1 {
		t.Errorf("it is about the columns %d to %d of %q, want it to end with the line", p.Col, p.EndCol, p.Source)
	}
}

// Who has ended is inside of nothing, and what breaks off in a solution is not hidden.
func TestWhatIsSaidBesideTheMistake(t *testing.T) {
	text := strings.NewReplacer("client: mine\n", "", "  get: {file: get.lua}\n", "").Replace(failing)
	text = strings.Replace(text, `take("k")`, `redis.eval("add", {"k"}) redis.call("GET", "k")`, 1)
	l := changed(t, text, `'redis.call("PING") redis.call("PING")'`, `'enter("s") redis.call("PING") redis.call("PING") if redis.call("GET", "k") ~= nil then return end oops()'`)
	last := len(l.Story) - 1
	l.Story[last].Expect.Parts = []lessons.Expected{{Key: "holds", Name: "s", Texts: []string{"B"}}}
	l.Story[last].Choices = append(l.Story[last].Choices, l.Story[last].Choices...)
	l.Challenges[0].Solution = []engine.Choice{{Kind: engine.Run, Target: "B"}, {Kind: engine.Run, Target: "B"}, {Kind: engine.Run, Target: "B"}}
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"want: B\n  got:  nobody; the program of B has ended, and with it left",
		"none of its 3 steps does that: with step 3 the program of B fails: B:1: attempt to call",
	} {
		if !strings.Contains(r.Problems.Error(), want) {
			t.Errorf("%s is not in\n%v", want, r.Problems)
		}
	}
}
