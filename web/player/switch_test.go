package player

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/web/ui"
)

func TestTheEngineSwitchReplaysAndCompares(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"engine","kind":"redis"`)
	d.at(2, "A.B.@2s.A")
	d.notice(ui.NoticeSame, 0, "4 steps")
	if d.last.Engine != ui.Redis || d.session.View().Engine != ui.Redis {
		t.Errorf("still on %s", d.last.Engine)
	}
	d.ok(`"op":"step","n":1`)
	if d.session.View().Notice != nil {
		t.Error("the notice outlives the next step")
	}
	d.ok(`"op":"step","n":2`) // one of them new, on the other engine
	d.at(5, "A.B.@2s.A.B")
	d.ok(`"op":"engine","kind":"embedded"`)
	d.notice(ui.NoticeSame, 0, "5 steps")
	if d.redis.opened != 1 || d.redis.closed != 1 {
		t.Errorf("the other engine's nodes were opened %d times and freed %d times", d.redis.opened, d.redis.closed)
	}
	d.ok(`"op":"engine","kind":"embedded"`) // already there
	d.refused(`"op":"engine","kind":"quantum"`, CodeBadMessage)
}

func TestTheEngineSwitchSaysWhereTheEnginesDiffer(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":2`)
	d.redis.lie = true // its second SET succeeds
	d.ok(`"op":"engine","kind":"redis"`)
	d.at(2, "A.B")
	d.notice(ui.NoticeDiffers, 2, "step 2")
	if leftLast(d) != nil {
		t.Error("all steps fit, and a ghost was made")
	}
}

func TestAScheduleThatDoesNotFitTheOtherEngineIsKeptAsTheGhost(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":2`)
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.ok(`"op":"choose","choice":"run B"`)
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.ok(`"op":"choose","choice":"run B"`) // B tried twice in vain
	d.at(6, "A.B.@1s.B.@1s.B")
	d.redis.lie = true // here B gets the lock at once, unlocks and is done
	d.ok(`"op":"engine","kind":"redis"`)
	d.notice(ui.NoticeDiffers, 2, "step 2")
	if d.last.Len >= 6 {
		t.Fatalf("all %d steps fit", d.last.Len)
	}
	d.redis.lie = false
	d.ok(`"op":"ghost"`) // was played on another engine: it is replayed on this one
	d.at(6, "A.B.@1s.B.@1s.B")
	if v := d.session.View(); v.Engine != ui.Redis {
		t.Errorf("the ghost came back on %s", v.Engine)
	}
}

func TestAnEngineThatIsNotThereIsRefusedWithItsReason(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	d.redis.reason = "no redis-server was found: run make servers"
	if msg := d.refused(`"op":"engine","kind":"redis"`, CodeEngine); !strings.Contains(msg, "make servers") {
		t.Errorf("no reason in %q", msg)
	}
	d.notice(ui.NoticeError, 0, "make servers")
	d.at(1, "A")
	d.redis.reason, d.redis.down = "", true
	d.refused(`"op":"engine","kind":"redis"`, CodeEngine)
	d.notice(ui.NoticeError, 0, "connection refused")
	if d.last.Engine != ui.Embedded {
		t.Error("on a broken engine")
	}
	d.ok(`"op":"step","n":1`)
	d.at(2, "A.B")
}

func TestASessionSurvivesTheDeathOfItsServer(t *testing.T) {
	d := open(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"seek","pos":2`)
	d.redis.down = true
	d.ok(`"op":"step","n":1`) // a tick asks nothing of the server here
	d.refused(`"op":"step","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 4, "connection reset")
	d.at(3, "A.B.@2s")
	d.refused(`"op":"step","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 4, "connection refused")
	d.at(3, "A.B.@2s")
	d.redis.down = false
	d.ok(`"op":"step","n":1`)
	d.at(4, "A.B.@2s.A")
	d.redis.down = true
	d.ok(`"op":"step","n":-4`)
	d.refused(`"op":"choose","choice":"run B"`, CodeEngine) // in the past: the future stays
	d.at(0, "A.B.@2s.A")
	d.ok(`"op":"engine","kind":"embedded"`)
	d.notice(ui.NoticeSame, 0, "4 steps")
}

func TestASlowStepIsReplayedOnceAndThenReported(t *testing.T) {
	d := open(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(`"op":"step","n":1`)
	d.redis.slow = 1
	d.ok(`"op":"step","n":1`)
	d.at(2, "A.B")
	d.redis.slow = 2
	d.ok(`"op":"step","n":1`)
	d.refused(`"op":"step","n":1`, CodeEngine)
	d.notice(ui.NoticeError, 4, "500ms")
	d.at(3, "A.B.@2s")
	d.redis.slow = 1
	d.ok(`"op":"engine","kind":"embedded"`)
	d.ok(`"op":"engine","kind":"redis"`)
	d.notice(ui.NoticeSame, 0, "3 steps")
}

func TestLoadOpensAPlace(t *testing.T) {
	for _, test := range []struct {
		name, fields string
		pos          int
		choices      string
		kind         ui.NoticeKind
		step         int
		part         string
	}{
		{name: "the start", fields: ``},
		{name: "a schedule", fields: `,"schedule":"v1.f1c5e000.A.B","pos":1`, pos: 1, choices: "A.B"},
		{name: "the end, when no place is given", fields: `,"schedule":"v1.f1c5e000.A.B"`, pos: 2, choices: "A.B"},
		{name: "a place beyond the end", fields: `,"schedule":"v1.f1c5e000.A.B","pos":99`, pos: 2, choices: "A.B"},
		{name: "a place before the start", fields: `,"schedule":"v1.f1c5e000.A.B","pos":-1`, choices: "A.B"},
		{name: "off the story", fields: `,"schedule":"v1.f1c5e000.B.!crash:jvm-1"`, pos: 2, choices: "B.!crash:jvm-1"},
		{name: "another engine", fields: `,"engine":"redis","schedule":"v1.f1c5e000.A"`, pos: 1, choices: "A"},
		{name: "no schedule at all", fields: `,"schedule":"hello"`, kind: ui.NoticeError, part: "not a schedule"},
		{name: "a broken part", fields: `,"schedule":"v1.f1c5e000.A.?"`, kind: ui.NoticeError, part: "part 2"},
		{name: "too long", fields: `,"schedule":"v1.f1c5e000.A*2000.A"`, kind: ui.NoticeError, part: "2000"},
		{name: "another version that still fits", fields: `,"schedule":"v1.00000000.A.B"`, pos: 2, choices: "A.B", kind: ui.NoticeDiffers, part: "another version"},
		{name: "another version that differs", fields: `,"schedule":"v1.00000000.A.C.B"`, pos: 1, choices: "A", kind: ui.NoticeDiffers, step: 2, part: "step 2"},
		{name: "a step that may not happen", fields: `,"schedule":"v1.f1c5e000.A.A"`, pos: 1, choices: "A", kind: ui.NoticeDiffers, step: 2, part: "step 2"},
		{name: "a clock between its instants", fields: `,"schedule":"v1.f1c5e000.A.@1001ms"`, pos: 1, choices: "A", kind: ui.NoticeDiffers, step: 2, part: `"tick 1001ms" cannot happen there (the clock of this lesson moves in steps of 100ms`},
		{name: "an unknown engine", fields: `,"engine":"quantum","schedule":"v1.f1c5e000.A"`, pos: 1, choices: "A", kind: ui.NoticeError, part: "quantum"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t)
			d.ok(`"op":"step","n":3`)
			d.ok(`"op":"load","lesson":"two-clients"` + test.fields)
			if d.last.Base != 0 {
				t.Errorf("the first frame after a load builds on rev %d", d.last.Base)
			}
			d.at(test.pos, test.choices)
			if test.kind != "" {
				d.notice(test.kind, test.step, test.part)
			} else if n := d.session.View().Notice; n != nil {
				t.Errorf("notice %+v", n)
			}
		})
	}
}

func TestLoadFallsBackWhenTheEngineIsNotThere(t *testing.T) {
	d := open(t)
	d.redis.down = true
	d.ok(`"op":"load","lesson":"two-clients","engine":"redis","schedule":"v1.f1c5e000.A"`)
	d.at(1, "A")
	d.notice(ui.NoticeError, 0, "connection refused")
	if d.last.Engine != ui.Embedded {
		t.Errorf("on %s", d.last.Engine)
	}
}

// Without a frame there is no notice, so the reply must be told apart from those
// that a notice explains.
func TestALessonThatNoEngineCanStart(t *testing.T) {
	d := open(t)
	d.redis.down = true
	d.session = (&Playground{Catalog: d.session.Catalog, Engines: []Engine{d.redis}}).NewSession("alone")
	if msg := d.refused(`"op":"load","lesson":"two-clients"`, CodeNoStart); !strings.Contains(msg, "connection refused") {
		t.Errorf("no reason in %q", msg)
	}
}

func TestAnUnknownLessonLeavesTheSessionWhereItWas(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":2`)
	d.refused(`"op":"load","lesson":"nothing"`, CodeNoLesson)
	d.ok(`"op":"step","n":1`)
	d.at(3, "A.B.@2s")
}

func TestCloseFreesTheNodes(t *testing.T) {
	d := open(t)
	d.ok(`"op":"engine","kind":"redis"`)
	for range 2 {
		if err := d.session.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if d.redis.closed != 1 {
		t.Errorf("freed %d times", d.redis.closed)
	}
}

func TestNodesThatALessonCannotBeginOnAreFreed(t *testing.T) {
	freed := func(name string, d *testClient) {
		t.Helper()
		if d.redis.opened != 1 || d.redis.closed != 1 {
			t.Errorf("%s: nodes were opened %d times and freed %d times", name, d.redis.opened, d.redis.closed)
		}
	}
	d := open(t)
	d.redis.stuck = true
	d.ok(`"op":"load","lesson":"two-clients","engine":"redis"`)
	d.notice(ui.NoticeError, 0, "read-only")
	freed("a link", d)

	d = open(t)
	d.redis.stuck = true
	d.refused(`"op":"engine","kind":"redis"`, CodeEngine)
	freed("the engine switch", d)

	d = open(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.redis.stuck = true
	d.publish(renamed(fixture()), "")
	d.notice(ui.NoticeError, 0, "read-only")
	freed("another version of the lesson", d)

	d = openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	d.redis.edits = "others use this server"
	d.refused(`"op":"engine","kind":"redis"`, CodeNoEdits)
	freed("an edit", d)
}

func TestALinkShowsWhatItsMakerSaw(t *testing.T) {
	walked, loaded := open(t), open(t)
	for pos := range 6 {
		walked.ok(fmt.Sprintf(`"op":"seek","pos":%d`, pos))
		loaded.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","schedule":%q`, walked.last.Schedule))
		for id, html := range walked.html {
			if loaded.html[id] != html {
				t.Errorf("at %d fragment %s shows\n%s\nand after loading\n%s", pos, id, html, loaded.html[id])
			}
		}
	}
}
