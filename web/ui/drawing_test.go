package ui

import (
	"regexp"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// A band whose middle an instant crosses has its words above it.
func TestWordsInABandFindTheirPlace(t *testing.T) {
	d := diagram{Events: []event{{Step: &engine.Step{Choice: engine.Choice{Kind: engine.Tick}}, drawnStep: &drawnStep{y: 21}}}}
	var p pen
	p.both(&View{Lang: lessons.En}, d, band{To: 60, End: leastBand, Two: true})
	if !strings.Contains(p.String(), "both inside") {
		t.Errorf("it has no words: %s", p.String())
	}
	p, d.Events[0].y = pen{}, 12
	p.both(&View{Lang: lessons.En}, d, band{To: 60, End: leastBand + 6, Two: true})
	if strings.Count(p.String(), "both inside") != 1 {
		t.Errorf("it says it more than once: %s", p.String())
	}
}

// Of two lines of words in a narrow band, a screen shows both or none.
func TestSmallWordsInABandStandTogether(t *testing.T) {
	line := regexp.MustCompile(`overlap-says small(?: on-([a-z]+))?"`)
	told := 0
	for _, lang := range []lessons.Lang{lessons.En, lessons.Zh} {
		for width := 1.0; width < 20; width += .2 {
			var p pen
			p.both(&View{Lang: lang}, diagram{}, band{To: width, End: leastBand, Two: true})
			for _, on := range breadths {
				lines := 0
				for _, found := range line.FindAllStringSubmatch(p.String(), -1) {
					if found[1] == "" || strings.IndexByte(found[1], on.class) >= 0 {
						lines++
					}
				}
				if lines != 0 && lines != 2 {
					t.Errorf("%s, a band of %.1f%% on %c: %d lines", lang, width, on.class, lines)
				}
				told += lines
			}
		}
	}
	if told == 0 {
		t.Error("no band has small words")
	}
}

// A band that is too narrow for words has them on its right, unless somebody's bar is there.
func TestWordsStandBesideANarrowBand(t *testing.T) {
	var p pen
	d := diagram{gutter: 40, Lanes: []lane{{X: 15}}}
	b := band{From: 1, To: 2, End: leastBand, Two: true}
	p.both(&View{Lang: lessons.En}, d, b)
	if !strings.Contains(p.String(), `outside`) {
		t.Error("nothing says that two are inside")
	}
	p, d.Lanes[0].X, d.Lanes[0].Segments = pen{}, 3, []segment{{Class: "in", End: 10}}
	p.both(&View{Lang: lessons.En}, d, b)
	if strings.Contains(p.String(), "outside") {
		t.Error("words lie on a bar")
	}
}
