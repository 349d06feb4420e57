package engine_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/reply"
)

var updateFormat = flag.Bool("update-format", false, "rewrite the goldens of the trace's forms")

// told is a run made by hand that has one of everything a trace can tell.
func told(nodes ...string) *engine.Trace {
	views := make([]engine.NodeView, len(nodes))
	for i, n := range nodes {
		views[i] = engine.NodeView{Node: n}
	}
	lock := func(count string, deadline time.Duration) *engine.Key {
		return &engine.Key{
			Name: "anyLock", Type: engine.HashKey,
			Items: []engine.Item{{Name: "A", Value: count}}, Deadline: deadline,
		}
	}
	list := func(values ...string) *engine.Key {
		k := &engine.Key{Name: "queue", Type: engine.ListKey, Deadline: engine.NoDeadline}
		for _, v := range values {
			k.Items = append(k.Items, engine.Item{Value: v})
		}
		return k
	}
	zset := func(items ...engine.Item) *engine.Key {
		return &engine.Key{Name: "timeout", Type: engine.ZSetKey, Items: items, Deadline: engine.NoDeadline}
	}
	text := func(value string) *engine.Key {
		return &engine.Key{Name: "a name", Type: engine.StringKey, Text: value, Deadline: engine.NoDeadline}
	}
	answer := func(r reply.Reply) *reply.Reply { return &r }
	script := &engine.Script{Name: "lock"}
	run := func(actor string) engine.Choice { return engine.Choice{Kind: engine.Run, Target: actor} }
	n := nodes[0]
	const s = time.Second
	steps := []engine.Step{
		{
			Choice: run("A"), Process: "jvm-1", Reply: answer(reply.OfInt(1)),
			Request: engine.Exec{Node: n, Op: engine.Op{Script: script, Keys: []string{"anyLock"}, Args: []string{"A", "30", ""}}},
			Changes: []engine.Change{{Node: n, Key: "anyLock", New: lock("1", 30*s)}},
			Notes:   []engine.Note{{Actor: "A", Kind: engine.NoteEnter, Text: "anyLock"}, {Actor: "A", Kind: engine.NoteSpawn, Text: "A:watchdog"}},
		},
		{
			Choice: run("B"), Process: "jvm-2", Reply: answer(reply.Reply{}),
			Request: engine.Exec{Node: n, Op: engine.Op{Args: []string{"SET", "a name", "two words"}}},
			Changes: []engine.Change{
				{Node: n, Key: "a name", New: text("two words")},
				{Node: n, Key: "queue", New: list("B")},
				{Node: n, Key: "timeout", New: zset(engine.Item{Name: "B", Value: "5000"})},
			},
			Notes: []engine.Note{{Actor: "B", Kind: engine.NoteWant, Text: "anyLock"}},
		},
		{Choice: run("B"), Process: "jvm-2", Request: engine.Subscribe{Node: n, Channel: "ch:{anyLock}"}},
		{
			Choice: engine.Choice{Kind: engine.Tick, Span: 10 * s}, At: 10 * s,
			Notes: []engine.Note{{Actor: "A:watchdog", Kind: engine.NoteWoke, Text: "watchdog"}, {Actor: "B", Kind: engine.NoteTimeout, Text: "ch:{anyLock}"}},
		},
		{
			Choice: run("A"), Process: "jvm-1", From: 10 * s, At: 10 * s, Reply: answer(reply.OfArray(reply.OfInt(0), reply.OfBulk("x"))),
			Request: engine.Exec{Node: n, Op: engine.Op{Script: script, Keys: []string{"anyLock"}, Args: []string{"A", "30"}}},
			Changes: []engine.Change{
				{Node: n, Key: "anyLock", Old: lock("1", 30*s), New: lock("2", 40*s)},
				{Node: n, Key: "queue", Old: list("B"), New: list("B", "C")},
				{
					Node: n, Key: "timeout", Old: zset(engine.Item{Name: "B", Value: "5000"}, engine.Item{Name: "C", Value: "7000"}),
					New: zset(engine.Item{Name: "C", Value: "4000"}, engine.Item{Name: "D", Value: "6000"}),
				},
			},
			Delivered: []engine.Delivery{{Node: n, Process: "jvm-2", Channel: "ch:{anyLock}", Payload: "0"}},
		},
		{Choice: run("B"), Process: "jvm-2", From: 10 * s, At: 10 * s, Request: engine.Receive{Node: n, Channel: "ch:{anyLock}", Timeout: 1500 * time.Millisecond}, Message: "0"},
		{Choice: run("B"), Process: "jvm-2", From: 10 * s, At: 10 * s, Request: engine.Unsubscribe{Node: n, Channel: "ch:{anyLock}"}},
		{Choice: engine.Choice{Kind: engine.Drop, Target: "jvm-2"}, Process: "jvm-2", From: 10 * s, At: 10 * s, Lost: "0"},
		{Choice: engine.Choice{Kind: engine.Crash, Target: "jvm-1"}, Process: "jvm-1", From: 10 * s, At: 10 * s},
		{
			Choice: engine.Choice{Kind: engine.Tick}, From: 10 * s, At: 40 * s,
			Expired: []engine.Expiry{{Node: n, Key: "anyLock", At: 40 * s}},
			Changes: []engine.Change{
				{Node: n, Key: "anyLock", Old: lock("2", 40*s)},
				{Node: n, Key: "queue", Old: list("B", "C")},
			},
		},
		{
			Choice: run("B"), Process: "jvm-2", From: 40 * s, At: 40 * s, Reply: answer(reply.OfError("ERR no such key")),
			Request: engine.Exec{Node: n, Op: engine.Op{Args: []string{"GET", "x"}}},
			Notes: []engine.Note{
				{Actor: "B", Kind: engine.NoteSay, Text: "free at last"},
				{Actor: "B", Kind: engine.NoteUnwant, Text: "anyLock"},
				{Actor: "B", Kind: engine.NoteLeave, Text: "anyLock"},
				{Actor: "B", Kind: engine.NoteCancel, Text: "B:watchdog"},
				{Actor: "B", Kind: engine.NoteDone},
				{Actor: "C", Kind: engine.NoteFailed, Text: "B:3: attempt\nto call nil"},
			},
			Broken: []engine.Violation{{Invariant: "mutual-exclusion", Detail: `A and B are inside "anyLock" at the same time`}},
		},
	}
	for i := range steps {
		steps[i].N = i + 1
		steps[i].After = engine.Snapshot{Now: steps[i].At, Nodes: views}
	}
	views[0].Keys = []engine.Key{*text("5"), *lock("1", 60*s)}
	return &engine.Trace{Start: engine.Snapshot{Nodes: make([]engine.NodeView, len(nodes))}, Steps: steps}
}

// placed is a run in which the actors tell where they stand.
func placed() *engine.Trace {
	trace := told("redis")
	trace.Steps = trace.Steps[:4]
	locals := func(pairs ...string) []engine.Local {
		var ls []engine.Local
		for i := 0; i < len(pairs); i += 2 {
			ls = append(ls, engine.Local{Name: pairs[i], Value: pairs[i+1]})
		}
		return ls
	}
	program := func(line int, of ...string) engine.Frame {
		return engine.Frame{Chunk: "B", Line: line, Locals: locals(of...)}
	}
	lock := func(line int, of ...string) engine.Frame {
		return engine.Frame{Chunk: "redisson.lua", First: 10, Last: 20, Line: line, Locals: locals(of...), Outer: locals("held", "{}")}
	}
	at := func(frames ...engine.Frame) *engine.Position { return &engine.Position{Frames: frames} }
	asks := engine.Exec{Node: "redis", Op: engine.Op{Script: &engine.Script{Name: "lock"}, Keys: []string{"anyLock"}}}
	start := at(lock(11, "name", `"anyLock"`), program(1))
	trace.Start.Actors = []engine.ActorState{{Name: "A"}, {Name: "B", Next: asks, Position: start}}
	listens := at(lock(12, "name", `"anyLock"`, "ttl", "30000"), program(1))
	waits := at(lock(14, "name", `"anyLock"`, "ttl", "28000"), program(1))
	next := engine.Receive{Node: "redis", Channel: "ch:{anyLock}", Timeout: 28 * time.Second}
	trace.Steps[1].Moves = []engine.Move{{Actor: "B", From: start, To: listens, Next: engine.Subscribe{Node: "redis", Channel: "ch:{anyLock}"}}}
	trace.Steps[1].Ran = []engine.Ran{
		{Actor: "B", At: at(lock(11, "name", `"anyLock"`), program(1))},
		{Actor: "B", At: listens},
		{Actor: "B:task", At: at(program(5))},
		{Actor: "B", At: at(program(6))},
		{Actor: "B", At: at(lock(12))},
	}
	trace.Steps[2].Moves = []engine.Move{{Actor: "B", From: listens, To: waits, Next: next}}
	trace.Steps[3].Moves = []engine.Move{
		{Actor: "A", From: at(program(1)), Next: nil},
		{Actor: "A:watchdog", To: at(lock(20)), Next: engine.Sleep{For: 10 * time.Second, Label: "watch"}},
		{Actor: "B", From: waits, To: at(program(2, "x", "nil"))},
	}
	return trace
}

func TestTraceAsText(t *testing.T) {
	golden(t, "trace.txt", told("redis").String())
	golden(t, "trace-two-nodes.txt", told("n1", "n2").String())
	golden(t, "trace-with-positions.txt", placed().String())
}

func TestTraceAsJSON(t *testing.T) {
	for name, trace := range map[string]*engine.Trace{"trace.json": told("redis"), "trace-with-positions.json": placed()} {
		text, err := json.MarshalIndent(trace, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, string(text)+"\n")
	}
}

func TestAnEmptyTraceHasNoNulls(t *testing.T) {
	text, err := json.Marshal(&engine.Trace{Start: engine.Snapshot{Nodes: []engine.NodeView{{Node: "redis"}}}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"steps":[],"now":"0s","nodes":[{"node":"redis","keys":[]}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}

func TestWordIsReadAsOne(t *testing.T) {
	for text, want := range map[string]string{
		"":                  `""`,
		"anyLock":           "anyLock",
		"queue:{anyLock}":   "queue:{anyLock}",
		"two words":         `"two words"`,
		`say "hi"`:          `"say \"hi\""`,
		"a,b":               `"a,b"`,
		"line\nbreak":       `"line\nbreak"`,
		"锁":                 "锁",
		"\xff":              `"\xff"`,
		"1700000030000":     "1700000030000",
		"no\u00a0break":     `"no\u00a0break"`,
		"\x00null":          `"\x00null"`,
		"jvm-1:thread-1/42": "jvm-1:thread-1/42",
	} {
		if got := engine.Word(text); got != want {
			t.Errorf("Word(%q) is %s, want %s", text, got, want)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "format", name)
	if *updateFormat {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (go test ./engine -update-format rewrites it):\n%s", name, diff)
	}
}
