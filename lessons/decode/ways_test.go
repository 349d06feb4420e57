package decode_test

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/lessons"
)

// ways is a table of the routes through the lessons.
func ways(all []*lessons.Lesson, byName map[string]*lessons.Lesson) string {
	var b strings.Builder
	b.WriteString("\n## Ways\n\n| way | lessons | minutes |\n|---|---|---|\n")
	for _, w := range lessons.Ways {
		w = w.In(all)
		fmt.Fprintf(&b, "| %s | %s | %d |\n", w.Title.En, links(w.Lessons(), byName), w.MinutesOf(all))
	}
	return b.String()
}

// waysOf are those that a lesson is a station of, with its number among them.
func waysOf(name string) string {
	var out []string
	for _, w := range lessons.Ways {
		if at := slices.Index(w.Lessons(), name); at >= 0 {
			out = append(out, fmt.Sprintf("%s %d", w.Name, at+1))
		}
	}
	return strings.Join(out, ", ")
}

// versionsOf are those that behave as a lesson shows.
func versionsOf(l *lessons.Lesson) string {
	return inEnglish(append(slices.Clone(l.Versions), l.Affected...))
}
