package lessons_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// twoNodes has keys on two servers, and room for a rule.
const twoNodes = `
title: {en: "Two", zh: "二"}
summary: {en: "Two servers.", zh: "两台服务器。"}
chapter: more
level: basic
nodes: [n1, n2]
actors:
  A:
    program: |
      redis.call("SET", "k", 1, "PX", 5000)
      node("n2").call("SET", "k", 2)
      node("n2").call("RPUSH", "log", "x", "y")
invariants:
  - {name: own, lua: 'RULE'}
story:
  - do: [run A, run A, run A]
    expect:
      reply: 2
      keys:
        k: [{value: "1", ttl: 5s}, {node: n2, value: "2", ttl: none}]
        log: {node: n2, value: [x, y]}
`

// replicated has a replica that is one write behind.
const replicated = `
title: {en: "Two", zh: "二"}
summary: {en: "Two servers.", zh: "两台服务器。"}
chapter: more
level: basic
nodes: {m: {}, r: {replica-of: m}}
actors:
  A: {process: app-1, program: 'redis.call("SET", "k", 1)'}
invariants:
  - {name: own, lua: 'RULE'}
faults: [cut m r, crash m, promote r]
story:
  - run: A
    expect: {behind: {r: 1}, BROKEN}
  - {crash: m, expect: {status: {m: crashed}, behind: {r: lost}}}
  - {promote: r, expect: {leads: [r]}}
`

func TestRulesLookAtReplicas(t *testing.T) {
	for rule, broken := range map[string]bool{
		`lag("m") == 0`: false,
		`k == nil or lag("r") == 1 or leads("r")`:      false,
		`lag("r") < 1 or not leads("m")`:               true,
		`leads("m") ~= leads("r") or lag("r") > 1000`:  false,
		`lag("r") == 0 or k == nil or not leads("m")`:  true,
		`leads("m") or leads("r") or lag("r") >= 1e99`: false,
	} {
		wants := "status: {A: finished}"
		if broken {
			wants = "broken: [own]"
		}
		text := strings.NewReplacer("RULE", rule, "BROKEN", wants).Replace(replicated)
		l, err := decode.Lesson(fstest.MapFS{"01-two/lesson.yaml": {Data: []byte(text)}}, "01-two")
		if err != nil {
			t.Fatal(err)
		}
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(r.Problems, r.Lint()...) {
			if p.Severity != lessons.Hint {
				t.Errorf("%s: %v", rule, p)
			}
		}
	}
	l := withRule(t, `lag("n3") == 0`)
	if r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded)); err != nil || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Error(), `there is no server "n3"`) {
		t.Errorf("of a server that is not there is said %v, %v", r.Problems, err)
	}
}

func withRule(t *testing.T, rule string) *lessons.Lesson {
	t.Helper()
	text := strings.Replace(twoNodes, "RULE", rule, 1)
	l, err := decode.Lesson(fstest.MapFS{"01-two/lesson.yaml": {Data: []byte(text)}}, "01-two")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRulesLookAtEveryServer(t *testing.T) {
	for rule, broken := range map[string]bool{
		`k == nil or k == 1`:                              false,
		`llen("log") == 0 and node("n2").llen("log") < 2`: true,
		`zcard("z") + scard("s") + hlen("h") == 0 and not sismember("s", "A") and llen("k") ~= 0`: false,
		`status("A") ~= "finished"`:      true,
		`status("n2") == "ready"`:        false,
		`(node("n2").get("k") or 0) < 2`: true,
		`coroutine.wrap(function() return (node("n2").get("k") or 0) < 2 end)()`: true,
		`(node("n2").get("k") or 0) < 3`:                                         false,
		`node("n1").ttl("k") == 5000`:                                            false,
		`not node("n2").exists("log")`:                                           true,
		`node("n2").lindex("log", -1) ~= "y"`:                                    true,
		`node("n2").lindex("log", 2) == nil`:                                     false,
		`lindex("log", 0) == nil and lindex("k", 0) == nil`:                      false,
		`(k or 0) ~= 1 or (node("n2").get("k") or 0) ~= k * 2`:                   true,
	} {
		l := withRule(t, rule)
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		if r.OK() == broken {
			t.Errorf("%s: broken %t, want %t: %v", rule, !r.OK(), broken, r.Problems)
		}
	}
}

// What an evaluation leaves behind, the next one does not find.
func TestAnEvaluationFindsNothingOfTheOneBefore(t *testing.T) {
	for _, rule := range []string{
		`(function() n = (n or 0) + 1 return n == 1 end)()`,
		`(function() local new = rawget(_G, "seen") == nil rawset(_G, "seen", 1) return new end)()`,
		`math.random(1000000) == 396465`,
		`math["ran" .. "dom"](1000000) == 396465`,
		`tostring({}) == "table: 0x000000000010"`,
		`coroutine.wrap(function() coroutine.yield(coroutine.running() ~= nil) end)() and coroutine.running() == nil`,
	} {
		l := withRule(t, rule)
		if r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded)); err != nil || !r.OK() {
			t.Errorf("%s: %v, %v", rule, r.Problems, err)
		}
	}
}

// A rule that cannot be evaluated is reported once, at its place, with what to write instead.
func TestRulesThatCannotBeEvaluated(t *testing.T) {
	for rule, want := range map[string]string{
		`stok >= 0`:                            "got:  attempt to compare number with nil\n  what is not there is nil: write (stock or 0) >= 0",
		`lpos("log") > 0`:                      "got:  it calls something that is not a function\n  it can call get, hget, lindex",
		`inside("lock")`:                       "got:  it is the number 0, and has to be true or false\n  compare it",
		`waiting(k2) == 0`:                     "bad argument #1 to waiting (string expected, got nil)\n  what is not there is nil",
		`inside(k2) == 0`:                      "bad argument #1 to inside (string expected, got nil)\n  what is not there is nil",
		`get("k", "n2") == 2`:                  "got:  get is written get(key)",
		`hget("h") == 2`:                       "got:  hget is written hget(key, field)",
		`zscore("z", "m", "n2") == 2`:          "got:  zscore is written zscore(key, member)",
		`lindex("log") == 2`:                   "got:  lindex is written lindex(key, index)",
		`node("n3").get("k") == 1`:             `got:  there is no server "n3"`,
		`(function() while true do end end)()`: "got:  it ran more than the 5000 instructions",
	} {
		l := withRule(t, rule)
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Problems) != 1 {
			t.Fatalf("%s: %d problems, want one: %v", rule, len(r.Problems), r.Problems)
		}
		got := r.Problems[0].Error()
		for _, part := range []string{"01-two/lesson.yaml:14:22: beat 1: the rule own\n", "want: it is true or false", want} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s", rule, part, got)
			}
		}
		if strings.Contains(got, "traceback") {
			t.Errorf("%s: the interpreter's stack is no use to an author:\n%s", rule, got)
		}
	}
}

// What several servers hold under one name is written as a list, and read back.
func TestKeysOfSeveralServersAreObserved(t *testing.T) {
	text := twoNodes[:strings.Index(twoNodes, "    expect:")]
	text = strings.Replace(text, "RULE", "true", 1)
	read := func(text string) *lessons.Lesson {
		l, err := decode.Lesson(fstest.MapFS{"01-two/lesson.yaml": {Data: []byte(text)}}, "01-two")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := read(text)
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	fixed, _, err := decode.Rewrite(l, l.Unproven(r.Trace))
	if err != nil {
		t.Fatal(err)
	}
	want := `k: [{type: string, value: 1, ttl: 5s}, {node: n2, type: string, value: 2, ttl: none}]`
	if !strings.Contains(fixed, want) {
		t.Errorf("%s is not in\n%s", want, fixed)
	}
	l = read(fixed)
	if r, err = lessons.Check(t.Context(), l, l.Open(lessons.Embedded)); err != nil || !r.OK() {
		t.Errorf("%v %v", err, r.Problems)
	}
}

// A beat in which a program fails tells what it was answered.
func TestAFailingBeatIsObserved(t *testing.T) {
	l, r := played(t, `
title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
actors: {A: {program: 'redis.call("SET", "k", 1) redis.call("HGET", "k", "f")'}}
story:
  - run: A
  - run: A
`)
	fixed, _, err := decode.Rewrite(l, l.Unproven(r.Trace))
	if err != nil {
		t.Fatal(err)
	}
	if want := `error: "WRONGTYPE Op`; !strings.Contains(fixed, want) || !strings.Contains(fixed, "{A: failed}") {
		t.Errorf("%s is not in\n%s", want, fixed)
	}
}

func TestRulesOfTimeAndOfOtherTypes(t *testing.T) {
	text, _, _ := strings.Cut(twoNodes, "story:")
	text = strings.Replace(text, `node("n2").call("SET", "k", 2)`, `redis.call("RPUSH", "queue", "x")`, 1)
	text = strings.Replace(text, `node("n2").call("RPUSH", "log", "x", "y")`, `redis.call("HSET", "h", "f", 7, "g", "x") redis.call("SADD", "s", "m") redis.call("ZADD", "z", 1.5, "m")`, 1)
	text += "story:\n  - do: [run A, run A, run A, run A, run A, tick 1s, tick 1s]\n    expect: {keys: {k: {value: \"1\", ttl: 3s}}}\n"
	for rule, broken := range map[string]bool{
		`queue == nil`:                         false, // it is a list, and no text
		`lindex("queue", 0) == nil`:            true,
		`k == nil or k == 1`:                   false,
		`ttl("k") == nil or ttl("k") > 3000`:   true, // 3 s are left at the end
		`ttl("k") == nil or ttl("k") >= 3000`:  false,
		`ttl("queue") == nil`:                  false,
		`hget("h", "f") == nil`:                true,
		`(hget("h", "f") or 7) == 7`:           false,
		`(hget("h", "g") or "x") == "x"`:       false,
		`hget("h", "none") == nil`:             false,
		`zscore("z", "m") == nil`:              true,
		`(zscore("z", "m") or 1.5) == 1.5`:     false,
		`not sismember("s", "m")`:              true,
		`not sismember("s", "n")`:              false,
		`not sismember("h", "f")`:              false, // a field of a hash is no member
		`hlen("h") == 0 or hlen("h") == 2`:     false,
		`scard("s") == 0 or scard("s") > 1`:    true,
		`scard("h") == 0 or scard("h") == nil`: false, // it is there, and no set
		`zcard("z") == 0 or zcard("z") > 1`:    true,
		`llen("queue") ~= 1`:                   true,
		`lindex("h", 0) == nil`:                false,
		`zscore("h", "f") == nil`:              false,
		`hget("z", "m") == nil`:                false,
		`not exists("s")`:                      true,
	} {
		l, err := decode.Lesson(fstest.MapFS{"01-two/lesson.yaml": {Data: []byte(strings.Replace(text, "RULE", rule, 1))}}, "01-two")
		if err != nil {
			t.Fatal(err)
		}
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		if r.OK() == broken || len(r.Trace.Steps) != 7 {
			t.Errorf("%s: broken %t, want %t, after %d steps: %v", rule, !r.OK(), broken, len(r.Trace.Steps), r.Problems)
		}
	}
}
