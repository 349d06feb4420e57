package decode_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// tableOfLessons is written by go test ./lessons/decode -update.
const tableOfLessons = "../../docs/LESSONS.md"

// mechanism is one thing that the documents name.
type mechanism struct {
	name    string
	lessons []string // that show it
	reason  string   // why none does
}

// document is a text with all that it names.
type document struct {
	title      string
	mechanisms []mechanism
}

// TestEveryMechanismHasALesson: docs/LESSONS.md says which lesson shows what the documents
// name, and every lesson shows something.
func TestEveryMechanismHasALesson(t *testing.T) {
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*lessons.Lesson{}
	for _, l := range all {
		byName[l.Name] = l
	}
	shown := map[string]bool{}
	documents := readDocuments(t)
	for _, d := range documents {
		for _, m := range d.mechanisms {
			for _, name := range m.lessons {
				shown[name] = true
				if byName[name] == nil {
					t.Errorf("%s: %s: there is no lesson %q", d.title, m.name, name)
				}
			}
		}
	}
	for _, l := range all {
		if !shown[l.Name] {
			t.Errorf("testdata/mechanisms.txt does not say what the lesson %s shows", l.Name)
		}
	}
	if t.Failed() {
		return
	}
	want := writeTable(documents, all, byName)
	if *update {
		if err := os.WriteFile(tableOfLessons, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(tableOfLessons)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("docs/LESSONS.md is out of date, run go test ./lessons/decode -update (- should be, + is):\n%s", d)
	}
}

func readDocuments(t *testing.T) []document {
	t.Helper()
	text, err := os.ReadFile("testdata/mechanisms.txt")
	if err != nil {
		t.Fatal(err)
	}
	var documents []document
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if title, begins := strings.CutPrefix(line, "= "); begins {
			documents = append(documents, document{title: title})
			continue
		}
		name, where, ok := strings.Cut(line, " | ")
		if !ok || len(documents) == 0 {
			t.Fatalf("testdata/mechanisms.txt:%d: %q has no lesson and no reason", i+1, line)
		}
		m := mechanism{name: name}
		if strings.HasPrefix(where, "not yet: ") || strings.HasPrefix(where, "none: ") {
			m.reason = where
		} else {
			m.lessons = strings.Split(where, ", ")
		}
		d := &documents[len(documents)-1]
		if slices.ContainsFunc(d.mechanisms, func(o mechanism) bool { return o.name == name }) {
			t.Fatalf("testdata/mechanisms.txt:%d: %q appears a second time", i+1, name)
		}
		d.mechanisms = append(d.mechanisms, m)
	}
	return documents
}

func writeTable(documents []document, all []*lessons.Lesson, byName map[string]*lessons.Lesson) string {
	var b strings.Builder
	b.WriteString("# Lessons\n\n" +
		"This file is written by `go test ./lessons/decode -update`, from lessons/decode/testdata/mechanisms.txt and the lessons.\n\n" +
		"What the documents name, and the lessons that show it. A lesson is *ready* when `playground check --strict` passes on the\n" +
		"engines that stand beside it.\n")
	for _, d := range documents {
		fmt.Fprintf(&b, "\n## %s\n\n| mechanism | lessons | engines | state |\n|---|---|---|---|\n", d.title)
		for _, m := range d.mechanisms {
			if m.reason != "" {
				fmt.Fprintf(&b, "| %s | | | %s |\n", m.name, m.reason)
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s | ready |\n", m.name, links(m.lessons, byName), enginesOf(m.lessons, byName))
		}
	}
	b.WriteString(incidents(all, byName))
	predictions, challenges := 0, 0
	var rows strings.Builder
	for _, l := range all {
		asks := 0
		for _, beat := range l.Story {
			if beat.Ask != nil {
				asks++
			}
		}
		predictions += asks
		challenges += len(l.Challenges)
		fmt.Fprintf(&rows, "| %s | %s | %s | %d | %s | %s | %d | %d | %d |\n", links([]string{l.Name}, byName), l.Chapter, waysOf(l.Name), l.Minutes(), versionsOf(l),
			enginesOf([]string{l.Name}, byName), len(l.Choices()), asks, len(l.Challenges))
	}
	b.WriteString(ways(all, byName))
	fmt.Fprintf(&b, "\n## All %d lessons\n\n%d predictions and %d challenges.\n\n| lesson | chapter | ways | minutes | behaves as shown | engines | moves | predictions | challenges |\n|---|---|---|---|---|---|---|---|---|\n%s",
		len(all), predictions, challenges, rows.String())
	return b.String()
}

// incidents are the lessons that say what they affect: which versions, and what cured it.
func incidents(all []*lessons.Lesson, byName map[string]*lessons.Lesson) string {
	var b strings.Builder
	b.WriteString("\n## What behaves as the stories show\n\n| lesson | affected | cured |\n|---|---|---|\n")
	for _, l := range all {
		if l.Affected != nil || l.Cured != nil {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", links([]string{l.Name}, byName), inEnglish(l.Affected), inEnglish(l.Cured))
		}
	}
	return b.String()
}

func inEnglish(statements []lessons.Text) string {
	var out []string
	for _, s := range statements {
		out = append(out, s.En)
	}
	return strings.Join(out, "; ")
}

func links(names []string, byName map[string]*lessons.Lesson) string {
	var out []string
	for _, name := range names {
		folder := strings.TrimSuffix(byName[name].File, "/"+decode.Filename)
		out = append(out, fmt.Sprintf("[%s](../lessons/%s)", name, strings.TrimPrefix(folder, "lessons/")))
	}
	return strings.Join(out, ", ")
}

// enginesOf are those that are real servers for all kinds of nodes that the lessons have,
// and the embedded one.
func enginesOf(names []string, byName map[string]*lessons.Lesson) string {
	kinds, newer := map[lessons.NodeKind]bool{}, false
	for _, name := range names {
		for _, n := range byName[name].Nodes {
			kinds[n.Kind] = true
			newer = newer || n.Version != ""
		}
	}
	switch {
	case newer:
		return "embedded"
	case len(kinds) == 1 && kinds[lessons.Redis]:
		return "embedded, Redis, Valkey"
	case len(kinds) == 1 && kinds[lessons.SQL]:
		return "embedded, MariaDB"
	}
	return "embedded"
}
