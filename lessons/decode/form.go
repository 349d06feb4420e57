package decode

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lockstep/engine"
)

// form is the keys that a mapping may have.
type form []formKey

// formKey is what the tags of a field say.
type formKey struct {
	name  string
	need  string // what to write when the key is missing; empty: it may be
	doc   string
	kind  reflect.Type
	index int // of the field

	what, write, each, none string
	most                    int // items; 0: any number
}

// formOf reads the tags of a type of format.go.
func formOf(t reflect.Type) form {
	var f form
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get
		k := formKey{
			name: tag("key"), need: tag("need"), doc: tag("doc"), kind: field.Type, index: i,
			what: tag("what"), write: tag("write"), each: tag("each"), none: tag("none"), most: limits[tag("most")],
		}
		switch {
		case field.Type == reflect.TypeFor[moveForms]():
			f = append(f, moves(i)...)
			continue
		case k.name == "":
			continue
		}
		if words, ok := reflect.TypeAssert[interface{ words() []string }](reflect.Zero(field.Type)); ok && k.need != "" {
			k.need = k.name + ": with one of " + strings.Join(words.words(), ", ")
		}
		f = append(f, k)
	}
	return f
}

// moves are the keys that engine.ChoiceKinds gives, all of which are one field.
func moves(field int) form {
	kinds := map[engine.Object]reflect.Type{
		engine.AnActor: reflect.TypeFor[actorName](), engine.TheClock: reflect.TypeFor[tickSpan](), engine.AProcess: reflect.TypeFor[nameText](),
	}
	var f form
	for _, row := range engine.ChoiceKinds {
		k := formKey{name: string(row.Kind), doc: row.Doc, kind: kinds[row.Of], index: field, write: fmt.Sprintf("%s: and the name of %s", row.Kind, row.Of)}
		if row.Of == engine.TheClock {
			_, k.write = spanText{}.called()
		}
		if row.AllowedBy == row.Kind {
			k.doc += " faults must allow it."
		}
		f = append(f, k)
	}
	return f
}

func (f form) names() []string {
	names := make([]string, len(f))
	for i, k := range f {
		names[i] = k.name
	}
	return names
}

func (f form) has(name string) bool { return slices.Contains(f.names(), name) }
