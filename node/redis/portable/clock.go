package portable

import (
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// Commands and words that are about the time of day. Where they stand in a text, they mean the virtual clock.
const clockCommands = "time expireat pexpireat"

var clockWords = []string{"EXAT", "PXAT"}

// IsOfClock tells whether a command, in lower case, is about the time of day.
func IsOfClock(name string) bool { return slices.Contains(strings.Fields(clockCommands), name) }

func (c call) looksAtClock() bool {
	return IsOfClock(c.name) ||
		c.name == "set" && slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(clockWords, w) })
}

// LooksAtClock tells whether a script calls a command that is about the time of day. A name that it makes as it runs
// does not count.
func LooksAtClock(text string) bool { return len(sourceOf(text).clock) > 0 }

// WithClock is a script in which each call that looks at the clock goes through a function: wrap is a name that
// the script does not use. On each line stands what stood there.
func WithClock(text, wrap string) string {
	sites := sourceOf(text).clock
	for _, s := range slices.Backward(sites) { // from the end, so that the places before stay
		text = text[:s.end] + ")" + text[s.end:]
		text = text[:s.start] + wrap + "(" + text[s.start:]
	}
	return text
}

// site is where a text names redis.call, or what it calls it.
type site struct{ start, end int }

// noteClock notes what is called, when the call looks at the clock.
func (r *reader) noteClock(c call, callee *syntax.Expr) {
	if !c.looksAtClock() {
		return
	}
	last := callee.Token
	if callee.Kind == syntax.Index {
		last += 2 // redis.call
		if r.tree.Text(callee.Token+1) == "[" {
			last++ // redis["call"]
		}
	}
	r.clock = append(r.clock, site{r.shift + int(r.tree.Tokens[callee.Token].Start), r.shift + int(r.tree.Tokens[last].End)})
}
