package lessons_test

import (
	"strings"
	"testing"

	"lockstep/lessons"
)

const timed = `
title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
actors:
  A:
    program: |
      redis.call("SET", "k", me, "PX", 5000)
      sleep("2s")
      subscribe("c")
      receive("c", "1s")
      redis.call("PING")
story:
  - {run: A, expect: {reply: OK}}
  - {tick: 2s, expect: {woke: [A]}}
  - {run: A, expect: {status: {A: waiting}}}
  - {tick: 1s, expect: {woke: [A]}}
  - {run: A, expect: {reply: PONG}}
`

// A span that the clock cannot show is told at its line, and what follows from it is not.
func TestSpansOffTheClockAreTold(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"none is", "", "", ""},
		{
			"a sleep", `sleep("2s")`, `sleep("2050ms")`,
			"01-stock/lesson.yaml:10:7: A sleeps for 2050ms: the clock of this lesson moves in steps of 100ms, and 2050ms is not a multiple of it\n   10 |       sleep(\"2050ms\")\n      |       ^\n  write 2s or 2100ms, or set resolution",
		},
		{"work as a number", `sleep("2s")`, `work(10)`, "01-stock/lesson.yaml:10:7: A sleeps for 10ms: "},
		{"a wait", `receive("c", "1s")`, `receive("c", 950)`, "01-stock/lesson.yaml:12:7: A waits for a message for 950ms: "},
		{"a wait without end", `receive("c", "1s")`, `spawn("t", function() receive("c") end) receive("c", "1s")`, ""},
		{"a lease", `"PX", 5000`, `"PX", 4999`, "01-stock/lesson.yaml:9:7: the key k is to live for 4999ms: "},
		{"a reply that is waited for", `subscribe("c")`, `node("redis", {timeout = 150}).call("PING")`, "01-stock/lesson.yaml:11:7: A waits for a reply for 150ms: "},
		{"replicas that are waited for", `subscribe("c")`, `redis.call("WAIT", 1, 1250)`, "01-stock/lesson.yaml:11:7: A waits for replicas for 1250ms: "},
		{"a wait in the server", `subscribe("c")`, `redis.call("BLPOP", "l", "0.25")`, "01-stock/lesson.yaml:11:7: A waits in redis for 250ms: "},
		{"a clock of other steps", "actors:", "resolution: 50ms\nactors:", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := changed(t, timed, c.old, c.new)
			r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
			if err != nil {
				t.Fatal(err)
			}
			said := r.Problems
			if c.want == "" && len(said) > 0 || c.want != "" && (len(said) != 1 || !strings.HasPrefix(said.Error(), c.want)) {
				t.Errorf("want %s\ngot %v", c.want, said)
			}
		})
	}
}

// A wait in a server ends by the server's clock, which may be ahead.
func TestAWaitInAServerOfAnotherClock(t *testing.T) {
	for span, want := range map[string]string{"0.25": "A waits in redis for 250ms: ", "0.3": ""} {
		l := changed(t, `
title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
actors:
  A: {program: 'redis.call("BLPOP", "l", "SPAN")'}
faults: [clock redis +1s]
story:
  - clock: redis +1s
  - {run: A, expect: {status: {A: blocked}}}
`, "SPAN", span)
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Problems; want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got.Error(), want)) {
			t.Errorf("a wait of %s: %v", span, got)
		}
	}
}
