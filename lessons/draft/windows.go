package draft

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/luaexec/syntax"
)

// windows are two keys of a limiter that counts in this window of time and reads the count of the one before. Programs
// name such keys by the time.
type windows struct {
	current int // the place of the key that is counted in, from 1; 0: the script has no such keys
	before  int // that of the window before
}

// windowSize is how long windows are: programs and trials pass it as the script's span.
const windowSize = leaseMS * time.Millisecond

// windowsOf finds the windows of a script: of its keys it writes one, and one alone or by its name is that before; it divides
// the client's time, and is given a span.
func (c *candidate) windowsOf() windows {
	var written, read, called []int
	for n := 1; n <= c.keys; n++ {
		switch {
		case c.writes(n):
			written = append(written, n)
		case namedBefore.MatchString(c.named[place{false, n}]):
			called = append(called, n)
		default:
			read = append(read, n)
		}
	}
	if len(called) == 0 {
		called = read
	}
	spans := slices.Contains(c.roles, lease) || slices.Contains(c.roles, leaseS)
	if len(written) != 1 || len(called) != 1 || !c.cutsTime() || !spans {
		return windows{}
	}
	return windows{current: written[0], before: called[0]}
}

var namedBefore = regexp.MustCompile(`(?i)prev|before|last`)

// writes tells whether the script changes one of its keys.
func (c *candidate) writes(key int) bool {
	return slices.ContainsFunc(c.calls, func(call call) bool {
		return (c.makes(call) || c.renews(call)) && len(call.args) > 0 &&
			slices.ContainsFunc(c.uses(call.args[0]), func(u use) bool { return !u.arg && u.n == key })
	})
}

// cutsTime tells whether the script takes the client's time modulo something: how far it is into a window.
func (c *candidate) cutsTime() bool {
	return slices.ContainsFunc(c.tree.Exprs, func(e *syntax.Expr) bool {
		return e.Kind == syntax.Operation && e.Op == '%' && slices.ContainsFunc(c.uses(e.Args[0]), func(u use) bool {
			return u.arg && c.roles[u.n-1].isNow()
		})
	})
}

// keysAt are the names of the keys that a program passes some time after a trial has begun.
func (c *candidate) keysAt(after time.Duration) []string {
	if c.current == 0 {
		return c.names
	}
	n := engine.EpochMillis(after) / windowSize.Milliseconds()
	keys := slices.Clone(c.names)
	keys[c.current-1], keys[c.before-1] = fmt.Sprintf("%s:%d", lockKey, n), fmt.Sprintf("%s:%d", lockKey, n-1)
	return keys
}

// words are what the page calls a key.
func (w windows) words(key int) (en, zh string) {
	switch key {
	case w.current:
		return "calls of this window", "本窗口的计数"
	case w.before:
		return "calls of the window before", "上一窗口的计数"
	}
	return "", ""
}
