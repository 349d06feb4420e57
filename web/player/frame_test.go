package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/lessons"
)

func TestAFrameHoldsOnlyWhatChanged(t *testing.T) {
	d := open(t)
	if d.last.Base != 0 || len(d.last.Frags) != len(d.html) {
		t.Fatalf("the first frame is not complete: base %d, %d fragments", d.last.Base, len(d.last.Frags))
	}
	d.ok(`"op":"step","n":1`)
	if n := len(d.last.Frags); n == 0 || n == len(d.html) {
		t.Errorf("a step changed %d of %d fragments", n, len(d.html))
	}
	d.ok(`"op":"step","n":0`)
	if n := len(d.last.Frags); n != 0 {
		t.Errorf("no step changed %d fragments", n)
	}
}

// While a story is told its frames have nothing of the lab, and all of it once that opens.
func TestTheLabIsDrawnWhenItOpens(t *testing.T) {
	d := openScripted(t)
	d.ok(`"op":"look","told":true`)
	for range 3 {
		d.ok(`"op":"step","n":1`)
		for _, f := range d.last.Frags {
			if f.ID == "f-keys" || f.ID == "f-ran" || f.ID == "f-program" {
				t.Errorf("step %d: %s is drawn", d.last.Pos, f.ID)
			}
		}
	}
	d.ok(`"op":"look"`)
	d.shown()
}

// A client that does not acknowledge gets two frames, and then, when it does, the
// latest state and nothing in between.
func TestASlowClientGetsTheLatestState(t *testing.T) {
	d := open(t)
	silent := func(fields string) (frames []*Frame) {
		for _, m := range d.session.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"id":1,%s}`, fields)) {
			if m.Frame != nil {
				frames = append(frames, m.Frame)
			}
		}
		return frames
	}
	for n := range 2 {
		if frames := silent(`"op":"step","n":1`); len(frames) != 1 || frames[0].Pos != n+1 {
			t.Fatalf("step %d: frames %+v", n+1, frames)
		}
	}
	for range 3 {
		if frames := silent(`"op":"step","n":1`); len(frames) != 0 {
			t.Fatalf("a third frame is under way: %+v", frames[0])
		}
	}
	rev := d.session.screen.rev
	frames := silent(fmt.Sprintf(`"op":"ack","rev":%d`, rev-1))
	if len(frames) != 1 || frames[0].Pos != 5 || frames[0].Base != rev || frames[0].Rev != rev+1 {
		t.Fatalf("after an acknowledgement: %+v", frames)
	}
	if frames := silent(fmt.Sprintf(`"op":"ack","rev":%d`, rev+1)); len(frames) != 0 {
		t.Fatalf("there is nothing new to say: %+v", frames[0])
	}
}

func TestLoadReachesAClientThatNeverAcknowledged(t *testing.T) {
	d := open(t)
	for range 5 {
		d.session.Handle(t.Context(), []byte(`{"v":1,"op":"step","n":1}`))
	}
	d.html = nil
	d.rev = d.session.screen.rev
	d.ok(`"op":"load","lesson":"two-clients"`)
	d.at(0, "")
}

func TestOnlySentFramesCanBeAcknowledged(t *testing.T) {
	d := open(t)
	for _, rev := range []string{"0", "-1", "2", "9223372036854775807"} {
		d.refused(`"op":"ack","rev":`+rev, CodeBadMessage)
	}
}

func TestMessagesThatAreNoCommands(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	for _, test := range []struct{ data, part string }{
		{``, "EOF"},
		{`hello`, "invalid character"},
		{`null`, "version 0"},
		{`[]`, "array"},
		{`{"v":1,"id":7,"op":"step"`, "EOF"},
		{`{"v":1,"id":7,"op":"step","n":"two"}`, "n cannot be a JSON string"},
		{`{"v":1,"id":7,"op":"step","n":1e99}`, "n cannot be a JSON number"},
		{`{"v":1,"id":7,"op":"step","m":1}`, "unknown field"},
		{`{"v":1,"id":7,"op":"step","n":1}{"v":1}`, "more than one"},
		{`{"v":2,"id":7,"op":"step","n":1}`, "version 2"},
		{`{"v":1,"id":7,"op":"fly"}`, `"fly"`},
		{`{"v":1,"id":7}`, `""`},
		{`{"v":1,"op":"fly"}`, `"fly"`},
		{`{"v":1,"id":7,"op":"` + strings.Repeat("x", MaxMessage) + `"}`, "bytes"},
		{strings.Repeat("[", 60000), "invalid character"},
	} {
		out := d.session.Handle(t.Context(), []byte(test.data))
		if len(out) == 0 || out[len(out)-1].Reply == nil || out[len(out)-1].Err == nil {
			t.Errorf("%.60q: no error", test.data)
			continue
		}
		err := out[len(out)-1].Err
		if err.Code != CodeBadMessage || !strings.Contains(err.Msg, test.part) && !strings.HasPrefix(test.data, "[[") {
			t.Errorf("%.60q: %v, want %q", test.data, err, test.part)
		}
		if len(err.Msg) > 500 {
			t.Errorf("%.60q: the message has %d bytes", test.data, len(err.Msg))
		}
	}
	d.ok(`"op":"step","n":1`)
	d.at(2, "A.B")
}

func TestNothingWorksBeforeALessonIsLoaded(t *testing.T) {
	d := open(t)
	d.session = d.session.NewSession("empty")
	for op := range operations {
		d.refused(fmt.Sprintf(`"op":%q`, op), CodeNoLesson)
	}
	if d.session.Advance(t.Context()) != nil || d.session.Close() != nil {
		t.Error("an empty session does something")
	}
}

func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		`{"v":1,"id":1,"op":"step","n":3}` + "\n" + `{"v":1,"op":"step","n":-1}` + "\n" + `{"v":1,"op":"choose","choice":"crash jvm-1"}`,
		`{"v":1,"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.@1s.B","pos":1}` + "\n" + `{"v":1,"op":"story"}`,
		`{"v":1,"op":"seek","pos":3}` + "\n" + `{"v":1,"op":"reset"}` + "\n" + `{"v":1,"op":"ghost"}` + "\n" + `{"v":1,"op":"engine","kind":"redis"}`,
		`{"v":1,"op":"step","n":1}` + "\n" + `{"v":1,"op":"answer","beat":2,"text":"nil"}` + "\n" + `{"v":1,"op":"play","hz":20}`,
		`{"v":1,"op":"seek","pos":4}` + "\n" + `{"v":1,"op":"edit","part":"client:set-nx","source":"function trylock(n) enter(n) return redis.call(\"INCR\", n) end function unlock(n) leave(n) end"}` + "\n" + `{"v":1,"op":"ghost"}` + "\n" + `{"v":1,"op":"step","n":2}` + "\n" + `{"v":1,"op":"ghost"}`,
		`{"v":1,"op":"seek","pos":4}` + "\n" + `{"v":1,"op":"line","n":1}` + "\n" + `{"v":1,"op":"line","n":-2}` + "\n" + `{"v":1,"op":"line","pos":2}` + "\n" + `{"v":1,"op":"thread","actor":"B"}` + "\n" + `{"v":1,"op":"line","pos":9}` + "\n" + `{"v":1,"op":"step","n":1}`,
		`{"v":1,"op":"ack","rev":1}` + "\n" + `{"v":2}` + "\n" + `{`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 4000 {
			return
		}
		d := openScripted(t)
		for line := range strings.SplitSeq(script, "\n") {
			for _, m := range d.session.Handle(t.Context(), []byte(line)) {
				d.take(m)
			}
			for _, m := range d.session.Advance(t.Context()) {
				d.take(m)
			}
			v := d.session.View()
			if v.Pos < 0 || v.Pos > len(v.Trace.Steps) || len(v.Trace.Steps) != len(v.Schedule.Choices) {
				t.Fatalf("after %q: at %d of %d steps, %d choices", line, v.Pos, len(v.Trace.Steps), len(v.Schedule.Choices))
			}
			if v.Line < 0 || v.Line > 0 && (v.Step() == nil || v.Step().Inside == nil || v.Line > len(v.Step().Inside.Lines)) {
				t.Fatalf("after %q: on line %d", line, v.Line)
			}
			if v.ClientLine < 0 || v.ClientLine > 0 && (v.Line > 0 || v.Step() == nil || v.ClientLine > len(v.Step().Ran)) {
				t.Fatalf("after %q: on client line %d", line, v.ClientLine)
			}
		}
		if d.session.screen.dirty {
			t.Fatal("a client that acknowledges everything is not up to date")
		}
		d.shown()
		again := openScripted(t)
		if err := again.session.Load(t.Context(), Place{Lesson: "two-clients", Schedule: d.session.schedule().String(), Edits: d.session.edited()}); err != nil {
			t.Fatal(err)
		}
		if step, same := lessons.Compare(&d.session.now.trace, &again.session.now.trace); !same {
			t.Fatalf("replaying %s differs at step %d", d.session.schedule(), step)
		}
	})
}

// A step of Redisson's lock and its frame, as the server makes them: of the lab, of a story that nobody has been told
// before, and of one that somebody has.
func BenchmarkStepRendered(b *testing.B) {
	catalog := builtIn(b)
	for _, what := range []string{"lab", "told first", "told again"} {
		b.Run(what, func(b *testing.B) {
			p := &Playground{Catalog: NewCatalog(catalog), Engines: []Engine{Embedded{}}}
			stepRendered(b, what != "lab", func() *Session {
				if what == "told first" {
					p.Catalog.Publish(&Edition{Lessons: catalog})
				}
				return p.NewSession("bench")
			})
		})
	}
}

func stepRendered(b *testing.B, told bool, open func() *Session) {
	var s *Session
	step, total, plain, deflated := []byte(`{"v":1,"op":"step","n":1}`), 1, 0, []int{}
	for i := 0; b.Loop(); i++ {
		if i%total == 0 {
			b.StopTimer()
			s = open()
			if err := s.Load(b.Context(), Place{Lesson: "redisson-lock", Told: told}); err != nil {
				b.Fatal(err)
			}
			s.Handle(b.Context(), []byte(`{"v":1,"op":"step","n":0}`)) // the whole page
			s.screen.acked = s.screen.rev
			total = s.View().Story.Total
			b.StartTimer()
		}
		for _, m := range s.Handle(b.Context(), step) {
			plain += len(m.Encode())
			if m.Frame != nil && len(deflated) < total {
				b.StopTimer()
				_, d := wire(b, m.Frame)
				deflated = append(deflated, d)
				b.StartTimer()
			}
		}
		s.screen.acked = s.screen.rev
	}
	slices.Sort(deflated)
	b.ReportMetric(float64(plain)/float64(b.N), "B/frame")
	b.ReportMetric(float64(deflated[len(deflated)/2]), "B-deflated-p50")
}
