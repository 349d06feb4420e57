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

func pattern(form string) schema { return schema{Type: "string", Pattern: "^" + form + "$"} }

func words(words ...string) schema { return schema{Type: "string", Enum: words} }

// kinds are those of text that the tags of the format name, as an editor checks them.
// The decoder takes no other words, and checks more than a pattern can say.
var kinds = withMoves(map[string]schema{
	"":          {Type: []string{"string", "number", "boolean"}}, // read as text
	"lua":       {Type: "string"},
	"file":      pattern(`(clients/[A-Za-z][A-Za-z0-9_-]*/)?[A-Za-z][A-Za-z0-9_-]*\.lua`),
	"name":      pattern(namePattern),
	"lesson":    pattern(lessonPattern),
	"span":      pattern(spanPattern),
	"ttl":       pattern("(none|" + spanPattern + ")"),
	"slots":     pattern(` *` + slotsPattern + `( *, *` + slotsPattern + `)* *`),
	"kind":      words(lessons.KindNames()...),
	"version":   words(lessons.Versions()...),
	"norow":     words("none"),
	"isolation": words("REPEATABLE READ", "READ COMMITTED"),
	"choice":    pattern(choices(func(engine.KindOfChoice) bool { return true }) + `(×[1-9][0-9]{0,2} *)?`),
	"crowd":     {Type: []string{"string", "number"}, Pattern: "^([2-9]|[1-9][0-9])$"},
	"fault":     pattern(choices(func(row engine.KindOfChoice) bool { return row.AllowedBy != "" })),
	"chapter":   words(lessons.Chapters...),
	"level":     words(string(lessons.Basic), string(lessons.Advanced)),
	"type": words(string(engine.StringKey), string(engine.HashKey), string(engine.ListKey), string(engine.SetKey),
		string(engine.ZSetKey), string(engine.StreamKey), string(engine.ZnodeKey), string(lessons.NoKey)),
	"behind": {Type: []string{"string", "number"}, Pattern: "^(lost|[0-9]{1,4})$"},
	"count":  {Type: []string{"string", "number"}, Pattern: "^[1-9][0-9]{0,3}$"},
	"late":   pattern("(prompt|arrive|any|late=" + spanPattern + ")"),
	"reason": words(string(engine.RequestLost), string(engine.ReplyLost), string(engine.NodePaused), string(engine.InNode)),
	"status": words(string(engine.Ready), string(engine.Waiting), string(engine.Sleeping), string(engine.Blocked), string(engine.Unanswered), string(engine.Paused),
		string(engine.Crashed), string(engine.Finished), string(engine.Failed), string(lessons.NoTask)),
})

// withMoves adds the keys of a beat that make a move, which are kinds of text, too.
func withMoves(kinds map[string]schema) map[string]schema {
	for _, row := range engine.ChoiceKinds {
		shape := pattern(` *` + target(row) + ` *`)
		if row.Of == engine.TheClock {
			shape = schema{Type: []string{"string", "null"}, Pattern: "^" + spanPattern + "$"} // null: to the next timer
		}
		kinds[string(row.Kind)] = shape
	}
	return kinds
}

// target is the pattern of what stands after the word of a choice.
func target(row engine.KindOfChoice) string {
	switch row.Of { //nolint:exhaustive // of all others it is a name
	case engine.TheClock:
		return spanPattern
	case engine.AnActor:
		return taskPattern
	case engine.ALink:
		return namePattern + ` +` + namePattern
	case engine.AClock:
		return namePattern + ` +[+-]?` + spanPattern
	}
	if row.May != "" {
		return namePattern + `( +` + strings.ReplaceAll(row.May, " ", " +") + `)?`
	}
	return namePattern
}

// choices is the pattern of the texts of some kinds of choices.
func choices(are func(engine.KindOfChoice) bool) string {
	var rows []string
	for _, row := range engine.ChoiceKinds {
		if !are(row) {
			continue
		}
		text := string(row.Kind) + ` +` + target(row)
		if row.Of == engine.TheClock {
			text = string(row.Kind) + `( +` + spanPattern + `)?`
		}
		rows = append(rows, text)
	}
	return ` *(` + strings.Join(rows, "|") + `) *`
}

// textShape is the shape of a kind of text. Of those in sortsOf an editor knows nothing.
func textShape(is string) *schema {
	s, ok := kinds[is]
	if !ok {
		s = kinds[""]
	}
	return &s
}

func (plainText) shape(is string) *schema { return textShape(is) }
func (moveForms) shape(is string) *schema { return textShape(is) }
func (nodesForm) shape(is string) *schema {
	one := objectShape(reflect.TypeFor[nodeForm]())
	one.Type = []string{"object", "null"}
	return &schema{AnyOf: []*schema{
		{Type: "array", Items: textShape(is), MinItems: 1},
		{Type: "object", PropertyNames: textShape(is), AdditionalProperties: one, MinProperties: 1},
	}}
}

func (nothing) shape(string) *schema { return &schema{Type: "null"} }

func (listOf[T]) shape(is string) *schema {
	return &schema{Type: "array", Items: shapeOf(reflect.TypeFor[T](), is)}
}

func (oneOrMore[T]) shape(is string) *schema {
	one := shapeOf(reflect.TypeFor[T](), is)
	all := []*schema{{Type: "array", Items: one, MinItems: 1}, one}
	if one.AnyOf != nil {
		all = append(all[:1], one.AnyOf...)
	}
	return &schema{AnyOf: all}
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

func (textOr[T]) shape(string) *schema {
	return &schema{AnyOf: []*schema{textShape(""), shapeOf(reflect.TypeFor[T](), "")}}
}

func (keyForms) shape(string) *schema {
	one := reflect.TypeFor[keyForm]()
	return &schema{AnyOf: []*schema{
		{Type: "array", Items: shapeOf(one, ""), MinItems: 1, MaxItems: limits["nodes"]},
		shapeOf(one, ""),
	}}
}

func (givenForms) shape(string) *schema {
	return &schema{AnyOf: append([]*schema{textShape("")}, keyForms{}.shape("").AnyOf...)}
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
