package luaexec

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// bitFunctions are BitOp's: operations on numbers as 32 bits with a sign.
var bitFunctions = map[string]lua.LGFunction{
	"tobit":   bitOf(func(b uint32) uint32 { return b }),
	"bnot":    bitOf(func(b uint32) uint32 { return ^b }),
	"bswap":   bitOf(bits.ReverseBytes32),
	"band":    bitsOf(func(a, b uint32) uint32 { return a & b }),
	"bor":     bitsOf(func(a, b uint32) uint32 { return a | b }),
	"bxor":    bitsOf(func(a, b uint32) uint32 { return a ^ b }),
	"lshift":  bitShift(func(b uint32, n int) uint32 { return b << n }),
	"rshift":  bitShift(func(b uint32, n int) uint32 { return b >> n }),
	"arshift": bitShift(func(b uint32, n int) uint32 { return uint32(int32(b) >> n) }),
	"rol":     bitShift(bits.RotateLeft32),
	"ror":     bitShift(func(b uint32, n int) uint32 { return bits.RotateLeft32(b, -n) }),
	"tohex":   bitToHex,
}

// checkBits is a number argument, rounded and cut to 32 bits: what is left of it
// after its fraction and all higher bits are pushed out of a double.
func checkBits(L *lua.LState, n int) uint32 {
	const push = 1<<52 + 1<<51
	f := checkNumber(L, n)
	if math.IsNaN(f) {
		return 0 // its bits differ between platforms
	}
	return uint32(math.Float64bits(f + push))
}

func pushBits(L *lua.LState, b uint32) int { return push(L, lua.LNumber(int32(b))) }

func bitOf(change func(b uint32) uint32) lua.LGFunction {
	return func(L *lua.LState) int { return pushBits(L, change(checkBits(L, 1))) }
}

// bitsOf takes its arguments from the last, which shows in errors.
func bitsOf(join func(a, b uint32) uint32) lua.LGFunction {
	return func(L *lua.LState) int {
		b := checkBits(L, 1)
		charge(L, int64(L.GetTop()/4))
		for i := L.GetTop(); i > 1; i-- {
			b = join(b, checkBits(L, i))
		}
		return pushBits(L, b)
	}
}

func bitShift(shift func(b uint32, n int) uint32) lua.LGFunction {
	return func(L *lua.LState) int {
		b := checkBits(L, 1)
		return pushBits(L, shift(b, int(checkBits(L, 2)&31)))
	}
}

// bitToHex writes as many digits as its second argument says, in capitals if that is negative.
func bitToHex(L *lua.LState) int {
	b, n, digits := checkBits(L, 1), 8, "0123456789abcdef"
	if L.GetTop() > 1 {
		n = int(int32(checkBits(L, 2)))
	}
	if n < 0 {
		n, digits = -n, "0123456789ABCDEF"
	}
	hex := make([]byte, min(n, 8))
	for i := len(hex) - 1; i >= 0; i-- {
		hex[i] = digits[b&15]
		b >>= 4
	}
	return push(L, lua.LString(hex))
}
