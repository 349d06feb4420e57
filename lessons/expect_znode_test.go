package lessons_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

const znodes = `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: basic
nodes: {zk: {kind: zookeeper}}
given: {/lock: free}
actors:
  A:
    process: app-1
    program: |
      node("zk").create("/lock/mine", me, {ephemeral = true})
      node("zk").delete("/lock/mine")
invariants:
  - {name: free, lua: 'get("/lock") == "free"'}
story:
  - run: A
    ask:
      question: {en: Who owns it?, zh: 谁拥有它？}
      answer: {column: [/lock/mine, owner]}
      options: [app-1, nil]
    expect: {keys: {KEYS}}
  - run: A
    expect: {gone: [/lock/mine]}
`

// Of a znode only what is named is compared, and a text is its data.
func TestOfAZnodeIsComparedWhatIsNamed(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{`/lock: {value: free}, /lock/mine: {value: A}`, ""},
		{`/lock: {value: {owner: ""}}, /lock/mine: {value: {owner: app-1}}`, ""},
		{`/lock/mine: {type: znode, value: {data: A, version: 0}}`, ""},
		{`/lock: {value: taken}`, "want: znode {data: taken}"},
		{`/lock/mine: {value: {data: A, owner: ""}}`, `want: znode {data: A, owner: ""}`},
		{`/lock/mine: {value: {data: A, colour: red}}`, "want: znode {colour: red, data: A}"},
	} {
		l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(strings.Replace(znodes, "KEYS", c.keys, 1))}}, "01-x")
		if err != nil {
			t.Fatalf("%s: %v", c.keys, err)
		}
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Problems.Error(); (c.want == "") != r.OK() || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.keys, got)
		}
	}
}
