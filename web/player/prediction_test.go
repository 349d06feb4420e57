package player

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Words that are about an earlier step say so, and when the story speaks again.
func TestEarlierWordsAreDated(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":3`)
	for _, said := range []string{"Said after step 2", "More is said after step 4."} {
		if !strings.Contains(d.html["f-story"], said) {
			t.Errorf("the story does not say %q: %s", said, d.html["f-story"])
		}
	}
	d.ok(`"op":"seek","pos":4`)
	if strings.Contains(d.html["f-story"], "Said ") || strings.Contains(d.html["f-story"], "More is said") {
		t.Errorf("words about this step are dated: %s", d.html["f-story"])
	}
}

// A prediction about several steps says how many it makes, and afterwards which they were.
func TestAPredictionSaysHowManyStepsItMakes(t *testing.T) {
	d := openCatalog(t, builtIn(t), "sql-deadlock")
	for d.session.View().Prediction == nil || len(d.session.lesson.Story[d.session.View().Prediction.Beat].Choices) < 3 {
		d.ok(`"op":"seek","pos":` + strconv.Itoa(d.session.View().Pos+1))
	}
	v := d.session.View()
	if !strings.Contains(d.html["f-lead"], "What do you expect after the next 3 steps?") {
		t.Errorf("the question says %s", d.html["f-lead"])
	}
	d.ok(fmt.Sprintf(`"op":"answer","beat":%d,"text":""`, v.Prediction.Beat))
	if want := fmt.Sprintf("Steps %d to %d were made.", v.Pos+1, v.Pos+3); !strings.Contains(d.html["f-story"], want) {
		t.Errorf("the answer does not say %q: %s", want, d.html["f-story"])
	}
}

// What a question offers is worded differently, in each language, and a chip has a word of its own.
func TestNoAnswerIsOfferedTwice(t *testing.T) {
	option := regexp.MustCompile(`<button type="submit" class="btn option[^>]*>([^<]*)<`)
	for _, lang := range []lessons.Lang{lessons.En, lessons.Zh} {
		for _, l := range builtIn(t) {
			for i, b := range l.Story {
				if b.Ask == nil {
					continue
				}
				var html strings.Builder
				begins := engine.Snapshot{Nodes: []engine.NodeView{{Node: l.Nodes[0].Name}}}
				v := ui.View{Lang: lang, Lesson: l, Trace: &engine.Trace{Start: begins}, Story: ui.Story{OnStory: true}, Prediction: &ui.Prediction{Beat: i}}
				for _, f := range ui.Fragments(v) {
					if f.ID != "f-lead" {
						continue
					}
					if err := f.Component.Render(t.Context(), &html); err != nil {
						t.Fatal(err)
					}
				}
				said := map[string]bool{}
				for _, found := range option.FindAllStringSubmatch(html.String(), -1) {
					if said[found[1]] || found[1] == "" {
						t.Errorf("%s, %s: %s offers %q twice", l.Name, lang, b.Ask.Question.In(lang), found[1])
					}
					said[found[1]] = true
				}
				if len(said) < 2 {
					t.Errorf("%s, %s: %s offers %d answers", l.Name, lang, b.Ask.Question.In(lang), len(said))
				}
			}
		}
	}
}
