package luaexec

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// maxStack is how many values a function of Redis's Lua may have on its stack:
// the libraries that keep what they work on there fail beyond.
const maxStack = 8000

// growing is a string that a library function makes, paid for as it grows.
type growing struct {
	L     *lua.LState
	bytes []byte
}

// pay charges for a piece of n bytes before it is added.
func (g *growing) pay(n int) {
	if size := len(g.bytes) + n; size > maxString {
		raise(g.L, fmt.Sprintf("string of %d bytes is over the limit of %d", size, maxString))
	}
	charge(g.L, 1)
	chargeBytes(g.L, n)
}

func (g *growing) add(bytes ...byte) {
	g.pay(len(bytes))
	g.bytes = append(g.bytes, bytes...)
}

func (g *growing) addString(s string) {
	g.pay(len(s))
	g.bytes = append(g.bytes, s...)
}

// push makes the string the last result of the running function.
func (g *growing) push() { g.L.Push(lua.LString(g.bytes)) }
