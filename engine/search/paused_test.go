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

// A thread for which a message is there does not wait any more, but its time goes on: when another one takes the message too
// late, both go on at that moment.
func TestTimeRunsOutWhileAMessageIsThere(t *testing.T) {
	l := written(t, `
actors:
  A:
    program: |
      subscribe("c")
      spawn("taker", function() receive("c") enter("a") sleep("1s") leave("a") end)
      redis.call("PUBLISH", "c", "one")
      if not receive("c", "2s") then enter("b") sleep("1s") leave("b") end
invariants:
  - {name: never-both, lua: 'inside("a") + inside("b") < 2'}
`)
	for bound, want := range map[search.TimeBound]search.Ending{search.AnyLate: search.Breaks, {Late: 2e9}: search.Breaks, search.Arrive: search.Holds} {
		v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: bound}, nil)
		if err != nil || v.Ending != want {
			t.Errorf("%s: %v, %v, not %v", bound, v.Ending, err, want)
		}
	}
}

// A leader that stands still counts a replica no more when it goes on.
func TestAReplicaFallsSilentWhileItsLeaderIsPaused(t *testing.T) {
	l := written(t, `
client-timeout: 6s
nodes: {m: {min-replicas-to-write: 1, min-replicas-max-lag: 2s}, r: {replica-of: m}}
actors:
  A:
    program: |
      local ok, e = pcall(redis.call, "SET", "k", 1)
      if not ok and e:find("NOREPLICAS") then error("refused") end
invariants:
  - {name: a-goes-on, lua: 'status("A") ~= "failed"'}
faults: [pause m, cut r m]
`)
	v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: search.Prompt, Faults: map[engine.ChoiceKind]int{engine.Pause: 1, engine.Cut: 1}}, nil)
	if err != nil || v.Ending != search.Breaks || v.Moves() != 6 {
		t.Errorf("the search: %v, %v, %v; A is told NOREPLICAS after a pause of 3s", v.Ending, v.Schedule, err)
	}
}

// A server that goes on performs one transaction after the other, and knows what the one before has changed.
func TestTransactionsMeetOnAPausedServer(t *testing.T) {
	l := written(t, `
client-timeout: 60s
given: {n: 0}
actors:
  [A, B]:
    process: [p1, p2]
    program: |
      repeat
        redis.watch("n")
        local n = tonumber(redis.call("GET", "n"))
        local done = redis.multi(function(tx) tx.call("SET", "n", n + 1) end)
      until done
invariants:
  - {name: counted, lua: 'not (status("A") == "finished" and status("B") == "finished") or n == 2'}
faults: [pause redis]
`)
	v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: search.AnyLate, Faults: map[engine.ChoiceKind]int{engine.Pause: 1}}, nil)
	if err != nil || v.Ending != search.Holds {
		t.Errorf("%v, %v: %v", v.Ending, err, v.Schedule)
	}
}

// What a server has changed before somebody begins to watch is no change, though it did both when it went on.
func TestAWatchBeginsWhereAPausedServerComesToIt(t *testing.T) {
	l := written(t, `
client-timeout: 60s
given: {n: 0}
actors:
  A: {process: p1, program: 'redis.call("INCR", "n")'}
  B:
    process: p2
    program: |
      redis.watch("n")
      if not redis.multi(function(tx) tx.call("SET", "done", 1) end) then error("changed") end
faults: [pause redis]
`)
	_, trace, err := engine.Replay(t.Context(), scenarioOf(t, l), choices(t, "pause redis", "run A", "run B", "resume redis", "run B", "run B"))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := trace.At(6).Actor("B"); b.Status != engine.Finished {
		t.Errorf("B is %s: %s", b.Status, b.Failure)
	}
}

func choices(t *testing.T, texts ...string) (cs []engine.Choice) {
	t.Helper()
	for _, text := range texts {
		c, err := engine.ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	return cs
}

// Who gives up on a reply of a database hangs up: no later statement of it commits what came before.
func TestWhoGivesUpOnAReplyHangsUp(t *testing.T) {
	for _, fault := range []string{"cut p1 db", "cut db p1", "pause db"} {
		l := written(t, `
nodes: {db: {kind: sql, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1], [2, 1]]}}}}
actors:
  A:
    process: p1
    program: |
      local db = node("db")
      db.begin()
      db.exec("UPDATE stock SET n = 5 WHERE id = 1")
      if not pcall(db.exec, "UPDATE stock SET n = 5 WHERE id = 2") then enter("gave up") end
      db.commit()
invariants: [{name: both-or-none, lua: 'row("stock", 1).n == row("stock", 2).n'}]
faults: [`+fault+`]
`)
		faults := map[engine.ChoiceKind]int{engine.Pause: 1, engine.Cut: 1}
		v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: search.AnyLate, Faults: faults}, nil)
		if err != nil || v.Ending != search.Holds || !v.Sometimes[2].Seen {
			t.Errorf("%s: %v, %v: %v", fault, v.Ending, err, v.Schedule)
		}
	}
}
