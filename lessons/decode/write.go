package decode

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/lessons"
)

// mostColumns is how long a line may become before a value is written on several.
const mostColumns = 110

// value is a piece of YAML to write: a scalar, a list or a mapping.
type value struct {
	text  string
	items []value
	pairs []entry
	kind  byte // 's', 'l' or 'm'
}

type entry struct {
	key   string
	value value
}

func mapping() value { return value{kind: 'm'} }

func list(texts []string) value {
	v := value{kind: 'l'}
	for _, t := range texts {
		v.items = append(v.items, value{kind: 's', text: quoted(t)})
	}
	return v
}

func scalarOf(text string) value { return value{kind: 's', text: quoted(text)} }

// bare is text that means itself without quotes, wherever it stands.
var bare = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]*|0|-?[1-9][0-9]{0,15}|-?[0-9]{1,15}\.[0-9]{1,15}|[0-9]+(ms|s|m|h))$`)

// special are words that YAML takes for something else.
var special = regexp.MustCompile(`(?i)^(null|true|false)$`)

// quoted is a text as YAML reads it back. What JSON quotes, YAML does.
func quoted(text string) string {
	switch {
	case bare.MatchString(text) && !special.MatchString(text):
		return text
	case strings.Contains(text, `"`) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// flow is the value on one line.
func (v value) flow() string {
	var parts []string
	switch v.kind {
	case 'l':
		for _, item := range v.items {
			parts = append(parts, item.flow())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case 'm':
		for _, p := range v.pairs {
			parts = append(parts, quoted(p.key)+": "+p.value.flow())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.text
}

// lines are a key with its value, indented; a mapping that is too long for one
// line has one for each of its keys.
func (p entry) lines(indent int) []string {
	blanks := strings.Repeat(" ", indent)
	one := blanks + quoted(p.key) + ": " + p.value.flow()
	mappings := len(p.value.items) > 0 && p.value.items[0].kind == 'm'
	if p.value.kind != 'm' && !mappings || len(p.value.pairs)+len(p.value.items) == 0 || utf8.RuneCountInString(one) <= mostColumns {
		return []string{one}
	}
	out := []string{blanks + quoted(p.key) + ":"}
	for _, item := range p.value.items {
		out = append(out, blanks+"  - "+item.flow())
	}
	for _, inner := range p.value.pairs {
		out = append(out, inner.lines(indent+2)...)
	}
	return out
}

// put adds what stands under a key: a list if there is something already.
func (v *value) put(key string, under value) {
	i := slices.IndexFunc(v.pairs, func(p entry) bool { return p.key == key })
	switch {
	case i < 0:
		v.pairs = append(v.pairs, entry{key, under})
	case v.pairs[i].value.kind == 'l':
		v.pairs[i].value.items = append(v.pairs[i].value.items, under)
	default:
		v.pairs[i].value = value{kind: 'l', items: []value{v.pairs[i].value, under}}
	}
}

// expectation is what an Expect says, as far as a lesson can say it.
func expectation(e *lessons.Expect, l *lessons.Lesson) value {
	all := mapping()
	for _, row := range lessons.Expectations {
		var names []string
		parts := mapping()
		for _, part := range e.Of(row.Key) {
			if !readable(row, part) {
				continue
			}
			names = append(names, part.Name)
			switch row.Form {
			case lessons.OfReply:
				all.put(row.Key, scalarOf(part.Texts[0]))
			case lessons.List:
				all.put(row.Key, list(part.Texts))
			case lessons.TextFor:
				parts.put(part.Name, scalarOf(part.Texts[0]))
			case lessons.ListFor:
				parts.put(part.Name, list(part.Texts))
			case lessons.Columns:
				parts.put(part.Name, columnsOf(part))
			case lessons.Looks:
				parts.put(part.Name, looksOf(part, l))
			case lessons.Names, lessons.Absent:
			}
		}
		switch {
		case len(parts.pairs) > 0:
			all.put(row.Key, parts)
		case len(names) > 0 && (row.Form == lessons.Names || row.Form == lessons.Absent):
			all.put(row.Key, list(names))
		}
	}
	return all
}

// readable tells whether decoding takes what would be written. Bytes of a key that are no text
// are left out alone.
func readable(row lessons.Expectation, part lessons.Expected) bool {
	ok := utf8.ValidString(part.Name)
	for _, text := range part.Texts {
		ok = ok && (row.Form == lessons.Looks || utf8.ValidString(text)) && (row.Is != "reply" || replyForm.MatchString(text))
	}
	return ok
}

func columnsOf(row lessons.Expected) value {
	if row.Items == nil {
		return scalarOf("none")
	}
	columns := mapping()
	for _, it := range row.Items {
		columns.put(it.Name, scalarOf(it.Value))
	}
	return columns
}

// looksOf is how a key looks. What is no text, and a span that the lesson's
// clock cannot show, is left out.
func looksOf(k lessons.Expected, l *lessons.Lesson) value {
	v := mapping()
	if k.Node != "" {
		v.put("node", scalarOf(k.Node))
	}
	if k.Type != "" {
		v.put("type", scalarOf(string(k.Type)))
	}
	if content, ok := contentOf(k); ok {
		v.put("value", content)
	}
	switch {
	case k.TTL == nil:
	case *k.TTL == engine.NoDeadline:
		v.put("ttl", scalarOf("none"))
	case *k.TTL > 0 && *k.TTL <= engine.MaxSpan && *k.TTL%l.Resolution == 0:
		v.put("ttl", scalarOf(engine.FormatSpan(*k.TTL)))
	}
	return v
}

func contentOf(k lessons.Expected) (v value, ok bool) {
	if k.Texts != nil {
		return scalarOf(k.Texts[0]), utf8.ValidString(k.Texts[0])
	}
	v = value{kind: 'm'}
	if k.Type == engine.ListKey || k.Type == engine.SetKey {
		v.kind = 'l'
	}
	for _, item := range k.Items {
		if !utf8.ValidString(item.Name) || !utf8.ValidString(item.Value) || v.kind == 'm' && item.Name == "" {
			return value{}, false
		}
		if v.kind == 'l' {
			v.items = append(v.items, scalarOf(item.Name+item.Value))
		} else {
			v.put(item.Name, scalarOf(item.Value))
		}
	}
	return v, len(k.Items) > 0 && len(k.Items) <= limits["items"]
}
