package ui

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// readOnce are the lessons that come with the playground, which no test changes.
var readOnce = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

func lessonsBuiltIn(t *testing.T) []*lessons.Lesson {
	t.Helper()
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every fact has both languages, and is shown by a lesson where it says so: the golden has what
// the story tells there.
func TestEveryComparedFactIsShown(t *testing.T) {
	all := lessonsBuiltIn(t)
	var text strings.Builder
	for _, row := range comparedRows {
		fmt.Fprintf(&text, "%s\n", row.Question.en)
		for i, lock := range comparedLocks {
			if len(row.about(i)) == 0 {
				t.Errorf("%q has no answer for %q", row.Question.en, lock.en)
			}
			for _, f := range row.about(i) {
				if f.Says.en == "" || f.Says.zh == "" {
					t.Errorf("%q: %q / %q lacks a language", row.Question.en, f.Says.en, f.Says.zh)
				}
				fmt.Fprintf(&text, "  %s: %s\n    %s\n", lock.en, f.Says.en, toldAt(t, f, all))
			}
		}
	}
	golden(t, "compared.txt", text.String())
}

// Every question leads to the step of a story that answers it: the golden has what is told there.
func TestEveryConcernIsAnswered(t *testing.T) {
	all := lessonsBuiltIn(t)
	var text strings.Builder
	for _, c := range lessons.Concerns {
		if c.Asks.En == "" || c.Asks.Zh == "" {
			t.Errorf("%q lacks a language", c.Asks)
		}
		fmt.Fprintf(&text, "%s\n  %s\n", c.Asks.En, toldAt(t, lockFact{Says: msg{en: c.Asks.En}, Lesson: c.Lesson, Step: c.Step}, all))
	}
	golden(t, "concerns.txt", text.String())
}

// Each choice of a lock leads to a lesson.
func TestEveryChoiceOfALockIsShown(t *testing.T) {
	all := lessonsBuiltIn(t)
	for _, row := range whichRows {
		if lessons.Find(all, row.Lesson) == nil {
			t.Errorf("%s: there is no lesson %s", row.Need.en, row.Lesson)
		}
	}
}

// toldAt is what a story tells at the step of a fact.
func toldAt(t *testing.T, f lockFact, all []*lessons.Lesson) string {
	t.Helper()
	if f.Lesson == "" {
		return "no lesson"
	}
	l := f.shownBy(all)
	if l == nil {
		t.Fatalf("%q: there is no lesson %s", f.Says.en, f.Lesson)
	}
	beats := l.BeatsAt(f.Step)
	if f.Step == 0 || len(beats) == 0 {
		t.Fatalf("%q: no part of the story of %s ends at step %d", f.Says.en, f.Lesson, f.Step)
	}
	say := l.Story[beats[0]].Say.Source.En
	return fmt.Sprintf("%s, step %d: %s", f.Lesson, f.Step, strings.Join(strings.Fields(say), " "))
}

// A link leads to the step; without the lesson there is none.
func TestGoldensOfTheComparison(t *testing.T) {
	l := lesson()
	l.Name = "redisson-lock"
	for _, lang := range languages {
		html := render(t, comparisonTable(lang, []*lessons.Lesson{l}))
		golden(t, "compared."+string(lang)+".html", betweenTags.ReplaceAllString(strings.TrimSpace(html), ">\n<")+"\n")
	}
	if html := render(t, LocksCompared(lessons.En, nil, shell)); strings.Contains(html, "lessons/") {
		t.Error("there is a link to a lesson that is not in the catalog")
	}
}
