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
	name string
	need string // what to write when the key is missing; empty: it may be
	doc  string
	kind reflect.Type
}

// formOf reads the tags of a type of format.go.
func formOf[T any]() form { return formOfType(reflect.TypeFor[T]()) }

func formOfType(t reflect.Type) form {
	var f form
	for field := range t.Fields() {
		if field.Type == reflect.TypeFor[moveForms]() {
			f = append(f, moves()...)
			continue
		}
		k := formKey{name: field.Tag.Get("key"), need: field.Tag.Get("need"), doc: field.Tag.Get("doc"), kind: field.Type}
		if words, ok := reflect.TypeAssert[interface{ words() []string }](reflect.Zero(field.Type)); ok && k.need != "" {
			k.need = k.name + ": with one of " + strings.Join(words.words(), ", ")
		}
		f = append(f, k)
	}
	return f
}

// moveForms stands for the keys of the moves that a beat can make.
type moveForms struct{}

// moves are the keys that engine.ChoiceKinds gives.
func moves() form {
	kinds := map[engine.Object]reflect.Type{
		engine.AnActor: reflect.TypeFor[actorName](), engine.TheClock: reflect.TypeFor[tickSpan](), engine.AProcess: reflect.TypeFor[nameText](),
	}
	var f form
	for _, row := range engine.ChoiceKinds {
		k := formKey{name: string(row.Kind), doc: row.Doc, kind: kinds[row.Of]}
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

func (f form) has(name string) bool {
	for _, k := range f {
		if k.name == name {
			return true
		}
	}
	return false
}

// needs tells whether a mapping must have a key.
func (f form) needs(name string) bool {
	return slices.ContainsFunc(f, func(k formKey) bool { return k.name == name && k.need != "" })
}

// must ends the program when its own code asks for a key that the format does not
// have: then the two have been changed apart.
func (f form) must(name string) {
	if !f.has(name) {
		panic(fmt.Sprintf("decode: the format has no key %q beside %q", name, f.names()))
	}
}

var (
	lessonKeys    = formOf[lessonForm]()
	textKeys      = formOf[textForm]()
	scriptKeys    = formOf[scriptForm]()
	actorKeys     = formOf[actorForm]()
	ruleKeys      = formOf[ruleForm]()
	beatKeys      = formOf[beatForm]()
	askKeys       = formOf[askForm]()
	queryKeys     = formOf[queryForm]()
	expectKeys    = formOf[expectForm]()
	keyKeys       = formOf[keyForm]()
	challengeKeys = formOf[challengeForm]()
	goalKeys      = formOf[goalForm]()
)
