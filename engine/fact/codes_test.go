package fact_test

import (
	"os"
	"regexp"
	"testing"
)

// TestNoCodeStandsTwice: the words of servers are copied over the others, and one code would take the
// words of another.
func TestNoCodeStandsTwice(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\t+"([a-z0-9-]+)":`)
	for _, files := range [][]string{
		{"english.go", "english_servers.go"},
		{"../../web/ui/chinese.go", "../../web/ui/chinese_servers.go", "../../web/ui/chinese_attach.go"},
	} {
		met := map[string]string{}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range row.FindAllSubmatch(source, -1) {
				if code := string(m[1]); met[code] != "" {
					t.Errorf("%s stands in %s and in %s", code, met[code], name)
				} else {
					met[code] = name
				}
			}
		}
		if len(met) < 100 {
			t.Errorf("%q have %d codes", files, len(met))
		}
	}
}
