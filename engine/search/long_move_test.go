package search_test

import (
	"testing"

	"lockstep/engine"
)

// A program that ends on the way of a long move of the clock lets go of its rows there, and not where the move ends.
func TestALongMoveOfTheClockIsAsManyShortOnes(t *testing.T) {
	l := written(t, `
nodes: {db: {kind: sql, lock-wait: 5s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1]]}}}}
actors:
  A:
    process: p1
    program: |
      local db = node("db")
      db.begin()
      db.exec("UPDATE stock SET n = 5 WHERE id = 1")
      sleep("3s")
  B: {process: p2, program: 'node("db").exec("UPDATE stock SET n = 7 WHERE id = 1")'}
`)
	for _, moves := range [][]string{{"tick 10s"}, {"tick 3s", "tick 7s"}} {
		schedule := choices(t, append(append([]string{"run A", "run A", "run B"}, moves...), "run B")...)
		_, trace, err := engine.Replay(t.Context(), scenarioOf(t, l), schedule)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := trace.At(len(schedule)).Actor("B"); b.Status != engine.Finished {
			t.Errorf("%v: B is %s: %s", moves, b.Status, b.Failure)
		}
	}
}
