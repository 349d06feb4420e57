package lessons

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
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
	text := withoutScript(withoutLine(failure.Error()))
	return slices.ContainsFunc(mistakes, func(head string) bool { return strings.HasPrefix(text, head) }) ||
		strings.HasPrefix(text, "REFUSED ") && !strings.HasSuffix(text, " is down") ||
		strings.Contains(text, "This playground doesn't support") ||
		strings.Contains(text, " is not a duration: ") || strings.Contains(text, " is not a span: ")
}

// withoutLine is an error without the place in its program.
func withoutLine(text string) string { return chunkHead.ReplaceAllString(text, "") }

// withoutScript is an error without the place in its script.
func withoutScript(text string) string {
	if scriptLine.MatchString(text) {
		text = scriptTail.ReplaceAllString(scriptHead.ReplaceAllString(text, ""), "")
	}
	return text
}
