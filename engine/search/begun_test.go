package search_test

import (
	"testing"
	"testing/fstest"
	"time"

	"lockstep/engine/search"
	"lockstep/lessons/decode"
)

// A client that has waited in a server for the reply to its first request has begun: under arrive it is not late, and
// its connection does not end for idleness.
func TestWhoWaitsForItsFirstReplyHasBegun(t *testing.T) {
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(`
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
nodes: {db: {kind: sql, lock-wait: 1s, wait-timeout: 3s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1]]}}}}
actors:
  A:
    process: p1
    program: |
      local db = node("db")
      db.begin()
      db.query("SELECT n FROM stock WHERE id = 1 FOR UPDATE")
      sleep("10s")
  B:
    process: p2
    program: |
      local db = node("db")
      pcall(db.query, "SELECT n FROM stock WHERE id = 1 FOR UPDATE")
      db.query("SELECT n FROM stock WHERE id = 1")
invariants:
  - {name: b-is-not-cut-off, lua: 'status("B") ~= "failed"'}
story: [{run: A}]
`)}}, "01-x")
	if l == nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		time search.TimeBound
		want search.Ending
	}{{search.Arrive, search.Holds}, {search.AnyLate, search.Breaks}} {
		v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: c.time}, nil)
		if err != nil || v.Ending != c.want {
			t.Errorf("%s: it %s, %v, after %v", c.time, v.Ending, err, v.Schedule)
		}
	}
}

// A program that comes back to its first request has begun: under arrive it is no client that is still to come.
func TestWhoComesBackToItsFirstRequestHasBegun(t *testing.T) {
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(`
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
scripts:
  s:
    source: |
      redis.call("SET", KEYS[1], 1, "PX", 1000)
      return redis.call("INCR", KEYS[2])
actors:
  A:
    process: p1
    program: |
      while redis.eval("s", {"x", "n"}) == 1 do end
invariants:
  - {name: x-outlives-a, lua: 'not exists("n") or exists("x") or status("A") == "finished"'}
story: [{run: A}]
`)}}, "01-x")
	if l == nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		time search.TimeBound
		want search.Ending
	}{{search.Arrive, search.Holds}, {search.TimeBound{Late: 500 * time.Millisecond}, search.Holds}, {search.TimeBound{Late: time.Second}, search.Breaks}} {
		v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: c.time}, nil)
		if err != nil || v.Ending != c.want {
			t.Errorf("%s: it %s, %v, after %v", c.time, v.Ending, err, v.Schedule)
		}
	}
}
