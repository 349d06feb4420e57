package search_test

import (
	"fmt"
	"testing"

	"lockstep/engine"
	"lockstep/node/sample"
)

// witness writes down what actors do at each digest, and complains when one that has the
// same digest after another history does something else.
type witness struct {
	*testing.T
	did    map[string]string // by digest, thread and outcome
	second map[string]bool   // those that were seen after a second history
	first  map[string]string // the history after which each was seen first
}

// witnessed is an actor, or a task of it, with what it has observed so far.
type witnessed struct {
	engine.Digester
	by      *witness
	thread  string
	history *string // of the actor and its tasks
}

func (a *witnessed) Next(out engine.Outcome) engine.Request {
	digest, reads := a.Digest(), a.ClockReads()
	request := a.Digester.Next(out)
	if a.ClockReads() == reads {
		out.Now = 0
	}
	input := fmt.Sprintf("%s %+v", a.thread, out)
	key := fmt.Sprintf("%x %s", digest, input)
	text := fmt.Sprintf("%T", request)
	if e, ok := request.(engine.Exec); ok {
		text = fmt.Sprint(e.Op.Keys, e.Op.Args)
	}
	text += fmt.Sprintf(" %x", a.Digest())
	switch did, known := a.by.did[key]; {
	case !known:
		a.by.did[key], a.by.first[key] = text, *a.history
	case a.by.first[key] != *a.history:
		a.by.second[key] = true
		if did != text {
			a.by.Errorf("two histories have one digest, and then differ:\n%s\n%s\nat %s:\n%s\n%s", a.by.first[key], *a.history, key, did, text)
		}
	}
	*a.history += "; " + input
	if s, ok := request.(engine.Spawn); ok {
		s.Actor = &witnessed{s.Actor.(engine.Digester), a.by, s.Name, a.history}
		return s
	}
	return request
}

// What has the same digest does the same, whatever it has observed before.
func TestOneDigestIsOneFuture(t *testing.T) {
	const walks, steps = 30, 40
	itself := func(name string) string { return name }
	all := []string{"set-nx", "compare-and-delete", "reentrant-lock", "redisson-lock", "fair-lock", "fencing", "read-write-lock", "semaphore", "countdown-latch", "rate-limiter", "sql-version-cas", "sql-for-update", "sql-unique-row-lock", "sql-deadlock", "zk-herd", "zk-predecessor", "zk-waiter-expires", "curator-reentrant", "zk-pause-longer-than-session"}
	for _, name := range sample.Lessons(t, all, sample.LessonsWitnessed, itself) {
		t.Run(name, func(t *testing.T) {
			s := scenarioOf(t, lesson(t, name))
			by := &witness{t, map[string]string{}, map[string]bool{}, map[string]string{}}
			for i, a := range s.Actors {
				s.Actors[i].New = func() engine.Actor {
					return &witnessed{a.New().(engine.Digester), by, a.Name, new(string)}
				}
			}
			walk(t, s, walks, steps)
			if len(by.second) == 0 && name != "set-nx" && name != "fencing" {
				t.Error("no digest was seen after two histories")
			}
			t.Logf("%d inputs, %d of them after a second history", len(by.did), len(by.second))
		})
	}
}
