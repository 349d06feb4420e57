package decode

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/lessons"
)

// form is the keys that a mapping may have.
type form []formKey

// formKey is what the tags of a field say.
type formKey struct {
	name, need, write, what, each, most, none, is, doc string

	field int          // that it fills
	value reflect.Type // of what stands after it
}

// forms caches the forms of types, because each mapping needs one.
var forms sync.Map

// formOf reads the tags of a type of format.go.
func formOf(t reflect.Type) form {
	if known, ok := forms.Load(t); ok {
		return known.(form)
	}
	var f form
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get
		k := formKey{
			name: tag("key"), need: tag("need"), doc: tag("doc"), field: i, value: field.Type,
			is: tag("is"), what: tag("what"), write: tag("write"), each: tag("each"), most: tag("most"), none: tag("none"),
		}
		switch {
		case field.Type == reflect.TypeFor[moveForms]():
			f = append(f, moves(i)...)
		case field.Type == reflect.TypeFor[partForms]():
			f = append(f, parts(i)...)
		case k.name != "":
			f = append(f, k)
		}
	}
	for i, k := range f {
		if words := strings.Join(kinds[k.is].Enum, ", "); words != "" && k.write == "" {
			f[i].write, f[i].need = "one of: "+words, strings.Replace(k.need, "WORDS", words, 1)
		}
	}
	forms.Store(t, f)
	return f
}

// moves are the keys that engine.ChoiceKinds gives, all of which are one field.
func moves(field int) form {
	var f form
	for _, row := range engine.ChoiceKinds {
		k := formKey{name: string(row.Kind), doc: row.Doc, field: field, value: reflect.TypeFor[moveForms](), is: string(row.Kind), write: nameOf(row)}
		if row.AllowedBy == row.Kind {
			k.doc += " faults must allow it."
		}
		f = append(f, k)
	}
	return f
}

// parts are the keys of lessons.Expectations, all of which are one field.
func parts(field int) form {
	var f form
	for _, row := range lessons.Expectations {
		f = append(f, formKey{
			name: row.Key, doc: row.Doc, field: field, value: formTypes[row.Form],
			is: row.Is, write: row.Write, each: row.Each, most: row.Most,
		})
	}
	return f
}

// nameOf says what to write after the key of a kind of choice.
func nameOf(row engine.KindOfChoice) string {
	switch row.Of { //nolint:exhaustive // of the others the name is enough
	case engine.TheClock:
		return "a duration such as 30s or 1500ms"
	case engine.ALink:
		return fmt.Sprintf("%s: and its two ends, as in app-1 n4", row.Kind)
	case engine.AClock:
		return fmt.Sprintf("%s: and whose, and how far, as in n3 +10s", row.Kind)
	}
	return fmt.Sprintf("%s: and the name of %s", row.Kind, row.Of)
}

func (f form) names() []string { return each(f, func(k formKey) string { return k.name }) }
