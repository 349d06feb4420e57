package lessons_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
)

// What a lesson says holds, and what its challenges' repairs keep, is not broken by more stops of the clock, either.
func TestClaimsHoldOnACloserLook(t *testing.T) {
	for _, l := range sample.Lessons(t, builtIn(t), sample.LessonsCompared, func(l *lessons.Lesson) string { return l.Name }) {
		for _, c := range l.Claims {
			if c.Ending == search.Holds {
				holdsCloser(t, l, c.Question)
			}
		}
		for _, c := range l.Challenges {
			if c.Goal.Repair != nil && len(c.Edits) > 0 {
				q := *c.Goal.Repair
				q.Invariant = "" // a repair keeps all rules
				holdsCloser(t, c.Repaired(l), q)
			}
		}
	}
}

// A client may compare how long a key still lasts, too.
func TestALookIsForTheClient(t *testing.T) {
	looksForTheClient(t, `function low(key) local t = redis.call("PTTL", key) return t > 0 and t < 3000 end`, `low("k")`)
}

// It may return that to a program that compares it.
func TestALookIsForWhomTheClientTells(t *testing.T) {
	looksForTheClient(t, `function left(key) return redis.call("PTTL", key) end`, `math.abs(left("k") - 1500) < 1500`)
}

// Who compares it need neither name it nor ask which of two is more: the server knows who was told.
func TestALookIsForWhoeverIsTold(t *testing.T) {
	looksForTheClient(t, `local ask = "T" function left(key) return redis.call(ask .. "TL", key) end`, `({[3] = true})[left("k")]`)
	looksForTheClient(t, `function later(key, how) return redis.call("EXP" .. "IRE", key, 3, how .. "T") end`, `later("k", "G") == 1`)
}

// Where a grid would be too fine, the clock also stops so long before what is due as the lesson names.
func TestALookIsForWhatNoGridReaches(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A: {process: p1, program: 'sleep("50000s") local left = redis.call("MGET", "j", "k") if not left[1] and left[2] then redis.call("SET", "bad", 1) end'}
  B: {process: p2, program: 'redis.call("SET", "j", 1, "PX", 2000) redis.call("SET", "k", 1, "PX", 7000)'}
invariants: [{name: never, lua: 'not exists("bad")'}]
verdicts: [{holds: all}]
story: [{run: B}]
`)
	if got := proven(t, l); !strings.Contains(got, "it breaks in 6") {
		t.Errorf("it is told %q", got)
	}
}

// There it also stops exactly so long before: who begins then does its work until that moment.
func TestALookIsForWhoeverBeginsSoLongBefore(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A: {process: p1, program: 'sleep("50000s") if redis.call("GET", "k") then redis.call("SET", "bad", 1) end'}
  B: {process: p2, program: 'redis.call("GET", "x") work("3s") redis.call("SET", "k", 1) redis.call("DEL", "k")'}
invariants: [{name: never, lua: 'not exists("bad")'}]
verdicts: [{holds: all}]
story: [{run: B}]
`)
	if got := proven(t, l); !strings.Contains(got, "it breaks in 6") {
		t.Errorf("it is told %q", got)
	}
}

// A rule may add up what the lesson names. Where a grid is too fine for the clock to come so far, the verdict says so.
func TestALookComesAsFarAsWhatARuleAddsUp(t *testing.T) {
	for _, c := range []struct {
		ttl   string
		grid  time.Duration
		reads bool
		want  search.Ending
	}{{"10s", 10 * time.Second, true, search.Breaks}, {"100ms", 100 * time.Millisecond, true, search.Stops}, {"100ms", 100 * time.Millisecond, false, search.Holds}} {
		at := "30000 + 40000 + 50000"
		if c.reads {
			at += " + (redis.call('GET', 'at') or now()) - now()"
		}
		l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
given: {k: {value: "x", ttl: `+c.ttl+`}}
actors:
  A: {process: p1, program: "redis.call('SET', 'at', `+map[bool]string{true: "now()", false: "1"}[c.reads]+`)"}
  B: {process: p2, program: "if `+at+` == 0 then redis.call('SET', 'bad', 1) end redis.call('GET', 'x')"}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: B}]
`)
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: search.Bounds{Grid: c.grid}}, nil)
		if err != nil || v.Ending != c.want || (v.Stopped == search.IdleBound) != (c.want == search.Stops) {
			t.Errorf("on a grid of %s it %s (%s), %v", c.grid, v.Ending, v.Stopped, err)
		}
		closer := l.Closer(lessons.Question{}, v)
		closer.Heard(v)
		if stopped := closer.Between != nil; stopped != (c.want == search.Stops) {
			t.Errorf("on a grid of %s the look was stopped: %v", c.grid, stopped)
		}
	}
}

// What a clock shows turns at instants that nothing is due at: the next hour, or multiples of what somebody divides the time by.
func TestALookIsForTheTurnOfAClock(t *testing.T) {
	for _, shown := range []string{`date("%H")`, `date("%Y%m%d")`, `date("%Y-%m")`, `date("%Y")`, "math.floor(now() / 3600000)", "(now() - now() % hour)"} {
		for bound, program := range map[search.TimeBound]string{
			search.Arrive:       `redis.call("PING") local shown = ` + shown + ` work("2s") if ` + shown + ` ~= shown then redis.call("SET", "bad", 1) end`,
			{Late: time.Second}: `redis.call("PING") local shown = ` + shown + ` redis.call("PING") if ` + shown + ` ~= shown then redis.call("SET", "bad", 1) end`,
		} {
			if v := closely(t, bound, "\n  A: {program: 'local hour = 3600000 "+program+"'}"); v.Ending != search.Breaks {
				t.Errorf("%s: %s: it %s", shown, bound, v.Ending)
			}
		}
	}
}

// Leases that are kept as values end one after the other, as often as there are clients.
func TestALookIsForEachWhoLooksAtAClock(t *testing.T) {
	v := closely(t, search.Arrive, `
  [A, B, C, D]:
    process: [p1, p2, p3, p4]
    program: |
      if tonumber(redis.call("GET", "until") or "0") < now() then
        redis.call("SET", "until", now() + 5000)
        if redis.call("INCR", "leases") == 4 then redis.call("SET", "bad", 1) end
      end`)
	if v.Ending != search.Breaks {
		t.Errorf("it %s", v.Ending)
	}
}

// A client that begins between two stops of the coarsest grid, or a process that is paused there, has deadlines between them.
func TestALookHasStopsBetweenThoseOfAGrid(t *testing.T) {
	for _, c := range []struct{ ttl, program, holds, want string }{
		{"2s", "", "all", "it breaks in 3"},
		{"2s", "", "all, time: prompt", ""},
		{"4s", `sleep("2s") `, "all, time: prompt, faults: {pause: 1}", "it breaks in 5"},
		{"4s", `sleep("2s") `, "all, time: prompt", ""},
	} {
		l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
resolution: 1s
given: {k: {value: "1", ttl: `+c.ttl+`}}
scripts: {after: {source: "if redis.call('exists', KEYS[1]) == 1 then redis.call('set', KEYS[2], 1, 'px', 2000) end"}}
actors: {A: {process: p1, program: '`+c.program+`redis.eval("after", {"k", "j"})'}}
faults: [pause p1]
invariants: [{name: together, lua: 'not exists("j") or exists("k")'}]
verdicts: [{holds: `+c.holds+`}]
story: [{run: A}]
`)
		if got := proven(t, l); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("holds: %s: it is told %q", c.holds, got)
		}
	}
}

// Whoever looks at a clock, or at how long a key lasts, may come to that between two stops of the coarsest grid alone.
func TestALookIsForWhatOnlyALookLeadsTo(t *testing.T) {
	for _, c := range []struct {
		then, client string
		few          int
	}{
		{`redis.call("SET", "t", now())`, `local t = redis.call("GET", "t") local d = t and now() - t if t and d > 7000 and d < 8000`, 700},
		{`redis.call("SET", "t", 1)`, `local how = "G" .. "T" if redis.call("GET", "t") and redis.call("EXPIRE", "j", 1, how) == 1`, 150},
	} {
		actors := `
  A: {program: 'if redis.call("GET", "k") then redis.call("SET", "j", 1, "PX", 4000) end'}
  B: {program: 'local kept = redis.call("MGET", "k", "j") if kept[2] and not kept[1] then ` + c.then + ` end'}
  C: {program: '` + c.client + ` then redis.call("SET", "bad", 1) end'}
given: {k: {value: "x", ttl: 4s}}`
		if v := closely(t, search.Arrive, actors); v.Ending != search.Breaks {
			t.Errorf("%s: it %s", c.client, v.Ending)
		}
		if few := looked(t, search.Arrive, actors, c.few); few.Verdict.Ending != search.Holds || few.Between == nil {
			t.Errorf("%s: with %d states it %s, and which look was stopped is not told", c.client, c.few, few.Verdict.Ending)
		}
	}
}

// It has them, too, where somebody compares a clock with what is longer than so many stops of a grid reach.
func TestALookHasStopsBetweenWhereALongSpanIsNamed(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
given: {k: {value: "x", ttl: 2s}}
scripts: {after: {source: "if redis.call('get', KEYS[#'k']) then redis.call('set', KEYS[#'kj'], 'x', 'px', 2000) end"}}
actors:
  A: {process: p, program: 'redis.eval("after", {"k", "j"})'}
  B: {process: q, program: 'redis.call("SET", "day", date("%j"))'}
invariants: [{name: together, lua: 'not exists("j") or exists("k")'}]
verdicts: [{holds: all}]
story: [{run: A}]
`)
	if got := proven(t, l); !strings.Contains(got, "it breaks in 3") {
		t.Errorf("it is told %q", got)
	}
}

// Deadlines of three clients may come one after the other within a stop of the coarsest grid.
func TestALookHasAStopForEachClient(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A: {program: 'redis.call("SET", "a", "x", "PX", 1000) sleep("1s") if redis.call("GET", "b") then redis.call("INCR", "n") end'}
  B: {program: 'redis.call("SET", "b", "x", "PX", 1000) sleep("1s") if redis.call("GET", "c") then redis.call("INCR", "n") end'}
  C: {program: 'if redis.call("GET", "a") then redis.call("SET", "c", "x", "PX", 1000) end'}
invariants: [{name: never, lua: 'n ~= 2'}]
verdicts: [{holds: all}]
story: [{run: A}]
`)
	if got := proven(t, l); !strings.Contains(got, "it breaks in 12") {
		t.Errorf("it is told %q", got)
	}
}

// So may those of one client, each of whose requests may be late.
func TestALookHasAStopForEachRequestThatMayBeLate(t *testing.T) {
	for _, bound := range []search.TimeBound{search.AnyLate, {Late: time.Second}} {
		v := closely(t, bound, `
  A:
    program: |
      for i = 1, 3 do redis.call("SET", "k" .. i, "x", "PX", 1000) end
      for i = 3, 1, -1 do if redis.call("EXISTS", "k1", "k2", "k3") ~= i then return end end
      redis.call("SET", "bad", 1)`)
		if v.Ending != search.Breaks || v.Moves() != 11 {
			t.Errorf("%s: it %s in %d", bound, v.Ending, v.Moves())
		}
	}
}

// So does who waits until a write has reached a replica, whenever that is.
func TestALookHasAStopForEachWriteThatReachesAReplica(t *testing.T) {
	for _, bound := range []search.TimeBound{search.Prompt, search.Arrive} {
		v := closely(t, bound, `
  A:
    program: |
      redis.call("SET", "a", "x", "PX", 1000)
      for _, key in ipairs({"b", "c"}) do redis.call("WAIT", 1, 0) redis.call("SET", key, "x", "PX", 1000) end
      for i = 3, 1, -1 do
        if redis.call("EXISTS", "a", "b", "c") ~= i then return end
        redis.call("SET", "n", i)
        redis.call("WAIT", 1, 0)
      end
      redis.call("SET", "bad", 1)
nodes: {m: {}, r: {replica-of: m}}`)
		if v.Ending != search.Breaks {
			t.Errorf("%s: it %s where the clock stops every %s", bound, v.Ending, v.Grid)
		}
	}
}

// What is due only where a look has more stops may need more of them.
func TestALookHasStopsForWhatOnlyALookHasMet(t *testing.T) {
	v := closely(t, search.Arrive, `
  A: {program: 'if redis.call("EXISTS", "k") == 1 then redis.call("SET", "j", "x", "PX", 1000) end'}
  B: {program: 'redis.call("SET", "k", "x", "PX", 1000) sleep("1s") if redis.call("EXISTS", "j") == 1 then redis.call("SET", "e", "x", "PX", 600) redis.call("SET", "m", "x", "PX", 800) end'}
  C: {program: 'local got = redis.call("MGET", "e", "j", "m") if not got[1] and got[2] and got[3] then sleep("100ms") if redis.call("EXISTS", "j") == 0 then redis.call("SET", "bad", 1) end end'}`)
	if v.Ending != search.Breaks {
		t.Errorf("it %s where the clock stops every %s", v.Ending, v.Grid)
	}
}

// That may meet something more in turn.
func TestALookGoesOnAsOftenAsOneMeetsMore(t *testing.T) {
	v := closely(t, search.Arrive, `
  A: {program: 'if redis.call("EXISTS", "k") == 1 then redis.call("SET", "j", "x", "PX", 200) end'}
  B: {program: 'redis.call("SET", "k", "x", "PX", 200) sleep("200ms") if redis.call("EXISTS", "j") == 1 then redis.multi(function(tx) tx.call("SET", "e", "x", "PX", 120) tx.call("SET", "m", "x", "PX", 160) end) end'}
  C:
    program: |
      local got = redis.call("MGET", "e", "j", "m")
      if got[1] or not got[2] or not got[3] then return end
      sleep("20ms")
      if redis.call("EXISTS", "j") == 1 then return end
      redis.multi(function(tx) tx.call("SET", "p", "x", "PX", 4) tx.call("SET", "q", "x", "PX", 8) end)
      sleep("10ms")
      if redis.call("EXISTS", "f") == 1 then redis.call("SET", "bad", 1) end
  D: {program: 'local got = redis.call("MGET", "p", "q") if not got[1] and got[2] then redis.call("SET", "f", "x", "PX", 6) end'}
resolution: 2ms`)
	if v.Ending != search.Breaks {
		t.Errorf("it %s where the clock stops every %s", v.Ending, v.Grid)
	}
}

// A fault that ends does so at an instant of its own: B's lease begins when the paused A's session is over, A's when A goes on.
func TestALookHasAStopForTheEndOfAFault(t *testing.T) {
	v := closely(t, search.Prompt, `
  A:
    process: p1
    program: |
      node("zk").create("/a", me, {ephemeral = true})
      sleep("1s")
      redis.call("SET", "kA", "x", "PX", 1000)
      sleep("1s")
      if redis.call("EXISTS", "kB") == 0 and redis.call("EXISTS", "kC", "first") == 2 then redis.call("SET", "bad", 1) end
  B:
    program: |
      local zk = node("zk")
      if not zk.exists("/a", true) then return end
      zk.event("/a")
      redis.call("SET", "kB", "x", "PX", 1000)
      sleep("1s")
      if redis.call("EXISTS", "kA", "kC") == 2 then redis.call("SET", "first", 1) end
  C: {program: 'sleep("3s") if redis.call("EXISTS", "kA", "kB") == 2 then redis.call("SET", "kC", "x", "PX", 1000) end'}
nodes: {redis: {}, zk: {kind: zookeeper, session: 2s}}
faults: [pause p1]`)
	if v.Ending != search.Breaks {
		t.Errorf("it %s where the clock stops every %s", v.Ending, v.Grid)
	}
}

// What the first search has seen, later ones with more stops need not come to: A gets inside after ten days.
func TestALookForgetsNothingThatWasSeen(t *testing.T) {
	v := closely(t, search.AnyLate, `
  A: {program: 'local t = now() redis.call("SET", "k", 1, "PX", 10000) if now() - t > 9e8 then enter("s") redis.call("GET", "x") end'}`)
	for _, s := range v.Sometimes {
		if s.Name == search.Enters && (!s.Seen || len(s.Sections) != 1) || s.Name == search.Expires && !s.Seen {
			t.Errorf("where the clock stops every %s it %s, and has not seen %s %s", v.Grid, v.Ending, s.Of, s.Name)
		}
	}
	if v.Grid == 0 {
		t.Error("there was no look on a grid")
	}
}

// The clock moves in steps of its own, also where a program has set a TTL that is none of them, or names so many milliseconds:
// what breaks only in between, nobody can play.
func TestALookMovesTheClockAsALearnerCan(t *testing.T) {
	for _, actors := range []string{`
  A:
    program: |
      redis.multi(function(tx) tx.call("SET", "k", "x", "PX", 250) tx.call("SET", "e", "x", "PX", 300) tx.call("SET", "f", "x", "PX", 400) end)
      if redis.call("EXISTS", "e") == 0 and redis.call("EXISTS", "f", "m") == 2 and redis.call("EXISTS", "m") == 0 and redis.call("EXISTS", "f") == 1 then redis.call("SET", "bad", 1) end
  B: {program: 'redis.call("SET", "m", "x", "PX", 300)'}`, `
  A: {program: 'redis.call("SET", "k", "x", "PX", 1000) local left = redis.call("PTTL", "k") if left > 0 and left < 50 then redis.call("SET", "bad", 1) end'}`} {
		if v := closely(t, search.AnyLate, actors); v.Ending != search.Holds {
			t.Errorf("it %s: %v", v.Ending, v.Schedule)
		}
	}
}

// closely is the verdict on actors that must never write "bad", after all looks.
func closely(t *testing.T, bound search.TimeBound, actors string) search.Verdict {
	t.Helper()
	return looked(t, bound, actors, lessons.FinerStates).Verdict
}

// looked is what all looks have found, each of which stops after so many states.
func looked(t *testing.T, bound search.TimeBound, actors string, states int) *lessons.Closer {
	t.Helper()
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:`+actors+`
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
`)
	q := lessons.Question{Bounds: search.Bounds{Time: bound, Faults: l.OneFault()}}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	closer := l.Closer(q, v)
	for ask, more := closer.Next(states, states); more; ask, more = closer.Next(states, states) {
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), ask, nil)
		if err != nil {
			t.Fatal(err)
		}
		closer.Heard(v)
	}
	return closer
}

// Where a text asks for a TTL the first look stops before what is due, and no later one is the same again.
func TestNoLookIsTakenTwice(t *testing.T) {
	l := written(t, asksForTTL+`actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 5000)'}
invariants: [{name: never, lua: 'not exists("late")'}]
story: [{run: A}]
`)
	closer := l.Closer(lessons.Question{}, search.Verdict{Ending: search.Holds})
	looks := 0
	for ask, more := closer.Next(2, 1); more; ask, more = closer.Next(2, 1) {
		most := 1
		if ask.Bounds.Grid == 0 {
			looks++
			most = 2
		}
		if ask.Bounds.States != most {
			t.Errorf("a look with a grid of %s has %d states", ask.Bounds.Grid, ask.Bounds.States)
		}
		closer.Heard(search.Verdict{Ending: search.Stops, Idle: ask.Bounds.Idle})
	}
	if looks != 1 {
		t.Errorf("there are %d looks without a grid", looks)
	}
}

// A rule that asks no more than whether a key has a TTL is told the same at all times: the clock stops for one that compares it.
func TestALookIsForARuleThatComparesATTL(t *testing.T) {
	for rule, want := range map[string]bool{
		"\n-- its TTL\nnot exists('k')": false, "--[[\n--]] ttl('k') == 1": true,
		`not (exists("k") and not ttl("k"))`: false, `exists("k") or not  ttl( 'k' ) or true`: false,
		`not exists("k") or not ttl("k") or ttl("k") > 0`: true, `(ttl("k") or 1) > 0`: true, `not node("redis").ttl("k")`: true,
	} {
		l := written(t, fmt.Sprintf(`title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 5000)'}
invariants: [{name: never, lua: %q}]
story: [{run: A}]
`, rule))
		ask, _ := l.Closer(lessons.Question{}, search.Verdict{Ending: search.Holds}).Next(1, 1)
		if looks := ask.Bounds.Idle == 2; looks != want {
			t.Errorf("of %s: %t", rule, looks)
		}
	}
}

// looksForTheClient wants a closer look to find when a condition of a program becomes true.
func looksForTheClient(t *testing.T, client, condition string) {
	t.Helper()
	text := `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
client: low
actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000) if ` + condition + ` then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
`
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}, "clients/low.lua": {Data: []byte(client)}}, "01-x")
	if l == nil {
		t.Fatal(err)
	}
	q, v := foundAnyTime(t, l)
	closer, err := l.Finer(t.Context(), l.Open(lessons.Embedded), q, v)
	if err != nil || closer.First.Ending != search.Holds || len(closer.Verdict.Schedule) != 4 {
		t.Errorf("it %s, %v, by %v, and at first it %s", closer.Verdict.Ending, err, closer.Verdict.Schedule, closer.First.Ending)
	}
}

// holdsCloser bounds each look: what a search does not come to the end of is not broken.
func holdsCloser(t *testing.T, l *lessons.Lesson, q lessons.Question) {
	t.Helper()
	q.Bounds.States, q.Bounds.Bytes = 10_000, 8<<20
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	closer, err := l.Finer(t.Context(), l.Open(lessons.Embedded), q, v)
	if err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	if closer.Verdict.Ending == search.Breaks {
		t.Errorf("%s: where %v, it breaks %v by %v", l.Name, closer.Verdict.Stops(), closer.Verdict.Violation, closer.Verdict.Schedule)
	}
}

// A product names a length of time with a fraction in it, too, though its floating-point number is hardly more than a whole one.
func TestALookIsForAProductWithAFraction(t *testing.T) {
	for _, window := range []string{"d >= 1.5 * 60 * 1000 and d < 1.6 * 60 * 1000", "d >= 1.1 * 60 * 1000 and d < 1.2 * 60 * 1000"} {
		program := `local t = now() redis.call("GET", "k") local d = now() - t if ` + window + ` then redis.call("SET", "bad", 1) end`
		if v := closely(t, search.AnyLate, "\n  A: {program: '"+program+"'}"); v.Ending != search.Breaks {
			t.Errorf("%s: it %s", window, v.Ending)
		}
	}
}
