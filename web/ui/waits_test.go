package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// Beside its lane a server says who gets a lock and who waits, who makes a znode and who watches it, and what becomes of
// what a transaction wrote.
func TestALaneSaysWhoHasARowAndWhoWaits(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"sql-for-update", "sql-deadlock", "zk-predecessor", "curator-reentrant"} {
		all := lessonsBuiltIn(t)
		l := all[slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.Name == name })]
		scenario, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		_, trace, err := engine.Replay(t.Context(), scenario, l.Choices())
		if err != nil {
			t.Fatal(err)
		}
		v := View{Lang: lessons.En, Lesson: l, Trace: trace, Pos: len(trace.Steps)}
		d := layout(&v)
		fmt.Fprintf(&text, "%s\n", name)
		for i := range trace.Steps {
			s := &trace.Steps[i]
			for _, w := range d.valuesOf(&v, s) {
				var parts []string
				for _, part := range w.Parts {
					parts = append(parts, part.Text)
				}
				fmt.Fprintf(&text, "  %2d  %s\n", s.N, strings.Join(parts, " | "))
			}
		}
		for _, lane := range d.Lanes {
			for _, b := range lane.Bars {
				if b.Waits {
					fmt.Fprintf(&text, "  %s waits beside %s, column %d, from step %d to %d\n", b.Owner, b.Key, b.Column, b.from, b.to)
				}
			}
		}
	}
	golden(t, "waits.txt", text.String())
}

// Off the story the page also says who is held up without a word of a section: B waits for the row that C has. Who waits for a
// task waits for no message.
func TestThePageSaysWhoIsHeldUp(t *testing.T) {
	for _, c := range []struct {
		lesson, schedule, en, zh string
	}{
		{"sql-for-update", "run C, run B, run C, run B", "B: its request waits in db, because of C.", "B：请求正在 db 中等待，受阻于 C。"},
		{"message-for-all", "run W, run R2, run R2, run R2", "R2: waits until t = 3 s.", "R2：等待到 t = 3 秒。"},
		{"lost-renewal", "run A, cut app-2 redis, tick 30s, run B", "B: it waits for a reply from redis until t = 31 s.", "B：正在等待 redis 的返回，最晚到 t = 31 秒。"},
	} {
		for lang, want := range map[lessons.Lang]string{lessons.En: c.en, lessons.Zh: c.zh} {
			v := playedBy(t, c.lesson, c.schedule)
			v.Lang = lang
			if all := remarks(v); !slices.Contains(all, want) {
				t.Errorf("%s: the page says %q, not %q", c.lesson, all, want)
			}
		}
	}
	v := playedBy(t, "async-lock", "run A")
	for _, a := range v.Snapshot().Actors {
		if _, awaits := a.Next.(engine.Await); awaits && doing(v, v.Snapshot(), a, span) != "waiting" {
			t.Errorf("%s: %s", a.Name, doing(v, v.Snapshot(), a, span))
		}
	}
}

// playedBy is the view of a lesson after a schedule.
func playedBy(t *testing.T, name, schedule string) *View {
	t.Helper()
	l := lessons.Find(lessonsBuiltIn(t), name)
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	var choices []engine.Choice
	for text := range strings.SplitSeq(schedule, ", ") {
		c, err := engine.ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		choices = append(choices, c)
	}
	_, trace, err := engine.Replay(t.Context(), scenario, choices)
	if err != nil {
		t.Fatal(err)
	}
	return &View{Lang: lessons.En, Lesson: l, Trace: trace, Pos: len(trace.Steps)}
}
