package engine

import (
	"strings"
	"testing"
	"time"
)

func TestScheduleText(t *testing.T) {
	s := Schedule{Lesson: "5f3a9c12", Choices: []Choice{
		{Kind: Run, Target: "A"},
		{Kind: Run, Target: "A"},
		{Kind: Tick},
		{Kind: Tick, Span: 1500 * time.Millisecond},
		{Kind: Run, Target: "A:watchdog"},
		{Kind: Crash, Target: "jvm-1"},
		{Kind: Run, Target: "B"},
	}}
	const want = "v1.5f3a9c12.A*2.@.@1500ms.A:watchdog.!crash:jvm-1.B"
	if got := s.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	back, err := ParseSchedule(want)
	if err != nil || back.String() != want || len(back.Choices) != len(s.Choices) {
		t.Errorf("read back as %v, %v", back, err)
	}
}

func TestScheduleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "it begins with v1.",
		"v2.abc.A":                           "it begins with v1.",
		"v1":                                 "the lesson's hash",
		"v1.abc.A B":                         `part 1 of the schedule: "A B" is not a choice`,
		"v1.abc.A.@-3s":                      "part 2 of the schedule: the duration -3s must be more than zero",
		"v1.abc.@999999999h":                 "part 1",
		"v1.abc.@1us":                        "whole number of milliseconds",
		"v1.abc.!run:A":                      `"!run:A" is not a fault`,
		"v1.abc.!melt:A":                     "is not a choice: write run, tick",
		"v1.abc.!crash:":                     "needs the name",
		"v1.abc.A*0":                         "write a number from 1 to 2000",
		"v1.abc.A*99999999999":               "write a number from 1 to 2000",
		"v1.abc.A*2000.A":                    "longer than 2000 choices",
		"v1.abc..A":                          `"" is not a choice`,
		"v1.abc.<script>":                    `"<script>" is not a choice`,
		"v1.abc." + strings.Repeat("x ", 99): "…",
	} {
		if _, err := ParseSchedule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"v1.5f3a9c12.A*2.@.@1500ms.A:watchdog.!crash:jvm-1.B", "v1..", "v1.x.A*2000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSchedule(text)
		if err != nil {
			return
		}
		again, err := ParseSchedule(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("%q was read as %q, which is read as %q, %v", text, s, again, err)
		}
	})
}
