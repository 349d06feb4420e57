package lessons_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

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
	if got := proven(t, l); !strings.Contains(got, "B never wants lock") {
		t.Errorf("it is told %q", got)
	}
}
