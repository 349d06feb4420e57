package luaexec

import (
	"maps"
	"math"
	"slices"

	"lockstep/luaexec/lua"
)

// mathOf1 are the functions of one number.
var mathOf1 = map[string]func(float64) float64{
	"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan,
	"ceil": math.Ceil, "cos": math.Cos, "cosh": math.Cosh, "exp": math.Exp,
	"floor": math.Floor, "log": math.Log, "log10": math.Log10, "sin": math.Sin,
	"sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
	"deg": func(x float64) float64 { return x / (math.Pi / 180) },
	"rad": func(x float64) float64 { return x * (math.Pi / 180) },
}

// mathOf2 are the functions of two numbers.
var mathOf2 = map[string]func(x, y float64) float64{
	"atan2": math.Atan2, "fmod": math.Mod, "mod": math.Mod, "pow": math.Pow,
}

func (s *Sandbox) openMath(L *lua.State) *lua.Table {
	lib := L.NewTable(0, 32)
	for _, name := range slices.Sorted(maps.Keys(mathOf1)) {
		f := mathOf1[name]
		lib.SetString(name, L.NewFunction(func(L *lua.State) int {
			x := L.CheckNumber(1)
			L.Push(lua.Number(lua.Result(f(x), x)))
			return 1
		}))
	}
	for _, name := range slices.Sorted(maps.Keys(mathOf2)) {
		f := mathOf2[name]
		lib.SetString(name, L.NewFunction(func(L *lua.State) int {
			x, y := L.CheckNumber(1), L.CheckNumber(2)
			L.Push(lua.Number(lua.Result(f(x, y), x, y)))
			return 1
		}))
	}
	register(L, lib, map[string]lua.GoFunction{
		"frexp": mathFrexp, "ldexp": mathLdexp, "modf": mathModf,
		"max": mathMax, "min": mathMin,
		"random": s.random, "randomseed": s.randomSeed,
	})
	lib.SetString("pi", lua.Number(math.Pi))
	lib.SetString("huge", lua.Number(math.Inf(1)))
	return lib
}

func mathFrexp(L *lua.State) int {
	fraction, exponent := math.Frexp(L.CheckNumber(1))
	L.Push(lua.Number(fraction))
	L.Push(lua.Int(exponent))
	return 2
}

func mathLdexp(L *lua.State) int {
	L.Push(lua.Number(math.Ldexp(L.CheckNumber(1), L.CheckInt(2))))
	return 1
}

func mathModf(L *lua.State) int {
	x := L.CheckNumber(1)
	whole, fraction := math.Modf(x)
	if math.IsInf(x, 0) {
		whole, fraction = x, 0
	}
	L.Push(lua.Number(whole))
	L.Push(lua.Number(fraction))
	return 2
}

func mathMax(L *lua.State) int {
	best := L.CheckNumber(1)
	for i := 2; i <= L.Top(); i++ {
		if x := L.CheckNumber(i); x > best {
			best = x
		}
	}
	L.Push(lua.Number(best))
	return 1
}

func mathMin(L *lua.State) int {
	best := L.CheckNumber(1)
	for i := 2; i <= L.Top(); i++ {
		if x := L.CheckNumber(i); x < best {
			best = x
		}
	}
	L.Push(lua.Number(best))
	return 1
}

func (s *Sandbox) random(L *lua.State) int {
	r := s.Random.Float()
	switch L.Top() {
	case 0:
		L.Push(lua.Number(r))
	case 1:
		upper := L.CheckInt(1)
		if upper < 1 {
			L.ArgumentError(1, "interval is empty")
		}
		L.Push(lua.Number(math.Floor(r*float64(upper)) + 1))
	case 2:
		lower, upper := L.CheckInt(1), L.CheckInt(2)
		if lower > upper {
			L.ArgumentError(2, "interval is empty")
		}
		size := int32(upper - lower + 1) // which overflows in C too
		L.Push(lua.Number(math.Floor(r*float64(size)) + float64(lower)))
	default:
		L.Fail("wrong number of arguments")
	}
	return 1
}

func (s *Sandbox) randomSeed(L *lua.State) int {
	s.Random.Seed(int32(L.CheckInt(1)))
	return 0
}
