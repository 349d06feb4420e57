package decode

import (
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/yaml"
	"lockstep/lessons"
)

// expectation is an Expect in the form of a lesson. Parts that could not be read again are left out.
func expectation(e *lessons.Expect, l *lessons.Lesson) yaml.Value {
	all := yaml.Mapping()
	for _, row := range lessons.Expectations {
		var names []string
		parts := yaml.Mapping()
		for _, part := range e.Of(row.Key) {
			if !readable(row, part) {
				continue
			}
			switch row.Form {
			case lessons.OfReply:
				all.Put(row.Key, yaml.Text(part.Texts[0]))
			case lessons.List:
				all.Put(row.Key, yaml.List(part.Texts))
			case lessons.TextFor:
				parts.Put(part.Name, yaml.Text(part.Texts[0]))
			case lessons.ListFor:
				parts.Put(part.Name, yaml.List(part.Texts))
			case lessons.Columns:
				parts.Put(part.Name, columnsOf(part))
			case lessons.Looks:
				parts.Put(part.Name, looksOf(part, l))
			case lessons.Names, lessons.Absent:
				names = append(names, part.Name)
			}
		}
		switch {
		case parts.Len() > 0:
			all.Put(row.Key, parts)
		case names != nil:
			all.Put(row.Key, yaml.List(names))
		}
	}
	return all
}

// readable tells whether decoding would take a part: bytes that are no text it would not. Of a key only
// the value is left out.
func readable(row lessons.Expectation, part lessons.Expected) bool {
	ok := utf8.ValidString(part.Name)
	for _, text := range part.Texts {
		ok = ok && (row.Form == lessons.Looks || utf8.ValidString(text)) && (row.Is != "reply" || replyForm.MatchString(text))
	}
	return ok
}

func columnsOf(row lessons.Expected) yaml.Value {
	if row.Items == nil {
		return yaml.Text("none")
	}
	columns := yaml.Mapping()
	for _, it := range row.Items {
		columns.Put(it.Name, yaml.Text(it.Value))
	}
	return columns
}

// looksOf is what is expected of a key, without a value that is no text and a span that is no
// multiple of the lesson's clock.
func looksOf(k lessons.Expected, l *lessons.Lesson) yaml.Value {
	v := yaml.Mapping()
	if k.Node != "" {
		v.Put("node", yaml.Text(k.Node))
	}
	if k.Type != "" {
		v.Put("type", yaml.Text(string(k.Type)))
	}
	key := engine.Key{Type: k.Type, Items: k.Items}
	if k.Texts != nil {
		key = engine.Key{Type: engine.StringKey, Text: k.Texts[0]}
	}
	content, ok := yaml.Content(key)
	if named := k.Texts != nil || k.Items != nil; ok && named && len(k.Items) <= limits["items"] {
		v.Put("value", content)
	}
	switch {
	case k.TTL == nil:
	case *k.TTL == engine.NoDeadline:
		v.Put("ttl", yaml.Text("none"))
	case *k.TTL > 0 && *k.TTL <= engine.MaxSpan && *k.TTL%l.Resolution == 0:
		v.Put("ttl", yaml.Text(engine.FormatSpan(*k.TTL)))
	}
	return v
}
