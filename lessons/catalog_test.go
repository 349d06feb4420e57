package lessons_test

import (
	"reflect"
	"strings"
	"sync"
	"testing"

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
	back, err := lessons.Decode(data)
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
	}
	t.Logf("%d lessons take %d bytes", len(catalog), len(data))
}

func TestWhatIsNoCatalogIsRefused(t *testing.T) {
	good, err := lessons.Encode([]*lessons.Lesson{{Name: "a", Hash: "1", Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lessons.Decode(good); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "{", "null x", "[null]", "[{}]", "<!doctype html>", `[{"Name":"a","Colour":"red"}]`, `{"Name":"a"}`,
		string(good[:len(good)/2]), string(good) + "[]", strings.Replace(string(good), `"Hash":"1"`, `"Hash":""`, 1),
		strings.Repeat("[", 100_000),
	} {
		if got, err := lessons.Decode([]byte(text)); err == nil {
			t.Errorf("%.60q is read as %d lessons", text, len(got))
		}
	}
}
