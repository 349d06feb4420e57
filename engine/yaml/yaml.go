// Package yaml writes pieces of a lesson so that decoding reads the same again.
package yaml

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine"
)

// mostColumns is how long a line may become before a value is written on several.
const mostColumns = 110

// Value is a text, a list or a mapping.
type Value struct {
	text  string
	items []Value
	pairs []pair
	kind  byte // 's', 'l' or 'm'
}

type pair struct {
	key   string
	value Value
}

// Text is a text, whatever YAML would take it for without quotes.
func Text(text string) Value { return Value{kind: 's', text: quoted(text)} }

// List is a list of texts.
func List(texts []string) Value {
	v := Value{kind: 'l'}
	for _, t := range texts {
		v.items = append(v.items, Text(t))
	}
	return v
}

// Mapping is a mapping of keys to texts, which stand after each other, to which Put adds more.
func Mapping(texts ...string) Value {
	v := Value{kind: 'm'}
	for pair := range slices.Chunk(texts, 2) {
		v.Put(pair[0], Text(pair[1]))
	}
	return v
}

// Put adds what stands under a key of a mapping. What is under it already becomes a list.
func (v *Value) Put(key string, under Value) {
	i := slices.IndexFunc(v.pairs, func(p pair) bool { return p.key == key })
	switch {
	case i < 0:
		v.pairs = append(v.pairs, pair{key, under})
	case v.pairs[i].value.kind == 'l':
		v.pairs[i].value.items = append(v.pairs[i].value.items, under)
	default:
		v.pairs[i].value = Value{kind: 'l', items: []Value{v.pairs[i].value, under}}
	}
}

// Len is the number of a mapping's keys.
func (v *Value) Len() int { return len(v.pairs) }

// Content is what a key holds. It is false for bytes that are no text, and for a key that holds nothing.
func Content(k engine.Key) (v Value, ok bool) {
	switch k.Type {
	case engine.StringKey:
		return Text(k.Text), utf8.ValidString(k.Text)
	case engine.ListKey, engine.SetKey:
		v = List(nil)
	default:
		v = Mapping()
	}
	for _, item := range k.Items {
		switch {
		case !utf8.ValidString(item.Name) || !utf8.ValidString(item.Value) || v.kind == 'm' && item.Name == "":
			return Value{}, false
		case v.kind == 'l':
			v.items = append(v.items, Text(item.Name+item.Value))
		default:
			v.Put(item.Name, Text(item.Value))
		}
	}
	return v, len(k.Items) > 0
}

// String is the value on one line.
func (v Value) String() string {
	var parts []string
	switch v.kind {
	case 'l':
		for _, item := range v.items {
			parts = append(parts, item.String())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case 'm':
		for _, p := range v.pairs {
			parts = append(parts, quoted(p.key)+": "+p.value.String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.text
}

// Lines are a key with its value, indented; a mapping that is too long for one
// line has one for each of its keys.
func (v Value) Lines(key string, indent int) []string {
	blanks := strings.Repeat(" ", indent)
	one := blanks + quoted(key) + ": " + v.String()
	mappings := len(v.items) > 0 && v.items[0].kind == 'm'
	if v.kind != 'm' && !mappings || len(v.pairs)+len(v.items) == 0 || utf8.RuneCountInString(one) <= mostColumns {
		return []string{one}
	}
	out := []string{blanks + quoted(key) + ":"}
	for _, item := range v.items {
		out = append(out, blanks+"  - "+item.String())
	}
	for _, p := range v.pairs {
		out = append(out, p.value.Lines(p.key, indent+2)...)
	}
	return out
}

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
