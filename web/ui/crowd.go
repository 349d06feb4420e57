package ui

import "strconv"

// manyOf is how many clients an actor stands for, as ×97; empty for one that is no crowd.
func manyOf(v *View, actor string) string {
	for _, a := range v.Lesson.Actors {
		if a.Name == actor && a.Count > 0 {
			return "×" + strconv.Itoa(a.Count)
		}
	}
	return ""
}

// head is what stands above a lane.
func head(v *View, l lane) string { return clip(l.Name, 12) + manyOf(v, l.Name) }
