package decode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/node/redis"
)

// A tag that names no limit would be none, and one that names no kind would be any text.
func TestTagsNameLimitsAndKindsThatThereAre(t *testing.T) {
	for _, form := range []any{
		lessonForm{},
		textForm{},
		proseForm{},
		scriptForm{},
		actorForm{},
		ruleForm{},
		beatForm{},
		askForm{},
		queryForm{},
		expectForm{},
		keyForm{},
		challengeForm{},
		goalForm{},
	} {
		for _, k := range formOf(reflect.TypeOf(form)) {
			_, kind := kinds[k.is]
			if _, sort := sortsOf[k.is]; !kind && !sort || k.most != "" && limits[k.most] == 0 {
				t.Errorf("%T: the key %q is of the kind %q, at most %q", form, k.name, k.is, k.most)
			}
		}
	}
	for _, row := range lessons.Expectations {
		if _, known := sortsOf[row.Of]; !known && row.Of != "" {
			t.Errorf("%s is about names of the sort %q", row.Key, row.Of)
		}
	}
}

// The guide tells what a lesson may have at most, and nothing else.
func TestGuideTellsTheLimits(t *testing.T) {
	kb := func(bytes int) string { return fmt.Sprintf("%d KB", bytes>>10) }
	want := map[string]string{
		"`lesson.yaml`":                    fmt.Sprintf("%s, %d YAML tokens", kb(mostBytes), mostTokens),
		"actors":                           fmt.Sprint(limits["actors"]),
		"servers in `nodes`":               fmt.Sprint(limits["nodes"]),
		"scripts":                          fmt.Sprint(limits["scripts"]),
		"a script, or a program":           kb(MostLua),
		"a client":                         kb(mostClient),
		"meanings in `keys`, or in `args`": fmt.Sprint(limits["meanings"]),
		"invariants":                       fmt.Sprint(limits["invariants"]),
		"faults":                           fmt.Sprint(limits["faults"]),
		"sources":                          fmt.Sprint(limits["sources"]),
		"tables of a server":               fmt.Sprint(limits["tables"]),
		"columns of a table":               fmt.Sprint(limits["columns"]),
		"challenges":                       fmt.Sprint(limits["challenges"]),
		"verdicts":                         fmt.Sprint(limits["verdicts"]),
		"states that a search for a verdict looks at": fmt.Sprint(lessons.MostStates),
		"beats":                             fmt.Sprint(limits["beats"]),
		"moves of the story":                fmt.Sprint(engine.MaxChoices),
		"a title, a summary, a question":    fmt.Sprintf("%d bytes", mostText),
		"a `say`, a `hint`":                 kb(mostProse),
		"items of a list in `expect`":       fmt.Sprint(limits["items"]),
		"a name":                            fmt.Sprintf("%d characters", mostName),
		"lessons in a folder":               fmt.Sprint(mostLessons),
		"instructions of a script, per run": fmt.Sprint(luaexec.DefaultBudget),
		"instructions of a program and its tasks, in all": met(t, "while true do end", `more than the (\d+) instructions that a program`),
		"instructions of a rule, per check":               metByRule(t),
		"tasks of an actor at a time":                     met(t, `for i = 1, 100 do spawn("t" .. i, function() sleep("1s") end) end`, `has (\d+) tasks, and may have no more`),
		"actions of a program between two requests":       met(t, `while true do cancel("x") end`, `did (\d+) things in a row`),
		"text that a program says between two requests":   met(t, `for i = 1, 9000 do say(("x"):rep(99)) end`, `says more than (\d+ KB) in a row`),
		"reply of a step, and the servers' data after it": metByStep(t),
		"all steps together":                              metByStory(t),
		"timers that one `tick` passes":                   metByTick(t),
		"all files in the Author view":                    "128 KB", // web/player knows
	}
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\n## Limits\n")
	section, _, _ := strings.Cut(after, "\n## ")
	told := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`).FindAllStringSubmatch(section, -1) {
		told[row[1]] = row[2]
	}
	delete(told, "what")
	for what, most := range want {
		if told[what] != most {
			t.Errorf("the guide says %q for %s, but the limit is %q", told[what], what, most)
		}
	}
	for what := range told {
		if want[what] == "" {
			t.Errorf("the guide has a limit for %s that no test knows", what)
		}
	}
}

const bounded = `
title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
actors:
  A:
    program: |
      redis.call("PING")
      %s
invariants: [{name: rule, lua: %s}]
story:
  - run: A
  - tick: %s
`

// met is the limit that a program meets, as the message says.
func met(t *testing.T, program, pattern string) string {
	t.Helper()
	return metIn(t, fmt.Sprintf(bounded, program, `"true"`, "1s"), pattern)
}

func metByRule(t *testing.T) string {
	t.Helper()
	return metIn(t, fmt.Sprintf(bounded, "", "'(function() while true do end end)()'", "1s"), `more than the (\d+) instructions that a rule`)
}

func metByStep(t *testing.T) string {
	t.Helper()
	yaml := fmt.Sprintf(bounded, `redis.call("SET", "k", ("x"):rep(300000))`, `"true"`, "1s")
	return metIn(t, yaml+"  - run: A\n", `and (\d+ KB) can be shown`)
}

func metByStory(t *testing.T) string {
	t.Helper()
	yaml := fmt.Sprintf(bounded, `local x, y = ("x"):rep(100000), ("y"):rep(100000) for i = 1, 100 do redis.call("SET", "k", x) redis.call("SET", "k", y) end`, `"true"`, "1s")
	return metIn(t, yaml+"  - do: ["+strings.Repeat("run A, ", 199)+"]\n", `would hold more than (\d+ MB)`)
}

func metByTick(t *testing.T) string {
	t.Helper()
	return metIn(t, fmt.Sprintf(bounded, `while true do sleep("100ms") end`, `"true"`, "20h"), `passes more than (\d+) timers`)
}

func metIn(t *testing.T, yaml, pattern string) string {
	t.Helper()
	l, err := Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(yaml)}}, "01-a")
	if err != nil {
		t.Fatal(err)
	}
	r, err := lessons.Check(t.Context(), l, []engine.NodeSpec{{Name: "redis", Node: redis.NewNode()}})
	m := regexp.MustCompile(pattern).FindStringSubmatch(errors.Join(err, r.Problems).Error())
	if m == nil {
		t.Fatalf("nothing is said as %s has it: %v, %v", pattern, err, r.Problems)
	}
	return m[1]
}

// readOnce are the lessons of this repository, which no test changes.
var readOnce = sync.OnceValues(func() ([]*lessons.Lesson, error) { return All(lessons.FS) })

// The guide tells of each client that comes with the playground what programs call,
// and which scripts it needs.
func TestGuideTellsOfEveryClient(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(lessons.FS, "clients/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no clients", err)
	}
	functions := regexp.MustCompile(`(?m)^function ([A-Za-z_]+)\(`)
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "clients/"), ".lua")
		row := regexp.MustCompile("(?m)^\\| `" + name + "` \\|.*$").FindString(string(text))
		if row == "" {
			t.Errorf("the guide does not tell of the client %s", name)
			continue
		}
		source, err := fs.ReadFile(lessons.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range functions.FindAllStringSubmatch(string(source), -1) {
			if !strings.Contains(row, "`"+f[1]+"(") {
				t.Errorf("of the client %s the guide does not tell that programs call %s", name, f[1])
			}
		}
		used := slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.Client.Name == name })
		if used < 0 {
			t.Errorf("no lesson shows the client %s", name)
			continue
		}
		for _, s := range all[used].Scripts {
			shown := regexp.MustCompile("`" + s.Name + "` \\[([^]]*)\\](?: \\[([^]]*)\\])?").FindStringSubmatch(row)
			if shown == nil || len(strings.Split(shown[1], ", ")) != len(s.Keys) || len(strings.Split(shown[2], ", ")) != len(s.Args) {
				t.Errorf("of the client %s the guide does not tell that it calls %s with %d KEYS and %d ARGV: %q", name, s.Name, len(s.Keys), len(s.Args), shown)
			}
		}
	}
}

// A script that several lessons send stands beside its client, once.
func TestNoScriptStandsTwice(t *testing.T) {
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{} // where a text stands
	for _, l := range all {
		for _, s := range l.Scripts {
			if there, ok := first[s.Source]; ok && there != s.Place.String() {
				t.Errorf("the script at %s stands at %s already: let both lessons have one file of clients/", s.Place, there)
			}
			first[s.Source] = s.Place.String()
		}
	}
}
