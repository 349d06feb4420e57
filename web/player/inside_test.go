package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// openFair opens the fair lock, whose step 3 makes B wait.
func openFair(t *testing.T) *testClient {
	t.Helper()
	return openCatalog(t, builtIn(t), "fair-lock")
}

func openCatalog(t *testing.T, catalog []*lessons.Lesson, name string) *testClient {
	t.Helper()
	redis := &fakeEngine{kind: ui.Redis}
	p := &Playground{Catalog: NewCatalog(catalog), Engines: []Engine{Embedded{}, redis}}
	d := &testClient{t: t, session: p.NewSession("test"), redis: redis, html: map[string]string{}}
	d.ok(fmt.Sprintf(`"op":"load","lesson":%q`, name))
	return d
}

// openScripted opens the fixture with a script in it.
func openScripted(t *testing.T) *testClient {
	t.Helper()
	l := fixture()
	l.Scripts = []lessons.Script{{Name: "unlock", Source: "if redis.call('get', KEYS[1]) == ARGV[1] then\n  return redis.call('del', KEYS[1])\nend\nreturn 0"}}
	l.Client.Source = strings.Replace(library, `redis.call("DEL", name)`, `redis.eval("unlock", {name}, {me})`, 1)
	return openCatalog(t, []*lessons.Lesson{l}, l.Name)
}

// line checks where in the script of which step the learner stands.
func (d *testClient) line(step, line int) *engine.Inside {
	d.t.Helper()
	v := d.session.View()
	if v.Pos != step || v.Line != line || v.ClientLine != 0 {
		d.t.Fatalf("on line %d and client line %d of step %d, want line %d of step %d", v.Line, v.ClientLine, v.Pos, line, step)
	}
	d.shown()
	if step == 0 {
		return nil
	}
	return v.Step().Inside
}

// clientLine checks on which line of a client the learner stands.
func (d *testClient) clientLine(step, line int) {
	d.t.Helper()
	v := d.session.View()
	if v.Pos != step || v.Line != 0 || v.ClientLine != line {
		d.t.Fatalf("on line %d and client line %d of step %d, want client line %d of step %d", v.Line, v.ClientLine, v.Pos, line, step)
	}
	d.shown()
}

func TestALineIsWalkedForwardAndBackOnBothEngines(t *testing.T) {
	for _, kind := range []ui.EngineKind{ui.Embedded, ui.Redis} {
		d := openFair(t)
		d.ok(fmt.Sprintf(`"op":"engine","kind":%q`, kind))
		d.ok(`"op":"seek","pos":7`)
		d.ok(`"op":"seek","pos":3`)
		outside := d.html
		d.ok(`"op":"line","n":1`)
		in := d.line(3, 1)
		last := len(in.Lines)
		if last < 10 || !slices.ContainsFunc(in.Lines, func(l engine.Line) bool { return l.Call != nil }) {
			t.Fatalf("only %d lines, or no calls among them", last)
		}
		for n := 2; n <= last; n++ {
			d.ok(`"op":"line","n":1`)
			d.line(3, n)
			if v := d.session.View(); d.last.Say != ui.LineSentence(&v) || !strings.HasPrefix(d.last.Say, "line ") {
				t.Errorf("line %d is told as %q", n, d.last.Say)
			}
		}
		after, _ := d.session.View().Step().After.Node("redis")
		if got := in.Lines[last-1].Keys; !slices.EqualFunc(got, after.Keys, engine.Key.Equal) {
			t.Errorf("%s: the last line leaves %v, the step %v", kind, got, after.Keys)
		}
		ran := d.session.View().Step().Ran
		if len(ran) < 3 {
			t.Fatalf("the client ran only %d lines", len(ran))
		}
		for n := range ran { // then those of the client
			d.ok(`"op":"line","n":1`)
			d.clientLine(3, n+1)
			if !strings.HasPrefix(d.last.Say, "B, fair.lua:") && !strings.HasPrefix(d.last.Say, "B, B:") {
				t.Errorf("line %d of the client is told as %q", n+1, d.last.Say)
			}
		}
		d.ok(`"op":"line","n":1`) // beyond the last
		d.line(3, 0)
		if want := ui.Sentence(lessons.En, d.session.View().Step()); d.last.Say != want {
			t.Errorf("at the end %q is said, want %q", d.last.Say, want)
		}
		d.ok(`"op":"line","n":-1`) // from outside: the last one
		d.clientLine(3, len(ran))
		d.ok(fmt.Sprintf(`"op":"line","n":%d`, -len(ran)))
		d.line(3, last)
		d.ok(`"op":"line","n":-3`)
		d.line(3, last-3)
		d.ok(`"op":"line","n":-9999`)
		d.line(3, 1)
		d.ok(`"op":"line","pos":5`)
		d.line(3, 5)
		d.ok(`"op":"line","pos":99999`)
		d.clientLine(3, len(ran))
		d.refused(`"op":"choose","choice":"run Z"`, CodeNotEnabled)
		d.clientLine(3, len(ran))
		d.ok(`"op":"line","pos":0`)
		d.line(3, 0)
		for id, html := range outside {
			if d.html[id] != html {
				t.Errorf("after looking inside %s shows\n%s\nwas\n%s", id, d.html[id], html)
			}
		}
		d.ok(`"op":"seek","pos":7`)
		d.ok(`"op":"step","n":1`) // the engine goes on at the end of the timeline
		d.line(8, 0)
	}
}

func TestEveryOtherMoveLeavesTheScript(t *testing.T) {
	for _, test := range []struct {
		fields string
		pos    int
	}{
		{`"op":"step","n":1`, 4},
		{`"op":"step","n":-1`, 2},
		{`"op":"seek","pos":3`, 3},
		{`"op":"choose","choice":"tick 1s"`, 4},
		{`"op":"play","hz":1`, 3},
		{`"op":"engine","kind":"redis"`, 3},
		{`"op":"reset"`, 0},
		{`"op":"fork"`, 3},
		{`"op":"load","lesson":"fair-lock"`, 0},
	} {
		d := openFair(t)
		d.ok(`"op":"seek","pos":3`)
		d.ok(`"op":"line","pos":3`)
		d.ok(test.fields)
		if v := d.session.View(); v.Line != 0 || v.Pos != test.pos {
			t.Errorf("%s: on line %d of step %d, want step %d and no line", test.fields, v.Line, v.Pos, test.pos)
		}
		d.shown()
	}
}

func TestACommandThatFailsLeavesTheLineAsItWas(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"line","pos":3`)
	d.refused(`"op":"choose","choice":"run Z"`, CodeNotEnabled)
	d.line(3, 3)
	d.refused(`"op":"line"`, CodeBadMessage)
	d.line(3, 3)
}

// Looking in changes nothing that another engine could differ from.
func TestTheEngineSwitchAfterALookFindsTheSame(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"line","n":1`)
	d.ok(`"op":"engine","kind":"redis"`)
	d.notice(ui.NoticeSame, 0, "3 steps")
	d.ok(`"op":"line","n":1`)
	d.line(3, 1)
	if n := d.session.View().Notice; n != nil {
		t.Errorf("the notice outlives the next move: %+v", n)
	}
}

func TestAStepThatRanNoCodeHasNoLines(t *testing.T) {
	d := openFair(t)
	if msg := d.refused(`"op":"line","n":1`, CodeNoLines); !strings.Contains(msg, "Nothing has run yet") {
		t.Errorf("the reason is %q", msg)
	}
	d.ok(`"op":"seek","pos":2`) // a tick that wakes nobody
	if msg := d.refused(`"op":"line","n":1`, CodeNoLines); !strings.Contains(msg, "Step 2 ran no code") {
		t.Errorf("the reason is %q", msg)
	}
	d.line(2, 0)
	d.ok(`"op":"line","pos":0`) // nothing to leave
	d.line(2, 0)
}

func TestAStepWithoutAScriptHasTheLinesOfItsClient(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"seek","pos":4`) // B subscribes
	d.ok(`"op":"line","n":1`)
	d.clientLine(4, 1)
	v := d.session.View()
	if r := v.Step().Ran[0]; v.Step().Inside != nil || r.Actor != v.Step().Choice.Target {
		t.Errorf("%s ran %v", r.Actor, r.At)
	}
}

func TestTheCodeOfAThreadIsPickedUntilTheNextStep(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"thread","actor":"C"`)
	if got := d.session.View().Thread; got != "C" {
		t.Errorf("the code of %q is shown", got)
	}
	d.refused(`"op":"thread","actor":"nobody"`, CodeBadMessage)
	d.refused(`"op":"choose","choice":"run Z"`, CodeNotEnabled)
	if got := d.session.View().Thread; got != "C" {
		t.Errorf("after what could not be done the code of %q is shown", got)
	}
	d.ok(`"op":"step","n":1`)
	if got := d.session.View().Thread; got != "" {
		t.Errorf("after a step the code of %q is shown", got)
	}
}

func TestAScriptThatCannotBeFollowedIsExplained(t *testing.T) {
	l := fixture()
	l.Scripts = []lessons.Script{{Name: "broken", Source: "return ="}, {Name: "empty", Source: " "}}
	l.Actors[0].Program = `pcall(redis.eval, "broken", {"lock"}, {})`
	l.Actors[1].Program = `redis.eval("empty", {"lock"}, {})`
	d := openCatalog(t, []*lessons.Lesson{l}, l.Name)
	for _, test := range []struct{ actor, script string }{{"B", "empty"}, {"A", "broken"}} {
		d.ok(fmt.Sprintf(`"op":"choose","choice":"run %s"`, test.actor))
		pos := d.session.View().Pos
		if msg := d.refused(`"op":"line","n":1`, CodeNoLines); !strings.Contains(msg, test.script) {
			t.Errorf("the reason is %q", msg)
		}
		d.line(pos, 0)
	}
}

func TestAnEngineThatFailsDuringALook(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"seek","pos":3`)
	d.redis.down = true
	d.refused(`"op":"line","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 0, "connection reset")
	d.line(3, 0)
	d.refused(`"op":"line","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 0, "connection refused")
	d.redis.down = false
	d.redis.slow = 1
	d.ok(`"op":"line","n":1`)
	d.line(3, 1)
	if n := d.session.View().Notice; n != nil {
		t.Errorf("the notice is still %+v", n)
	}
	d.redis.down = true
	d.ok(`"op":"line","n":1`) // what was looked into is kept
	d.line(3, 2)
}

// A look plays the timeline again: where that is no longer possible, the page says so.
func TestALookThatDoesNotGetThere(t *testing.T) {
	d := open(t)
	d.ok(`"op":"engine","kind":"redis"`)
	for _, choice := range []string{"run A", "run B", "tick 1s", "run B", "tick 1s", "run B"} {
		d.ok(fmt.Sprintf(`"op":"choose","choice":%q`, choice))
	}
	d.redis.lie = true // B would have been done by now
	if msg := d.refused(`"op":"line","n":1`, CodeEngine); !strings.Contains(msg, "Step 6") && !strings.Contains(msg, "step 6") {
		t.Errorf("the reason is %q", msg)
	}
	d.notice(ui.NoticeDiffers, 6, "run B")
	if v := d.session.View(); v.Line != 0 || d.last.Pos != 6 {
		t.Errorf("it stands at %d, line %d", d.last.Pos, v.Line)
	}
}

func TestALookThatEndsDifferentlySaysSo(t *testing.T) {
	l := fixture()
	l.Scripts = []lessons.Script{{Name: "read", Source: `return redis.call("get", KEYS[1])`}}
	l.Actors[1].Program = `redis.eval("read", {"lock"}, {}) redis.call("SET", "lock", "B", "NX")`
	d := openCatalog(t, []*lessons.Lesson{l}, l.Name)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"choose","choice":"run B"`)
	d.redis.forget = true // its SET now sets nothing
	d.ok(`"op":"line","n":1`)
	d.line(2, 1)
	d.notice(ui.NoticeDiffers, 1, "step 1")
	d.ok(`"op":"line","n":1`)
	d.notice(ui.NoticeDiffers, 1, "step 1") // as long as it is true of what is shown
	d.ok(`"op":"line","pos":0`)
	if n := d.session.View().Notice; n != nil {
		t.Errorf("the notice outlives the look: %+v", n)
	}
}
