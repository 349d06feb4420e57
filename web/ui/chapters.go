package ui

import "lockstep/lessons"

// numbered is a lesson with its place in the catalogue.
type numbered struct {
	Number int
	Lesson *lessons.Lesson
}

type chapter struct {
	Title   lessons.Text
	Lessons []numbered
}

// chapters groups the catalogue; chapters without lessons are left out, and a
// lesson of an unknown chapter stands under the chapter's key.
func chapters(catalog []*lessons.Lesson) []chapter {
	var out []chapter
	at := map[string]int{}
	for _, c := range lessons.Chapters {
		at[c.Key] = len(out)
		out = append(out, chapter{Title: c.Title})
	}
	for i, l := range catalog {
		n, known := at[l.Chapter]
		if !known {
			n = len(out)
			at[l.Chapter] = n
			out = append(out, chapter{Title: lessons.Text{En: l.Chapter, Zh: l.Chapter}})
		}
		out[n].Lessons = append(out[n].Lessons, numbered{i + 1, l})
	}
	filled := out[:0]
	for _, c := range out {
		if len(c.Lessons) > 0 {
			filled = append(filled, c)
		}
	}
	return filled
}
