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
