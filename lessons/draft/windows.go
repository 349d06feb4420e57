package draft

import (
	"fmt"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/luaexec/syntax"
)

// windows are the two keys of a limiter that counts in this window of time and reads the count of the one before. Programs
// name such keys by the time.
type windows struct {
	current int // the place of the key that is counted in, from 1; 0: the script has no such keys
}

// windowSize is how long windows are: programs and trials pass it as the script's span.
const windowSize = leaseMS * time.Millisecond

// windowsOf finds the windows of a script: it has two keys and writes one, divides the client's time, and is given a span.
func (c *candidate) windowsOf() windows {
	spans := slices.Contains(c.roles, lease) || slices.Contains(c.roles, leaseS)
	if c.keys != 2 || !c.cutsTime() || !spans || c.writes(1) == c.writes(2) {
		return windows{}
	}
	if c.writes(1) {
		return windows{current: 1}
	}
	return windows{current: 2}
}

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
	keys := []string{fmt.Sprintf("%s:%d", lockKey, n-1), fmt.Sprintf("%s:%d", lockKey, n-1)}
	keys[c.current-1] = fmt.Sprintf("%s:%d", lockKey, n)
	return keys
}

// keysLua is the Lua of these names in a program, which has the number of the window in window.
func (w windows) keysLua() string {
	current, before := fmt.Sprintf("%q .. window", limitKey+":"), fmt.Sprintf("%q .. window - 1", limitKey+":")
	if w.current == 2 {
		current, before = before, current
	}
	return "{" + current + ", " + before + "}"
}

// words are what the page calls a key.
func (w windows) words(key int) (en, zh string) {
	if key == w.current {
		return "calls of this window", "本窗口的计数"
	}
	return "calls of the window before", "上一窗口的计数"
}
