package player

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
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

// answered plays the fixture's story to its end, with an answer that is right.
func answered(t *testing.T) *testClient {
	t.Helper()
	d := open(t)
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"answer","beat":2,"text":"nil"`)
	d.ok(`"op":"seek","pos":5`)
	return d
}

// Wherever a page is loaded again, the learner is told as much of their answers as before.
func TestAnswersComeBackWithTheLesson(t *testing.T) {
	d := answered(t)
	for pos := range 6 {
		d.ok(fmt.Sprintf(`"op":"seek","pos":%d`, pos))
		kept, err := json.Marshal(d.last.Answers)
		if err != nil {
			t.Fatal(err)
		}
		again := open(t)
		again.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","schedule":%q,"pos":%d,"answers":%s`, d.last.Schedule, pos, kept))
		if s := again.session.View().Story; s.Asked != 1 || s.Right != 1 {
			t.Errorf("at %d, of %d answers %d are right", pos, s.Asked, s.Right)
		}
		for _, id := range []string{"f-lead", "f-story"} {
			if again.html[id] != d.html[id] {
				t.Errorf("at %d, %s shows\n%s\nwant\n%s", pos, id, again.html[id], d.html[id])
			}
		}
		if !slices.Equal(again.last.Answers, d.last.Answers) {
			t.Errorf("at %d, kept are %v", pos, again.last.Answers)
		}
	}
	d.ok(`"op":"reset"`)
	if d.last.Answers != nil {
		t.Errorf("from the start, kept are %v", d.last.Answers)
	}
}

func TestOnlyAnswersToWhatTheStoryHasAskedComeBack(t *testing.T) {
	told := `"schedule":"v1.f1c5e000.A.B.@2s"`
	for name, load := range map[string]string{
		"no beat before the first": told + `,"answers":[{"beat":-1,"text":"nil"}]`,
		"no beat after the last":   told + `,"answers":[{"beat":6,"text":"nil"},{"beat":9007199254740991,"text":"nil"}]`,
		"a beat that asks nothing": told + `,"answers":[{"beat":0,"text":"nil"},{"beat":1,"text":"nil"},{"beat":3,"text":"nil"}]`,
		"too long":                 told + `,"answers":[{"beat":2,"text":"` + strings.Repeat("x", maxAnswerBytes+1) + `"}]`,
		"not asked yet":            `"schedule":"v1.f1c5e000.A","answers":[{"beat":2,"text":"nil"}]`,
		"another timeline":         `"schedule":"v1.f1c5e000.A.@2s.B","answers":[{"beat":2,"text":"nil"}]`,
		"a try at the challenge":   told + `,"challenge":1,"answers":[{"beat":2,"text":"nil"}]`,
	} {
		d := open(t)
		d.ok(`"op":"load","lesson":"two-clients",` + load)
		if s := d.session.View().Story; s.Asked != 0 || d.last.Answers != nil {
			t.Errorf("%s: %d are answered, and kept are %v", name, s.Asked, d.last.Answers)
		}
	}
	d := open(t)
	d.ok(`"op":"load","lesson":"two-clients",` + told + `,"answers":[{"beat":2,"text":" OK "},{"beat":2,"text":"nil"}]`)
	if s := d.session.View().Story; s.Asked != 1 || s.Right != 0 || !slices.Equal(d.last.Answers, []KeptAnswer{{Beat: 2, Text: "OK"}}) {
		t.Errorf("twice: of %d answers %d are right, and kept are %v", s.Asked, s.Right, d.last.Answers)
	}
	d.refused(`"op":"load","lesson":"two-clients",`+told+`,"answers":[{"beat":2,"text":"nil","right":true}]`, CodeBadMessage)
}
