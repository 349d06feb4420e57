package recording_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/recording"
)

// play reads a recording as a lesson and plays its story.
func play(t *testing.T, r recording.Recording) (*lessons.Lesson, *engine.Trace) {
	t.Helper()
	var files []lessons.File
	for _, f := range r.Files() {
		files = append(files, lessons.File{Name: f.Name, Text: f.Text})
	}
	l, problems := author.Reader{}.Read("01-recorded", files)
	if l == nil {
		t.Fatalf("%v\n%s", problems, files[0].Text)
	}
	report, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if problems := report.Problems.Of(lessons.Error); err != nil || len(problems) > 0 {
		t.Fatalf("%v\n%v\n%s", err, problems, l.YAML)
	}
	return l, report.Trace
}

// said is the trace without times and keys: who did what, and the reply.
func said(trace *engine.Trace) string {
	var b strings.Builder
	for _, s := range trace.Steps {
		b.WriteString(s.Choice.String())
		switch {
		case s.Reply != nil:
			b.WriteString(" → " + s.Reply.String())
		case s.NoReply != "":
			b.WriteString(" → " + string(s.NoReply))
		}
		for _, n := range s.Notes {
			if n.Kind != engine.NoteWoke && n.Kind != engine.NoteDone {
				fmt.Fprintf(&b, ", %s %s %s", n.Actor, n.Kind, n.Text)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func sent(at time.Duration, actor string, commands ...string) recording.Event {
	e := recording.Event{At: at, Sent: at, Actor: actor}
	for _, c := range commands {
		e.Commands = append(e.Commands, strings.Fields(c))
	}
	return e
}

func TestWhatWasSentIsSentAgain(t *testing.T) {
	const sha = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db" // of return 1
	load := recording.Event{Actor: "A", Commands: [][]string{{"SCRIPT", "LOAD", "return 1"}, {"EVALSHA", sha, "0"}}}
	wrong := sent(time.Second, "A", "LPUSH n 1")
	wrong.Failed = true
	for name, c := range map[string]struct {
		events []recording.Event
		want   string
	}{
		"commands": {
			[]recording.Event{sent(0, "A", "SET n 1", "INCR n"), wrong, sent(1500*time.Millisecond, "B", "GET n")},
			"run A → OK\nrun A → 2\ntick 1s\nrun A → (error) WRONGTYPE Operation against a key holding the wrong kind of value\ntick 500ms\nrun B → \"2\"\n",
		},
		"bytes": {
			[]recording.Event{{Actor: "A", Commands: [][]string{{"SET", "k", "\x00\"\\\n锁\xff"}, {"STRLEN", "k"}}}},
			"run A → OK\nrun A → 8\n",
		},
		"a transaction": {
			[]recording.Event{sent(0, "A", "WATCH n", "MULTI", "INCR n", "SET m 1", "EXEC"), sent(0, "A", "MULTI", "INCR n", "DISCARD", "GET n")},
			"run A → OK\nrun A → [1, OK]\nrun A → \"1\"\n",
		},
		"scripts": {
			[]recording.Event{load, {Actor: "A", Commands: [][]string{{"EVALSHA", "unknown", "0"}, {"EVAL", "return {KEYS[1], ARGV[1]}", "1", "k", "v"}}}},
			"run A → 1\nrun A → [\"k\", \"v\"]\n",
		},
		"messages": {
			[]recording.Event{sent(0, "A", "SUBSCRIBE x y"), sent(0, "B", "PUBLISH y go"), sent(0, "A", "UNSUBSCRIBE x y")},
			"run A\nrun A\nrun B → 1\nrun A\nrun A\n",
		},
		"waiting in the server": {
			[]recording.Event{sent(0, "B", "BLPOP word 0"), sent(time.Second, "A", "RPUSH word go"), {At: time.Second, Kind: recording.Answered, Actor: "B"}, sent(2*time.Second, "B", "LLEN word")},
			"run B → in-node\ntick 1s\nrun A → 1\nrun B → [\"word\", \"go\"]\ntick 1s\nrun B → 0\n",
		},
		"what no lesson has": {
			[]recording.Event{sent(0, "A", "CLIENT SETNAME a", "TIME", "SELECT 1", "GET n"), sent(0, "B", "SPOP s")},
			"run A → nil\n",
		},
		"names": {
			[]recording.Event{sent(0, "127.0.0.1:1234", "INCR n"), sent(0, "127.0.0.1-1234", "INCR n"), sent(0, "redis", "INCR n")},
			"run client-127-0-0-1-1234 → 1\nrun client-127-0-0-1-1234-2 → 2\nrun redis-2 → 3\n",
		},
		"sections": {
			[]recording.Event{
				sent(0, "A", "INCR n"),
				{Kind: recording.Enter, Actor: "A", Section: "door"},
				{At: time.Second, Kind: recording.Leave, Actor: "A", Section: "door"},
				sent(time.Second, "B", "INCR n"),
				{At: time.Second, Kind: recording.Enter, Actor: "B", Section: "door"},
				{At: 2 * time.Second, Kind: recording.Enter, Actor: "A", Section: "door"},
			},
			"run A → 1, A enter door\ntick 1s, A leave door\nrun B → 2, B enter door\ntick 1s, A enter door\n",
		},
		"faults": {
			[]recording.Event{
				sent(0, "A", "INCR n"),
				{Kind: recording.Pause, Actor: "A"},
				{At: time.Second, Kind: recording.Resume, Actor: "A"},
				{At: time.Second, Kind: recording.Enter, Actor: "A", Section: "door"},
				{At: time.Second, Kind: recording.Pause, Actor: "A"},
				{At: time.Second, Kind: recording.Resume, Actor: "A"},
				{At: time.Second, Kind: recording.Restart, Server: "redis"},
				sent(time.Second, "B", "INCR n"),
				{At: time.Second, Kind: recording.Crash, Actor: "B"},
			},
			"run A → 1\npause A\ntick 1s\nresume A, A enter door\ncrash redis\nrestart redis\nrun B → 1\ncrash B\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, trace := play(t, recording.Recording{Test: name, Events: c.events})
			if got := said(trace); got != c.want {
				t.Errorf("it is\n%snot\n%s\n%s", got, c.want, l.YAML)
			}
		})
	}
}

func TestWhatIsLeftOutIsSaid(t *testing.T) {
	l, _ := play(t, recording.Recording{Test: "x", Events: []recording.Event{sent(0, "A", "TIME", "GET n")}})
	if !strings.Contains(l.YAML, "-- left out: TIME, since TIME") || !strings.Contains(l.Summary.En, "Left out are commands: 1.") {
		t.Error(l.YAML)
	}
}

func TestSeveralServersAndKeysAtTheStart(t *testing.T) {
	on := sent(0, "A", "GET n")
	on.Server = "n2"
	_, trace := play(t, recording.Recording{
		Test: "x", Servers: []string{"n1", "n2"},
		Given: []engine.Key{
			{Name: "h: {", Type: engine.HashKey, Items: []engine.Item{{Name: "f", Value: "v"}}, Deadline: 3 * time.Second},
			{Name: "l", Type: engine.ListKey, Items: []engine.Item{{Value: "a"}}, Deadline: engine.NoDeadline},
			{Name: "s", Type: engine.SetKey, Items: []engine.Item{{Name: "a"}}, Deadline: engine.NoDeadline},
			{Name: "x", Type: engine.StreamKey, Deadline: engine.NoDeadline},
			{Name: "n", Type: engine.StringKey, Text: "1", Deadline: engine.NoDeadline},
		},
		Events: []recording.Event{sent(0, "A", "GET n"), on, {Actor: "A", Server: "n1", Commands: [][]string{{"PTTL", "h: {"}}}, sent(0, "A", "LLEN l")},
	})
	if got, want := said(trace), "run A → \"1\"\nrun A → nil\nrun A → 3000\nrun A → 1\n"; got != want {
		t.Errorf("it is\n%snot\n%s", got, want)
	}
}

// Scripts that are known are called by what they do, each by another name.
func TestScriptsHaveNames(t *testing.T) {
	const one, two = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "7f923f79fe76194c868d7e1d0820de36700eb649" // of return 1 and return 2
	r := recording.Recording{Scripts: map[string]string{one: "unlock", two: "unlock"}}
	for _, source := range []string{"return 1", "return 2", "return 3"} {
		r.Events = append(r.Events, recording.Event{Actor: "A", Commands: [][]string{{"EVAL", source, "0"}}})
	}
	var names []string
	for _, f := range r.Files()[1:] {
		names = append(names, f.Name)
	}
	if want := []string{"unlock.lua", "unlock-2.lua", "script-3.lua"}; !slices.Equal(names, want) {
		t.Errorf("they are %q, not %q", names, want)
	}
	play(t, r)
}

// A recording that is longer than a lesson may be still becomes one.
func TestALongRecordingFits(t *testing.T) {
	var events []recording.Event
	for i := range 250 {
		events = append(events, sent(time.Duration(i)*time.Millisecond, fmt.Sprint("client-", i%30), "INCR n"))
	}
	events = append(events, recording.Event{At: events[249].At, Kind: recording.Enter, Actor: "client-29", Section: "door"})
	for test, most := range map[string]int{"x": 16, "": 9} {
		l, trace := play(t, recording.Recording{Test: test, Events: events})
		if n := len(trace.Steps); n < 450 || len(l.Actors) != most {
			t.Errorf("%d steps of %d actors", n, len(l.Actors))
		}
		if !slices.ContainsFunc(l.Actors, func(a lessons.Actor) bool { return a.Name == "client-29" }) {
			t.Error("who has the lock is among others")
		}
		if last := trace.Steps[len(trace.Steps)-1]; last.Reply.Int != 250 {
			t.Errorf("it ends with %s", last.Reply)
		}
	}
}

// What the last request breaks, a lesson shows by a rule of its own, at its end.
func TestALessonEndsWithWhatBroke(t *testing.T) {
	on := func(server string, e recording.Event) recording.Event {
		e.Server = server
		return e
	}
	mark := func(actor string) recording.Event { return recording.Event{Kind: recording.Mark, Actor: actor} }
	for name, c := range map[string]struct {
		rule   recording.Rule
		events []recording.Event
		broken string
	}{
		"no TTL":    {recording.Rule{Key: "lock"}, []recording.Event{sent(0, "A", "SET lock A EX 1"), sent(0, "B", "SET lock B")}, "the-key-expires"},
		"deleted":   {recording.Rule{Kind: recording.Released, Key: "lock", Value: "B"}, []recording.Event{sent(0, "B", "SET lock B"), mark("B"), sent(0, "A", "DEL lock")}, "released-by-its-holder"},
		"replaced":  {recording.Rule{Kind: recording.Released, Key: "lock", Value: "1e3"}, []recording.Event{sent(0, "B", "SET lock 1e3"), mark("B"), sent(0, "A", "SET lock 7")}, "released-by-its-holder"},
		"no number": {recording.Rule{Kind: recording.Released, Key: "lock", Value: "nan"}, []recording.Event{sent(0, "B", "SET lock nan"), mark("B"), sent(0, "A", "DEL lock")}, "released-by-its-holder"},
		"elsewhere": {recording.Rule{Kind: recording.Released, Server: "n2", Key: `"`, Value: "B"}, []recording.Event{on("n2", sent(0, "B", `SET " B`)), mark("B"), on("n2", sent(0, "A", `DEL "`))}, "released-by-its-holder"},
		"renewed":   {recording.Rule{Kind: recording.Renewed, Key: "lock"}, []recording.Event{sent(0, "B", "SET lock B EX 1"), sent(0, "A", "EXPIRE lock 9"), mark("A")}, "renewed-by-its-holder"},
		"dead":      {recording.Rule{Kind: recording.Released, Key: "lock", Value: "B"}, []recording.Event{sent(0, "B", "SET lock B"), mark("B"), {Kind: recording.Crash, Actor: "B"}, sent(0, "A", "DEL lock")}, ""},
		"left out":  {recording.Rule{Key: "lock"}, []recording.Event{sent(0, "A", "SET lock A"), sent(0, "A", "TIME")}, ""},
		"several":   {recording.Rule{Key: "lock"}, []recording.Event{sent(0, "A", "SET lock A", "EXPIRE lock 9", "PERSIST lock")}, ""},
		"no room":   {recording.Rule{Key: "lock"}, []recording.Event{sent(0, "A", "GET n"), sent(0, "A", "SET lock "+strings.Repeat("A", 1<<14))}, ""},
		"a section's name": {recording.Rule{Kind: recording.Released, Key: "lock", Value: "B"}, []recording.Event{
			sent(0, "B", "SET lock B"), mark("B"), {Kind: recording.Enter, Actor: "B", Section: "door"}, sent(0, "A", "DEL lock"),
		}, "released-by-its-holder"},
	} {
		t.Run(name, func(t *testing.T) {
			r := recording.Recording{Test: name, Events: c.events, Broken: &c.rule, Ending: "it broke"}
			if c.rule.Server == "" {
				c.rule.Server = "redis"
			} else {
				r.Servers = []string{"redis", c.rule.Server}
			}
			l, trace := play(t, r)
			broken := ""
			if n := len(trace.Steps); n > 0 && len(trace.Steps[n-1].Broken) > 0 {
				broken = trace.Steps[n-1].Broken[0].Invariant
			}
			if broken != c.broken || !strings.Contains(l.YAML, "`it broke`") {
				t.Errorf("it breaks %q, not %q\n%s", broken, c.broken, l.YAML)
			}
		})
	}
}
