package lessons_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

const withTask = `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
actors:
  A:
    program: |
      redis.call("SET", "lock", me)
      spawn("watchdog", function() sleep("10s") redis.call("GET", "lock") end)
      redis.call("DEL", "lock")
      cancel("watchdog")
invariants:
  - {name: renewed, lua: 'not exists("lock") or status("A:watchdog") == "none" or status("A:watchdog") == "sleeping"'}
  - {name: over, lua: 'status("A") ~= "finished" or status("A:watchdog") == "STATUS"'}
story:
  - {run: A, expect: {reply: OK, status: {"A:watchdog": sleeping}}}
  - {run: A, expect: {reply: 1, status: {"A:TASK": none}}}
`

// A task has a status in rules and in expectations, also before it begins and after it has ended.
func TestTasksHaveAStatus(t *testing.T) {
	for _, c := range []struct{ status, task, want string }{
		{"none", "watchdog", ""},
		{"sleeping", "watchdog", "over"},
		{"none", "watchdgo", `there is never a task "A:watchdgo" in what is played`},
	} {
		text := strings.NewReplacer("STATUS", c.status, "TASK", c.task).Replace(withTask)
		l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
		if err != nil {
			t.Fatal(err)
		}
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		if got := append(r.Problems, r.Lint()...).Error(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s of %s: %q, not %q", c.status, c.task, got, c.want)
		}
	}
}
