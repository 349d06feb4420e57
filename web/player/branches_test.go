package player

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/web/ui"
)

func (d *testClient) branches() []ui.Branch { return d.session.View().Branches }

func TestEveryForkIsKeptAndOneCommandGoesBack(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"choose","choice":"crash jvm-1"`)
	d.ok(`"op":"choose","choice":"tick 30s"`)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"choose","choice":"tick 5s"`)
	d.at(4, "A.B.!crash:jvm-1.@5s")
	all := d.branches()
	if len(all) != 3 || all[1].From != 3 || all[1].Parent != 0 || all[2].From != 2 || len(all[2].Trace.Steps) != 4 {
		t.Fatalf("the tree is %+v", all)
	}
	d.ok(fmt.Sprintf(`"op":"ghost","n":%d`, all[2].ID)) // the one that was left first
	d.at(2, "A.B.@2s.A")
	if all = d.branches(); len(all) != 3 {
		t.Fatalf("the tree is %+v", all)
	}
	d.refused(`"op":"ghost","n":77`, CodeNoGhost)
	d.ok(`"op":"ghost"`)
	d.at(4, "A.B.!crash:jvm-1.@5s")
}

func TestABranchWithNothingOfItsOwnIsNotKept(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"reset"`)
	if all := d.branches(); len(all) != 2 {
		t.Fatalf("the tree is %+v", all)
	}
	d.ok(`"op":"seek","pos":4`) // the same, and more
	if all := d.branches(); len(all) != 0 {
		t.Errorf("the tree is %+v", all)
	}
}

func TestTheOldestBranchMakesRoom(t *testing.T) {
	d := open(t)
	for n := range mostBranches + 3 {
		d.ok(fmt.Sprintf(`"op":"choose","choice":"tick %ds"`, n+1))
		d.ok(`"op":"reset"`)
	}
	all := d.branches()
	if len(all) != mostBranches+1 {
		t.Fatalf("there are %d timelines", len(all))
	}
	if at := all[len(all)-1].Trace.Steps[0].Choice.String(); at != "tick 4s" {
		t.Errorf("the oldest is %q", at)
	}
}

func TestTwoBranchesSideBySide(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"choose","choice":"crash jvm-1"`)
	id := d.branches()[1].ID
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, id))
	if c := d.session.View().Compared; c == nil || c.Branch != id || c.Same != 2 || len(c.Trace.Steps) != 4 {
		t.Fatalf("beside it is %+v", c)
	}
	for _, different := range []string{">Virtual clock<", ">t = 0 s<", ">t = 2 s<", ">A<", ">the process jvm-1 has crashed<", ">ready, next: DEL lock<", ">sleeps until t = 1 s<"} {
		if !strings.Contains(d.html["f-beside"], different) {
			t.Errorf("what is different does not say %s: %s", different, d.html["f-beside"])
		}
	}
	d.ok(`"op":"step","n":-1`)
	if c := d.session.View().Compared; c == nil || c.Same != 2 {
		t.Errorf("after a step back beside it is %+v", c)
	}
	d.ok(`"op":"ghost"`)
	if c := d.session.View().Compared; c == nil || c.Same != 2 || len(c.Trace.Steps) != 3 || d.last.Pos != 2 {
		t.Errorf("from the other side beside it is %+v", c)
	}
	d.ok(`"op":"beside"`)
	if c := d.session.View().Compared; c != nil {
		t.Errorf("it is still beside: %+v", c)
	}
	d.ok(`"op":"reset"`)
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, d.branches()[len(d.branches())-1].ID))
	d.ok(`"op":"ghost"`) // which has all that the present one had
	if v := d.session.View(); v.Notice != nil {
		t.Errorf("it is said that %+v", v.Notice)
	}
	d.refused(`"op":"beside","n":77`, CodeNoGhost)
}

// Of branches that were played in other ways, what happened says how far they go together,
// and not the choices alone.
func TestABranchThatWasPlayedInAnotherWayIsComparedByItsSteps(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, d.branches()[1].ID))
	if c := d.session.View().Compared; c == nil || c.Same != 9 || len(c.Trace.Steps) != 14 {
		t.Errorf("beside the edited one is %+v", c)
	}
	d.ok(`"op":"beside"`)
	d.ok(editing("program:A", "redis.call('PING')\n"+d.source("program:A")))
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, d.branches()[1].ID))
	if c := d.session.View().Compared; c == nil || c.Same != 0 {
		t.Errorf("beside one that is edited from its first step on is %+v", c)
	}

	d = open(t)
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B.@1s.B.@1s.B"`)
	d.redis.lie = true // B gets the lock at once, and is done earlier
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, d.branches()[1].ID))
	if c := d.session.View().Compared; c == nil || c.Same != 1 || len(c.Trace.Steps) != 6 || c.Engine.Kind != ui.Embedded {
		t.Errorf("beside the one of another engine is %+v", c)
	}
}

// The other engine goes as far as it can, and on again when the present timeline takes
// another way.
func TestAnotherEngineSideBySideStopsWhereItCannotGoOn(t *testing.T) {
	d := open(t)
	d.redis.lie = true
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B.@1s.B.@1s.B.@1s"`)
	d.ok(`"op":"seek","pos":0`)
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.ok(`"op":"reset"`)
	d.ok(`"op":"beside","kind":"redis"`)
	compared := func(steps int, stopped string) {
		t.Helper()
		c := d.session.View().Compared
		if c == nil || len(c.Trace.Steps) != steps || (c.Stopped == nil) != (stopped == "") {
			t.Fatalf("beside it is %+v, want %d steps", c, steps)
		}
		if stopped != "" && c.Stopped.Choice.String() != stopped {
			t.Errorf("it cannot go on with %q, want %q", c.Stopped.Choice, stopped)
		}
		d.shown()
	}
	compared(0, "")
	all := d.branches()
	d.ok(fmt.Sprintf(`"op":"ghost","n":%d`, all[len(all)-1].ID)) // the long one
	compared(5, "run B")
	d.ok(`"op":"seek","pos":7`)
	d.ok(`"op":"choose","choice":"tick 3s"`)
	compared(5, "run B")
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"choose","choice":"tick 2s"`)
	compared(4, "")
}

func TestAnotherEngineSideBySideFollowsTheSchedule(t *testing.T) {
	d := open(t)
	rig := d.redis
	rig.lie = true // its SET always succeeds, so B gets in
	d.ok(`"op":"seek","pos":1`)
	d.ok(`"op":"beside","kind":"redis"`)
	c := d.session.View().Compared
	if c == nil || c.Same != 1 || len(c.Trace.Steps) != 1 || c.Engine.Kind != ui.Redis || c.Engine.Version != "test 1.0" {
		t.Fatalf("beside it is %+v", c)
	}
	d.ok(`"op":"step","n":1`)
	if c := d.session.View().Compared; c.Same != 1 || len(c.Trace.Steps) != 2 {
		t.Errorf("the same are %d of %d steps", c.Same, len(c.Trace.Steps))
	}
	d.ok(`"op":"reset"`)
	if c := d.session.View().Compared; c == nil || len(c.Trace.Steps) != 0 {
		t.Errorf("from the start beside it is %+v", c)
	}
	d.ok(`"op":"beside"`)
	if rig.closed != rig.opened {
		t.Errorf("of %d engines %d were closed", rig.opened, rig.closed)
	}
	rig.down = true
	d.refused(`"op":"beside","kind":"redis"`, CodeEngine)
}

func TestSwitchingToTheEngineBesideEndsTheComparison(t *testing.T) {
	d := open(t)
	rig := d.redis
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"beside","kind":"redis"`)
	d.ok(`"op":"engine","kind":"redis"`)
	if v := d.session.View(); v.Compared != nil || v.Engine != ui.Redis {
		t.Errorf("on %s beside %+v", v.Engine, v.Compared)
	}
	if rig.opened-rig.closed != 1 {
		t.Errorf("%d engines are open", rig.opened-rig.closed)
	}
}

// Two timelines whose clock moved as far are the same, whichever button moved it.
func TestTheSameMoveOfTheClockIsNoDifference(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.ok(`"op":"choose","choice":"run B"`)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"choose","choice":"tick"`) // B wakes after a second
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, d.branches()[1].ID))
	if c := d.session.View().Compared; c == nil || c.Same != 3 {
		t.Errorf("beside it is %+v", c)
	}
}
