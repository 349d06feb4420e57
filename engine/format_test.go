package engine

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// told is a run made by hand that has one of everything a trace can tell.
func told(nodes ...string) *Trace {
	views := make([]NodeView, len(nodes))
	for i, n := range nodes {
		views[i] = NodeView{Node: n}
	}
	lock := func(count string, deadline time.Duration) *Key {
		return &Key{
			Name: "anyLock", Type: HashKey,
			Items: []Item{{Name: "A", Value: count}}, Deadline: deadline,
		}
	}
	list := func(values ...string) *Key {
		k := &Key{Name: "queue", Type: ListKey, Deadline: NoDeadline}
		for _, v := range values {
			k.Items = append(k.Items, Item{Value: v})
		}
		return k
	}
	zset := func(items ...Item) *Key {
		return &Key{Name: "timeout", Type: ZSetKey, Items: items, Deadline: NoDeadline}
	}
	text := func(value string) *Key {
		return &Key{Name: "a name", Type: StringKey, Text: value, Deadline: NoDeadline}
	}
	answer := func(r reply.Reply) *reply.Reply { return &r }
	script := &Script{Name: "lock"}
	run := func(actor string) Choice { return Choice{Kind: Run, Target: actor} }
	n := nodes[0]
	const s = time.Second
	steps := []Step{
		{
			Choice: run("A"), Process: "jvm-1", Reply: answer(reply.OfInt(1)),
			Request: Exec{Node: n, Op: Op{Script: script, Keys: []string{"anyLock"}, Args: []string{"A", "30", ""}}},
			Changes: []Change{{Node: n, Key: "anyLock", New: lock("1", 30*s)}},
			Notes:   []Note{{Actor: "A", Kind: NoteEnter, Text: "anyLock"}, {Actor: "A", Kind: NoteSpawn, Text: "A:watchdog"}},
		},
		{
			Choice: run("B"), Process: "jvm-2", Reply: answer(reply.Reply{}),
			Request: Exec{Node: n, Op: Op{Args: []string{"SET", "a name", "two words"}}},
			Changes: []Change{
				{Node: n, Key: "a name", New: text("two words")},
				{Node: n, Key: "queue", New: list("B")},
				{Node: n, Key: "timeout", New: zset(Item{Name: "B", Value: "5000"})},
			},
			Notes: []Note{{Actor: "B", Kind: NoteWant, Text: "anyLock"}},
		},
		{Choice: run("B"), Process: "jvm-2", Request: Subscribe{Node: n, Channel: "ch:{anyLock}"}},
		{
			Choice: Choice{Kind: Tick, Span: 10 * s}, At: 10 * s,
			Notes: []Note{{Actor: "A:watchdog", Kind: NoteWoke, Text: "watchdog"}, {Actor: "B", Kind: NoteTimeout, Text: "ch:{anyLock}"}},
		},
		{
			Choice: run("A"), Process: "jvm-1", From: 10 * s, At: 10 * s, Reply: answer(reply.OfArray(reply.OfInt(0), reply.OfBulk("x"))),
			Request: Exec{Node: n, Op: Op{Script: script, Keys: []string{"anyLock"}, Args: []string{"A", "30"}}},
			Changes: []Change{
				{Node: n, Key: "anyLock", Old: lock("1", 30*s), New: lock("2", 40*s)},
				{Node: n, Key: "queue", Old: list("B"), New: list("B", "C")},
				{
					Node: n, Key: "timeout", Old: zset(Item{Name: "B", Value: "5000"}, Item{Name: "C", Value: "7000"}),
					New: zset(Item{Name: "C", Value: "4000"}, Item{Name: "D", Value: "6000"}),
				},
			},
			Delivered: []Delivery{{Node: n, Process: "jvm-2", Channel: "ch:{anyLock}", Payload: "0"}},
		},
		{Choice: run("B"), Process: "jvm-2", From: 10 * s, At: 10 * s, Request: Receive{Node: n, Channel: "ch:{anyLock}", Timeout: 1500 * time.Millisecond}, Message: "0"},
		{Choice: run("B"), Process: "jvm-2", From: 10 * s, At: 10 * s, Request: Unsubscribe{Node: n, Channel: "ch:{anyLock}"}},
		{Choice: Choice{Kind: Drop, Target: "jvm-2"}, Process: "jvm-2", From: 10 * s, At: 10 * s, Lost: "0"},
		{Choice: Choice{Kind: Crash, Target: "jvm-1"}, Process: "jvm-1", From: 10 * s, At: 10 * s},
		{
			Choice: Choice{Kind: Tick}, From: 10 * s, At: 40 * s,
			Expired: []Expiry{{Node: n, Key: "anyLock", At: 40 * s}, {Node: n, Key: "made and gone", At: 39 * s}, {Node: n, Key: "queue", At: 39 * s}},
			Changes: []Change{
				{Node: n, Key: "anyLock", Old: lock("2", 40*s)},
				{Node: n, Key: "queue", Old: list("B", "C"), New: list("B")},
				{Node: n, Key: "timeout", Old: zset()},
			},
		},
		{
			Choice: run("B"), Process: "jvm-2", From: 40 * s, At: 40 * s, Reply: answer(reply.OfError("ERR no such key")),
			Request: Exec{Node: n, Op: Op{Args: []string{"GET", "x"}}},
			Notes: []Note{
				{Actor: "B", Kind: NoteSay, Text: "free at last"},
				{Actor: "B", Kind: NoteUnwant, Text: "anyLock"},
				{Actor: "B", Kind: NoteLeave, Text: "anyLock"},
				{Actor: "B", Kind: NoteCancel, Text: "B:watchdog"},
				{Actor: "B", Kind: NoteDone},
				{Actor: "C", Kind: NoteFailed, Text: "B:3: attempt\nto call nil"},
			},
			Broken: []Violation{{Invariant: "mutual-exclusion", Detail: fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "anyLock")}},
		},
	}
	for i := range steps {
		steps[i].N = i + 1
		steps[i].After = Snapshot{Now: steps[i].At, Nodes: views}
	}
	views[0].Keys = []Key{*text("5"), *lock("1", 60*s)}
	return &Trace{Start: Snapshot{Nodes: make([]NodeView, len(nodes))}, Steps: steps}
}

// toldWithPositions is a run in which the actors tell where they stand.
func toldWithPositions() *Trace {
	trace := told("redis")
	trace.Steps = trace.Steps[:4]
	locals := func(pairs ...string) []Local {
		var ls []Local
		for i := 0; i < len(pairs); i += 2 {
			ls = append(ls, Local{Name: pairs[i], Value: pairs[i+1]})
		}
		return ls
	}
	program := func(line int, of ...string) Frame {
		return Frame{Chunk: "B", Line: line, Locals: locals(of...)}
	}
	lock := func(line int, of ...string) Frame {
		return Frame{Chunk: "redisson.lua", First: 10, Last: 20, Line: line, Locals: locals(of...), Outer: locals("held", "{}")}
	}
	at := func(frames ...Frame) *Position { return &Position{Frames: frames} }
	asks := Exec{Node: "redis", Op: Op{Script: &Script{Name: "lock"}, Keys: []string{"anyLock"}}}
	start := at(lock(11, "name", `"anyLock"`), program(1))
	trace.Start.Actors = []ActorState{{Name: "A"}, {Name: "B", Next: asks, Position: start}}
	trace.Notes = []Note{{Actor: "A", Kind: NoteSay, Text: "hello"}}
	listens := at(lock(12, "name", `"anyLock"`, "ttl", "30000"), program(1))
	waits := at(lock(14, "name", `"anyLock"`, "ttl", "28000"), program(1))
	next := Receive{Node: "redis", Channel: "ch:{anyLock}", Timeout: 28 * time.Second}
	trace.Steps[1].Moves = []Move{{Actor: "B", From: start, To: listens, Next: Subscribe{Node: "redis", Channel: "ch:{anyLock}"}}}
	trace.Steps[1].Ran = []Ran{
		{Actor: "B", At: at(lock(11, "name", `"anyLock"`), program(1))},
		{Actor: "B", At: listens},
		{Actor: "B:task", At: at(program(5))},
		{Actor: "B", At: at(program(6))},
		{Actor: "B", At: at(lock(12))},
	}
	trace.Steps[2].Moves = []Move{{Actor: "B", From: listens, To: waits, Next: next}}
	trace.Steps[3].Moves = []Move{
		{Actor: "A", From: at(program(1)), Next: nil},
		{Actor: "A:watchdog", To: at(lock(20)), Next: Sleep{For: 10 * time.Second, Label: "watch"}},
		{Actor: "B", From: waits, To: at(program(2, "x", "nil"))},
	}
	return trace
}

// toldWithLines is a run in which somebody looked inside a script.
func toldWithLines() *Trace {
	trace := told("redis")
	trace.Steps = trace.Steps[:1]
	lock := func(count string) []Key {
		return []Key{{Name: "anyLock", Type: HashKey, Items: []Item{{Name: "A", Value: count}}, Deadline: NoDeadline}}
	}
	call := func(n int, keys []Key, reply string, failed bool, args ...string) Line {
		return Line{N: n, Line: 2, Keys: keys, Call: &Call{Args: args, Reply: reply, Failed: failed}}
	}
	trace.Steps[0].Inside = &Inside{
		Shown: "local n = 0  \nredis.call(...)\nfor i = 1, 2 do\n  n = i\nend",
		Total: 13,
		Lines: []Line{
			{N: 2, Line: 1},
			{N: 3, Line: 2, Passes: []int{0}, Locals: []Local{{"n", "0"}}},
			call(4, lock("1"), "1", false, "HINCRBY", "anyLock", "A", "1"),
			call(5, lock("2"), "2", false, "HINCRBY", "anyLock", "A", "1"),
			call(6, lock("2"), "ERR wrong", true, "HINCRBY", "anyLock"),
			{N: 7, Line: 3, Passes: []int{2}, Locals: []Local{{"n", "0"}, {"i", "1"}}, Keys: lock("2")},
			{N: 10, Line: 4, Passes: []int{0, 2}, Locals: []Local{{"n", "1"}, {"i", "1"}}, Keys: lock("2")},
			{N: 12, Line: 5, Passes: []int{3, 1}, Locals: []Local{{"n", "1"}, {"i", "1"}}},
			{N: 13, Line: 6},
		},
	}
	return trace
}

func TestChangesOfALine(t *testing.T) {
	in := toldWithLines().Steps[0].Inside
	in.Lines = in.Lines[2:5]
	in.Before = []Key{{Name: "other"}}
	for i, want := range []string{"anyLock other", "anyLock", ""} {
		var names []string
		for _, c := range in.Changes("redis", i) {
			names = append(names, c.Key)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("line %d changed %q, want %q", i, got, want)
		}
	}
}

func TestTraceAsText(t *testing.T) {
	golden(t, "testdata/format/trace-with-lines.txt", toldWithLines().String())
	golden(t, "testdata/format/trace.txt", told("redis").String())
	golden(t, "testdata/format/trace-two-nodes.txt", told("n1", "n2").String())
	golden(t, "testdata/format/trace-with-positions.txt", toldWithPositions().String())
}

func TestTraceAsJSON(t *testing.T) {
	for name, trace := range map[string]*Trace{"trace.json": told("redis"), "trace-with-positions.json": toldWithPositions(), "trace-with-lines.json": toldWithLines()} {
		text, err := json.MarshalIndent(trace, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/format/"+name, string(text)+"\n")
	}
}

func TestAnEmptyTraceHasNoNulls(t *testing.T) {
	text, err := json.Marshal(&Trace{Start: Snapshot{Nodes: []NodeView{{Node: "redis"}}}})
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
		if got := Word(text); got != want {
			t.Errorf("Word(%q) is %s, want %s", text, got, want)
		}
	}
}

// TestUncommittedRowsAreTold: what a transaction has written of a row is told beside what is committed.
func TestUncommittedRowsAreTold(t *testing.T) {
	row := func(stock, by, pending string) *Key {
		k := &Key{Name: "items/1", Type: RowKey, Deadline: NoDeadline, Pending: Pending{By: by}}
		if stock != "" {
			k.Items = []Item{{Name: "stock", Value: stock}}
		}
		if pending != "" {
			k.Pending.Items = []Item{{Name: "stock", Value: pending}}
		}
		return k
	}
	for _, c := range []struct {
		old, now *Key
		want     string
	}{
		{row("5", "", ""), row("5", "A", "4"), "A has written stock: 5 → 4, uncommitted"},
		{row("5", "", ""), row("5", "A", ""), "A has deleted it, uncommitted"},
		{row("5", "A", "4"), row("5", "", ""), "A has nothing uncommitted there any more"},
		{row("5", "A", "4"), row("4", "", ""), "stock: 5 → 4"},
		{row("5", "A", "4"), row("5", "A", "3"), "A has written stock: 5 → 3, uncommitted"},
		{row("", "A", "4"), nil, "gone (was row {stock: 4} of A, uncommitted)"},
		{row("5", "", ""), nil, "gone (was row {stock: 5})"},
	} {
		if got := (&Step{}).describeChange(Change{Key: "items/1", Old: c.old, New: c.now}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
