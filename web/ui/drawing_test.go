package ui

import (
	"regexp"
	"testing"

	"lockstep/lessons"
)

// Of two lines of words in a narrow band, a screen shows both or none.
func TestSmallWordsInABandStandTogether(t *testing.T) {
	class := regexp.MustCompile(`class="(overlap-says small[^"]*)"`)
	told := 0
	for _, lang := range []lessons.Lang{lessons.En, lessons.Zh} {
		for width := 1.0; width < 20; width += .2 {
			var p pen
			p.both(&View{Lang: lang}, diagram{}, band{To: width, End: leastBand, Two: true})
			lines := class.FindAllStringSubmatch(p.String(), -1)
			if len(lines) == 0 {
				continue
			}
			told++
			if len(lines) != 2 || lines[0][1] != lines[1][1] {
				t.Errorf("%s, a band of %.1f%%: %q", lang, width, lines)
			}
		}
	}
	if told == 0 {
		t.Error("no band has small words")
	}
}
