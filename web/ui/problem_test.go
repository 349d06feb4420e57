package ui

import (
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// An author reads in their language what is wrong.
func TestProblemsAreToldInTheLanguageOfThePage(t *testing.T) {
	at := lessons.Place{File: "lesson.yaml", Line: 3, Col: 1}
	said := &lessons.Problem{
		Place: at, Severity: lessons.Warning, Code: lessons.CodeIdleActor,
		Message: fact.Of("lesson-idle-actor", "A"), Advice: fact.Of("lesson-run-or-drop"), Want: fact.Text("1"), Got: fact.Text("2"),
	}
	for _, c := range []struct {
		lang lessons.Lang
		want string
	}{
		{lessons.En, "lesson.yaml:3:1: warning: the actor \"A\" never moves\n  want: 1\n  got:  2\n  let it run in the story, or leave it out"},
		{lessons.Zh, "lesson.yaml:3:1: 警告：客户端 \"A\" 从没执行过\n  应为：1\n  实际：2\n  请让它在故事里执行，或者去掉它"},
	} {
		message, text := Problem(c.lang, said)
		if text != c.want || !strings.Contains(text, message) {
			t.Errorf("%s: %q says %q, and not %q", c.lang, message, text, c.want)
		}
	}
}
