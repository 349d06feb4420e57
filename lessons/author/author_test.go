package author_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

func read(t *testing.T, folder string, files []lessons.File) *lessons.Lesson {
	t.Helper()
	l, problems := author.Reader{}.Read(folder, files)
	if l == nil || len(problems) > 0 {
		t.Fatalf("%s: %v", folder, problems)
	}
	return l
}

func TestEveryLessonIsMadeOfItsFiles(t *testing.T) {
	all, err := decode.Library{FS: lessons.FS, Shown: "lessons"}.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		files := author.Reader{}.Files(l)
		again := read(t, strings.Split(l.File, "/")[1], files)
		if again.Hash != l.Hash || again.Name != l.Name || again.YAML != l.YAML {
			t.Errorf("%s is another lesson when it is read from %d files", l.Name, len(files))
		}
	}
}

func TestALockClientOfTheLessonsOwnIsOneOfItsFiles(t *testing.T) {
	const yaml = `title: {en: "Own", zh: "自己的"}
summary: {en: "A client.", zh: "客户端。"}
chapter: more
level: basic
client: mine
actors: {A: {program: 'lock("x")'}}
story: [{run: A, expect: {reply: OK}}]
`
	l, err := decode.Lesson(fstest.MapFS{
		"clients/mine.lua":     {Data: []byte(`function lock(name) redis.call("SET", name, me) end`)},
		"01-own/lesson.yaml":   {Data: []byte(yaml)},
		"01-own/forgotten.lua": {Data: []byte("return 1")},
	}, "01-own")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	files := author.Reader{}.Files(l)
	for _, f := range files {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"lesson.yaml", "clients/mine.lua"}) {
		t.Errorf("the files are %v", names)
	}
	if read(t, "01-own", files).Hash != l.Hash {
		t.Error("it is another lesson")
	}
}

// A script of a client is shared as the client is: the lesson's own is a file of it, that of the playground none.
func TestScriptsOfClientsAreShared(t *testing.T) {
	const yaml = `title: {en: "Own", zh: "自己的"}
summary: {en: "Two scripts.", zh: "两段脚本。"}
chapter: more
level: basic
scripts:
  put: {file: clients/mine/put.lua}
  lock: {file: clients/redisson/lock.lua}
actors: {A: {program: 'redis.eval("put", {"x"}, {me}) redis.eval("lock", {"y"}, {30000, me})'}}
story: [{run: A, expect: {reply: OK}}, {run: A, expect: {keys: {"y": {value: {A: "1"}}}}}]
`
	library := decode.Library{Shown: "mine", FS: fstest.MapFS{
		"clients/mine/put.lua": {Data: []byte("return redis.call('set', KEYS[1], ARGV[1])")},
		"01-own/lesson.yaml":   {Data: []byte(yaml)},
	}}
	l, err := library.Lesson("01-own")
	if err != nil {
		t.Fatal(err)
	}
	files := author.Reader{}.Files(l)
	if len(files) != 2 || files[1].Name != "clients/mine/put.lua" {
		t.Fatalf("its files are %v", files)
	}
	if read(t, "01-own", files).Hash != l.Hash {
		t.Error("it is another lesson")
	}
	files[0].Text = strings.Replace(yaml, "redisson/lock", "redisson/lok", 1)
	if _, problems := (author.Reader{}).Read("01-own", files); len(problems) == 0 || !strings.Contains(problems[0].Error(), `did you mean "clients/redisson/lock.lua"?`) {
		t.Errorf("of a script that is missing it says %v", problems)
	}
}

// A story that cannot be played in time is not taken for one that holds.
func TestAStoryThatTakesTooLongIsNotChecked(t *testing.T) {
	files := author.New(lessons.Redis, "fencing-token", "03-fencing-token")
	l := read(t, "03-fencing-token", files)
	over, end := context.WithCancel(t.Context())
	end()
	for _, p := range (author.Reader{}).Check(over, l) {
		if p.Severity == lessons.Warning && p.Code == lessons.CodeUnproven {
			return
		}
	}
	t.Error("nothing says that it is not checked")
}

func TestANewLessonIsOne(t *testing.T) {
	for _, k := range lessons.NodeKinds {
		kind := lessons.NodeKind(k.Name)
		l := read(t, "03-fencing-token", author.New(kind, "fencing-token", "03-fencing-token"))
		if l.Title.En != "Fencing token" || l.Nodes[0].Kind != kind {
			t.Errorf("its title is %q, and its node a %s", l.Title.En, l.Nodes[0].Kind)
		}
	}
}
