package luaexec

import "lockstep/luaexec/lua"

// bytesPerInstruction is how many bytes that a library function walks through one
// instruction pays for.
const bytesPerInstruction = 16

// growing is a string that a library function makes, paid for as it grows. It counts
// as held until it is pushed.
type growing struct {
	L     *lua.State
	bytes []byte
	kept  int
}

// pay charges for a piece of n bytes before it is added.
func (g *growing) pay(n int) {
	size := len(g.bytes) + n
	if size > lua.MaxString {
		g.L.TakeString(size) // which it refuses
	}
	if size > g.kept {
		more := max(size, 2*g.kept) - g.kept
		g.L.Keep(more)
		g.kept += more
	}
	g.L.Charge(int64(1 + n/bytesPerInstruction))
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
func (g *growing) push() {
	g.L.Keep(-g.kept)
	g.L.PushString(string(g.bytes))
}
