package lessons_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// A goal names any rule that a search can judge: one that is not the first to break, all of them, and the one that only
// a search can judge.
func TestAnyRuleCanBeRepaired(t *testing.T) {
	const (
		notes    = `if redis.call("SET", "lock", me, "NX") then redis.call("SET", "note", 1) redis.call("SET", "note", 2) end`
		keeps    = `redis.call("SET", "lock", me, "NX")`
		releases = `if redis.call("SET", "lock", me, "NX") then redis.call("DEL", "lock") end`
	)
	for _, c := range []struct{ rule, edit, want string }{
		{"no-second-note", releases, ""},
		{"all", releases, ""},
		{"nobody-starves", releases, ""},
		{"nobody-starves", keeps, "it breaks in 4: nobody-starves"},
		{"nobody-starves", notes, "it breaks in 2: no-first-note"},
		{"mutual-exclusion", releases, "want: mutual-exclusion breaks\n  got:  it holds"},
	} {
		text := fmt.Sprintf(`
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
actors:
  A: {program: '%s'}
  B: {program: 'want("lock") while not redis.call("SET", "lock", me, "NX") do sleep("1s") end enter("lock")'}
invariants:
  - mutual-exclusion
  - {name: no-first-note, lua: note ~= 1}
  - {name: no-second-note, lua: note ~= 2}
story:
  - run: B
    expect: {holds: {lock: [B]}}
challenge:
  say: {en: x, zh: x}
  goal: {repair: %s}
  hint: {en: x, zh: x}
  edits: {"program:A": '%s'}
`, notes, c.rule, c.edit)
		l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
		if err != nil {
			t.Fatal(err)
		}
		if got := proven(t, l); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("repair: %s with %s: %q, not %q", c.rule, c.edit, got, c.want)
		}
	}
}

// Nothing breaks where nothing is done: who leaves as soon as it comes, who never comes to its end, a script that changes nothing.
func TestARepairKeepsWhatIsDone(t *testing.T) {
	const good = `if redis.eval("lock", {"lock"}, {me}) == 1 then enter("lock") work("1s") leave("lock") redis.eval("unlock", {"lock"}, {me}) end`
	for _, c := range []struct{ part, edit, want string }{
		{"program:A", good, ""},
		{"program:A", strings.Replace(good, `work("1s")`, "", 1), "A leaves lock as soon as it gets inside"},
		{"program:A", good + ` while true do sleep("1s") end`, "the program of A never comes to its end"},
		{"script:unlock", "return redis.call('get', KEYS[1])", "the script unlock no longer changes anything"},
	} {
		text := fmt.Sprintf(`
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
scripts:
  lock: {source: "return redis.call('setnx', KEYS[1], ARGV[1])", keys: [lock], args: [owner]}
  unlock: {source: "redis.call('set', 'unlocked', 1) return redis.call('del', KEYS[1])", keys: [lock], args: [owner]}
actors:
  A: {program: '%s redis.call("SET", "bad", 1)'}
  B: {program: '%s'}
invariants:
  - mutual-exclusion
  - {name: never-both, lua: not (exists("bad") and exists("unlocked"))}
story:
  - run: B
    expect: {holds: {lock: [B]}}
challenge:
  say: {en: x, zh: x}
  goal: {repair: never-both}
  hint: {en: x, zh: x}
  edits: {"%s": '%s'}
`, good, good, c.part, strings.ReplaceAll(c.edit, "'", "''"))
		l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
		if err != nil {
			t.Fatal(err)
		}
		if got := proven(t, l); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("with %s: %q, not %q", c.edit, got, c.want)
		}
	}
}

// Nobody oversells where one of two sells nothing: a goal may say of each of them what it must still be able to do.
func TestARepairKeepsWhatEachOfThemDoes(t *testing.T) {
	const sells, looks = `if redis.call("DECR", "stock") >= 0 then redis.call("INCR", "sold") end`, `redis.call("GET", "stock")`
	for _, c := range []struct{ a, b, want string }{
		{sells, sells, ""},
		{looks, sells, `sold == 1 and status("B") == "ready" can never become true`},
		{sells, looks, `sold == 1 and status("A") == "ready" can never become true`},
	} {
		l := written(t, fmt.Sprintf(`title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
given: {stock: 1}
actors: {[A, B]: {program: 'if redis.call("GET", "stock") == "1" then redis.call("DECR", "stock") redis.call("INCR", "sold") end'}}
invariants: [{name: sold-once, lua: (sold or 0) <= 1}]
story: [{run: A}]
challenge:
  say: {en: x, zh: x}
  goal: {repair: sold-once, still: ['sold == 1 and status("B") == "ready"', 'sold == 1 and status("A") == "ready"']}
  hint: {en: x, zh: x}
  edits: {"program:A": '%s', "program:B": '%s'}
`, c.a, c.b))
		if got := proven(t, l); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("with %s and %s: %q, not %q", c.a, c.b, got, c.want)
		}
	}
}

// What a goal says must still be able to happen may need a stop of the clock where nothing is due: A comes a second after the start.
func TestARepairMayDoItsPartBetweenWhatIsDue(t *testing.T) {
	for want, still := range map[string]string{"": `exists("j") and not exists("k")`, "can never become true": `exists("j") and not exists("k") and ttl("j") > 1500`} {
		l := written(t, fmt.Sprintf(`title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
resolution: 500ms
given: {k: {value: "1", ttl: 2s}}
scripts: {after: {source: "if redis.call('exists', KEYS[1]) == 1 then redis.call('set', KEYS[2], 1, 'px', 2000) end"}}
actors: {A: {program: 'redis.eval("after", {"k", "j"}) redis.call("SET", "bad", 1)'}}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
challenge:
  say: {en: x, zh: x}
  goal: {repair: never, still: '%s'}
  hint: {en: x, zh: x}
  edits: {"program:A": 'redis.eval("after", {"k", "j"})'}
`, still))
		if got := proven(t, l); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("with %s: %q, not %q", still, got, want)
		}
	}
}

// What no look has come to is told to be lost with the word that a look was stopped.
func TestARepairTellsThatALookAtWhatMustHappenWasStopped(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
actors:
  A:
    program: |
      local gaps = 0
      for i = 1, 3 do
        local t = now()
        redis.call("GET", "x")
        if now() - t > 3000 and now() - t < 5000 then gaps = gaps + 1 end
      end
      if gaps == 3 then redis.call("SET", "good", 1) end
  B: {program: 'redis.call("GET", "x")'}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
`)
	repair, err := lessons.NewRepair(t.Context(), l, l, lessons.Goal{
		Repair: &lessons.Question{Invariant: "never", Bounds: search.Bounds{Time: search.AnyLate}},
		Still:  []lessons.Rule{{Name: "good", Lua: `exists("good")`}},
	})
	for done := false; !done && err == nil; {
		done, err = repair.Continue(t.Context(), 1000)
	}
	if err != nil {
		t.Fatal(err)
	}
	if lost, between := repair.Lost(), repair.Closer().Between; len(lost) != 1 || lost[0].Name != lessons.Still || between == nil {
		t.Errorf("%v is lost, and the look that was stopped is %v", lost, between)
	}
}

// So may what a repair must not lose: who begins a second after the start gets inside, and gives the lock back, and has its script
// change something, while a key that was there at the start is gone.
func TestARepairMayKeepBetweenWhatIsDueWhatItMustNotLose(t *testing.T) {
	const takes = `redis.eval("after", {"k", "j"}) if redis.call("GET", "j") `
	for _, c := range []struct{ edit, want string }{
		{takes + `then sleep("1s") if redis.call("EXISTS", "k", "j") == 1 and redis.call("EXISTS", "j") == 1 then enter("j") work("250ms") leave("j") redis.eval("free", {"j"}) end end`, ""},
		{takes + `then sleep("1s") if redis.call("EXISTS", "k", "j") == 1 and redis.call("EXISTS", "j") == 1 then enter("j") leave("j") redis.eval("free", {"j"}) end end`, "A leaves j as soon as it gets inside"},
		{takes + `then sleep("1s") if redis.call("EXISTS", "k", "j") == 1 and redis.call("EXISTS", "j") == 1 then enter("j") work("250ms") leave("j") end end`, "A never gives j back"},
		{takes + `then sleep("2s") if redis.call("EXISTS", "k", "j") == 1 and redis.call("EXISTS", "j") == 1 then enter("j") work("250ms") leave("j") redis.eval("free", {"j"}) end end`, "A never gets inside j"},
	} {
		l := written(t, fmt.Sprintf(`title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
resolution: 250ms
given: {k: {value: "1", ttl: 2s}}
scripts:
  after: {source: "if redis.call('exists', KEYS[1]) == 1 then redis.call('set', KEYS[2], 1, 'px', 2000) end"}
  free: {source: "return redis.call('del', KEYS[1])"}
actors: {A: {program: 'redis.eval("after", {"k", "j"}) enter("j") work("250ms") leave("j") redis.eval("free", {"j"}) redis.call("SET", "bad", 1)'}}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
challenge:
  say: {en: x, zh: x}
  goal: {repair: never}
  hint: {en: x, zh: x}
  edits: {"program:A": '%s'}
`, c.edit))
		if got := proven(t, l); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("with %s: %q, not %q", c.edit, got, c.want)
		}
	}
}

// Who no longer says that it waits starves all the same.
func TestARepairKeepsWhoWaits(t *testing.T) {
	const waits = `while not redis.call("SET", "lock", me, "NX") do sleep("1s") end enter("lock")`
	text := `
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
actors:
  A: {program: 'redis.call("SET", "lock", me, "NX")'}
  B: {program: 'want("lock") ` + waits + `'}
invariants: [mutual-exclusion]
story:
  - run: B
    expect: {holds: {lock: [B]}}
challenge:
  say: {en: x, zh: x}
  goal: {repair: nobody-starves}
  hint: {en: x, zh: x}
  edits: {"program:B": '` + waits + `'}
`
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
	if err != nil {
		t.Fatal(err)
	}
	if got := proven(t, l); !strings.Contains(got, "B no longer says that it waits for lock") {
		t.Errorf("it is told %q", got)
	}
}

// A lock that is never given back is never given back by a stranger either.
func TestARepairKeepsWhoGivesBack(t *testing.T) {
	const takes = `if redis.call("SET", "lock", me, "NX", "PX", 5000) then enter("lock") work("1s") leave("lock")`
	for _, c := range []struct{ edit, want string }{
		{takes + ` redis.eval("unlock", {"lock"}, {me}) end`, ""},
		{strings.Replace(takes, "me,", `"a token",`, 1) + ` redis.eval("unlock", {"lock"}, {"a token"}) end`, ""},
		{takes + ` end`, "A never gives lock back"},
		{takes + ` redis.call("DEL", "note") end`, "A never gives lock back"},
	} {
		text := fmt.Sprintf(`
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
scripts:
  unlock: {source: "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0", keys: [lock], args: [owner]}
actors:
  A: {program: '%s redis.call("DEL", "lock") end'}
  B: {program: 'if redis.call("SET", "lock", me, "NX", "PX", 5000) then enter("lock") work("1s") leave("lock") redis.eval("unlock", {"lock"}, {me}) end'}
invariants: [released-by-holder]
story:
  - run: B
    expect: {holds: {lock: [B]}}
challenge:
  say: {en: x, zh: x}
  goal: {repair: released-by-holder, time: any}
  hint: {en: x, zh: x}
  edits: {"program:A": '%s'}
`, takes, c.edit)
		l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
		if err != nil {
			t.Fatal(err)
		}
		if got := proven(t, l); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("with %s: %q, not %q", c.edit, got, c.want)
		}
	}
}
