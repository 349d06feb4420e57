package ui

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// Where only what a key holds, or how long it lives, is not as it would be, the page names the key.
func TestADifferenceNamesTheKey(t *testing.T) {
	one := reply.OfInt(1)
	step := func(text string, ends engine.Instant) *engine.Step {
		key := engine.Key{Name: "lock", Type: engine.StringKey, Text: text, Deadline: ends}
		return &engine.Step{
			N: 1, Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Reply: &one,
			Request: engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"SET", "lock"}}},
			Changes: []engine.Change{{Node: "redis", Key: "lock", New: &key}},
			After:   engine.Snapshot{Nodes: []engine.NodeView{{Node: "redis", Keys: []engine.Key{key}}}},
		}
	}
	w := newWorld()
	v := viewOf(w, lessons.En)
	for want, there := range map[string]*engine.Step{
		"A gets the same reply, but the TTL of lock is now 20 s instead of 30 s": step("A", 30*time.Second),
		"A gets the same reply, but lock is now ":                                step("B", 20*time.Second),
		"A then behaves differently":                                             step("A", 20*time.Second),
	} {
		if got := difference(&v, step("A", 20*time.Second), there); !strings.HasPrefix(got, want) {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// The editor says who runs a script, and leaves the name of a client as it is.
func TestWhoRunsAScriptKeepsItsName(t *testing.T) {
	l := &lessons.Lesson{
		Scripts: []lessons.Script{{Name: "renew", Source: "return 1"}},
		Actors:  []lessons.Actor{{Name: "renewal", Program: `redis.eval("renew", names, args)`}},
	}
	for lang, want := range map[lessons.Lang]string{
		lessons.En: "The program of renewal",
		lessons.Zh: "renewal 的程序",
	} {
		if who, _ := callOf(&View{Lang: lang, Lesson: l}, "renew"); who != want {
			t.Errorf("in %s it says %q, want %q", lang, who, want)
		}
	}
}
