package player

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/ui"
)

// keptBy is what a browser keeps after the last frame: the branches, and the present timeline.
func (d *testClient) keptBy() string {
	d.t.Helper()
	now := KeptTimeline{d.last.Schedule, d.last.Pos, d.last.Edits}
	data, err := json.Marshal(append(slices.Clone(d.session.screen.kept), now))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

// forked is a session with a branch, on a crash of jvm-1 after two steps.
func forked(t *testing.T) *testClient {
	t.Helper()
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"choose","choice":"crash jvm-1"`)
	return d
}

func TestBranchesComeBackWithTheLesson(t *testing.T) {
	d := forked(t)
	was := d.branches()
	again := open(t)
	again.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","schedule":%q,"pos":3,"branches":%s`, d.last.Schedule, d.keptBy()))
	again.at(3, "A.B.!crash:jvm-1")
	all := again.branches()
	if len(all) != 2 || all[1].From != 2 || len(all[1].Trace.Steps) != 4 {
		t.Fatalf("the tree is %+v, was %+v", all, was)
	}
	for id, html := range d.html {
		if again.html[id] != html {
			t.Errorf("%s shows\n%s\nwant\n%s", id, again.html[id], html)
		}
	}
	again.ok(`"op":"ghost"`)
	again.at(2, "A.B.@2s.A")
	again.ok(`"op":"seek","pos":5`)
	again.ok(`"op":"ghost"`)
	again.ok(`"op":"choose","choice":"tick 5s"`)
	again.at(4, "A.B.!crash:jvm-1.@5s")
}

// What a lesson opens with is the start of its story, of which a branch has nothing to say.
func TestALessonOpensAtItsStartWithTheBranchesOfLastTime(t *testing.T) {
	d := forked(t)
	d.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","branches":%s`, d.keptBy()))
	d.at(0, "")
	if all := d.branches(); len(all) != 2 || len(all[1].Trace.Steps) != 3 {
		t.Fatalf("the tree is %+v", all)
	}
	if !strings.Contains(d.html["f-branches"], "After step 2: crash jvm-1") {
		t.Errorf("the tree says %s", d.html["f-branches"])
	}
	d.ok(`"op":"ghost"`)
	d.at(3, "A.B.!crash:jvm-1")
}

func TestAFrameHasTheBranchesWhenTheyAreOthers(t *testing.T) {
	d := open(t)
	if d.last.Branches == nil || len(d.last.Branches) != 0 {
		t.Errorf("a whole frame has %v", d.last.Branches)
	}
	d.ok(`"op":"seek","pos":2`)
	if d.last.Branches != nil {
		t.Errorf("a step has %v", d.last.Branches)
	}
	d.ok(`"op":"reset"`)
	if want := []KeptTimeline{{Schedule: "v1.f1c5e000.A.B", Pos: 2}}; !slices.Equal(d.last.Branches, want) {
		t.Errorf("a fork has %v", d.last.Branches)
	}
	d.ok(`"op":"drop"`)
	if d.last.Branches == nil || len(d.last.Branches) != 0 || len(d.branches()) != 0 {
		t.Errorf("forgotten, the branches are %v", d.last.Branches)
	}
	d.shown()
}

func TestAnEditedBranchComesBackWithItsCode(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	was := d.session.View().Trace.String()
	d.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","branches":%s`, d.keptBy()))
	if d.session.View().Edits != nil || !d.branches()[1].Edited {
		t.Fatalf("the lesson runs with %+v, and the tree is %+v", d.session.View().Edits, d.branches())
	}
	if !d.session.MayTakeLong(nil) || !d.session.MayTakeLong([]byte(`{"v":1,"op":"load","branches":[{"schedule":"","pos":0,"edits":"x"}]}`)) {
		t.Error("it is not known that a learner's code runs")
	}
	d.ok(`"op":"ghost"`)
	if now := d.session.View(); now.Trace.String() != was || len(now.Edits.Parts) != 1 {
		t.Errorf("the branch is with %+v\n%s\nwas\n%s", now.Edits, now.Trace, was)
	}
}

func TestTheEditsOfLastTimeAreAppliedWhereTheLearnerStands(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	edits := d.last.Edits
	d.ok(`"op":"load","lesson":"compare-and-delete"`)
	d.ok(`"op":"seek","pos":3`)
	d.ok(fmt.Sprintf(`"op":"edit","edits":%q`, edits))
	if d.last.Edits != edits || d.last.Pos != 3 || len(d.branches()) != 2 {
		t.Errorf("at %d with %q and %d timelines", d.last.Pos, d.last.Edits, len(d.branches()))
	}
	d.refused(`"op":"edit","edits":"?"`, CodeBadMessage)
}

func TestBranchesOutliveAChangeOfTheLesson(t *testing.T) {
	d := forked(t)
	id := d.branches()[1].ID
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, id))
	changed := fixture()
	changed.Hash = "0ther000"
	d.session.Catalog.Publish(&Edition{Lessons: []*lessons.Lesson{changed}})
	for _, m := range d.session.Refresh(t.Context()) {
		d.take(m)
	}
	if c := d.session.View().Compared; len(d.branches()) != 2 || c == nil || len(c.Trace.Steps) != 4 {
		t.Errorf("the tree is %+v, and beside it %+v", d.branches(), c)
	}
	if got := d.session.screen.kept; len(got) != 1 || got[0].Schedule != "v1.0ther000.A.B.@2s.A" {
		t.Errorf("kept are %v", got)
	}
}

func TestOnARealServerBranchesAreKeptToo(t *testing.T) {
	d := forked(t)
	d.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","engine":"redis","schedule":%q,"branches":%s`, d.last.Schedule, d.keptBy()))
	if all := d.branches(); len(all) != 2 {
		t.Fatalf("the tree is %+v", all)
	}
	d.ok(`"op":"ghost"`)
	if d.at(2, "A.B.@2s.A"); d.last.Engine != ui.Redis {
		t.Errorf("it runs on %s", d.last.Engine)
	}
}

func TestALinkOpensTwoTimelinesSideBySide(t *testing.T) {
	d := forked(t)
	d.ok(fmt.Sprintf(`"op":"beside","n":%d`, d.branches()[1].ID))
	if d.last.Beside != "v1.f1c5e000.A.B.@2s.A" || d.last.BesideEdits != "" {
		t.Fatalf("beside it is %q with %q", d.last.Beside, d.last.BesideEdits)
	}
	load := fmt.Sprintf(`"op":"load","lesson":"two-clients","schedule":%q,"pos":3,"beside":%q`, d.last.Schedule, d.last.Beside)
	for name, command := range map[string]string{
		"a friend's browser": load,
		"one with branches":  load + `,"branches":` + d.keptBy(),
	} {
		again := open(t)
		again.ok(command)
		again.at(3, "A.B.!crash:jvm-1")
		if c := again.session.View().Compared; c == nil || c.Same != 2 || len(c.Trace.Steps) != 4 || len(again.branches()) != 2 {
			t.Errorf("%s shows %+v beside it, of %d timelines", name, c, len(again.branches()))
		}
		if again.html["f-beside"] != d.html["f-beside"] {
			t.Errorf("%s shows\n%s\nwant\n%s", name, again.html["f-beside"], d.html["f-beside"])
		}
	}
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B","beside":"redis"`)
	if c := d.session.View().Compared; c == nil || c.Engine.Kind != ui.Redis || d.last.Beside != "redis" {
		t.Errorf("another engine is %+v", c)
	}
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B","beside":"v1.f1c5e000.A"`)
	if c := d.session.View().Compared; c != nil || d.session.View().Notice != nil {
		t.Errorf("beside it is what it has itself: %+v", c)
	}
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B","beside":"v1.f1c5e000.A.@1s.A"`)
	if c := d.session.View().Compared; c == nil || c.Stopped == nil || len(c.Trace.Steps) != 2 {
		t.Errorf("what ends early is %+v", c)
	}
}

func TestALinkWithABadSecondTimelineOpensTheFirst(t *testing.T) {
	for name, beside := range map[string]string{
		"no schedule":       `"beside":"hello"`,
		"another version":   `"beside":"v9.f1c5e000.A"`,
		"no choice":         `"beside":"v1.f1c5e000.§"`,
		"too long":          `"beside":"v1.f1c5e000.A*2000.A"`,
		"no such engine":    `"beside":"oracle"`,
		"the same engine":   `"beside":"embedded"`,
		"an engine in need": `"beside":"redis"`,
		"bad edits":         `"beside":"v1.f1c5e000.A.@1s","besideEdits":"?"`,
		"older edits":       fmt.Sprintf(`"beside":"v1.f1c5e000.A.@1s","besideEdits":%q`, pack([]edit{{lessons.Part{Kind: lessons.ProgramPart, Name: "A"}, "0ld", `sleep("1s")`}})),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			d.redis.down = true
			d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B",` + beside)
			d.notice(ui.NoticeError, 0, "The link's second timeline cannot be shown: ")
			d.at(2, "A.B")
			if v := d.session.View(); v.Compared != nil || len(v.Branches) != 0 || strings.Contains(v.Notice.Text, "..") {
				t.Errorf("it shows %+v, %d branches and %q", v.Compared, len(v.Branches), v.Notice.Text)
			}
		})
	}
}

func TestWhatCannotBePlayedAnyMoreIsSaid(t *testing.T) {
	d := open(t)
	older := pack([]edit{{lessons.Part{Kind: lessons.ProgramPart, Name: "A"}, "0ld", `sleep("1s")`}})
	d.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","branches":[
		{"schedule":"hello","pos":0},{"schedule":"v1.f1c5e000.A.@1s","pos":-7},{"schedule":"v1.f1c5e000.A","pos":0,"edits":%q},
		{"schedule":"v1.f1c5e000.A.@1ms.B","pos":1},{"schedule":"v1.f1c5e000.A.@2s.B.C.D","pos":9999}]`, older))
	d.notice(ui.NoticeDiffers, 0, "2 branches of last time cannot be played")
	got := d.session.screen.kept
	if want := []KeptTimeline{{Schedule: "v1.f1c5e000.A.@1s"}, {Schedule: "v1.f1c5e000.A", Pos: 1}, {Schedule: "v1.f1c5e000.A.@2s.B", Pos: 3}}; !slices.Equal(got, want) {
		t.Errorf("kept are %v", got)
	}
	d.shown()
}

// What there was no time for is kept for the next time.
func TestABranchThatCouldNotBePlayedNowIsNotForgotten(t *testing.T) {
	d := forked(t)
	kept := d.keptBy()
	again := open(t)
	again.session.WithReplayTimeout = func(ctx context.Context) (context.Context, context.CancelFunc) {
		return late{context.WithoutCancel(ctx), new(int)}, func() {}
	}
	again.ok(`"op":"load","lesson":"two-clients","branches":` + kept)
	if len(again.branches()) != 0 || len(again.session.screen.kept) != 1 {
		t.Fatalf("the tree is %+v, kept are %v", again.branches(), again.session.screen.kept)
	}
	again.session.WithReplayTimeout = nil
	again.ok(`"op":"load","lesson":"two-clients","branches":` + again.keptBy())
	if len(again.branches()) != 2 {
		t.Errorf("the tree is %+v", again.branches())
	}
}

func TestNoMoreIsKeptThanABrowserShouldKeep(t *testing.T) {
	d := open(t)
	var many []string
	for n := range 5 * mostBranches {
		many = append(many, fmt.Sprintf(`{"schedule":"v1.f1c5e000.@%ds","pos":1}`, n+1))
	}
	d.ok(`"op":"load","lesson":"two-clients","branches":[` + strings.Join(many, ",") + `]`)
	if got := d.session.screen.kept; len(got) != mostBranches || got[0].Schedule != "v1.f1c5e000.@49s" {
		t.Errorf("kept are %v", got)
	}
	many = nil
	for n := range 4 {
		many = append(many, fmt.Sprintf(`{"schedule":"v1.f1c5e000.@%ds.@1s*%d","pos":1}`, n+2, engine.MaxChoices/2-1))
	}
	d.ok(`"op":"load","lesson":"two-clients","branches":[` + strings.Join(many, ",") + `]`)
	if got := d.session.screen.kept; len(got) != 2 {
		t.Errorf("kept are %v", got)
	}
	if got := d.branches(); len(got) != 3 { // the present is one of them
		t.Errorf("there are %d timelines, those with more choices than a schedule may have among them", len(got))
	}
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"seek","pos":0`)
	d.ok(`"op":"choose","choice":"crash jvm-1"`)
	if got := d.session.screen.kept; len(d.branches()) != 4 || len(got) != 2 || got[1].Schedule != "v1.f1c5e000.A" {
		t.Errorf("of %d timelines, kept are %v", len(d.branches()), got)
	}
}

func FuzzKeptTimelines(f *testing.F) {
	l, err := decode.Lesson(lessons.FS, "010-compare-and-delete")
	if err != nil {
		f.Fatal(err)
	}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}}
	f.Add(`[{"schedule":"v1.0.A.B.@1s","pos":2,"edits":""}]`, "v1.0.A", "")
	f.Add(`[{"schedule":"","pos":-1},{"schedule":"v1.0.!crash:jvm-1*3","pos":99999999}]`, "embedded", "x")
	f.Add(`[{"schedule":"v1.`+l.Hash+`.A*20.B.@0.@1ns","pos":1,"edits":"AAAA"}]`, "v1..@*2000", pack([]edit{{lessons.Part{Kind: lessons.ScriptPart, Name: "unlock"}, "x", "--[["}}))
	f.Fuzz(func(t *testing.T, branches, beside, edits string) {
		s := p.NewSession("fuzz")
		data, _ := json.Marshal(map[string]any{"v": 1, "id": 1, "op": "load", "lesson": l.Name, "schedule": "v1.0.A.B", "branches": json.RawMessage(branches), "beside": beside, "besideEdits": edits})
		if !json.Valid([]byte(branches)) {
			data, _ = json.Marshal(map[string]any{"v": 1, "id": 1, "op": "load", "lesson": l.Name, "schedule": branches, "beside": beside, "besideEdits": edits})
		}
		var frame *Frame
		for _, m := range s.Handle(t.Context(), data) {
			if m.Frame != nil {
				frame = m.Frame
			}
		}
		if frame == nil {
			return // the command was refused
		}
		if len(frame.Branches) > mostBranches || len(s.branches) > mostBranches {
			t.Fatalf("%s: kept are %v", data, frame.Branches)
		}
		again := p.NewSession("again")
		if err := again.Load(t.Context(), Place{Lesson: l.Name, Schedule: frame.Schedule, Edits: frame.Edits, Branches: frame.Branches, Beside: frame.Beside, BesideEdits: frame.BesideEdits}); err != nil {
			t.Fatal(err)
		}
		if got := again.keptBranches(); len(got) != len(frame.Branches) {
			t.Fatalf("%s: kept are %v, and again %v", data, frame.Branches, got)
		}
	})
}
