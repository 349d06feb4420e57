package draft

import (
	"fmt"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/luaexec/syntax"
)

// windows are the keys of a counter of each of two windows, which its program names by the time.
type windows struct {
	current int           // the place of the key that counts now, from 1; 0: the script has no such keys
	size    time.Duration // of each
}

// windowsOf tells whether a script has a key that it counts in and one that it only reads, and looks how far into a window
// the client's time is. How long a window is it tells by the span that the script is given.
func (c *candidate) windowsOf() windows {
	if c.keys != 2 || !c.cutsTime() {
		return windows{}
	}
	var w windows
	for n := 1; n <= 2; n++ {
		if c.writes(n) {
			w.current += n
		}
	}
	if w.current > 2 { // both
		return windows{}
	}
	if slices.Contains(c.roles, lease) || slices.Contains(c.roles, leaseS) {
		w.size = leaseMS * time.Millisecond
	}
	if w.size == 0 {
		return windows{}
	}
	return w
}

// writes tells whether the script changes one of its keys.
func (c *candidate) writes(key int) bool {
	return slices.ContainsFunc(c.calls, func(call call) bool {
		return (c.makes(call) || c.renews(call)) && len(call.args) > 0 &&
			slices.ContainsFunc(c.uses(call.args[0]), func(u use) bool { return !u.arg && u.n == key })
	})
}

// cutsTime tells whether the script looks how far into a window the client's time is.
func (c *candidate) cutsTime() bool {
	return slices.ContainsFunc(c.tree.Exprs, func(e *syntax.Expr) bool {
		return e.Kind == syntax.Operation && e.Op == '%' && slices.ContainsFunc(c.uses(e.Args[0]), func(u use) bool {
			return u.arg && c.roles[u.n-1].isNow()
		})
	})
}

// keysAt are the keys that a program passes some time after a trial has begun.
func (c *candidate) keysAt(after time.Duration) []string {
	if c.current == 0 {
		return c.names
	}
	n := engine.EpochMillis(after) / c.size.Milliseconds()
	keys := []string{fmt.Sprintf("%s:%d", lockKey, n-1), fmt.Sprintf("%s:%d", lockKey, n-1)}
	keys[c.current-1] = fmt.Sprintf("%s:%d", lockKey, n)
	return keys
}

// keysLua is the same in a program, which reads its clock.
func (w windows) keysLua() string {
	current, before := fmt.Sprintf("%q .. window", limitKey+":"), fmt.Sprintf("%q .. window - 1", limitKey+":")
	if w.current == 2 {
		current, before = before, current
	}
	return "{" + current + ", " + before + "}"
}

// words are what the page says of a key.
func (w windows) words(key int) (en, zh string) {
	if key == w.current {
		return "calls of this window", "本窗口的计数"
	}
	return "calls of the window before", "上一窗口的计数"
}
