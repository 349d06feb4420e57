package decode

import (
	"reflect"
	"slices"
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

func pattern(form string) schema { return schema{Type: "string", Pattern: "^" + form + "$"} }

func words(words ...string) schema { return schema{Type: "string", Enum: words} }

// kinds are those of text that the tags of the format name, as an editor checks them.
// The decoder takes no other words, and checks more than a pattern can say.
var kinds = map[string]schema{
	"":        {Type: []string{"string", "number", "boolean"}}, // read as text
	"lua":     {Type: "string"},
	"file":    pattern(`[A-Za-z][A-Za-z0-9_-]*\.lua`),
	"name":    pattern(namePattern),
	"span":    pattern(spanPattern),
	"ttl":     pattern("(none|" + spanPattern + ")"),
	"choice":  pattern(` *(` + kindsOf(engine.TheClock) + `( +` + spanPattern + `)?|(` + kindsOf(engine.AnActor, engine.AProcess) + `) +` + taskPattern + `) *`),
	"fault":   pattern(` *(` + faultKinds() + `) +` + namePattern + ` *`),
	"chapter": words(lessons.Chapters...),
	"level":   words(string(lessons.Basic), string(lessons.Advanced)),
	"type": words(string(engine.StringKey), string(engine.HashKey), string(engine.ListKey), string(engine.SetKey),
		string(engine.ZSetKey), string(engine.StreamKey)),
	"status": words(string(engine.Ready), string(engine.Waiting), string(engine.Sleeping), string(engine.Paused),
		string(engine.Crashed), string(engine.Finished), string(engine.Failed)),

	string(engine.AnActor):  pattern(` *` + taskPattern + ` *`),
	string(engine.AProcess): pattern(namePattern),
	string(engine.TheClock): {Type: []string{"string", "null"}, Pattern: "^" + spanPattern + "$"}, // null: to the next timer
}

func kindsOf(objects ...engine.Object) string {
	return kindsWhere(func(row engine.KindOfChoice) bool { return slices.Contains(objects, row.Of) })
}

func faultKinds() string {
	return kindsWhere(func(row engine.KindOfChoice) bool { return row.AllowedBy == row.Kind })
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

func textShape(is string) *schema {
	s := kinds[is]
	return &s
}

func (plainText) shape(is string) *schema { return textShape(is) }
func (moveForms) shape(is string) *schema { return textShape(is) }
func (nothing) shape(string) *schema      { return &schema{Type: "null"} }

func (listOf[T]) shape(is string) *schema {
	return &schema{Type: "array", Items: shapeOf(reflect.TypeFor[T](), is)}
}

func (mapOf[T]) shape(is string) *schema {
	return &schema{Type: "object", AdditionalProperties: shapeOf(reflect.TypeFor[T](), is)}
}

func (n namesOf[T]) shape(is string) *schema {
	s := n.mapOf.shape(is)
	s.PropertyNames = textShape("name")
	return s
}

func (keyAndOf) shape(string) *schema {
	return &schema{Type: "array", Items: textShape(""), MinItems: 2, MaxItems: 2}
}

func (invariantForm) shape(string) *schema {
	return &schema{AnyOf: []*schema{{Type: "string", Enum: engine.RuleNames()}, shapeOf(reflect.TypeFor[ruleForm](), "")}}
}

func (keyForms) shape(string) *schema {
	one := reflect.TypeFor[keyForm]()
	return &schema{AnyOf: []*schema{
		{Type: "array", Items: shapeOf(one, ""), MinItems: 1, MaxItems: limits["nodes"]},
		shapeOf(one, ""),
	}}
}

func (meaningForm) shape(string) *schema {
	return &schema{AnyOf: []*schema{textShape(""), shapeOf(reflect.TypeFor[textForm](), "")}}
}

func (keyValue) shape(string) *schema {
	return &schema{AnyOf: []*schema{
		textShape(""),
		{Type: "array", Items: textShape(""), MinItems: 1},
		{Type: "object", AdditionalProperties: textShape(""), MinProperties: 1},
	}}
}
