package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each kind of choice happens in a scenario, and what may stand behind its target, too.
func TestEveryKindOfChoiceIsInAScenario(t *testing.T) {
	all := scenarios(t)
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

func TestEveryRuleBreaksInAScenario(t *testing.T) {
	all := scenarios(t)
	for _, name := range RuleNames() {
		if !bytes.Contains(all, []byte("✗ "+name+": ")) {
			t.Errorf("%s breaks in no scenario", name)
		}
	}
}

// scenarios are the texts of all scenarios.
func scenarios(t *testing.T) []byte {
	t.Helper()
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
	return all
}
