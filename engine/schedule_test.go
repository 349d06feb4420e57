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
		{Kind: Cut, Target: "p1", Other: "n1"},
		{Kind: Clock, Target: "n1", Span: time.Second},
		{Kind: Clock, Target: "n1", Span: -time.Second},
		{Kind: Replicate, Target: "r", Other: "all"},
		{Kind: Restart, Target: "n1", Other: "from snapshot"},
	}}
	const want = "v1.5f3a9c12.A*2.@.@1500ms.A:watchdog.!crash:jvm-1.B.!cut:p1:n1.!clock:n1:1s.!clock:n1:-1s.!replicate:r:all.!restart:n1:from:snapshot"
	if got := s.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	back, err := ParseSchedule(want)
	if err != nil || back.String() != want || len(back.Choices) != len(s.Choices) {
		t.Errorf("read back as %v, %v", back, err)
	}
}

func TestSchedulesAtTheirLimits(t *testing.T) {
	for text, want := range map[string]int{"v1.abc": 0, "v1.abc.A*1": 1, "v1.abc.A*1999.B": 2000, "v1.abc.A*2000": 2000} {
		if s, err := ParseSchedule(text); err != nil || len(s.Choices) != want {
			t.Errorf("%s: %d choices, %v", text, len(s.Choices), err)
		}
	}
	forty := strings.Repeat("x", 39) + "?"
	for part, want := range map[string]string{forty: `"` + forty + `" is not`, forty + "y": `"` + forty + `…" is not`} {
		if _, err := ParseSchedule("v1.abc." + part); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", part, err)
		}
	}
}

func TestChoicesAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		" run  A ": "run A", "tick": "tick", "tick  5s": "tick 5s", "resume p1": "resume p1",
		"cut  p1  n4": "cut p1 n4", "clock n3 10s": "clock n3 +10s", "clock p1 -2s": "clock p1 -2s", "replicate r": "replicate r",
		"replicate r  all": "replicate r all", "restart n1 from  snapshot": "restart n1 from snapshot",
	} {
		if c, err := ParseChoice(text); err != nil || c.String() != want {
			t.Errorf("%q is read as %v, %v", text, c, err)
		}
	}
	if _, err := ParseChoice("dance A"); err == nil || !strings.Contains(err.Error(), "run, tick, crash, restart,") {
		t.Errorf("got %v", err)
	}
	for text, want := range map[string]string{
		"run A": "", "tick": "", "crash p": "crash p", "resume p": "pause p",
		"restart n from snapshot": "crash n", "heal p n": "cut p n", "clock n +1s": "clock n +1s", "replicate r all": "", "promote r": "promote r",
	} {
		c, err := ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		by, needed := c.AllowedBy()
		if needed != (want != "") || needed && by.String() != want {
			t.Errorf("%s is allowed by %v, %v", text, by, needed)
		}
	}
}

func TestScheduleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "it begins with v1.",
		"v2.abc.A":                           "it begins with v1.",
		"v1":                                 "the lesson's hash",
		"v1.abc.A.B*0":                       `part 2 of the schedule: "B*0"`,
		"v1.abc.A B":                         `part 1 of the schedule: "A B" is not a choice`,
		"v1.abc.A.@-3s":                      "part 2 of the schedule: the duration -3s must be more than zero",
		"v1.abc.@999999999h":                 "part 1",
		"v1.abc.@1us":                        "whole number of milliseconds",
		"v1.abc.!cut:A":                      "needs two names",
		"v1.abc.!clock:A":                    "is not a duration",
		"v1.abc.!clock:A B:1s":               "is not a duration",
		"v1.abc.!clock:A:0s":                 "more than zero",
		"v1.abc.!replicate:r:some":           "needs the name",
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
