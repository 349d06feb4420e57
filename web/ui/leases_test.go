package ui

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// A lock without a TTL has a bar that stays open, and one with a TTL, given later, another.
func TestALockWithoutATTLHasABarThatNeverDrains(t *testing.T) {
	catalog := lessonsBuiltIn(t)
	var l *lessons.Lesson
	for _, l = range catalog {
		if l.Name == "no-ttl" {
			break
		}
	}
	for _, tt := range []struct {
		program, schedule string
		want              []bool // of each bar, whether it stays open
	}{
		{`if redis.call("SETNX", "order", me) == 1 then enter("order") work("5s") end`, "run A, tick 1s, tick 2s", []bool{true}},
		{`if redis.call("SETNX", "order", me) == 1 then enter("order") redis.call("EXPIRE", "order", 10) end`, "run A, run A", []bool{true, false}},
		{`redis.call("SET", "last", me) redis.call("SET", "other", me)`, "run A, run A", nil}, // no locks: nobody is inside
	} {
		programs := map[string]string{"A": tt.program}
		v := View{Lang: lessons.En, Lesson: &lessons.Lesson{Nodes: l.Nodes, Actors: []lessons.Actor{{Name: "A", Process: "pA"}}}, Trace: &engine.Trace{Steps: played(t, l, programs, tt.schedule)}}
		v.Trace.Start.Nodes = v.Trace.Steps[0].After.Nodes
		v.Pos = len(v.Trace.Steps)
		var got []bool
		for _, lane := range layout(&v).Lanes {
			for _, b := range lane.Bars {
				got = append(got, b.Forever)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the bars stay open: %v, want %v", tt.program, got, tt.want)
		}
	}
}

// What each lease has left is said below the present, also where nothing else is due there.
func TestTheDrawingHasRoomForWhatLeasesHaveLeft(t *testing.T) {
	l := lessons.Find(lessonsBuiltIn(t), "no-ttl")
	programs := map[string]string{
		"A": `for i = 1, 40 do redis.call("PING") end redis.call("SETNX", "a", me) enter("a") redis.call("PING")`,
		"B": `redis.call("SETNX", "b", me) enter("b") redis.call("PING")`,
		"C": `redis.call("SETNX", "c", me) enter("c") redis.call("PING")`,
	}
	v := View{Lang: lessons.Zh, Lesson: l, Trace: &engine.Trace{Steps: played(t, l, programs, strings.Repeat("run A, ", 41)+"run B, run C")}}
	v.Trace.Start.Nodes = v.Trace.Steps[0].After.Nodes
	v.Pos = len(v.Trace.Steps)
	d := layout(&v)
	open := 0
	for _, lane := range d.Lanes {
		open += len(lane.open())
	}
	for _, end := range []int{d.End, d.least(&v)} {
		if room := end - d.Now; open != 3 || room < (open+1)*lineHeight {
			t.Errorf("%d leases last, and %d pixels are below the present", open, room)
		}
	}
}

// A low stage is not scrolled for a future of which nothing is said.
func TestALowStageEndsWhereNothingMoreIsSaid(t *testing.T) {
	v := playedBy(t, "set-nx", "run A")
	if d := layout(v); d.least(v) > d.Now+lowFuture || d.End < stageHeight {
		t.Errorf("of %d pixels a low stage has to show %d, after %d of the past", d.End, d.least(v), d.Now)
	}
}

// Of a past that is shown, a lease that was taken later is as pale as what else followed.
func TestALeaseThatNobodyHasYetIsPale(t *testing.T) {
	l := lessons.Find(lessonsBuiltIn(t), "no-ttl")
	programs := map[string]string{
		"A": `redis.call("PING") redis.call("SET", "a", me, "EX", 10) redis.call("PING")`,
		"B": `redis.call("SET", "b", me, "EX", 10) redis.call("PING")`,
	}
	v := View{Lang: lessons.En, Lesson: l, Trace: &engine.Trace{Steps: played(t, l, programs, "run A, run A, run B")}}
	v.Trace.Start.Nodes = v.Trace.Steps[0].After.Nodes
	for pos, pale := range []int{2, 2, 1, 0} {
		v.Pos = pos
		var p pen
		p.leases(&v, layout(&v))
		if got := strings.Count(p.String(), " yet"); got != pale {
			t.Errorf("after %d steps %d leases are pale, want %d:\n%s", pos, got, pale, p.String())
		}
	}
}

// Where a rule of the lesson's own breaks, a band shows the server at which it looked.
func TestABandShowsWhereARuleOfALessonsOwnBreaks(t *testing.T) {
	for _, tt := range []struct {
		lesson, schedule string
		lanes            []string // that it goes over
		written          bool     // what the step wrote at its server, too
	}{
		{"oversell", "run A, run B, run A, run B", []string{"Redis"}, true},
		{"no-ttl", "run A, crash app-1", []string{"Redis"}, false},
		{"sql-deadlock", "run A, run A, run B, run B, run A, run B", []string{"Database"}, false},
	} {
		v := playedBy(t, tt.lesson, tt.schedule)
		d := layout(v)
		e := d.Events[len(d.Events)-1]
		if len(e.Broken) == 0 {
			t.Fatalf("%s: the last step breaks nothing", tt.lesson)
		}
		if len(d.Breaches) != 1 {
			t.Errorf("%s: there are the bands %v", tt.lesson, d.Breaches)
			continue
		}
		b := d.Breaches[0]
		var over []string
		for _, l := range d.Lanes {
			if b.From <= l.X && l.X <= b.To {
				over = append(over, l.Name)
			}
		}
		if !slices.Equal(over, tt.lanes) || b.Top < e.Top || b.Top > e.y || b.End <= e.y {
			t.Errorf("%s: the band goes over %v from %d to %d; the step is at %d", tt.lesson, over, b.Top, b.End, e.y)
		}
		if last := d.Lanes[len(d.Lanes)-1]; (b.To-b.From > last.Width/2) != tt.written && len(over) == 1 {
			t.Errorf("%s: the band is %.1f%% wide", tt.lesson, b.To-b.From)
		}
	}
}

// Who leaves while time passes does so at that instant, and those who were inside together are so up to then.
func TestWhoLeavesWhileTimePassesIsSeenToLeaveThen(t *testing.T) {
	v := playedBy(t, "stranger-deletes", "run A, run B, run B, run C, tick 5s") // C works for 1 s, A for 5 s
	d := layout(v)
	tick := d.Events[len(d.Events)-1]
	at := func(second int) int { return tick.Top + (tick.y-tick.Top)*second/5 }
	for name, until := range map[string]int{"A": at(5), "C": at(1)} {
		l := d.Lanes[slices.IndexFunc(d.Lanes, func(l lane) bool { return l.Name == name })]
		end := 0
		for _, part := range l.Segments {
			if strings.HasPrefix(part.Class, "in") {
				end = part.End
			}
		}
		if end != until {
			t.Errorf("%s is drawn inside down to %d, and was until %d: %+v", name, end, until, l.Segments)
		}
	}
	if len(d.Breaches) == 0 || d.Breaches[len(d.Breaches)-1].End > max(at(1), d.Breaches[0].Top+leastBand) {
		t.Errorf("both are inside until %d, by %+v", at(1), d.Breaches)
	}
}
