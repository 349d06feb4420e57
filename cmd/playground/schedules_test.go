package main

import (
	"encoding/json"
	"errors"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis/conversations"
	"lockstep/node/sample"
)

// TestLessonsGoTheSameWayEverywhere: whatever a learner does in a lesson, its faults included,
// the trace is that of the embedded engine on Redis, Valkey, MariaDB and ZooKeeper, too.
func TestLessonsGoTheSameWayEverywhere(t *testing.T) {
	servers := []target{serverOf(t, conversations.RedisServer(t)), serverOf(t, conversations.ValkeyServer(t)), reached(t, engineNamed(t, "mariadb"), ""), reached(t, engineNamed(t, "zookeeper"), "")}
	seeds := sample.LessonSchedules.Seeds(t)
	for _, l := range sample.Lessons(t, builtInLessons(t), sample.LessonsOnServers, nameOf) {
		t.Run(l.Name, func(t *testing.T) {
			for _, seed := range seeds {
				want, choices := randomRun(t, l, seed)
				for _, s := range servers {
					if !s.plays(l) {
						continue
					}
					if got := encodedTrace(t, traceOn(t, s, l, choices)); got != want {
						t.Fatalf("seed %d: %s differs from embedded; the schedule is\n%s", seed, s.name, engine.Schedule{Lesson: l.Hash, Choices: choices})
					}
				}
			}
		})
	}
}

func serverOf(t *testing.T, binary string) target {
	t.Helper()
	return reached(t, realEngine{start: startRedis}, binary)
}

// reached is an engine, on the given program or for "" on the installed one.
func reached(t *testing.T, e realEngine, program string) target {
	t.Helper()
	at, err := e.start(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = at.Close() })
	return target{at.Version(), at}
}

// randomRun plays a random schedule of a lesson on the embedded engine.
func randomRun(t *testing.T, l *lessons.Lesson, seed uint64) (trace string, choices []engine.Choice) {
	t.Helper()
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(t.Context(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	if err := sample.RandomRun(t.Context(), w, seed, sample.LessonScheduleLength); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, w.Trace())
	}
	return encodedTrace(t, w.Trace()), sample.Choices(w.Trace())
}

// traceOn replays choices on a server, until it is quick enough to be believed.
func traceOn(t *testing.T, s target, l *lessons.Lesson, choices []engine.Choice) (trace *engine.Trace) {
	t.Helper()
	err := engine.ErrSlow
	for errors.Is(err, engine.ErrSlow) {
		err = s.with(t.Context(), l, func(nodes []engine.NodeSpec) error {
			scenario, err := l.Scenario(nodes)
			if err != nil {
				return err
			}
			_, trace, err = engine.Replay(t.Context(), scenario, choices)
			return err
		})
	}
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return trace
}

func encodedTrace(t *testing.T, trace *engine.Trace) string {
	t.Helper()
	text, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
