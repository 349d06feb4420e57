package player

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/engine/quota"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// growingLesson is an edit that has each step of A hold more.
var growingLesson = editing("program:A", `while true do redis.call("APPEND", "n", ("x"):rep(20000)) end`)

func inPool(t *testing.T, p *Playground) *testClient {
	t.Helper()
	d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
	d.ok(`"op":"load","lesson":"two-clients"`)
	return d
}

func TestSessionsShareTheMemory(t *testing.T) {
	pool := quota.New(1<<20, 1<<20)
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{fixture()}), Engines: []Engine{Embedded{}}, Memory: pool}
	greedy, modest := inPool(t, p), inPool(t, p)
	greedy.ok(growingLesson)
	const run = `"op":"choose","choice":"run A"`
	steps := 0
	for greedy.send(run) == nil {
		if steps++; steps > 200 {
			t.Fatal("it holds as much as it likes")
		}
	}
	if said := greedy.refused(run, CodeEngine); !strings.Contains(said, "the visitors of this playground use all the memory") {
		t.Errorf("it is told %q", said)
	}
	greedy.shown()
	if greedy.last.Pos != steps {
		t.Errorf("it stands at %d of %d", greedy.last.Pos, steps)
	}
	greedy.ok(`"op":"load","lesson":"two-clients","lang":"zh","edits":"` + greedy.last.Edits + `"`)
	for greedy.send(run) == nil {
		continue
	}
	if said := greedy.refused(run, CodeEngine); !strings.Contains(said, "内存已达到这个服务的上限") {
		t.Errorf("in Chinese it is told %q", said)
	}

	modest.ok(`"op":"seek","pos":5`) // what is its own is there
	modest.at(5, "A.B.@2s.A.B")

	greedy.ok(`"op":"reset"`)
	for range steps - 2 {
		greedy.ok(run)
	}
	if leftLast(greedy) != nil {
		t.Error("the ghost was kept, and what was wanted refused")
	}
	if kept := greedy.session.screen.kept; len(kept) != 1 || !strings.Contains(kept[0].Schedule, "A*") {
		t.Errorf("for the next visit the browser keeps %v", kept)
	}
	for _, d := range []*testClient{greedy, modest} {
		if err := d.session.Close(); err != nil {
			t.Error(err)
		}
	}
	if all := pool.Share(); !all.Grow(2 << 20) {
		t.Error("what sessions held that have ended is not given back")
	}
}

// A draft is kept beside the catalog, for one author alone.
func TestADraftTakesMemory(t *testing.T) {
	pool := quota.New(8<<20, 0)
	d := newAuthorClient(t)
	d.session.memory = pool.Share()
	left := func() int {
		all, n := pool.Share(), 0
		for all.Grow(16 << 10) {
			n += 16 << 10
		}
		all.Set(0, false)
		return n
	}
	d.write(typed, addLua)
	before := left()
	d.write(strings.Replace(typed, "Typed", "Mine", 1), addLua)
	if took := before - left(); took < draftSize {
		t.Errorf("a draft takes %d bytes, want at least %d", took, draftSize)
	}
	d.write(typed, addLua)
	if now := left(); now < before-draftSize/2 {
		t.Errorf("%d bytes were left before the draft, and %d are after it", before, now)
	}
}

// What a page shows is kept for it, in fragments and in rows.
func TestWhatWasSentTakesMemory(t *testing.T) {
	text := strings.Repeat("x", 1000)
	for name, c := range map[string]screen{
		"fragments": {sent: map[string]string{"a": text, "b": text}},
		"rows":      {rows: map[string]string{"a": text, "b": text}},
	} {
		if got := c.size(); got < 2000 {
			t.Errorf("2000 bytes of %s are counted as %d", name, got)
		}
	}
}

// A session that is alone, as in a browser, has the engine's bounds only.
func TestWithoutAPoolASessionHoldsWhatItMay(t *testing.T) {
	d := open(t)
	d.ok(growingLesson)
	for range 12 {
		d.ok(`"op":"choose","choice":"run A"`)
	}
}

// The context of a learner who has left, or whose command took too long, has ended.
func TestAnEndedContextIsNoBug(t *testing.T) {
	gone, leave := context.WithCancelCause(t.Context())
	leave(errors.New("the time is over"))
	d := open(t)
	for _, fields := range []string{
		`"op":"step","n":1`, growingLesson, `"op":"seek","pos":5`, `"op":"line","n":1`, `"op":"engine","kind":"redis"`,
		`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B"`,
	} {
		messages := d.session.Handle(gone, []byte(`{"v":1,"id":7,`+fields+`}`))
		if len(messages) == 0 {
			t.Errorf("%s is not answered", fields)
		}
		for _, m := range messages {
			d.take(m)
		}
	}
	d.ok(`"op":"load","lesson":"two-clients"`)
	if _, err := d.session.runner.apply(gone, nil, fixture().Story[1].Choices[0]); err == nil || err.Error() != "the time is over" {
		t.Errorf("a step says %v", err)
	}
}

// late is a time that is over after so many steps.
type late struct {
	context.Context
	steps *int
}

func (l late) Err() error {
	if *l.steps--; *l.steps >= 0 {
		return nil
	}
	return fact.Of("took-too-long", 2.0)
}

func TestAReplayHasItsTime(t *testing.T) {
	steps := 3
	p := &Playground{
		Catalog: NewCatalog([]*lessons.Lesson{fixture()}), Engines: []Engine{Embedded{}},
		WithReplayTimeout: func(ctx context.Context) (context.Context, context.CancelFunc) {
			return late{context.WithoutCancel(ctx), &steps}, func() {}
		},
	}
	d := inPool(t, p)
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B.@2s.A.B"`)
	d.at(3, "A.B.@2s")
	d.notice(ui.NoticeError, 4, "Step 4 did not happen: it took longer than 2 s")
	steps = 2
	d.ok(`"op":"load","lesson":"two-clients","lang":"zh","schedule":"v1.f1c5e000.A.B.@2s.A.B"`)
	d.notice(ui.NoticeError, 3, "用时超过 2 秒")
	steps = 1 // of an edit's replay
	if said := d.refused(editing("program:B", `redis.call("PING")`), CodeEngine); !strings.Contains(said, "用时超过 2 秒") {
		t.Errorf("the edit is refused with %q", said)
	}
	steps = 100
	d.ok(`"op":"step","n":1`)
}

func TestASessionGoesOnAfterARest(t *testing.T) {
	d := openUnlock(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.ok(editing("script:unlock", plainDel))
	was := d.session.View().Edits
	if err := d.session.ReleaseNodes(); err != nil || d.redis.closed != 1 {
		t.Fatalf("nodes were freed %d times, %v", d.redis.closed, err)
	}
	d.ok(`"op":"step","n":-1`)
	d.ok(`"op":"step","n":1`)
	d.shown()
	if is := d.session.View().Edits; is.Differs != was.Differs || is.Differs == 0 {
		t.Errorf("it differs at %d, and did at %d", is.Differs, was.Differs)
	}
	d.ok(`"op":"seek","pos":0`)
	d.ok(`"op":"choose","choice":"run B"`)
	if d.redis.opened != 2 {
		t.Errorf("nodes were opened %d times", d.redis.opened)
	}
}

func TestASessionKnowsWhoseCodeItRuns(t *testing.T) {
	for _, command := range []string{
		growingLesson, `"op":"load","lesson":"two-clients","edits":"x"`, `"op":"load","lesson":"two-clients","\u0065dits":"x"`,
		`"op":"author","folder":"x","files":[]`,
	} {
		d := open(t)
		if d.session.MayTakeLong(nil) || d.session.MayTakeLong([]byte(`{"v":1,"op":"step","n":1}`)) {
			t.Fatal("a lesson as it is runs code of the learner's")
		}
		if !d.session.MayTakeLong([]byte(`{"v":1,` + command + `}`)) {
			t.Errorf("%s runs nothing of the learner's", command)
		}
	}
	d := open(t)
	d.ok(growingLesson)
	if !d.session.MayTakeLong([]byte(`{"v":1,"op":"step","n":1}`)) {
		t.Error("a step of an edited lesson runs nothing of the learner's")
	}
	d.ok(`"op":"unedit"`)
	if !d.session.MayTakeLong([]byte(`{"v":1,"op":"ghost"}`)) {
		t.Error("going back to what was edited runs nothing of the learner's")
	}
	d.session.MayTakeLong([]byte("nonsense"))
}

// Or a few searches of lessons as they are would keep everybody waiting who has edited one.
func TestASliceOfASearchWaitsAsEditsDo(t *testing.T) {
	d := open(t)
	d.ok(`"op":"search","text":"any"`)
	if !d.session.MayTakeLong(nil) || d.session.MayTakeLong([]byte(`{"v":1,"op":"step","n":1}`)) {
		t.Error("a search goes before edits, or a step does not")
	}
	for d.session.Searches() {
		d.session.Advance(t.Context())
	}
	if d.session.MayTakeLong(nil) {
		t.Error("autoplay waits as edits do")
	}
}
