package decode_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// good is a lesson that uses every part of the format.
func good(t *testing.T) fstest.MapFS {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "good.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"07-good-lesson/lesson.yaml": {Data: text},
		"07-good-lesson/lock.lua":    {Data: []byte("return redis.call('set', KEYS[1], ARGV[1], 'NX')\n")},
		"clients/plain.lua":          {Data: []byte("function lock(k)\n  return redis.eval(\"lock\", {k}, {me})\nend\n")},
		"07-good-lesson/empty.lua":   {Data: []byte("\n")},
		"clients/other.lua":          {Data: []byte("function lock(k\n")},
	}
}

func TestALessonIsReadInFull(t *testing.T) {
	l, err := decode.Lesson(good(t), "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmpopts.IgnoreTypes(lessons.Place{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	file := "07-good-lesson/lesson.yaml"
	same("name", l.Name, "good-lesson")
	same("title", l.Title, lessons.Text{En: "A good lesson", Zh: "好的一课"})
	same("level", l.Level, lessons.Basic)
	same("nodes", l.NodeNames(), []string{"n1", "n2"})
	same("resolution", l.Resolution, 500*time.Millisecond)
	same("client", l.Client.Name, "plain")
	same("scripts", l.Scripts, []lessons.Script{
		{Name: "lock", File: "07-good-lesson/lock.lua", Source: "return redis.call('set', KEYS[1], ARGV[1], 'NX')\n", Keys: []lessons.Text{{En: "key", Zh: "键"}}, Args: []lessons.Text{{En: "owner", Zh: "owner"}}},
		{Name: "peek", File: file, Source: "return redis.call('get', KEYS[1])\n"},
	})
	same("actors", l.Actors, []lessons.Actor{
		{Name: "A", Process: "jvm-1", Program: "lock(\"anyLock\")\nwork(\"2s\")\n"},
		{Name: "B", Process: "B", Program: `lock("anyLock")`},
	})
	same("invariants", l.Invariants, []string{"mutual-exclusion"})
	same("rules", l.Rules, []lessons.Rule{{Name: "stock", Lua: "(stock or 0) >= 0"}})
	same("faults", l.Faults, []engine.Choice{{Kind: engine.Crash, Target: "jvm-1"}, {Kind: engine.Pause, Target: "B"}})
	same("choices", l.Choices(), []engine.Choice{
		{Kind: engine.Run, Target: "A"},
		{Kind: engine.Tick, Span: 10 * time.Second},
		{Kind: engine.Tick},
		{Kind: engine.Pause, Target: "B"},
		{Kind: engine.Resume, Target: "B"},
		{Kind: engine.Crash, Target: "jvm-1"},
	})
	l.Story[1].Expect.Place = lessons.Place{}
	for i := range l.Story[1].Expect.Parts {
		l.Story[1].Expect.Parts[i].Place = lessons.Place{}
	}
	same("expect", l.Story[1].Expect, expects(
		part("reply", "", "1"),
		lessons.Expected{Key: "keys", Name: "anyLock", Type: engine.HashKey, Items: []engine.Item{{Name: "A", Value: "1"}, {Name: "b c", Value: ""}}, TTL: new(30 * time.Second)},
		lessons.Expected{Key: "keys", Name: "queue", Type: engine.ListKey, Items: []engine.Item{{Value: "B"}, {Value: "A"}}, TTL: new(engine.NoDeadline)},
		lessons.Expected{Key: "keys", Name: "late", Type: engine.ZSetKey, Items: []engine.Item{{Name: "B", Value: "5000"}}},
		lessons.Expected{Key: "keys", Name: "who", Type: engine.SetKey, Items: []engine.Item{{Name: "A"}}},
		lessons.Expected{Key: "keys", Name: "stock", Node: "n2", Texts: []string{"5"}},
		part("gone", "other"), part("holds", "anyLock", "A"), part("status", "B", "waiting"), part("messages", "", "0"),
		part("woke", "", "A:watchdog"), part("broken", "", "stock"),
	))
	same("answer", l.Story[1].Ask.Answer, lessons.Query{Kind: lessons.QueryHGet, Key: "anyLock", Item: "A"})
	same("challenge", l.Challenges[0].Goal, lessons.Goal{Reach: &lessons.Rule{Name: "goal", Lua: `get("stock") == 0`}})
	same("solution", l.Challenges[0].Solution, []engine.Choice{
		{Kind: engine.Run, Target: "A"}, {Kind: engine.Tick, Span: 30 * time.Second}, {Kind: engine.Crash, Target: "jvm-1"},
	})
	same("hint", l.Challenges[0].Hint.HTML, lessons.Text{En: "<p>Wait.</p>", Zh: "<p>等一等。</p>"})
	same("html", l.Story[0].Say.HTML, lessons.Text{
		En: `<p>Read <code><i class="r">GET</i> a</code> &amp; <a href="https://redis.io/docs" target="_blank" rel="noopener noreferrer">the docs</a>.</p>`,
		Zh: "<p>读一读，再往下走。</p>",
	})
}

// TestWhatIsKnownOfAnIncidentIsRead: one statement or several, in one language where it is the same in both.
func TestWhatIsKnownOfAnIncidentIsRead(t *testing.T) {
	fsys := good(t)
	edit(t, fsys, "level: basic", `level: basic
cause: {en: "Nobody looked at the **clock**.", zh: "没人看**时钟**。"}
affected: [Redisson 3.2.0, {en: "Redisson 3.2.1 to 3.2.3", zh: "Redisson 3.2.1 到 3.2.3"}]
cured: open at 2026-08-21`)
	l, err := decode.Lesson(fsys, "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	if l.Cause.HTML.En != "<p>Nobody looked at the <strong>clock</strong>.</p>" || l.Cause.HTML.Zh != "<p>没人看<strong>时钟</strong>。</p>" {
		t.Errorf("the cause is %q", l.Cause.HTML)
	}
	affected := []lessons.Text{{En: "Redisson 3.2.0", Zh: "Redisson 3.2.0"}, {En: "Redisson 3.2.1 to 3.2.3", Zh: "Redisson 3.2.1 到 3.2.3"}}
	if diff := cmp.Diff(affected, l.Affected); diff != "" {
		t.Errorf("it affects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]lessons.Text{{En: "open at 2026-08-21", Zh: "open at 2026-08-21"}}, l.Cured); diff != "" {
		t.Errorf("it is cured by (-want +got):\n%s", diff)
	}
	if before, err := decode.Lesson(good(t), "07-good-lesson"); err != nil || before.Hash != l.Hash {
		t.Errorf("what is known of an incident makes it another lesson: %v", err)
	}
}

// TestWhatALessonSaysOfOthersIsRead: the lessons that it needs, the names that it had, and which versions it shows.
func TestWhatALessonSaysOfOthersIsRead(t *testing.T) {
	fsys := good(t)
	delete(fsys, "07-good-lesson/empty.lua")
	edit(t, fsys, "level: basic", "level: basic\nversions: [Redisson 3.32, {en: \"every Redis\", zh: \"所有版本的 Redis\"}]\nneeds: [set-nx, no-tll]\nformerly: [fine-lesson]")
	l, err := decode.Lesson(fsys, "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]lessons.Text{{En: "Redisson 3.32", Zh: "Redisson 3.32"}, {En: "every Redis", Zh: "所有版本的 Redis"}}, l.Versions); diff != "" {
		t.Errorf("its versions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]string{{"set-nx", "no-tll"}, {"fine-lesson"}}, [][]string{l.Needs, l.Formerly}); diff != "" {
		t.Errorf("what it needs, and what it was called (-want +got):\n%s", diff)
	}
	said(t, l, `there is no lesson "no-tll"`, `did you mean "no-ttl"?`)
	if before, err := decode.Lesson(good(t), "07-good-lesson"); err != nil || before.Hash != l.Hash {
		t.Errorf("what it says of others makes it another lesson: %v", err)
	}
	edit(t, fsys, "no-tll", "no-lesson-is-called-so")
	if l, err = decode.Lesson(fsys, "07-good-lesson"); err != nil {
		t.Fatal(err)
	}
	said(t, l, `there is no lesson "no-lesson-is-called-so"`, "playground list has the names of all lessons")
}

// said looks for the one warning of a lesson.
func said(t *testing.T, l *lessons.Lesson, message, advice string) {
	t.Helper()
	if w := l.Warnings; len(w) != 1 || w[0].Message.Error() != message || w[0].Advice.Error() != advice || w[0].Line == 0 || w[0].Source == "" {
		t.Errorf("%s is warned of %v, want %q and %q, with the line", l.Name, w, message, advice)
	}
}

// TestAFileThatNoScriptIsIsTold: whoever has written a script and forgotten to name it would look for it in vain.
func TestAFileThatNoScriptIsIsTold(t *testing.T) {
	l, err := decode.Lesson(good(t), "07-good-lesson")
	if err != nil || len(l.Warnings) != 1 {
		t.Fatalf("%v, %v", l.Warnings, err)
	}
	if w := l.Warnings[0]; w.Code != lessons.CodeUnusedScript || w.File != "07-good-lesson/empty.lua" || w.Advice.Error() != "write scripts: {empty: {file: empty.lua}} in lesson.yaml, or leave it out" {
		t.Errorf("it says %v", w)
	}
}

// TestLessonsThatNameEachOther: a circle of needs has no beginning, and an old name leads to one lesson.
func TestLessonsThatNameEachOther(t *testing.T) {
	fsys := good(t)
	delete(fsys, "07-good-lesson/empty.lua")
	lesson := func(dir, more string) {
		text := strings.Replace(string(fsys["07-good-lesson/lesson.yaml"].Data), "level: basic", "level: basic\n"+more, 1)
		fsys[dir+"/lesson.yaml"] = &fstest.MapFile{Data: []byte(text)}
		fsys[dir+"/lock.lua"] = fsys["07-good-lesson/lock.lua"]
	}
	lesson("08-begin", "needs: [middle]")
	lesson("09-middle", "needs: [good-lesson, end]\nformerly: [old]")
	lesson("10-end", "needs: [begin]")
	lesson("11-aside", "needs: [begin]")
	lesson("12-newer", "formerly: [old]")
	lesson("13-namesake", "formerly: [aside]")
	all, err := decode.All(fsys)
	if err != nil || len(all) != 7 {
		t.Fatalf("%d lessons are read: %v", len(all), err)
	}
	const leave, one = "leave one of them out", "an old name leads to one lesson"
	said(t, all[1], "begin needs itself: begin → middle → end → begin", leave)
	said(t, all[2], "middle needs itself: middle → end → begin → middle", leave)
	said(t, all[3], "end needs itself: end → begin → middle → end", leave)
	said(t, all[5], `"old" is a name of middle already`, one)
	said(t, all[6], `"aside" is a lesson today`, one)
	if len(all[0].Warnings)+len(all[4].Warnings) > 0 {
		t.Errorf("of lessons that are not in the circle it says %v %v", all[0].Warnings, all[4].Warnings)
	}
}

// TestPartsHavePlaces reads from the file what stands at each place.
func TestPartsHavePlaces(t *testing.T) {
	l, err := decode.Lesson(good(t), "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(l.YAML, "\n")
	expect := l.Story[1].Expect
	for _, c := range []struct {
		at   lessons.Place
		want string
	}{
		{l.Actors[0].Place, "lock(\"anyLock\")"},
		{l.Actors[1].Place, "lock(\"anyLock\")"},
		{l.Rules[0].Place, `"(stock or 0) >= 0"`},
		{l.Declared["actor B"], "B"},
		{l.Declared["script peek"], "peek"},
		{l.Declared["invariant mutual-exclusion"], "mutual-exclusion"},
		{l.Declared["fault pause B"], "pause B"},
		{l.Story[2].Place, "tick"},
		{l.Story[1].Ask.Place, "answer"},
		{expect.Place, "expect"},
		{expect.Of("broken")[0].Place, "broken"},
		{expect.Of("keys")[0].Place, "anyLock"},
		{expect.Of("gone")[0].Place, "other"},
		{expect.Of("holds")[0].Place, "anyLock"},
		{expect.Of("status")[0].Place, "B"},
		{l.Challenges[0].Place, "solution"},
		{l.Challenges[0].Goal.Place, "goal"},
	} {
		line := []rune(lines[c.at.Line-1])
		if got := string(line[c.at.Col-1 : c.at.EndCol-1]); got != c.want || c.at.File != "07-good-lesson/lesson.yaml" {
			t.Errorf("at %s stands %q, want %q", c.at, got, c.want)
		}
	}
}

func TestTheHashIsOfWhatHappens(t *testing.T) {
	base := hashOf(t, good(t))
	if len(base) != 8 {
		t.Fatalf("the hash is %q, and it should have 8 digits", base)
	}
	for name, c := range map[string]struct {
		old, new string
		same     bool
	}{
		"a title":       {"A good lesson", "A better lesson", true},
		"prose":         {"the docs", "the manual", true},
		"a reply":       {"reply: 1", "reply: 2", true},
		"the story":     {"  - tick:\n", "", true},
		"a program":     {`work("2s")`, `work("3s")`, false},
		"a process":     {"process: jvm-1", "process: jvm-1 # the same", true},
		"a crowd":       {"    process: jvm-1\n", "    process: jvm-1\n    count: 2\n", false},
		"a given key":   {"resolution: 500ms", "resolution: 500ms\ngiven: {k: {value: {f: 1}}}", false},
		"an own script": {"'get'", "'ttl'", false},
		"a node":        {"[n1, n2]", "[n1, n2, n3]", false},
		"a fault":       {"pause B]", "pause B, drop B]", false},
		"resolution":    {"resolution: 500ms", "resolution: 100ms", false},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := good(t)
			edit(t, fsys, c.old, c.new)
			if got := hashOf(t, fsys); (got == base) != c.same {
				t.Errorf("the hash went from %s to %s", base, got)
			}
		})
	}
	fsys := good(t)
	fsys["clients/plain.lua"] = &fstest.MapFile{Data: []byte("function lock(k) end\n")}
	if hashOf(t, fsys) == base {
		t.Error("another client has the same hash")
	}
}

func hashOf(t *testing.T, fsys fstest.MapFS) string {
	t.Helper()
	l, err := decode.Lesson(fsys, "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	return l.Hash
}

func edit(t *testing.T, fsys fstest.MapFS, old, replacement string) {
	t.Helper()
	file := "07-good-lesson/lesson.yaml"
	text := string(fsys[file].Data)
	if !strings.Contains(text, old) {
		t.Fatalf("the good lesson has no %q", old)
	}
	fsys[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, replacement, 1))}
}

func TestAllReadsLessonsInTheOrderOfTheirFolders(t *testing.T) {
	fsys := good(t)
	for _, dir := range []string{"10-last", "02-first"} {
		fsys[dir+"/lesson.yaml"] = fsys["07-good-lesson/lesson.yaml"]
		fsys[dir+"/lock.lua"] = fsys["07-good-lesson/lock.lua"]
	}
	fsys["decode/lesson.yaml"] = &fstest.MapFile{Data: []byte("not a lesson, since its folder has no number")}
	all, err := decode.All(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range all {
		names = append(names, l.Name)
	}
	if diff := cmp.Diff([]string{"first", "good-lesson", "last"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestAllKeepsTheLessonsWithoutMistakes(t *testing.T) {
	fsys := good(t)
	fsys["08-broken/lesson.yaml"] = &fstest.MapFile{Data: []byte("titel: x\n")}
	fsys["09-good-lesson/lesson.yaml"] = fsys["07-good-lesson/lesson.yaml"]
	fsys["09-good-lesson/lock.lua"] = fsys["07-good-lesson/lock.lua"]
	fsys["10-last/lesson.yaml"], fsys["10-last/lock.lua"] = fsys["07-good-lesson/lesson.yaml"], fsys["07-good-lesson/lock.lua"]
	all, err := decode.All(fsys)
	if len(all) != 2 || all[0].Name != "good-lesson" || all[1].Name != "last" {
		t.Errorf("%d lessons were read, want 2", len(all))
	}
	var first *lessons.Problem
	if !errors.As(err, &first) || first.File != "08-broken/lesson.yaml" {
		t.Errorf("the error does not begin with the broken lesson: %v", err)
	}
	if !strings.Contains(err.Error(), `07-good-lesson is a lesson "good-lesson" already`) {
		t.Errorf("nothing is said about two lessons of one name: %v", err)
	}
}

func TestAFolderThatIsNotThereIsSaid(t *testing.T) {
	dir := t.TempDir()
	_, err := decode.All(os.DirFS(filepath.Join(dir, "away")))
	if want := "the lessons cannot be read: no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("it is said %v, want %s", err, want)
	}
}

func TestAFolderHasSoManyLessons(t *testing.T) {
	text := good(t)["07-good-lesson/lesson.yaml"]
	fsys := fstest.MapFS{"clients/plain.lua": good(t)["clients/plain.lua"]}
	for i := range 502 {
		dir := fmt.Sprintf("%03d-l%03d", i, i)
		fsys[dir+"/lesson.yaml"] = text
		fsys[dir+"/lock.lua"] = &fstest.MapFile{Data: []byte("return 1")}
	}
	all, err := decode.All(fsys)
	want := "500-l500/lesson.yaml: at most 500 lessons are read from one folder, and this is one too many"
	if len(all) != 500 || err == nil || err.Error() != want {
		t.Errorf("%d lessons are read, and it is said %v; want 500, and %s", len(all), err, want)
	}
}

func TestAFolderMustBeNamedLikeALesson(t *testing.T) {
	for name, want := range map[string]bool{
		"013-reentrant-lock": true, "reentrant-lock": true, "7-a1": true, "": false,
		"12-": false, "12-Lock": false, "two words": false, "..": false, "a/b": false, "锁": false,
	} {
		if got := decode.IsName(name); got != want {
			t.Errorf("whether %q can be a lesson's name is %v, want %v", name, got, want)
		}
	}
	fsys := good(t)
	fsys["08-Good/lesson.yaml"], fsys["08-Good/lock.lua"] = fsys["07-good-lesson/lesson.yaml"], fsys["07-good-lesson/lock.lua"]
	_, err := decode.Lesson(fsys, "08-Good")
	if want := `08-Good/lesson.yaml: "Good" cannot be the name of a lesson`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("it is said %v, want %s", err, want)
	}
}

// What may be caused by a mistake elsewhere is not told as a second one.
func TestAMistakeHidesWhatFollowsFromIt(t *testing.T) {
	for _, c := range []struct{ first, as, second, then, want string }{
		{"[n1, n2]", `[n1, "n 2"]`, "pause B]", "pause B, save n3]", `"n 2" `},
		{"[n1, n2]", `[n1, "n 2"]`, "pause B]", "pause B, cut B n3]", `"n 2" `},
		{"  B:\n", "  B 2:\n", "{B: waiting}", "{C: waiting}", `"B 2" `},
	} {
		fsys := good(t)
		edit(t, fsys, c.first, c.as)
		edit(t, fsys, c.second, c.then)
		_, err := decode.Lesson(fsys, "07-good-lesson")
		problems, _ := errors.AsType[lessons.Problems](err)
		if len(problems) != 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("of %s and %s is said\n%v", c.as, c.then, err)
		}
	}
	// A process is none of the nodes.
	fsys := good(t)
	edit(t, fsys, "[n1, n2]", `[n1, "n 2"]`)
	edit(t, fsys, "pause B]", "pause B, drop jvm-3]")
	_, err := decode.Lesson(fsys, "07-good-lesson")
	if problems, _ := errors.AsType[lessons.Problems](err); len(problems) != 2 {
		t.Errorf("of an unknown process is said\n%v", err)
	}
}

// The types of given keys are those of the values.
func TestKeysThatAreGiven(t *testing.T) {
	fsys := good(t)
	edit(t, fsys, "resolution: 500ms", `resolution: 500ms
given:
  s: {value: 5, ttl: 3s}
  short: 7
  h: {value: {f: 1}}
  l: [{value: [b, a]}, {node: n2, value: [c]}]
  z: {type: zset, value: {m: 2}}
  t: {type: set, value: [m]}`)
	l, err := decode.Lesson(fsys, "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	key := func(name string, is engine.KeyType, items ...engine.Item) engine.Key {
		return engine.Key{Name: name, Type: is, Items: items, Deadline: engine.NoDeadline}
	}
	s := engine.Key{Name: "s", Type: engine.StringKey, Text: "5", Deadline: 3 * time.Second}
	want := []lessons.Given{
		{Node: "n1", Key: s},
		{Node: "n1", Key: engine.Key{Name: "short", Type: engine.StringKey, Text: "7", Deadline: engine.NoDeadline}},
		{Node: "n1", Key: key("h", engine.HashKey, engine.Item{Name: "f", Value: "1"})},
		{Node: "n1", Key: key("l", engine.ListKey, engine.Item{Value: "b"}, engine.Item{Value: "a"})},
		{Node: "n2", Key: key("l", engine.ListKey, engine.Item{Value: "c"})},
		{Node: "n1", Key: key("z", engine.ZSetKey, engine.Item{Name: "m", Value: "2"})},
		{Node: "n1", Key: key("t", engine.SetKey, engine.Item{Name: "m"})},
	}
	if diff := cmp.Diff(want, l.Given); diff != "" {
		t.Errorf("the keys that are given (-want +got):\n%s", diff)
	}
}

func TestAStoryInWhichNothingHappens(t *testing.T) {
	_, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(beforeStory + "story:\n  - say: {en: x, zh: x}\n")}}, "01-a")
	if err == nil || !strings.Contains(err.Error(), "01-a/lesson.yaml:9:3: nothing happens in this story") || !strings.Contains(err.Error(), "- run: A") {
		t.Errorf("it is said %v", err)
	}
}

func TestTheBuiltInLessonsAreRead(t *testing.T) {
	all, err := decode.All(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Error("there is no lesson")
	}
}

// Equal actors stand together, and are as if each stood alone.
func TestEqualActorsAreAsIfEachStoodAlone(t *testing.T) {
	const alone = "  B:\n    program: lock(\"anyLock\")"
	for _, c := range []struct{ together, apart string }{
		{"  [B, C]: {program: lock(\"anyLock\")}", alone + "\n  C:\n    program: lock(\"anyLock\")"},
		{"  [ B,\"C\" ]:\n    process: B\n    program: lock(\"anyLock\")", "  B: {process: B, program: lock(\"anyLock\")}\n  C: {process: B, program: lock(\"anyLock\")}"},
		{"  [B, C]: # equal\n    process: [B, jvm-3]\n    program: lock(\"anyLock\")", "  B: {process: B, program: lock(\"anyLock\")}\n  C: {process: jvm-3, program: lock(\"anyLock\")}"},
		{"  [B]: {program: lock(\"anyLock\")}", alone},
	} {
		var actors [2][]lessons.Actor
		for i, text := range []string{c.together, c.apart} {
			fsys := good(t)
			edit(t, fsys, alone, text)
			l, err := decode.Lesson(fsys, "07-good-lesson")
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for _, a := range l.Actors {
				a.Place = lessons.Place{}
				actors[i] = append(actors[i], a)
			}
		}
		if diff := cmp.Diff(actors[1], actors[0]); diff != "" {
			t.Errorf("%s\nis not the same as\n%s\n%s", c.together, c.apart, diff)
		}
	}
}

// TestAVerdictIsSearchedOnce: one that stands there twice takes twice the time and proves no more.
func TestAVerdictIsSearchedOnce(t *testing.T) {
	fsys := good(t)
	delete(fsys, "07-good-lesson/empty.lua")
	edit(t, fsys, "challenge:\n", "verdicts:\n  - {holds: stock, faults: {pause: 1}}\n  - {holds: stock}\n  - {holds: stock, faults: {pause: 1}}\nchallenge:\n")
	l, err := decode.Lesson(fsys, "07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	said(t, l, "this verdict stands here a second time", "the first is on line 54: keep one")
}

// TestASentenceIsTranslated: a name may be the same in both languages, a sentence is not.
func TestASentenceIsTranslated(t *testing.T) {
	for text, want := range map[string]int{"SET NX EX": 0, "A lock of one command": 1} {
		fsys := good(t)
		delete(fsys, "07-good-lesson/empty.lua")
		edit(t, fsys, `{en: "A good lesson", zh: "好的一课"}`, `{en: "`+text+`", zh: "`+text+`"}`)
		l, err := decode.Lesson(fsys, "07-good-lesson")
		if err != nil || len(l.Warnings) != want {
			t.Fatalf("of %q: %v, %v", text, l.Warnings, err)
		}
		for _, w := range l.Warnings {
			if w.Code != lessons.CodeMissingLanguage || w.Line != 1 || w.Message.Error() != "the title is the same in both languages" {
				t.Errorf("of %q it says %v", text, w)
			}
		}
	}
}
