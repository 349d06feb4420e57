package decode

import (
	"regexp"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// statements are what a lesson says of a product and its versions, as far as it is text.
func (d *decoder) statements(f oneOrMore[meaningForm]) []lessons.Text {
	var all []lessons.Text
	for _, item := range f.items {
		text := item.both.both()
		if one := item.both.En; one.ok() && one.node == item.both.node && strings.TrimSpace(one.text) == "" {
			d.fail(one.node, lessons.CodeValue, fact.Of("lesson-empty-value", one.called()), f.toWrite())
		} else if item.both.ok() {
			all = append(all, text)
		}
	}
	return all
}

// date is a day as ISO 8601 writes it.
var date = regexp.MustCompile(`\b[0-9]{4}-[0-1][0-9]-[0-3][0-9]\b`)

// open insists that a cure which there is not yet says when somebody looked.
func (d *decoder) open(f oneOrMore[meaningForm]) {
	for _, item := range f.items {
		says := strings.ToLower(item.both.En.text)
		for _, own := range []plainText{item.both.En, item.both.Zh} {
			if strings.HasPrefix(says, "open") && own.ok() && !date.MatchString(own.text) {
				d.fail(own.node, lessons.CodeValue, fact.Of("lesson-no-day", f.called()), fact.Of("lesson-write-day"))
				break // both languages may be one text
			}
		}
	}
}
