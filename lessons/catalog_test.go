package lessons_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// readOnce are the lessons that come with the playground, which no test changes.
var readOnce = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

func builtIn(t *testing.T) []*lessons.Lesson {
	t.Helper()
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestACatalogComesBackAsItWas(t *testing.T) {
	catalog := builtIn(t)
	data, err := lessons.Encode(catalog)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := lessons.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	back, err := readAll(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(back) != len(catalog) || len(back) == 0 {
		t.Fatalf("%d lessons came back of %d", len(back), len(catalog))
	}
	for i, l := range catalog {
		if !reflect.DeepEqual(back[i], l) {
			t.Errorf("%s came back as\n%+v\nwas\n%+v", l.Name, back[i], l)
		}
		if is := encoded.List[i]; is.Name != l.Name || is.Title != l.Title || is.Chapter != l.Chapter {
			t.Errorf("%s is listed as %+v", l.Name, is)
		}
	}
	if !json.Valid(data) {
		t.Error("a catalog is not JSON")
	}
	t.Logf("%d lessons take %d bytes", len(catalog), len(data))
}

func TestWhatIsNoCatalogIsRefused(t *testing.T) {
	good, err := lessons.Encode([]*lessons.Lesson{{Name: "a", Hash: "1", Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}}}})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := readAll(good); err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	replaced := func(old, with string) string {
		text := strings.Replace(string(good), old, with, 1)
		if text == string(good) {
			t.Fatalf("there is no %s in %s", old, good)
		}
		return text
	}
	for _, text := range []string{
		"", "{", "null x", "[null]", "[{}]", "<!doctype html>", `{"Name":"a"}`, "[\n[],\n{}\n]\n", "[\n\n]\n",
		string(good[:len(good)/2]), string(good[:len(good)-2]), string(good) + "[]",
		replaced(`"Hash":"1"`, `"Hash":""`), replaced(`"Hash":"1"`, `"Hash":"1","Colour":"red"`), replaced(`"Hash":"1"`, `"Hash":1`),
		replaced(`[{"Name":"a"`, `[{"Name":"b"`), replaced(`[{"Name":"a"`, `[{"Colour":"red","Name":"a"`), replaced("\n]", "{}\n]"),
		strings.Repeat("[", 100_000),
	} {
		if got, err := readAll([]byte(text)); err == nil {
			t.Errorf("%.60q is read as %d lessons", text, len(got))
		}
	}
}

func readAll(data []byte) ([]*lessons.Lesson, error) {
	encoded, err := lessons.Decode(data)
	if err != nil {
		return nil, err
	}
	var all []*lessons.Lesson
	for _, listed := range encoded.List {
		l, err := encoded.Read(listed.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// written is a lesson of a text.
func written(t *testing.T, text string) *lessons.Lesson {
	t.Helper()
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
	if l == nil {
		t.Fatal(err)
	}
	return l
}

// asksForTTL begins a lesson that has a script which writes in the last two seconds of a key.
const asksForTTL = `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
scripts:
  late: {source: "local t = redis.call('pttl', KEYS[1]) if t > 0 and t < 2000 then redis.call('set', KEYS[2], 1) end return t"}
`

// foundAnyTime is what a search of a lesson finds first where everybody may be late.
func foundAnyTime(t *testing.T, l *lessons.Lesson) (lessons.Question, search.Verdict) {
	t.Helper()
	q := lessons.Question{Bounds: search.Bounds{Time: search.AnyLate}}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q, v
}
