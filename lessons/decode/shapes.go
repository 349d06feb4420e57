package decode

import (
	"reflect"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// The forms of names and spans, for editors.
const (
	namePattern = `[A-Za-z][A-Za-z0-9_-]{0,39}`
	taskPattern = namePattern + `(:` + namePattern + `)?`
	spanPattern = `\+?([0-9]+(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+`
)

func pattern(form string) *schema {
	return &schema{Type: "string", Pattern: "^" + form + "$"}
}

func scalarShape() *schema { return &schema{Type: []string{"string", "number", "boolean"}} }

func oneOfWords(words []string) *schema { return &schema{Type: "string", Enum: words} }

func (plainText) shape() *schema { return scalarShape() }
func (luaText) shape() *schema   { return &schema{Type: "string"} }
func (exprLua) shape() *schema   { return scalarShape() }
func (luaFile) shape() *schema   { return pattern(`[A-Za-z][A-Za-z0-9_-]*\.lua`) }
func (nameText) shape() *schema  { return pattern(namePattern) }
func (nodeName) shape() *schema  { return pattern(namePattern) }
func (actorName) shape() *schema { return pattern(` *` + taskPattern + ` *`) }
func (spanText) shape() *schema  { return pattern(spanPattern) }
func (choiceText) shape() *schema {
	clock := kindsWhere(func(row engine.KindOfChoice) bool { return row.Of == engine.TheClock })
	others := kindsWhere(func(row engine.KindOfChoice) bool { return row.Of != engine.TheClock })
	return pattern(` *(` + clock + `( +` + spanPattern + `)?|(` + others + `) +` + taskPattern + `) *`)
}

func (faultText) shape() *schema {
	faults := kindsWhere(func(row engine.KindOfChoice) bool { return row.AllowedBy == row.Kind })
	return pattern(` *(` + faults + `) +` + namePattern + ` *`)
}

// kindsWhere is a pattern of some kinds of choices.
func kindsWhere(are func(engine.KindOfChoice) bool) string {
	var kinds []string
	for _, row := range engine.ChoiceKinds {
		if are(row) {
			kinds = append(kinds, string(row.Kind))
		}
	}
	return strings.Join(kinds, "|")
}

func (nothing) shape() *schema { return &schema{Type: "null"} }

func (ttlSpan) shape() *schema { return pattern("(none|" + spanPattern + ")") }

func (tickSpan) shape() *schema {
	s := pattern(spanPattern)
	s.Type = []string{"string", "null"}
	return s
}

func (oneOf[W]) shape() *schema { return oneOfWords((*new(W)).words()) }

func (listOf[T]) shape() *schema {
	return &schema{Type: "array", Items: shapeOf(reflect.TypeFor[T]())}
}

func (mapOf[T]) shape() *schema {
	return &schema{Type: "object", AdditionalProperties: shapeOf(reflect.TypeFor[T]())}
}

func (n namesOf[T]) shape() *schema {
	s := n.mapOf.shape()
	s.PropertyNames = pattern(namePattern)
	return s
}

func (keyAndOf) shape() *schema {
	return &schema{Type: "array", Items: scalarShape(), MinItems: 2, MaxItems: 2}
}

func (invariantForm) shape() *schema {
	return &schema{AnyOf: []*schema{oneOfWords(engine.RuleNames()), shapeOf(reflect.TypeFor[ruleForm]())}}
}

func (keyForms) shape() *schema {
	return &schema{AnyOf: []*schema{
		{Type: "array", Items: shapeOf(reflect.TypeFor[keyForm]()), MinItems: 1, MaxItems: limits["nodes"]},
		shapeOf(reflect.TypeFor[keyForm]()),
	}}
}

func (meaningForm) shape() *schema {
	return &schema{AnyOf: []*schema{scalarShape(), shapeOf(reflect.TypeFor[textForm]())}}
}

func (keyValue) shape() *schema {
	return &schema{AnyOf: []*schema{
		scalarShape(),
		{Type: "array", Items: scalarShape(), MinItems: 1},
		{Type: "object", AdditionalProperties: scalarShape(), MinProperties: 1},
	}}
}

// The words that some keys may have.
type (
	chapters struct{}
	levels   struct{}
	types    struct{}
	statuses struct{}
)

func (chapters) words() []string { return lessons.Chapters }

func (levels) words() []string {
	return []string{string(lessons.Basic), string(lessons.Advanced)}
}

func (types) words() []string {
	return []string{
		string(engine.StringKey), string(engine.HashKey), string(engine.ListKey), string(engine.SetKey),
		string(engine.ZSetKey), string(engine.StreamKey),
	}
}

func (statuses) words() []string {
	return []string{
		string(engine.Ready), string(engine.Waiting), string(engine.Sleeping), string(engine.Paused),
		string(engine.Crashed), string(engine.Finished), string(engine.Failed),
	}
}
