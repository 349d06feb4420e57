package search_test

import (
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// A request waits at a paused server although its client has given up and finished: no program looks at the clock any
// more, but the script of that request will, so time passes for it.
func TestTimePassesForARequestWhoseClientHasFinished(t *testing.T) {
	l := written(t, `
scripts:
  stamp:
    source: |
      redis.call("SET", KEYS[1], redis.call("TIME")[1])
actors:
  A:
    process: p1
    program: pcall(redis.eval, "stamp", {"at"})
invariants:
  - {name: soon, lua: 'not exists("at") or at - 1700000000 < 10'}
faults: [pause redis, resume redis]
`)
	b := search.Bounds{Time: search.Prompt, Beyond: 10 * time.Second, Faults: map[engine.ChoiceKind]int{engine.Pause: 1}}
	v, err := search.Explore(t.Context(), scenarioOf(t, l), b, nil)
	if err != nil || v.Ending != search.Breaks {
		t.Errorf("the search: %v, %v, after %v; a pause of 11s breaks it", v.Ending, err, v.Schedule)
	}
}
