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
	line := regexp.MustCompile(`overlap-says small(?: on ([a-z ]+))?"`)
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
	p, d.gutter, d.gutterEnd = pen{}, 3, 40
	p.both(&View{Lang: lessons.En}, d, b)
	if !strings.Contains(p.String(), "outside") {
		t.Error("no words stand in the gutter, where nothing is said")
	}
	p, d.Events = pen{}, []event{{Step: &engine.Step{Choice: engine.Choice{Kind: engine.Crash}}, drawnStep: &drawnStep{y: 30}}}
	p.both(&View{Lang: lessons.En}, d, b)
	if strings.Contains(p.String(), "outside") {
		t.Error("words lie on what an arrow says")
	}
	p, d.gutter, d.Lanes[0].X, d.Lanes[0].Segments = pen{}, 40, 3, []segment{{Class: "in", End: 10}}
	p.both(&View{Lang: lessons.En}, d, b)
	if strings.Contains(p.String(), "outside") {
		t.Error("words lie on a bar")
	}
}

// Where two are inside since the shown step, their bars are as high as their band; any other bar that has just begun is seen.
func TestABarThatHasJustBegunIsSeen(t *testing.T) {
	high := regexp.MustCompile(`height="(\d+)"`)
	for class, want := range map[string]string{"in": "12", "in clash": "34"} {
		for name, d := range map[string]diagram{"the present": {Now: 104, Bottom: 104}, "the end, seen from before": {Now: 20, Bottom: 104}} {
			var p pen
			p.segment(d, 1, "", segment{class, 100, 104})
			if got := high.FindStringSubmatch(p.String()); got == nil || got[1] != want {
				t.Errorf("%s, %q: %v, want %s", name, class, got, want)
			}
		}
	}
}

// A step that breaks a rule has one mark, as two on each other are neither.
func TestAStepThatBreaksARuleHasOneMark(t *testing.T) {
	e := event{Step: &engine.Step{}}
	if e.mark("i-ok") != "i-ok" {
		t.Error("a step that breaks nothing is not marked as what it was")
	}
	e.Broken = []engine.Violation{{}}
	if e.mark("i-ok") != "i-broken" {
		t.Error("a breach is not marked")
	}
}

// The story's progress tells at a glance where it asks, and where an accident was read of.
func TestProgressShowsQuestionsAndTheAccident(t *testing.T) {
	run := []engine.Choice{{Kind: engine.Run, Target: "A"}}
	v := &View{
		Lesson: &lessons.Lesson{Story: []lessons.Beat{{Choices: run}, {Choices: run, Ask: &lessons.Ask{}}, {Choices: run}}},
		Story:  Story{OnStory: true, Stops: []int{1, 2, 3}, Total: 3},
		Trace:  &engine.Trace{Steps: []engine.Step{{N: 1}, {N: 2}, {N: 3, Broken: []engine.Violation{{}}}}},
	}
	line := regexp.MustCompile(`class="([a-z ]+)" x1="([0-9.]+)%"`)
	for pos, want := range []string{"rail 0.00, asks 33.33", "rail 0.00, read 0.00, asks 33.33", "rail 0.00, read 0.00, asks read 33.33", "rail 0.00, read 0.00, asks read 33.33, breaks 66.67"} {
		v.Pos = pos
		var drawn strings.Builder
		if err := beats(v).Render(t.Context(), &drawn); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, found := range line.FindAllStringSubmatch(drawn.String(), -1) {
			got = append(got, found[1]+" "+found[2])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("after %d steps: %s, want %s", pos, strings.Join(got, ", "), want)
		}
	}
}
