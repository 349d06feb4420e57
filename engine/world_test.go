package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine/reply"
)

// strings on a clock are all that the engine's own tests need of a server:
// SET key value ms, DEL key, PUBLISH channel text.
type fakeNode struct {
	now  Instant
	keys map[string]Key
	subs map[Subscription]bool
	fail error
}

func (f *fakeNode) Exec(_ context.Context, op Op) (Result, error) {
	if f.fail != nil {
		return Result{}, f.fail
	}
	switch op.Args[0] {
	case "SET":
		if _, taken := f.keys[op.Args[1]]; taken {
			return Result{}, nil
		}
		d, _ := time.ParseDuration(op.Args[3])
		k := Key{Name: op.Args[1], Type: StringKey, Text: op.Args[2], Deadline: f.now + d}
		if d == 0 {
			k.Deadline = NoDeadline
		}
		f.keys[k.Name] = k
		return Result{Reply: reply.OK}, nil
	case "DEL":
		delete(f.keys, op.Args[1])
		return Result{Reply: reply.OfInt(1)}, nil
	case "PUBLISH":
		var ds []Delivery
		for s := range f.subs {
			if s.Channel == op.Args[1] {
				ds = append(ds, Delivery{Process: s.Process, Channel: s.Channel, Payload: op.Args[2]})
			}
		}
		slices.SortFunc(ds, func(a, b Delivery) int { return strings.Compare(a.Process, b.Process) })
		return Result{Reply: reply.OfInt(int64(len(ds))), Delivered: ds}, nil
	}
	return Result{Reply: reply.OfError("ERR unknown command")}, nil
}

func (f *fakeNode) Subscribe(_ context.Context, process, channel string) error {
	f.subs[Subscription{Channel: channel, Process: process}] = true
	return nil
}

func (f *fakeNode) Unsubscribe(_ context.Context, process, channel string) error {
	delete(f.subs, Subscription{Channel: channel, Process: process})
	return nil
}

func (f *fakeNode) Disconnect(_ context.Context, process string) error {
	for s := range f.subs {
		if s.Process == process {
			delete(f.subs, s)
		}
	}
	return nil
}

func (f *fakeNode) AdvanceTo(_ context.Context, now Instant) ([]Expiry, error) {
	f.now = now
	var es []Expiry
	for name, k := range f.keys {
		if k.Deadline != NoDeadline && k.Deadline <= now {
			es = append(es, Expiry{Key: name, At: k.Deadline})
			delete(f.keys, name)
		}
	}
	return es, nil
}

func (f *fakeNode) NextExpiry() (Instant, bool) {
	first, found := Instant(0), false
	for _, k := range f.keys {
		if k.Deadline != NoDeadline && (!found || k.Deadline < first) {
			first, found = k.Deadline, true
		}
	}
	return first, found
}

func (f *fakeNode) View(context.Context) (NodeView, error) {
	var v NodeView
	for _, k := range f.keys {
		v.Keys = append(v.Keys, k)
	}
	slices.SortFunc(v.Keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return v, nil
}

func (f *fakeNode) Reset(context.Context) error {
	*f = fakeNode{keys: map[string]Key{}, subs: map[Subscription]bool{}, fail: f.fail}
	return nil
}

// script is an actor that makes its requests one after the other.
type script struct{ requests []Request }

func (s *script) Next(Outcome) Request {
	if len(s.requests) == 0 {
		return Done{}
	}
	r := s.requests[0]
	s.requests = s.requests[1:]
	return r
}

func command(args ...string) Exec { return Exec{Node: "redis", Op: Op{Args: args}} }

func actor(name, process string, requests ...Request) ActorSpec {
	return ActorSpec{Name: name, Process: process, New: func() Actor {
		return &script{requests: slices.Clone(requests)}
	}}
}

func scenario(t *testing.T, faults, invariants string, actors ...ActorSpec) Scenario {
	t.Helper()
	s := Scenario{Actors: actors, Nodes: []NodeSpec{{Name: "redis", Node: &fakeNode{}}}, Resolution: 100 * time.Millisecond}
	s.Faults = choices(t, faults)
	for name := range strings.FieldsSeq(invariants) {
		rule, ok := Rule(name)
		if !ok {
			t.Fatalf("no rule %q", name)
		}
		s.Invariants = append(s.Invariants, rule)
	}
	return s
}

func choices(t *testing.T, text string) []Choice {
	t.Helper()
	var cs []Choice
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		c, err := ParseChoice(part)
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	return cs
}

func replay(t *testing.T, s Scenario, text string) (*World, *Trace) {
	t.Helper()
	w, trace, err := Replay(t.Context(), s, choices(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return w, trace
}

func why(w *World, text string) string {
	c, _ := ParseChoice(text)
	for _, o := range w.Enabled() {
		if o.Choice == c {
			return o.Reason.String()
		}
	}
	return "not offered"
}

func TestReasons(t *testing.T) {
	s := scenario(t, "crash p2, pause p1, drop p1", "",
		actor("A", "p1", Subscribe{"redis", "c"}, Receive{"redis", "c", 5 * time.Second}),
		actor("B", "p2", Sleep{For: 2 * time.Second}, command("PUBLISH", "c", "hello")),
		actor("C", "p3"),
	)
	for _, tt := range []struct{ after, choice, want string }{
		{"", "run A", ""},
		{"", "run B", "sleeps until 2s"},
		{"", "run C", "has finished"},
		{"", "tick", ""},
		{"", "drop p1", "no message waits in process p1"},
		{"", "resume p1", "process p1 is not paused"},
		{"run A", "run A", "waits for a message on c until 5s"},
		{"run A, pause p1", "run A", "process p1 is paused"},
		{"run A, pause p1", "pause p1", "process p1 is paused"},
		{"crash p2", "run B", "process p2 has crashed"},
		{"crash p2", "crash p2", "process p2 has crashed"},
		{"crash p2", "tick", "nothing is due"},
		{"run A, tick, run B", "run A", ""},
		{"run A, tick, run B", "drop p1", ""},
		{"run A, tick, run B, drop p1", "run A", "waits for a message on c until 5s"},
	} {
		w, _ := replay(t, s, tt.after)
		if got := why(w, tt.choice); got != tt.want {
			t.Errorf("after %q, %q: %q, want %q", tt.after, tt.choice, got, tt.want)
		}
	}
}

func TestNotEnabledLeavesTheWorldAsItWas(t *testing.T) {
	s := scenario(t, "", "", actor("A", "p1", Sleep{For: time.Second}, command("DEL", "x")))
	w, _ := replay(t, s, "")
	_, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"})
	var not *NotEnabledError
	if !errors.As(err, &not) || not.Reason.Code != ReasonSleeping {
		t.Fatalf("got %v", err)
	}
	for _, c := range []Choice{{Kind: Run, Target: "Z"}, {Kind: Crash, Target: "p1"}, {Kind: "dance"}, {Kind: Tick, Span: -1}} {
		if _, err := w.Apply(t.Context(), c); !errors.As(err, &not) || not.Reason.Code != ReasonUnknown {
			t.Errorf("%v: got %v", c, err)
		}
	}
	if _, err := w.Apply(t.Context(), Choice{Kind: Tick, Span: 30 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), "100ms") {
		t.Errorf("a span off the resolution: %v", err)
	}
	if _, err := w.Apply(t.Context(), Choice{Kind: Tick}); err != nil {
		t.Errorf("the world no longer moves: %v", err)
	}
}

func TestClockStopsAtEachTimerOnTheWay(t *testing.T) {
	s := scenario(t, "", "",
		actor("A", "p1", Sleep{For: time.Second, Label: "one"}, Sleep{For: time.Second, Label: "two"}, Say{"done"}),
		actor("B", "p2", command("SET", "k", "v", "1500ms")),
	)
	_, trace := replay(t, s, "run B, tick 10s")
	step := trace.Steps[1]
	if step.At != 10*time.Second || len(step.Expired) != 1 || step.Expired[0].At != 1500*time.Millisecond {
		t.Errorf("at %v, expired %v", step.At, step.Expired)
	}
	var got []string
	for _, n := range step.Notes {
		got = append(got, string(n.Kind)+" "+n.Text)
	}
	if want := []string{"woke one", "woke two", "say done", "done "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReceiveTimesOutOnlyWithoutMail(t *testing.T) {
	s := scenario(t, "", "",
		actor("A", "p1", Subscribe{"redis", "c"}, Receive{"redis", "c", time.Second}, command("DEL", "x")),
		actor("B", "p2", command("PUBLISH", "c", "hello")),
	)
	w, trace := replay(t, s, "run A, tick")
	if notes := trace.Steps[1].Notes; len(notes) != 1 || notes[0].Kind != NoteTimeout {
		t.Errorf("without mail: %v", notes)
	}
	if r := why(w, "run A"); r != "" {
		t.Errorf("A has timed out but %s", r)
	}
	_, trace = replay(t, s, "run A, run B, tick 5s, run A")
	if got := trace.Steps[3].Message; got != "hello" {
		t.Errorf("with mail: message %q", got)
	}
}

func TestOneMessageWakesOneReceiverOfAProcess(t *testing.T) {
	listen := []Request{Subscribe{"redis", "c"}, Receive{"redis", "c", -1}}
	s := scenario(t, "", "",
		actor("A", "p1", listen...), actor("B", "p1", listen...),
		actor("P", "p2", command("PUBLISH", "c", "one")))
	w, trace := replay(t, s, "run A, run B, run P, run B")
	if d := trace.Steps[2].Delivered; len(d) != 1 || d[0].Process != "p1" {
		t.Errorf("delivered %v", d)
	}
	if r := why(w, "run A"); r != "waits for a message on c" {
		t.Errorf("A: %q", r)
	}
}

func TestPauseStopsTimersAndResumeCatchesUp(t *testing.T) {
	s := scenario(t, "pause p1", "", actor("A", "p1", Sleep{For: time.Second}, command("DEL", "x")))
	w, trace := replay(t, s, "pause p1, tick 5s")
	if len(trace.Steps[1].Notes) != 0 || why(w, "run A") != "process p1 is paused" {
		t.Errorf("paused: notes %v, run A %q", trace.Steps[1].Notes, why(w, "run A"))
	}
	w, trace = replay(t, s, "pause p1, tick 5s, resume p1")
	if len(trace.Steps[2].Notes) != 1 || why(w, "run A") != "" {
		t.Errorf("resumed: notes %v, run A %q", trace.Steps[2].Notes, why(w, "run A"))
	}
}

func TestTasksLiveInTheirProcess(t *testing.T) {
	watchdog := &script{requests: []Request{Sleep{For: time.Second}, command("DEL", "x")}}
	spawn := func() Actor {
		return &script{requests: []Request{Spawn{"watchdog", watchdog}, command("DEL", "a"), Cancel{"watchdog"}, command("DEL", "b")}}
	}
	s := scenario(t, "crash p1", "", ActorSpec{Name: "A", Process: "p1", New: spawn}, actor("B", "p2"))
	w, _ := replay(t, s, "")
	var names []string
	for _, a := range w.Snapshot().Actors {
		names = append(names, a.Name)
	}
	if want := []string{"A", "A:watchdog", "B"}; !slices.Equal(names, want) {
		t.Errorf("actors %q, want %q", names, want)
	}
	if _, err := w.Apply(t.Context(), Choice{Kind: Crash, Target: "p1"}); err != nil {
		t.Fatal(err)
	}
	if got := why(w, "run A:watchdog"); got != "process p1 has crashed" {
		t.Errorf("watchdog of a dead process: %q", got)
	}
	w, _ = replay(t, s, "run A")
	if got := why(w, "run A:watchdog"); got != "not offered" {
		t.Errorf("a cancelled watchdog: %q", got)
	}
}

func TestProgramsThatMisbehaveFail(t *testing.T) {
	for _, tt := range []struct {
		request Request
		want    string
	}{
		{Exec{Node: "n9", Op: Op{Args: []string{"DEL"}}}, `there is no node "n9"`},
		{Receive{"redis", "c", -1}, "without having subscribed"},
		{Leave{"lock"}, "without being inside"},
		{Spawn{"a b", &script{}}, "no name for a task"},
	} {
		w, _ := replay(t, scenario(t, "", "", actor("A", "p1", tt.request)), "")
		a, _ := w.Snapshot().Actor("A")
		if a.Status != Failed || !strings.Contains(a.Failure, tt.want) {
			t.Errorf("%T: %s %q, want %q", tt.request, a.Status, a.Failure, tt.want)
		}
	}
}

type restless struct{}

func (restless) Next(Outcome) Request { return Sleep{} }

func TestAnActorThatNeverAsksFails(t *testing.T) {
	s := scenario(t, "", "", ActorSpec{Name: "A", Process: "p1", New: func() Actor { return restless{} }})
	w, _ := replay(t, s, "")
	if a, _ := w.Snapshot().Actor("A"); a.Status != Failed {
		t.Errorf("status %s", a.Status)
	}
}

type beat struct{}

func (beat) Next(Outcome) Request { return Sleep{For: time.Millisecond} }

func TestAClockThatPassesTooManyTimersIsRefused(t *testing.T) {
	s := scenario(t, "", "", ActorSpec{Name: "A", Process: "p1", New: func() Actor { return beat{} }})
	w, _ := replay(t, s, "")
	if _, err := w.Apply(t.Context(), Choice{Kind: Tick, Span: time.Hour}); err == nil || !strings.Contains(err.Error(), "timers") {
		t.Errorf("got %v", err)
	}
}

func TestANodeThatFailsEndsTheRun(t *testing.T) {
	s := scenario(t, "", "", actor("A", "p1", command("SET", "a", "1", "0s"), command("DEL", "a")))
	w, _ := replay(t, s, "run A")
	gone := errors.New("connection refused")
	s.Nodes[0].Node.(*fakeNode).fail = gone
	for range 2 {
		if _, err := w.Apply(t.Context(), Choice{Kind: Run, Target: "A"}); !errors.Is(err, gone) {
			t.Errorf("got %v", err)
		}
	}
	if n := len(w.Trace().Steps); n != 1 {
		t.Errorf("%d steps, want the one that happened", n)
	}
}

func TestInvariants(t *testing.T) {
	lock := func(ttl string, then ...Request) []Request {
		return append([]Request{command("SET", "lock", "me", ttl), Enter{"lock"}}, then...)
	}
	hold := func(ttl string) []Request {
		return lock(ttl, Sleep{For: time.Minute}, Leave{"lock"}, command("DEL", "lock"))
	}
	for _, tt := range []struct {
		name, rule string
		actors     []ActorSpec
		schedule   string
		want       string // broken by the last step
	}{
		{
			"two inside", "mutual-exclusion",
			[]ActorSpec{actor("A", "p1", hold("1s")...), actor("B", "p2", hold("1s")...)},
			"run A, tick 1s, run B",
			`A and B are inside "lock" at the same time`,
		},
		{
			"a breach is told once", "mutual-exclusion",
			[]ActorSpec{actor("A", "p1", hold("1s")...), actor("B", "p2", hold("1s")...)},
			"run A, tick 1s, run B, tick 1s", "",
		},
		{
			"a lock for ever", "no-lock-without-ttl",
			[]ActorSpec{actor("A", "p1", hold("0s")...)},
			"run A",
			`the lock "lock" has no time to live: if its holder dies it stays for ever`,
		},
		{
			"freed by a stranger", "released-by-holder",
			[]ActorSpec{actor("A", "p1", hold("1m")...), actor("B", "p2", command("DEL", "lock"))},
			"run A, run B", `B removed the lock "lock" while A was inside`,
		},
		{
			"freed by its holder", "released-by-holder",
			[]ActorSpec{actor("A", "p1", lock("1m", Leave{"lock"}, command("DEL", "lock"))...)},
			"run A, run A", "",
		},
		{
			"out of turn", "waiters-in-order",
			[]ActorSpec{
				actor("A", "p1", command("DEL", "x"), Want{"lock"}, Sleep{For: time.Minute}),
				actor("B", "p2", command("DEL", "x"), Want{"lock"}, command("DEL", "x"), Enter{"lock"}, Sleep{For: time.Minute}),
			},
			"run A, run B, run B", `B entered "lock" before A, which has waited longer`,
		},
		{
			"deadlock", "nobody-waits-forever",
			[]ActorSpec{actor("A", "p1", Subscribe{"redis", "c"}, Receive{"redis", "c", -1}), actor("B", "p2")},
			"run A", "A waits, and nothing is left that could wake it",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, trace := replay(t, scenario(t, "", tt.rule, tt.actors...), tt.schedule)
			var got []string
			for _, v := range trace.Steps[len(trace.Steps)-1].Broken {
				got = append(got, v.Detail)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("broken %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStampsAreReadWhenTheRequestIsSent(t *testing.T) {
	req := Exec{Node: "redis", Op: Op{Args: []string{"SET", "k", "now+5s", "0s"}}, Stamps: []Stamp{{Arg: 2, Offset: 5 * time.Second}}}
	_, trace := replay(t, scenario(t, "", "", actor("A", "p1", req)), "tick 10s, run A")
	step := trace.Steps[1]
	if got := step.Request.(Exec).Op.Args[2]; got != "1700000015000" {
		t.Errorf("sent %s", got)
	}
	if before, _ := trace.Steps[0].After.Actor("A"); before.Next.(Exec).Op.Args[2] != "now+5s" {
		t.Errorf("pending %v", before.Next)
	}
}
