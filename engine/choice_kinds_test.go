package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each kind of choice happens in a scenario, and what may stand behind its target, too.
func TestEveryKindOfChoiceIsInAScenario(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	for _, row := range ChoiceKinds {
		happened := regexp.QuoteMeta(string(row.Kind)) + `.*`
		if row.Of == AnActor {
			happened = `A sends .*`
		}
		if row.May != "" {
			happened += regexp.QuoteMeta(row.May)
		}
		if !regexp.MustCompile(`(?m)^ +\d+  t=\S+ +` + happened + `$`).Match(all) {
			t.Errorf("%s %s happens in no scenario", row.Kind, row.May)
		}
	}
}
