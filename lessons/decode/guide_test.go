package decode_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

var (
	guideBlock = regexp.MustCompile("(?ms)^```(yaml|lua)\n(.*?)^```$")
	topKey     = regexp.MustCompile(`(?m)^([a-z]+):`)
	clientFile = regexp.MustCompile(`^-- (clients/[a-z-]+\.lua)`)
)

// Every block of the authoring guide runs: a block with a title is a lesson, any
// other replaces keys of the lesson before it, and a client lies where it says.
func TestGuideRuns(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	var lesson string
	var played int
	for _, block := range guideBlock.FindAllStringSubmatchIndex(string(text), -1) {
		language, body := string(text[block[2]:block[3]]), string(text[block[4]:block[5]])
		line := 1 + strings.Count(string(text[:block[4]]), "\n")
		if language == "lua" {
			m := clientFile.FindStringSubmatch(body)
			if m == nil {
				t.Fatalf("README.md:%d: the block does not say which file it is", line)
			}
			files[m[1]] = &fstest.MapFile{Data: []byte(body)}
			continue
		}
		if strings.HasPrefix(body, "title:") {
			lesson = body
		}
		files["01-guide/lesson.yaml"] = &fstest.MapFile{Data: []byte(overlay(lesson, body))}
		checkGuide(t, files, line)
		played++
	}
	if played == 0 {
		t.Fatal("the guide has no YAML")
	}
}

func checkGuide(t *testing.T, files fstest.MapFS, line int) {
	t.Helper()
	l, err := decode.Lesson(files, "01-guide")
	if err != nil {
		t.Fatalf("README.md:%d:\n%v", line, err)
	}
	if len(l.Warnings) > 0 {
		t.Errorf("README.md:%d:\n%v", line, l.Warnings)
	}
	report, err := lessons.Check(context.Background(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatalf("README.md:%d: %v", line, err)
	}
	if !report.OK() {
		t.Errorf("README.md:%d:\n%v", line, report.Problems)
	}
	unproven, err := l.Prove(context.Background())
	if err != nil || len(unproven) > 0 {
		t.Errorf("README.md:%d: %v\n%v", line, err, unproven)
	}
}

// overlay is a lesson in which a fragment's keys stand in place of its own.
func overlay(lesson, fragment string) string {
	if lesson == fragment {
		return lesson
	}
	var out strings.Builder
	replaced := topKeys(fragment)
	for _, part := range splitAtKeys(lesson) {
		if !slices.Contains(replaced, topKeys(part)[0]) {
			out.WriteString(part)
		}
	}
	return out.String() + fragment
}

func topKeys(yaml string) []string {
	var keys []string
	for _, m := range topKey.FindAllStringSubmatch(yaml, -1) {
		keys = append(keys, m[1])
	}
	return keys
}

func splitAtKeys(yaml string) []string {
	var parts []string
	at := topKey.FindAllStringIndex(yaml, -1)
	for i, m := range at {
		end := len(yaml)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		parts = append(parts, yaml[m[0]:end])
	}
	return parts
}

// The guide leaves out no key of the format.
func TestGuideNamesEveryKey(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := decode.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	for _, key := range keysOf(root) {
		if !regexp.MustCompile("(?m)(^|[ `{\\-])" + key + "[:`]").Match(text) {
			t.Errorf("lessons/README.md does not mention %q", key)
		}
	}
}

// keysOf are the names of all properties in a schema.
func keysOf(node any) []string {
	var keys []string
	switch n := node.(type) {
	case map[string]any:
		for name, value := range n {
			if properties, ok := value.(map[string]any); ok && name == "properties" {
				keys = slices.AppendSeq(keys, maps.Keys(properties))
			}
			keys = append(keys, keysOf(value)...)
		}
	case []any:
		for _, value := range n {
			keys = append(keys, keysOf(value)...)
		}
	}
	return keys
}

// The guide names the words that the format has: an author copies them from there.
func TestGuideNamesEveryWord(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := decode.Schema()
	if err != nil {
		t.Fatal(err)
	}
	statuses := "ready, waiting, sleeping, blocked, unanswered, paused, crashed, finished, failed"
	if !strings.Contains(string(text), "the status of an actor: "+statuses+" |") {
		t.Errorf("lessons/README.md does not list the statuses %s", statuses)
	}
	for word := range strings.SplitSeq(statuses, ", ") {
		if !strings.Contains(string(schema), `"`+word+`"`) {
			t.Errorf("there is no status %q", word)
		}
	}
	for _, name := range engine.RuleNames() {
		if !strings.Contains(string(text), "- `"+name+"`:") {
			t.Errorf("lessons/README.md does not explain the invariant %q", name)
		}
	}
}
