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
		if words := strings.Join(kinds[k.is].Enum, " | "); words != "" && k.write == "" {
			f[i].write, f[i].need = words, strings.Replace(k.need, "WORDS", words, 1)
		}
	}
	forms.Store(t, f)
	return f
}

// moves are the keys that engine.ChoiceKinds gives, all of which are one field.
func moves(field int) form {
	var f form
	for _, row := range engine.ChoiceKinds {
		k := formKey{name: string(row.Kind), doc: row.Doc, field: field, value: reflect.TypeFor[moveForms](), is: string(row.Kind), write: example(row)}
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

// example is what to write for a kind of choice.
func example(row engine.KindOfChoice) string {
	return fmt.Sprintf("%s: %s", row.Kind, map[engine.Object]string{
		engine.AnActor: "A", engine.TheClock: "1500ms", engine.AProcess: "jvm-1", engine.ANode: "redis",
		engine.AMachine: "jvm-1", engine.ALink: "app-1 n4", engine.AClock: "n3 +10s",
	}[row.Of])
}

func (f form) names() []string { return each(f, func(k formKey) string { return k.name }) }
