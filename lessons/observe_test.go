package lessons_test

import (
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// What check --fix fills in for a story of replicas, links and clocks can be read again, and holds.
func TestWhatIsFilledInHolds(t *testing.T) {
	text := regexp.MustCompile(`(?m)^    expect: .*\n`).ReplaceAllString(fixture(t, "replicas").YAML, "")
	read := func(text string) *lessons.Lesson {
		t.Helper()
		l, err := decode.Lesson(fstest.MapFS{"05-replicas/lesson.yaml": {Data: []byte(text)}}, "05-replicas")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return l
	}
	l := read(text)
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil || r.Steps < len(l.Choices()) {
		t.Fatalf("%d of %d steps were made: %v %v", r.Steps, len(l.Choices()), r.Problems, err)
	}
	text, changes, err := decode.Rewrite(l, l.Unproven(r.Trace))
	if err != nil || len(changes) != len(l.Story) {
		t.Fatalf("%d of %d beats were filled in: %v", len(changes), len(l.Story), err)
	}
	fixed := read(text)
	again, err := lessons.Check(t.Context(), fixed, fixed.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	if !again.OK() || len(fixed.Lint(again.Trace).Of(lessons.Warning)) > 0 {
		t.Errorf("%v\n%v\n%s", again.Problems, fixed.Lint(again.Trace), text)
	}
}

// played is a lesson, and what came of its story.
func played(t *testing.T, text string) (*lessons.Lesson, lessons.Report) {
	t.Helper()
	l, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(text)}}, "01-a")
	if err != nil {
		t.Fatal(err)
	}
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	return l, r
}

// What a program broke off by is filled in where a story may be about it, and not where it is a mistake in the program.
func TestAMistakeIsNotFilledIn(t *testing.T) {
	for program, beats := range map[string]int{
		`redis.call("INCR", "n") error("not the owner")`:                       2,
		`redis.call("INCR", "n") local owner = nil .. "x"`:                     0,
		`redis.call("SP" .. "OP", "set")`:                                      0,
		`pcall(redis.call, "SP" .. "OP", "set") error("the set has no owner")`: 2,
		`redis.call("INCR", "n") redis.call("HGET", "n", "field")`:             2,
		`redis.call("SETT", "n", "1")`:                                         0,
		`redis.call("INCR")`:                                                   0,
		`redis.call("INCR", "n") redis.eval("none", {}, {})`:                   0,
		`redis.call("INCR", "n") redis.eval("fails", "n", {})`:                 0,
		`redis.call("INCR", "n") redis.call()`:                                 0,
		`redis.call("INCR", "n") sleep()`:                                      0,
		`redis.call("INCR", "n") sleep("2 s")`:                                 0,
		`redis.call("INCR", "n") sleep(0.5)`:                                   0,
		`redis.call("INCR", "n") string.rep({}, 2)`:                            0,
		`redis.call("INCR", "n") string.rep("x", 1e9)`:                         0,
		`redis.call("INCR", "n") local function f() return 1 + f() end f()`:    0,
		`redis.call("INCR", "n") while true do end`:                            0,
		`redis.call("INCR", "n") leave("door")`:                                0,
		`redis.eval("fails", {}, {})`:                                          0,
		`redis.eval("unknown", {}, {})`:                                        0,
		`redis.eval("short", {}, {})`:                                          0,
		`redis.call("INCR", "n") spawn("dog")`:                                 0,
		`redis.eval("refuses", {}, {})`:                                        2,
	} {
		l, r := played(t, `
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
scripts:
  fails: {source: 'local n = nil + 1'}
  unknown: {source: 'return redis.call("SETT", "n")'}
  short: {source: 'return redis.call("GET")'}
  refuses: {source: 'return redis.error_reply("STALE 1")'}
actors:
  A: {program: '`+program+`'}
  B: {program: 'redis.call("INCR", "n")'}
story:
  - run: A
  - run: B
`)
		if got := len(l.Unproven(r.Trace)); got != beats {
			t.Errorf("%s: %d beats are filled in, want %d", program, got, beats)
		}
	}
}

// A beat that expects nothing is told all that came of it, and each thing once.
func TestEachAnswerAndReplicaIsObservedOnce(t *testing.T) {
	after := engine.Snapshot{Nodes: []engine.NodeView{{Node: "m"}, {Node: "r1", Leader: "m"}, {Node: "r2", Leader: "m"}}}
	step := engine.Step{
		Choice:   engine.Choice{Kind: engine.Tick},
		Answered: []engine.Answer{{Actor: "A", Reply: reply.OfBulk("two words")}, {Actor: "B", Reply: reply.OfError("READONLY it follows")}},
		Replicas: []engine.Replica{{Node: "r1"}, {Node: "r2"}},
		Notes:    []engine.Note{{Kind: engine.NoteWoke, Actor: "B"}},
		After:    after,
	}
	var b lessons.Beat
	got := b.Observed(&after, []engine.Step{step, step})
	answers := []lessons.Expected{{Key: "answers", Name: "A", Texts: []string{`"two words"`}}, {Key: "answers", Name: "B", Texts: []string{"READONLY"}}}
	if diff := cmp.Diff(answers, got.Of("answers")); diff != "" {
		t.Error(diff)
	}
	behind := []lessons.Expected{{Key: "behind", Name: "r1", Texts: []string{"0"}}, {Key: "behind", Name: "r2", Texts: []string{"0"}}}
	if diff := cmp.Diff(behind, got.Of("behind")); diff != "" {
		t.Error(diff)
	}
}

// Whom the clock woke is told beside what else a beat did, be it one alone, and nobody is not.
func TestWhomTheClockWokeIsObserved(t *testing.T) {
	after := engine.Snapshot{Nodes: []engine.NodeView{{Keys: []engine.Key{{Name: "lock", Type: engine.StringKey, Deadline: 1}}}}}
	step := engine.Step{Choice: engine.Choice{Kind: engine.Tick}, After: after}
	var b lessons.Beat
	if got := b.Observed(&after, []engine.Step{step}); got.Of("woke") != nil || len(got.Of("keys")) != 1 {
		t.Errorf("when it woke nobody: %+v", got)
	}
	step.Notes = []engine.Note{{Kind: engine.NoteWoke, Actor: "B"}}
	if got := b.Observed(&after, []engine.Step{step}); len(got.Of("woke")) != 1 || !slices.Equal(got.Of("woke")[0].Texts, []string{"B"}) || len(got.Of("keys")) != 1 {
		t.Errorf("when it woke B: %+v", got)
	}
}
