package search_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
)

// A database that stands still while B waits for a lock goes on with all that has ended meanwhile: B's wait, and then
// B's connection, which nobody could see before.
func TestWhatEndsOnAPausedServerLetsOtherThingsEnd(t *testing.T) {
	l := written(t, `
client-timeout: 60s
nodes: {redis: {}, db: {kind: sql, lock-wait: 1s, wait-timeout: 3s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1]]}}}}
actors:
  A:
    process: p1
    program: |
      local db = node("db")
      db.begin()
      db.query("SELECT n FROM stock WHERE id = 1 FOR UPDATE")
      sleep("1s")
  B:
    process: p2
    program: |
      local db = node("db")
      pcall(db.query, "SELECT n FROM stock WHERE id = 1 FOR UPDATE")
      redis.call("SET", "just now", 1, "PX", 1000)
      local ok, e = pcall(db.query, "SELECT n FROM stock WHERE id = 1")
      if not ok and db.errno(e) == 2006 then error("gone") end
invariants:
  - {name: b-goes-on, lua: 'not (exists("just now") and status("B") == "failed")'}
faults: [pause db, resume db]
`)
	v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: search.Prompt, Faults: map[engine.ChoiceKind]int{engine.Pause: 1}}, nil)
	if err != nil || v.Ending != search.Breaks {
		t.Errorf("the search: %v, %v; after a pause of 4s B breaks off", v.Ending, err)
	}
}
