package ui

import (
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

func TestEveryKindOfProblemHasChineseWords(t *testing.T) {
	for _, c := range lessons.Codes {
		if problemKinds[c.Code] == "" {
			t.Errorf("%s has none", c.Code)
		}
	}
	if len(problemKinds) != len(lessons.Codes) {
		t.Errorf("%d kinds have words, and there are %d", len(problemKinds), len(lessons.Codes))
	}
}

// An author reads in their language what is wrong, or at least of what kind it is.
func TestProblemsAreToldInTheLanguageOfThePage(t *testing.T) {
	at := lessons.Place{File: "lesson.yaml", Line: 3, Col: 1}
	said := (&lessons.Problem{Place: at, Severity: lessons.Warning, Code: lessons.CodeIdleActor, Want: "1", Got: "2"}).
		Says(fact.Of("lesson-idle-actor", "A"), fact.Of("lesson-run-or-drop"))
	english := &lessons.Problem{Place: at, Severity: lessons.Error, Code: lessons.CodeOptions, Message: "there is nothing to choose from"}
	for _, c := range []struct {
		lang lessons.Lang
		of   *lessons.Problem
		want string
	}{
		{lessons.En, said, "lesson.yaml:3:1: warning: the actor \"A\" never moves\n  want: 1\n  got:  2\n  let it run in the story, or leave it out"},
		{lessons.Zh, said, "lesson.yaml:3:1: 警告：客户端 \"A\" 从没执行过\n  应为：1\n  实际：2\n  请让它在故事里执行，或者去掉它"},
		{lessons.En, english, "lesson.yaml:3:1: there is nothing to choose from"},
		{lessons.Zh, english, "lesson.yaml:3:1: 选项里没有正确答案，或者有重复：there is nothing to choose from"},
	} {
		message, text := Problem(c.lang, c.of)
		if text != c.want || !strings.Contains(text, message) {
			t.Errorf("%s: %q says %q, and not %q", c.lang, message, text, c.want)
		}
	}
}
