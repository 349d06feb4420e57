package ui

import (
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

const timedHead = "title: {en: x, zh: x}\nsummary: {en: x, zh: x}\nchapter: more\nlevel: advanced\nstory: [{run: A}]\n"

// timedLessons are lessons in which much ends by itself, and in which what it ends on may stand still.
var timedLessons = []string{
	`nodes: {m: {}, r: {replica-of: m}}
actors:
  A: {process: p1, program: 'while true do redis.call("INCR", "n") pcall(redis.call, "WAIT", 2, 3000) end'}
  B: {process: p2, program: 'while true do pcall(redis.call, "SET", "k", me, "PX", 2000) sleep("1s") pcall(redis.call, "BLPOP", "l", 2) end'}
faults: [pause m, pause p1, pause p2, pause r, cut m p1, cut p1 m, crash m, clock m +1s]
`, `nodes: {m: {min-replicas-to-write: 1, min-replicas-max-lag: 1s}, r: {replica-of: m}}
actors:
  A: {process: p1, program: 'while true do pcall(redis.call, "SET", "k", me, "PX", 1500) end'}
faults: [pause m, crash m, pause r, cut r m, cut m r, crash r]
`, `nodes: {zk: {kind: zookeeper, session: 2s}, db: {kind: sql, lock-wait: 1s, wait-timeout: 3s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1]]}}}}
actors:
  A: {process: p1, program: 'while true do pcall(node("zk").create, "/a", me, {ephemeral = true}) pcall(node("zk").event, "/a", "1s") end'}
  B: {process: p2, program: 'local db = node("db") while true do pcall(db.begin) pcall(db.exec, "UPDATE stock SET n = n + 1 WHERE id = 1") pcall(node("zk").exists, "/a", true) end'}
  C: {process: p3, program: 'local db = node("db") while true do pcall(db.exec, "UPDATE stock SET n = n + 1 WHERE id = 1") sleep("1s") end'}
faults: [pause p1, pause p2, crash p1, cut p1 zk, cut zk p2, pause db, cut db p2]
`,
}

// What the page says is coming is what the clock moves to.
func TestWhatIsComingComes(t *testing.T) {
	for _, text := range timedLessons {
		l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(timedHead + text)}}, "01-x")
		if l == nil {
			t.Fatal(err)
		}
		for seed := range uint64(12) {
			comesAsTold(t, l, rand.New(rand.NewPCG(seed, 1)))
		}
	}
}

func comesAsTold(t *testing.T, l *lessons.Lesson, r *rand.Rand) {
	t.Helper()
	var schedule []engine.Choice
	for range 25 {
		s, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		w, trace, err := engine.Replay(t.Context(), s, schedule)
		if err != nil {
			t.Fatal(err)
		}
		at, what := due(&View{Lang: lessons.En, Lesson: l, Trace: trace, Pos: len(trace.Steps)})
		var can []engine.Choice
		for _, o := range w.Enabled() {
			if o.Enabled() {
				can = append(can, o.Choice)
			}
		}
		step, err := w.Apply(t.Context(), engine.Choice{Kind: engine.Tick})
		if err != nil && what != "" || err == nil && step.At > step.From && (what == "" || step.At != at) {
			t.Errorf("after %v the page tells of %q at %v; the clock moves to %v, %v", schedule, what, at, step.At, err)
			return
		}
		schedule = append(schedule, can[r.IntN(len(can))])
	}
}
