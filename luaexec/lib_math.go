package luaexec

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/libm"
)

// mathOf1 are the functions of one number. Those of angles are left out: no script of a lock needs
// them, and they would have to be the same on every platform, as all others are.
var mathOf1 = map[string]func(float64) float64{
	"abs": math.Abs, "ceil": math.Ceil, "exp": libm.Exp, "floor": math.Floor,
	"log": libm.Log, "log10": libm.Log10, "sqrt": math.Sqrt,
}

// mathOf2 are the functions of two numbers.
var mathOf2 = map[string]func(x, y float64) float64{"fmod": math.Mod, "mod": math.Mod, "pow": libm.Pow}

func (s *Sandbox) openMath(L *lua.LState) *lua.LTable {
	lib := L.CreateTable(0, 32)
	for _, name := range sortedNames(mathOf1) {
		f := mathOf1[name]
		lib.RawSetString(name, L.NewFunction(func(L *lua.LState) int {
			return push(L, lua.LNumber(f(checkNumber(L, 1))))
		}))
	}
	for _, name := range sortedNames(mathOf2) {
		f := mathOf2[name]
		lib.RawSetString(name, L.NewFunction(func(L *lua.LState) int {
			return push(L, lua.LNumber(f(checkNumber(L, 1), checkNumber(L, 2))))
		}))
	}
	register(L, lib, map[string]lua.LGFunction{
		"frexp": mathFrexp, "ldexp": mathLdexp, "modf": mathModf,
		"max": mathBest(func(x, best float64) bool { return x > best }), "min": mathBest(func(x, best float64) bool { return x < best }),
		"random": s.random, "randomseed": s.randomSeed,
	})
	lib.RawSetString("pi", lua.LNumber(math.Pi))
	lib.RawSetString("huge", lua.LNumber(math.Inf(1)))
	return lib
}

func mathFrexp(L *lua.LState) int {
	fraction, exponent := math.Frexp(checkNumber(L, 1))
	return push(L, lua.LNumber(fraction), lua.LNumber(exponent))
}

func mathLdexp(L *lua.LState) int {
	return push(L, lua.LNumber(math.Ldexp(checkNumber(L, 1), checkInt(L, 2))))
}

func mathModf(L *lua.LState) int {
	x := checkNumber(L, 1)
	whole, fraction := math.Modf(x)
	if math.IsInf(x, 0) {
		whole, fraction = x, 0
	}
	return push(L, lua.LNumber(whole), lua.LNumber(fraction))
}

// mathBest is the first of the numbers that is better than all before it.
func mathBest(better func(x, best float64) bool) lua.LGFunction {
	return func(L *lua.LState) int {
		best := checkNumber(L, 1)
		for i := 2; i <= L.GetTop(); i++ {
			if x := checkNumber(L, i); better(x, best) {
				best = x
			}
		}
		return push(L, lua.LNumber(best))
	}
}

func (s *Sandbox) random(L *lua.LState) int {
	r := s.Random.Float()
	switch L.GetTop() {
	case 0:
		return push(L, lua.LNumber(r))
	case 1:
		upper := checkInt(L, 1)
		if upper < 1 {
			argumentError(L, 1, "interval is empty")
		}
		return push(L, lua.LNumber(math.Floor(r*float64(upper))+1))
	case 2:
		lower, upper := checkInt(L, 1), checkInt(L, 2)
		if lower > upper {
			argumentError(L, 2, "interval is empty")
		}
		return push(L, lua.LNumber(math.Floor(r*float64(int32(upper-lower+1)))+float64(lower)))
	}
	raise(L, "wrong number of arguments")
	return 0
}

func (s *Sandbox) randomSeed(L *lua.LState) int {
	s.Random.Seed(int32(checkInt(L, 1)))
	return 0
}

// Random is the generator behind math.random, the one that Redis brings along
// so that scripts give the same numbers everywhere. Its state outlives a script.
type Random struct {
	x uint64 // 48 bits
}

// RandomLow are the 16 low bits of a seeded state: drand48 sets them whatever the seed.
const RandomLow = 0x330E

// NewRandom is the generator of a server that has just started.
func NewRandom() Random { return Random{x: 0x1234_ABCD_330E} }

// Seed starts the sequence of a seed.
func (r *Random) Seed(seed int32) { r.x = uint64(uint32(seed))<<16 | RandomLow }

// Next is the next number of 31 bits.
func (r *Random) Next() int32 {
	r.x = (r.x*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int32(r.x >> 17)
}

const max31 = 1<<31 - 1

// Float is the next number of [0, 1), as Lua's math.random makes it.
func (r *Random) Float() float64 { return float64(r.Next()%max31) / float64(max31) }

// State is all that decides which numbers come.
func (r *Random) State() uint64 { return r.x }
