package lessons_test

import (
	"strings"
	"testing"
)

const speaking = `title: {en: T, zh: 题}
summary: {en: S, zh: 文}
chapter: more
level: basic
actors:
  A: {program: 'redis.call("PING") say("refused") say("gone") error("IllegalMonitorState: not mine")'}
  B: {program: 'redis.call("PING")'}
story:
  - run: A
    expect: {reply: PONG, says: {A: refused}, failed: {A: IllegalMonitorState}}
`

func TestWhatProgramsSayAndFailWithIsCompared(t *testing.T) {
	for _, c := range []struct{ expect, want string }{
		{"says: {A: gone}, failed: {A: not mine}", ""},
		{"says: {A: fused}, status: {A: failed}", ""},
		{"says: {A: held}, failed: {A: mine}", "what A says\n  want: held\n  got:  refused, gone"},
		{"says: {B: held}, failed: {A: mine}", "what B says\n  want: held\n  got:  nothing"},
		{"failed: {A: timeout}", "program of A\n  want: it fails with timeout\n  got:  it failed: A:1: IllegalMonitorState: not mine"},
		{"failed: {A: mine, B: mine}", "program of B\n  want: it fails with mine\n  got:  it goes on"},
	} {
		l, world := opened(t, strings.Replace(speaking, "says: {A: refused}, failed: {A: IllegalMonitorState}", c.expect, 1))
		before := *world.Snapshot()
		step, err := world.Apply(t.Context(), l.Story[0].Choices[0])
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, u := range l.Story[0].Expect.Unmet(&before, world.Trace().Steps) {
			told = append(told, u.What.Error()+"\n  want: "+u.Want.Error()+"\n  got:  "+u.Got.Error())
		}
		if got := strings.Join(told, "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.expect, got, c.want)
		}
		seen := l.Story[0].Observed(&before, world.Trace().Steps[:step.N])
		if still := seen.Unmet(&before, world.Trace().Steps); len(still) > 0 {
			t.Errorf("%s: what was observed is not met: %v", c.expect, still)
		}
	}
}
