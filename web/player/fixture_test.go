package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis"
	"lockstep/web/ui"
)

const library = `
function trylock(name)
  if redis.call("SET", name, me, "NX", "EX", 30) == nil then return false end
  enter(name)
  return true
end
function unlock(name)
  leave(name)
  redis.call("DEL", name)
end`

// fixture is a lesson of five steps: run A, run B, tick 2s, run A, run B.
func fixture() *lessons.Lesson {
	run := func(name string) engine.Choice { return engine.Choice{Kind: engine.Run, Target: name} }
	return &lessons.Lesson{
		Name: "two-clients", Hash: "f1c5e000", Title: lessons.Text{En: "Two clients", Zh: "两个客户端"},
		Chapter: "simple", Level: lessons.Basic,
		Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}}, Resolution: 100 * time.Millisecond,
		Client: lessons.Client{Name: "set-nx", Source: library},
		Actors: []lessons.Actor{
			{Name: "A", Process: "jvm-1", Program: `if trylock("lock") then work("2s") unlock("lock") end`},
			{Name: "B", Process: "jvm-2", Program: `while not trylock("lock") do sleep("1s") end unlock("lock")`},
		},
		Invariants: []string{"mutual-exclusion"},
		Faults:     []engine.Choice{{Kind: engine.Crash, Target: "jvm-1"}},
		Story: []lessons.Beat{
			{Say: prose("Two clients want one lock.", "两个客户端抢一把锁。")},
			{Say: prose("A asks first.", "A 先来。"), Choices: []engine.Choice{run("A")}, Expect: &lessons.Expect{Parts: []lessons.Expected{{Key: "reply", Texts: []string{"OK"}}}}},
			{
				Say: prose("B asks too.", "B 也来。"), Choices: []engine.Choice{run("B")},
				Ask: &lessons.Ask{Question: lessons.Text{En: "What is B told?", Zh: "B 得到什么？"}, Answer: lessons.Query{Kind: lessons.QueryReply}},
			},
			{Say: prose("A works and unlocks.", "A 干完活，解锁。"), Choices: []engine.Choice{{Kind: engine.Tick, Span: 2 * time.Second}, run("A")}},
			{Choices: []engine.Choice{run("B")}},
			{Say: prose("That is all.", "完。")},
		},
		Challenges: []lessons.Challenge{{
			Say:      prose("Let the lock come within ten seconds of its end.", "让锁离到期不到十秒。"),
			Hint:     prose("A need not unlock.", "A 不一定要解锁。"),
			Goal:     lessons.Goal{Reach: &lessons.Rule{Name: "goal", Lua: `lock == "A" and ttl("lock") <= 10000`}},
			Solution: []engine.Choice{run("A"), {Kind: engine.Tick, Span: 20 * time.Second}},
		}},
	}
}

func prose(en, zh string) lessons.Prose {
	text := lessons.Text{En: en, Zh: zh}
	return lessons.Prose{Source: text, HTML: lessons.Text{En: "<p>" + en + "</p>", Zh: "<p>" + zh + "</p>"}}
}

var errTooSlow = fmt.Errorf("the step took 500ms: %w", engine.ErrSlow)

// fakeEngine is an engine that can be taken away, break and be slow.
type fakeEngine struct {
	Embedded
	kind   ui.EngineKind
	reason string       // why it cannot be chosen
	edits  string       // why it runs no edits
	down   bool         // every call of a node fails
	stuck  bool         // its nodes open, and cannot be reset
	waits  bool         // it opens nodes when a context ends, and never
	hangs  bool         // its nodes open, and are reset when a context ends, and never
	slow   int          // so many calls of Exec are too slow
	answer func(string) // sees each command; may panic
	lie    bool         // its SET always succeeds
	forget bool         // its SET sets another key
	opened int
	closed int
}

func (r *fakeEngine) State(lessons.Lang) ui.EngineState {
	return ui.EngineState{Kind: r.kind, Version: "test 1.0", Reason: r.reason, Edits: r.edits}
}

func (r *fakeEngine) Open(ctx context.Context, session string, l *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	if r.down {
		return nil, nil, errors.New("connection refused")
	}
	if r.waits {
		<-ctx.Done()
		return nil, nil, context.Cause(ctx)
	}
	nodes, _, err := r.Embedded.Open(ctx, session, l)
	r.opened++
	for i := range nodes {
		nodes[i].Node = fakeEngineNode{nodes[i].Node.(*redis.Node), r}
	}
	return nodes, func() error { r.closed++; return nil }, err
}

type fakeEngineNode struct {
	*redis.Node
	rig *fakeEngine
}

func (n fakeEngineNode) Reset(ctx context.Context) error {
	if n.rig.stuck {
		return errors.New("the server is read-only")
	}
	if n.rig.hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	return n.Node.Reset(ctx)
}

func (n fakeEngineNode) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	if n.rig.answer != nil {
		n.rig.answer(strings.Join(op.Args, " "))
	}
	if n.rig.down {
		return engine.Result{}, errors.New("connection reset")
	}
	if n.rig.slow > 0 {
		n.rig.slow--
		return engine.Result{}, errTooSlow
	}
	if n.rig.lie && len(op.Args) > 3 && op.Args[0] == "SET" {
		op.Args = append(op.Args[:3:3], op.Args[4:]...) // without NX
	}
	if n.rig.forget && len(op.Args) > 1 && op.Args[0] == "SET" {
		op.Args = slices.Clone(op.Args)
		op.Args[1] += "-elsewhere"
	}
	return n.Node.Exec(ctx, op)
}

// testClient is a session under test, with what a client would hold.
type testClient struct {
	t       *testing.T
	session *Session
	redis   *fakeEngine
	id      int64
	rev     int64
	html    map[string]string
	rows    map[string]string
	last    *Frame
}

func open(t *testing.T) *testClient {
	t.Helper()
	redis := &fakeEngine{kind: ui.Redis}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{fixture()}), Engines: []Engine{Embedded{}, redis}}
	d := &testClient{t: t, session: p.NewSession("test"), redis: redis, html: map[string]string{}}
	d.ok(`"op":"load","lesson":"two-clients"`)
	return d
}

// send sends one command and takes in what comes back, as a client does.
func (d *testClient) send(fields string) *Error {
	d.t.Helper()
	d.id++
	var reply *Reply
	messages := d.session.Handle(d.t.Context(), fmt.Appendf(nil, `{"v":1,"id":%d,%s}`, d.id, fields))
	for _, m := range messages {
		d.take(m)
		if m.Reply != nil {
			reply = m.Reply
		}
	}
	if reply == nil {
		d.t.Fatalf("%s: no reply", fields)
	}
	if reply.ID != d.id || reply.OK != (reply.Err == nil) {
		d.t.Fatalf("%s: reply %+v does not answer command %d", fields, reply, d.id)
	}
	return reply.Err
}

func (d *testClient) take(m Message) {
	d.t.Helper()
	if m.Frame == nil {
		return
	}
	var f Frame
	var wire Message
	if err := json.Unmarshal(m.Encode(), &wire); err != nil {
		d.t.Fatal(err)
	}
	f = *wire.Frame
	if f.Rev <= d.rev {
		d.t.Fatalf("rev %d after %d", f.Rev, d.rev)
	}
	if f.Base == 0 {
		d.html, d.rows = map[string]string{}, map[string]string{}
	} else if f.Base != d.rev {
		d.t.Fatalf("the frame builds on rev %d, the client has %d", f.Base, d.rev)
	}
	for _, frag := range f.Frags {
		d.html[frag.ID] = frag.HTML
	}
	for _, row := range f.Rows {
		d.rows[row.ID] = row.HTML
	}
	d.rev, d.last = f.Rev, &f
	d.session.Handle(d.t.Context(), fmt.Appendf(nil, `{"v":1,"op":"ack","rev":%d}`, f.Rev))
}

func (d *testClient) ok(fields string) {
	d.t.Helper()
	if err := d.send(fields); err != nil {
		d.t.Fatalf("%s: %v", fields, err)
	}
}

func (d *testClient) refused(fields string, code Code) string {
	d.t.Helper()
	err := d.send(fields)
	if err == nil {
		d.t.Fatalf("%s: want error %s, got none", fields, code)
	}
	if err.Code != code {
		d.t.Fatalf("%s: want error %s, got %v", fields, code, err)
	}
	return err.Msg
}

// at checks where the learner stands, by the schedule's text without its head.
func (d *testClient) at(pos int, choices string) {
	d.t.Helper()
	want := strings.TrimSuffix("v1.f1c5e000."+choices, ".")
	if d.last.Pos != pos || d.last.Schedule != want {
		d.t.Fatalf("at %d of %s, want %d of %s", d.last.Pos, d.last.Schedule, pos, want)
	}
	v := d.session.View()
	if len(v.Trace.Steps) != len(v.Schedule.Choices) || d.last.Len != len(v.Trace.Steps) {
		d.t.Fatalf("%d steps for %d choices, frame says %d", len(v.Trace.Steps), len(v.Schedule.Choices), d.last.Len)
	}
	d.shown()
}

// shown checks that the fragments that were sent add up to the whole page, drawn anew.
func (d *testClient) shown() {
	d.t.Helper()
	v := d.session.View()
	v.Cache = nil
	for _, f := range ui.Fragments(v) {
		var b strings.Builder
		if err := f.Component.Render(d.t.Context(), &b); err != nil {
			d.t.Fatal(err)
		}
		if d.html[f.ID] != b.String() {
			d.t.Fatalf("fragment %s shows\n%s\nwant\n%s", f.ID, d.html[f.ID], b.String())
		}
		for _, row := range f.Rows {
			if d.rows[row.ID] != row.HTML {
				d.t.Fatalf("row %s of %s shows\n%s\nwant\n%s", row.ID, f.ID, d.rows[row.ID], row.HTML)
			}
		}
	}
}

func (d *testClient) notice(kind ui.NoticeKind, step int, part string) {
	d.t.Helper()
	n := d.session.View().Notice
	if n == nil || n.Kind != kind || n.Step != step || !strings.Contains(n.Text, part) {
		d.t.Fatalf("notice %+v, want %s at %d with %q", n, kind, step, part)
	}
}
