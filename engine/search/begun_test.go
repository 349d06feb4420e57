package search_test

import (
	"testing"
	"time"

	"lockstep/engine/search"
)

// Under arrive a client may come at any time, but one that has begun is not late.
func TestWhoHasBegunIsNotLate(t *testing.T) {
	for _, c := range []struct {
		name, lesson string
		holds        search.TimeBound
		breaks       search.TimeBound
	}{
		{"it has waited in a server for the reply to its first request: its connection does not end for idleness", `
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
`, search.Arrive, search.AnyLate},
		{"it waits there: its task is not late", `
actors:
  A:
    process: p1
    program: |
      spawn("task", function() redis.call("SET", "task", 1) end)
      redis.call("BLPOP", "none", 2)
      redis.call("SET", "after", 1)
invariants:
  - {name: the-task-first, lua: 'exists("task") or not exists("after")'}
`, search.TimeBound{Late: time.Second}, search.TimeBound{Late: 2 * time.Second}},
		{"its program comes back to its first request", `
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
`, search.Arrive, search.TimeBound{Late: time.Second}},
		{"each client of a crowd comes when it likes", `
scripts:
  take: {source: "if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', 2000) then return redis.call('incr', KEYS[2]) end"}
actors:
  A: {count: 3, program: 'redis.eval("take", {"k", "n"}, {me})'}
invariants:
  - {name: one-has-it, lua: '(n or 0) < 2'}
`, search.Prompt, search.Arrive},
		{"a client of a crowd that has begun is not late, whoever comes meanwhile", `
actors:
  A: {count: 2, program: 'if redis.call("SET", "k", me, "NX", "PX", 1000) and redis.call("GET", "k") ~= me then redis.call("SET", "bad", 1) end'}
invariants:
  - {name: it-lasts, lua: 'not exists("bad")'}
`, search.Arrive, search.TimeBound{Late: time.Second}},
	} {
		l := written(t, c.lesson)
		for bound, want := range map[search.TimeBound]search.Ending{c.holds: search.Holds, c.breaks: search.Breaks} {
			v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: bound}, nil)
			if err != nil || v.Ending != want {
				t.Errorf("%s: under %s it %s, %v, after %v", c.name, bound, v.Ending, err, v.Schedule)
			}
		}
	}
}
