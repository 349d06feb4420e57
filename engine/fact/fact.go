// Package fact is what the layers tell people: a code with its arguments, and the words for it in each language.
package fact

import (
	"errors"
	"fmt"
	"strings"
)

// Fact is something to be told. The zero Fact tells nothing. As an error it speaks
// English.
type Fact struct {
	Code string
	Args []any // as its words have them; errors among them are told in the same language
}

// Of makes a fact. The tables of words have a row for each code.
func Of(code string, args ...any) Fact { return Fact{code, args} }

// Text is a fact whose words are the same in every language, such as a reply, the value of a key or a name.
func Text(text any) Fact { return Of("text", text) }

func (f Fact) Error() string { return English.Tell(f, func(arg any) any { return arg }) }

// Fact makes a Fact one of the errors that Tell takes: those that carry a fact.
func (f Fact) Fact() Fact { return f }

// Unwrap lets errors.Is and errors.As find the errors that a fact tells of.
func (f Fact) Unwrap() []error {
	var errs []error
	for _, arg := range f.Args {
		if err, ok := arg.(error); ok {
			errs = append(errs, err)
		}
	}
	return errs
}

// Names are told as "A", "A and B" or "A, B and C".
type Names []string

// OneOf is told as "A, B or C".
type OneOf []string

// List is facts beside each other.
type List []Fact

// Either is what has another name in each language: the agent in a sentence, the path in a file.
type Either [languages]string

// Tell words the fact that an error carries, and the facts among its arguments. say words every other
// argument but Names, OneOf, Either and List, and an error that carries no fact.
func (l Language) Tell(err error, say func(arg any) any) string {
	carrier, ok := errors.AsType[interface {
		error
		Fact() Fact
	}](err)
	if !ok {
		return fmt.Sprint(say(err))
	}
	f := carrier.Fact()
	text, args := words[f.Code][l], make([]any, len(f.Args))
	quotesLast := strings.HasSuffix(text, "%s.") || strings.HasSuffix(text, "%s。")
	for i, arg := range f.Args {
		switch arg := arg.(type) {
		case error:
			told := l.Tell(arg, say)
			if quotesLast && i == len(f.Args)-1 { // a sentence within a sentence
				told = strings.TrimRight(told, ".。")
			}
			args[i] = told
		case Names:
			args[i] = l.joined(arg, and)
		case OneOf:
			args[i] = l.joined(arg, or)
		case Either:
			args[i] = arg[l]
		case List:
			told := make([]string, len(arg))
			for i, one := range arg {
				told[i] = l.Tell(one, say)
			}
			args[i] = strings.Join(told, ", ")
		default:
			args[i] = say(arg)
		}
	}
	return fmt.Sprintf(text, args...)
}

// joined lists names, with a word before the last.
func (l Language) joined(names []string, word [languages]string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], comma[l]) + word[l] + names[last]
}
