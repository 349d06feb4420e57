package ui

import (
	"slices"

	"lockstep/lessons"
)

// lockFact is an answer in the comparison of locks, and the step of a story that shows it.
type lockFact struct {
	Lock   int // among comparedLocks
	Says   msg
	Lesson string // none: no lesson shows it yet
	Step   int
}

// comparedRow is a question, with the facts that answer it.
type comparedRow struct {
	Question msg
	Facts    []lockFact
}

func (r comparedRow) about(lock int) []lockFact {
	return slices.DeleteFunc(slices.Clone(r.Facts), func(f lockFact) bool { return f.Lock != lock })
}

// ComparedPath is the address of the comparison of locks, from the site's folder.
func ComparedPath(lang lessons.Lang) string { return HomePath(lang) + "compare/" }

// WhichPath is the address of the table that says which lock is for what.
func WhichPath(lang lessons.Lang) string { return ComparedPath(lang) + "#which" }

// shownBy finds the lesson of a fact, which somebody may have left out of the catalog.
func (f lockFact) shownBy(catalog []*lessons.Lesson) *lessons.Lesson {
	return lessons.Find(catalog, f.Lesson)
}

// step is where the lesson's story shows the fact: at its end when somebody has made it shorter.
func (f lockFact) step(l *lessons.Lesson) int { return min(f.Step, len(l.Choices())) }
