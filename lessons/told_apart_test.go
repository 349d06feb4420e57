package lessons_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// namesOf is an expression in Lua: all functions that can be called where it stands.
const namesOf = `(function() local all = {} ` +
	`for k, v in pairs(_G) do ` +
	`if type(v) == "function" then all[#all + 1] = k ` +
	`elseif type(v) == "table" and k ~= "_G" then ` +
	`for f, x in pairs(v) do if type(x) == "function" then all[#all + 1] = k .. "." .. f end end end end ` +
	`table.sort(all) return table.concat(all, " ") end)()`

const namesLesson = `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
scripts:
  names: {source: 'return ` + namesOf + `'}
actors:
  A:
    process: p1
    program: |
      redis.call("SET", "programs", ` + namesOf + `)
      redis.call("SET", "scripts", redis.eval("names"))
story: [{run: A}]
`

// TestASearchHasWhatFunctionsTell compares testdata/told-apart.txt with the functions that there are: a new one
// needs a reason why states that it could tell apart are two.
func TestASearchHasWhatFunctionsTell(t *testing.T) {
	text, err := os.ReadFile("testdata/told-apart.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed, part := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if title, is := strings.CutPrefix(line, "== "); is {
			part = title
		} else if line != "" && !strings.HasPrefix(line, "#") {
			row, why, _ := strings.Cut(line, ": ")
			if why == "" {
				t.Errorf("%q has no reason", row)
			}
			listed[part] = append(listed[part], strings.Fields(row)...)
		}
	}
	for part, there := range functions(t) {
		slices.Sort(listed[part])
		if diff := cmp.Diff(there, listed[part]); diff != "" {
			t.Errorf("%s: testdata/told-apart.txt differs from what there is:\n%s", part, diff)
		}
	}
}

// functions are those that programs, scripts and rules can call.
func functions(t *testing.T) map[string][]string {
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(namesLesson)}}, "01-x")
	if l == nil {
		t.Fatal(err)
	}
	play := func(times int) (*engine.Trace, error) {
		s, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		_, trace, err := engine.Replay(t.Context(), s, slices.Repeat([]engine.Choice{{Kind: engine.Run, Target: "A"}}, times))
		return trace, err
	}
	there := map[string][]string{}
	trace, err := play(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range trace.At(3).Nodes[0].Keys {
		there[k.Name] = strings.Fields(k.Text)
	}
	l.Rules = []lessons.Rule{{Name: "names", Lua: "error(" + namesOf + ")"}}
	_, err = play(1)
	broken, is := errors.AsType[*lessons.RuleError](err)
	if !is {
		t.Fatal(err)
	}
	there["rules"] = strings.Fields(broken.Reason.Error())
	return there
}
