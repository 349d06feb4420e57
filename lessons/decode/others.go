package decode

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/lessons"
)

// others reads what a lesson says of other lessons: those that it needs, and the names that it had.
func (d *decoder) others(f *lessonForm) {
	for _, t := range f.Needs.items {
		if !d.lessonName(t, d.lesson.Needs) {
			continue
		}
		d.lesson.Needs = append(d.lesson.Needs, t.text)
		d.declare("needs", t.text, t.node)
		if known := d.library.names(); !slices.Contains(known, t.text) {
			advice := "playground list has the names of all lessons"
			if best := lessons.Closest(t.text, known); best != "" {
				advice = fmt.Sprintf("did you mean %q?", best)
			}
			d.warn(t.node, lessons.CodeUnknownName, fmt.Sprintf("there is no lesson %q", t.text), advice)
		}
	}
	for _, t := range f.Formerly.items {
		if d.lessonName(t, d.lesson.Formerly) {
			d.lesson.Formerly = append(d.lesson.Formerly, t.text)
			d.declare("formerly", t.text, t.node)
			if slices.Contains(d.library.names(), t.text) {
				d.warn(t.node, lessons.CodeDuplicateName, fmt.Sprintf("%q is a lesson today", t.text), "an old name leads to one lesson")
			}
		}
	}
}

// lessonName tells whether a text can be the name of another lesson, which stands here once.
func (d *decoder) lessonName(t plainText, before []string) bool {
	switch {
	case !t.ok():
	case !lessonName.MatchString(t.text):
		d.fail(t.node, lessons.CodeName, fmt.Sprintf("%q cannot be the name of a lesson", t.text), "write it without its number, as in reentrant-lock")
	case t.text == d.lesson.Name:
		d.fail(t.node, lessons.CodeValue, "this is the lesson itself", "leave it out")
	case slices.Contains(before, t.text):
		d.twice(t.node, t.text, "name each lesson once")
	default:
		return true
	}
	return false
}

// names are those of the lessons of the library, and of those that come with the playground.
func (b Library) names() []string {
	mine, _ := b.Folders() // what cannot be read was said by whoever asked for its lessons
	own, _ := ownClients.Folders()
	return inOrder(each(append(mine, own...), NameOf))
}

// compareNames warns of lessons that need each other, and of old names that two lessons had.
func compareNames(all []*lessons.Lesson) {
	known, owner := map[string]*lessons.Lesson{}, map[string]string{}
	for _, l := range all {
		known[l.Name] = l
	}
	for _, l := range all {
		for _, old := range l.Formerly {
			if other, taken := owner[old]; taken {
				warnOf(l, "formerly "+old, lessons.CodeDuplicateName, fmt.Sprintf("%q is a name of %s already", old, other), "an old name leads to one lesson")
			} else {
				owner[old] = l.Name
			}
		}
		for _, name := range l.Needs {
			if way := needed(known, name, l.Name, map[string]bool{}); way != nil {
				warnOf(l, "needs "+name, lessons.CodeCircle, fmt.Sprintf("%s needs itself: %s", l.Name, strings.Join(append([]string{l.Name}, way...), ", which needs ")), "leave one of them out")
			}
		}
	}
}

// needed is the way from a lesson to another that it needs, with both; nil: there is none.
func needed(known map[string]*lessons.Lesson, from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	if l := known[from]; l != nil && !seen[from] {
		seen[from] = true
		for _, next := range l.Needs {
			if way := needed(known, next, to, seen); way != nil {
				return append([]string{from}, way...)
			}
		}
	}
	return nil
}

// warnOf warns of something that a lesson declares.
func warnOf(l *lessons.Lesson, declared string, code lessons.Code, message, advice string) {
	at := l.Declared[declared]
	l.Warnings = append(l.Warnings, &lessons.Problem{
		Place: at, Severity: lessons.Warning, Code: code, Message: message, Advice: advice,
		Source: strings.Split(l.YAML, "\n")[at.Line-1],
	})
}
