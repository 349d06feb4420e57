package search_test

import (
	"testing"

	"lockstep/engine/search"
	"lockstep/lessons"
)

// A task that is cancelled while it runs ends there, and the next of its name, which may have begun by then, gets no outcome of it.
func TestACancelledTaskIsNotTakenForTheNextOfItsName(t *testing.T) {
	const again = `cancel("u") spawn("u", function() redis.call("INCR", "n") redis.call("INCR", "n") end)`
	for _, c := range []struct {
		task, rule string
		want       search.Ending
	}{
		{again, "not exists(\"n\")", search.Holds},
		{`spawn("v", function() ` + again + ` end) redis.call("INCR", "n")`, "(n or 0) < 2", search.Breaks},
		{`spawn("v", function() ` + again + ` end) redis.call("INCR", "n")`, "(n or 0) < 3", search.Holds},
	} {
		l := written(t, `actors: {A: {program: 'spawn("u", function() `+c.task+` end) redis.call("PING")'}}
invariants: [{name: asked, lua: '`+c.rule+`'}]
`)
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil)
		if err != nil || v.Ending != c.want {
			t.Errorf("%s: %s %s (%v)", c.task, c.rule, v.Ending, err)
		}
	}
}
