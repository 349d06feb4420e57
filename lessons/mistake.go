package lessons

import (
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons/client"
)

// mistakes are how errors begin that no story is about: of Lua, of how a program calls what it has, of commands that no server has.
var mistakes = []string{
	"attempt to ", "bad argument #", "stack overflow", "string of ",
	"this lesson has no script ", "redis.eval takes ", "redis.call needs ", "this needs a span", "spawn needs ", "each ? of a statement ",
	"ERR unknown command ", "ERR wrong number of arguments ",
	"Unknown Redis command called from script", "Wrong number of args calling Redis command from script",
}

// mistaken tells whether a program broke off by a mistake of its author. Any other error may be meant: one that the program
// raises, that a script returns, or that a server answers because of what it holds.
func mistaken(failure fact.Fact) bool {
	if failure.Code != fact.Text("").Code {
		return true // the playground ended it
	}
	text := withoutScript(chunkHead.ReplaceAllString(failure.Error(), ""))
	return slices.ContainsFunc(mistakes, func(head string) bool { return strings.HasPrefix(text, head) }) ||
		strings.HasPrefix(text, "REFUSED ") && !strings.HasSuffix(text, " is down") ||
		strings.Contains(text, "This playground doesn't support") ||
		strings.Contains(text, " is not a duration: ") || strings.Contains(text, " is not a span: ")
}

// noGlobal is what Lua says of a name that nothing has.
var noGlobal = regexp.MustCompile(`^attempt to (?:call|index) global '(\w+)'`)

// meant is the advice for a program that uses a name that it does not have; empty: it does not, or nothing is called like that.
func (l *Lesson) meant(text string) fact.Fact {
	m := noGlobal.FindStringSubmatch(text)
	if m == nil {
		return fact.Fact{}
	}
	switch m[1] {
	case "os", "io", "debug", "require":
		return fact.Of("lesson-no-library")
	}
	if near := Closest(m[1], client.Names(l.Client.Source)); near != "" {
		return fact.Of("lesson-did-you-mean", near)
	}
	return fact.Fact{}
}

// withoutScript is an error without the place in its script.
func withoutScript(text string) string {
	if scriptLine.MatchString(text) {
		text = scriptTail.ReplaceAllString(scriptHead.ReplaceAllString(text, ""), "")
	}
	return text
}
