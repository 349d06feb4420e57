package browsertest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What waits for a page to be drawn never happens in the tabs of open. Tests of a script that
// is listed here use those of onScreen, as those of the editors do.
func TestNoScriptWaitsForAScreenUnseen(t *testing.T) {
	t.Parallel()
	waits := regexp.MustCompile(`requestAnimationFrame|(Intersection|Resize)Observer|['"](scroll|scrollend|resize|transitionend|animationend)['"]|matchMedia\([^)]*\)\.(addEventListener|onchange)`)
	scripts, err := filepath.Glob("../../static/src/*.js")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("the page's scripts are %v (%v)", scripts, err)
	}
	onScreen := map[string]bool{"strip.js": true, "highlight.js": true, "below.js": true}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(script)
		if found := waits.FindString(string(text)); (found != "") != onScreen[name] && !strings.HasSuffix(name, ".test.js") {
			t.Errorf("%s waits for a screen: %t (%q), but its tests are said to use one: %t", name, found != "", found, onScreen[name])
		}
	}
}

// What moves is transformed or fades: neither has the page laid out again.
func TestWhatMovesIsTransformedOrFades(t *testing.T) {
	t.Parallel()
	sheets, err := filepath.Glob("../../static/src/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatalf("the style sheets are %v (%v)", sheets, err)
	}
	moves := regexp.MustCompile(`transition: *([a-z-]+)|@keyframes[^{]*\{((?:[^{}]*\{[^}]*\})*)`)
	changes := regexp.MustCompile(`[{;] *([a-z-]+):`)
	for _, sheet := range sheets {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves.FindAllStringSubmatch(string(text), -1) {
			all := []string{m[1]}
			for _, c := range changes.FindAllStringSubmatch(m[2], -1) {
				all = append(all, c[1])
			}
			for _, property := range all {
				if !strings.Contains(" transform opacity visibility none ", " "+property+" ") && property != "" {
					t.Errorf("%s moves by %s: %s", filepath.Base(sheet), property, m[0])
				}
			}
		}
	}
}
