package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/ui"
)

// openFair opens the fair lock, whose step 4 makes R2 wait.
func openFair(t *testing.T) *desk {
	t.Helper()
	catalog, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	return openCatalog(t, catalog, "fair-lock")
}

func openCatalog(t *testing.T, catalog []*lessons.Lesson, name string) *desk {
	t.Helper()
	real := &rig{kind: ui.Redis}
	p := &Playground{Catalog: NewCatalog(catalog), Engines: []Engine{Embedded{}, real}}
	d := &desk{t: t, session: p.NewSession("test"), real: real, html: map[string]string{}}
	d.ok(fmt.Sprintf(`"op":"load","lesson":%q`, name))
	return d
}

// openScripted opens the fixture with a script in it.
func openScripted(t *testing.T) *desk {
	t.Helper()
	l := fixture()
	l.Scripts = []lessons.Script{{Name: "unlock", Source: "if redis.call('get', KEYS[1]) == ARGV[1] then\n  return redis.call('del', KEYS[1])\nend\nreturn 0"}}
	l.Client.Source = strings.Replace(library, `redis.call("DEL", name)`, `redis.eval("unlock", {name}, {me})`, 1)
	return openCatalog(t, []*lessons.Lesson{l}, l.Name)
}

// line checks where in the script of which step the learner stands.
func (d *desk) line(step, line int) *engine.Inside {
	d.t.Helper()
	v := d.session.View()
	if v.Pos != step || v.Line != line {
		d.t.Fatalf("on line %d of step %d, want line %d of step %d", v.Line, v.Pos, line, step)
	}
	d.shown()
	if step == 0 {
		return nil
	}
	return v.Step().Inside
}

func TestALineIsWalkedForwardAndBackOnBothEngines(t *testing.T) {
	for _, kind := range []ui.EngineKind{ui.Embedded, ui.Redis} {
		d := openFair(t)
		d.ok(fmt.Sprintf(`"op":"engine","kind":%q`, kind))
		d.ok(`"op":"seek","pos":7`)
		d.ok(`"op":"seek","pos":4`)
		outside := d.html
		d.ok(`"op":"line","n":1`)
		in := d.line(4, 1)
		last := len(in.Lines)
		if last < 10 || !slices.ContainsFunc(in.Lines, func(l engine.Line) bool { return l.Call != nil }) {
			t.Fatalf("only %d lines, or no calls among them", last)
		}
		for n := 2; n <= last; n++ {
			d.ok(`"op":"line","n":1`)
			d.line(4, n)
			if want := ui.LineSentence(lessons.En, in, n); d.last.Say != want {
				t.Errorf("line %d is told as %q, want %q", n, d.last.Say, want)
			}
		}
		after, _ := d.session.View().Step().After.Node("redis")
		if got := in.Lines[last-1].Keys; !slices.EqualFunc(got, after.Keys, engine.Key.Equal) {
			t.Errorf("%s: the last line leaves %v, the step %v", kind, got, after.Keys)
		}
		d.ok(`"op":"line","n":1`) // beyond the last
		d.line(4, 0)
		if want := ui.Sentence(lessons.En, d.session.View().Step()); d.last.Say != want {
			t.Errorf("at the end %q is said, want %q", d.last.Say, want)
		}
		d.ok(`"op":"line","n":-1`) // from outside: the last one
		d.line(4, last)
		d.ok(`"op":"line","n":-3`)
		d.line(4, last-3)
		d.ok(`"op":"line","n":-9999`)
		d.line(4, 1)
		d.ok(`"op":"line","pos":5`)
		d.line(4, 5)
		d.ok(`"op":"line","pos":99999`)
		d.line(4, last)
		d.ok(`"op":"line","pos":0`)
		d.line(4, 0)
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
		{`"op":"step","n":1`, 5},
		{`"op":"step","n":-1`, 3},
		{`"op":"seek","pos":4`, 4},
		{`"op":"choose","choice":"tick 1s"`, 5},
		{`"op":"play","hz":1`, 4},
		{`"op":"engine","kind":"redis"`, 4},
		{`"op":"reset"`, 0},
		{`"op":"fork"`, 4},
		{`"op":"load","lesson":"fair-lock"`, 0},
	} {
		d := openFair(t)
		d.ok(`"op":"seek","pos":4`)
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
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"line","pos":3`)
	d.refused(`"op":"choose","choice":"run Z"`, CodeNotEnabled)
	d.line(4, 3)
	d.refused(`"op":"line"`, CodeBadMessage)
	d.line(4, 3)
}

// Looking in changes nothing that another engine could differ from.
func TestTheEngineSwitchAfterALookFindsTheSame(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"line","n":1`)
	d.ok(`"op":"engine","kind":"redis"`)
	d.notice(ui.NoticeSame, 0, "4 steps")
	d.ok(`"op":"line","n":1`)
	d.line(4, 1)
	if n := d.session.View().Notice; n != nil {
		t.Errorf("the notice outlives the next move: %+v", n)
	}
}

func TestAStepWithoutAScriptHasNoLines(t *testing.T) {
	d := openFair(t)
	d.refused(`"op":"line","n":1`, CodeNoScript)
	d.ok(`"op":"seek","pos":3`) // a tick
	if msg := d.refused(`"op":"line","n":1`, CodeNoScript); !strings.Contains(msg, "Step 3 ran no script") {
		t.Errorf("the reason is %q", msg)
	}
	d.line(3, 0)
	d.ok(`"op":"line","pos":0`) // nothing to leave
	d.line(3, 0)
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
		if msg := d.refused(`"op":"line","n":1`, CodeNoScript); !strings.Contains(msg, test.script) {
			t.Errorf("the reason is %q", msg)
		}
		d.line(pos, 0)
	}
}

func TestAnEngineThatFailsDuringALook(t *testing.T) {
	d := openFair(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"seek","pos":4`)
	d.real.down = true
	d.refused(`"op":"line","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 0, "connection reset")
	d.line(4, 0)
	d.refused(`"op":"line","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 0, "connection refused")
	d.real.down = false
	d.real.slow = 1
	d.ok(`"op":"line","n":1`)
	d.line(4, 1)
	if n := d.session.View().Notice; n != nil {
		t.Errorf("the notice is still %+v", n)
	}
	d.real.down = true
	d.ok(`"op":"line","n":1`) // what was looked into is kept
	d.line(4, 2)
}

func TestALookThatEndsDifferentlySaysSo(t *testing.T) {
	l := fixture()
	l.Scripts = []lessons.Script{{Name: "read", Source: `return redis.call("get", KEYS[1])`}}
	l.Actors[1].Program = `redis.eval("read", {"lock"}, {}) redis.call("SET", "lock", "B", "NX")`
	d := openCatalog(t, []*lessons.Lesson{l}, l.Name)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"choose","choice":"run B"`)
	d.real.forget = true // its SET now sets nothing
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
