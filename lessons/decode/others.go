package decode

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
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
			advice := fact.Of("lesson-list-has-names")
			if best := lessons.Closest(t.text, known); best != "" {
				advice = fact.Of("lesson-did-you-mean", best)
			}
			d.warn(t.node, lessons.CodeUnknownName, fact.Of("lesson-no-lesson", t.text), advice)
		}
	}
	for _, t := range f.Formerly.items {
		if d.lessonName(t, d.lesson.Formerly) {
			d.lesson.Formerly = append(d.lesson.Formerly, t.text)
			d.declare("formerly", t.text, t.node)
			if slices.Contains(d.library.names(), t.text) {
				d.warn(t.node, lessons.CodeDuplicateName, fact.Of("lesson-is-lesson", t.text), fact.Of("lesson-old-name"))
			}
		}
	}
}

// lessonName tells whether a text can be the name of another lesson, which stands here once.
func (d *decoder) lessonName(t plainText, before []string) bool {
	switch {
	case !t.ok():
	case !lessonName.MatchString(t.text):
		d.fail(t.node, lessons.CodeName, fact.Of("lesson-no-lesson-name", t.text), fact.Of("lesson-write-without-number"))
	case t.text == d.lesson.Name:
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-itself"), fact.Of("lesson-leave-out"))
	case slices.Contains(before, t.text):
		d.twice(t.node, t.text, fact.Of("lesson-each-once"))
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
				warnOf(l, "formerly "+old, lessons.CodeDuplicateName, fact.Of("lesson-has-name", old, other), fact.Of("lesson-old-name"))
			} else {
				owner[old] = l.Name
			}
		}
		for _, name := range l.Needs {
			if way := needed(known, name, l.Name, map[string]bool{}); way != nil {
				warnOf(l, "needs "+name, lessons.CodeCircle, fact.Of("lesson-needs-itself", l.Name, strings.Join(append([]string{l.Name}, way...), " → ")), fact.Of("lesson-drop-one"))
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
func warnOf(l *lessons.Lesson, declared string, code lessons.Code, message, advice fact.Fact) {
	at := l.Declared[declared]
	l.Warnings = append(l.Warnings, &lessons.Problem{
		Place: at, Severity: lessons.Warning, Code: code, Message: message, Advice: advice,
		Source: strings.Split(l.YAML, "\n")[at.Line-1],
	})
}
