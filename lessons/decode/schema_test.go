package decode_test

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// beyondASchema are mistakes that only the decoder sees.
var beyondASchema = []string{
	"repair-without-edits", "repair-with-edits-that-are-none", "solution-is-missing", // what there must be depends on the goal
	"script-without-source",      // one of two keys must be there
	"given-with-a-list-as-a-key", // any text is a key
	"hash-as-a-list",             // the form of a value depends on the type beside it
}

// compiled is the schema as a validator of others sees it.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := decode.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("lesson.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("lesson.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keyList is a list as a key, which the reader of YAML here takes only as text.
var keyList = regexp.MustCompile(`(?m)^( *)(\[[^]]*\]):`)

// valid asks the schema about the text of a lesson.
func valid(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(keyList.ReplaceAll(text, []byte(`$1"$2":`)), &value); err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

func TestTheSchemaTakesEveryLesson(t *testing.T) {
	s := compiled(t)
	files, err := fs.Glob(lessons.FS, "*/"+decode.Filename)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d lessons, %v", len(files), err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(lessons.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(t, s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := valid(t, s, good(t)["07-good-lesson/lesson.yaml"].Data); err != nil {
		t.Errorf("the good lesson: %v", err)
	}
}

func TestTheSchemaRefusesWhatHasUnknownKeys(t *testing.T) {
	s := compiled(t)
	refused := 0
	for _, c := range broken {
		fsys := good(t)
		edit(t, fsys, c.old, c.new)
		_, err := decode.Lesson(fsys, "07-good-lesson")
		problems, ok := err.(lessons.Problems) //nolint:errorlint // it is returned as it is
		if !ok {
			t.Fatalf("%s: %v", c.name, err)
		}
		shape := []lessons.Code{lessons.CodeUnknownKey, lessons.CodeMissingKey, lessons.CodeKind}
		if !slices.ContainsFunc(problems, func(p *lessons.Problem) bool { return slices.Contains(shape, p.Code) }) {
			continue
		}
		if slices.Contains(beyondASchema, c.name) {
			continue
		}
		refused++
		if valid(t, s, fsys["07-good-lesson/lesson.yaml"].Data) == nil {
			t.Errorf("%s: the schema takes it", c.name)
		}
	}
	if refused < 10 {
		t.Errorf("%d lessons have mistakes that a schema can see, which is too few to mean anything", refused)
	}
}

// TestTheSchemaAndTheDecoderKnowTheSameKeys puts every key of the schema into a
// lesson where it belongs, and one that the schema does not have beside it.
func TestTheSchemaAndTheDecoderKnowTheSameKeys(t *testing.T) {
	text, err := decode.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, lesson string }{
		{"", "%s"},
		{"title", "title: {%s}"},
		{"scripts.*", "scripts: {x: {%s}}"},
		{"actors.*", "actors: {x: {%s}}"},
		{"invariants.[]", "invariants: [{%s}]"},
		{"story.[]", "story: [{%s}]"},
		{"story.[].say", "story: [{say: {%s}}]"},
		{"story.[].ask", "story: [{ask: {%s}}]"},
		{"story.[].ask.answer", "story: [{ask: {answer: {%s}}}]"},
		{"story.[].expect", "story: [{expect: {%s}}]"},
		{"story.[].expect.keys.*", "story: [{expect: {keys: {x: {%s}}}}]"},
		{"challenge", "challenge: {%s}"},
		{"challenge.goal", "challenge: {goal: {%s}}"},
	} {
		keys := schemaKeys(t, doc, c.path)
		if len(keys) == 0 {
			t.Errorf("at %q the schema has no keys", c.path)
		}
		for _, key := range append(keys, "nonsense") {
			yaml := strings.Replace(c.lesson, "%s", key+": x", 1)
			fsys := good(t)
			fsys["07-good-lesson/lesson.yaml"].Data = []byte(yaml)
			_, err := decode.Lesson(fsys, "07-good-lesson")
			unknown := err != nil && strings.Contains(err.Error(), `has no key "`+key+`"`)
			if unknown != (key == "nonsense") {
				t.Errorf("%s: the decoder and the schema do not agree on %q: %v", yaml, key, err)
			}
		}
	}
}

// schemaKeys lists the keys of an object of the schema: * is any key of a mapping,
// [] an item of a list.
func schemaKeys(t *testing.T, doc any, path string) []string {
	t.Helper()
	at := doc.(map[string]any)
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		switch part {
		case "*":
			at = at["additionalProperties"].(map[string]any)
		case "[]":
			at = at["items"].(map[string]any)
		default:
			at = at["properties"].(map[string]any)[part].(map[string]any)
		}
	}
	if either, ok := at["anyOf"].([]any); ok {
		at = either[len(either)-1].(map[string]any)
	}
	var keys []string
	for key, value := range at["properties"].(map[string]any) {
		if value.(map[string]any)["description"] == nil {
			t.Errorf("at %q the key %q has no description", path, key)
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestTheSchemaIsWhatWasReviewed(t *testing.T) {
	text, err := decode.Schema()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "lesson.schema.json"), string(text))
	again, err := decode.Schema()
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("a second time the schema is another one:\n%s", cmp.Diff(string(text), string(again)))
	}
	if strings.Contains(string(text), `"$id": "http`) {
		t.Error("the schema's $id names a host")
	}
}
