package luaexec

import (
	"fmt"
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// jsonNull is cjson.null: a pointer to nothing. It is shared by all states and
// never changes.
var jsonNull = &lua.LUserData{Metatable: lua.LNil}

// JSONConfig is what the functions of cjson can be told. It outlives a script.
type JSONConfig struct {
	convertSparse bool  // sparse arrays become objects instead of an error
	sparseRatio   int32 // 0: no array is too sparse
	sparseSafe    int32 // the highest index that is never too sparse
	encodeDepth   int32
	decodeDepth   int32
	precision     int32
	keepBuffer    bool
	encodeInvalid invalidNumbers
	decodeInvalid bool
}

// invalidNumbers is what becomes of numbers that JSON does not have.
type invalidNumbers int8

const (
	refuseInvalid invalidNumbers = iota
	writeInvalid
	nullInvalid
)

// DefaultJSON is that of a server that has just started.
var DefaultJSON = JSONConfig{
	sparseRatio: 2, sparseSafe: 10, encodeDepth: 1000, decodeDepth: 1000,
	precision: 14, keepBuffer: true, decodeInvalid: true,
}

// Digest tells configurations apart; that of the default one is 0.
func (c JSONConfig) Digest() uint64 {
	if c == DefaultJSON {
		return 0
	}
	d := uint64(1)
	for _, part := range []int32{
		toNumber(c.convertSparse), c.sparseRatio, c.sparseSafe, c.encodeDepth, c.decodeDepth,
		c.precision, toNumber(c.keepBuffer), int32(c.encodeInvalid), toNumber(c.decodeInvalid),
	} {
		d = (d ^ uint64(uint32(part))) * 0x9E3779B97F4A7C15
		d ^= d >> 32
	}
	return d
}

func toNumber(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// jsonLibrary is one table of functions with the configuration that they share.
type jsonLibrary struct {
	config func() *JSONConfig
}

// openCJSON opens cjson with the configuration of the node that a script runs on.
func (s *Machine) openCJSON() {
	lib := jsonLibrary{func() *JSONConfig { return s.call.JSON }}
	addLibrary(s.L, "cjson", lib.table(s.L))
}

func (lib jsonLibrary) table(L *lua.LState) *lua.LTable {
	t := L.CreateTable(0, 16)
	register(L, t, map[string]lua.LGFunction{
		"encode":                  lib.encode,
		"decode":                  lib.decode,
		"encode_sparse_array":     lib.encodeSparseArray,
		"encode_max_depth":        lib.bound(math.MaxInt32, func(c *JSONConfig) *int32 { return &c.encodeDepth }),
		"decode_max_depth":        lib.bound(math.MaxInt32, func(c *JSONConfig) *int32 { return &c.decodeDepth }),
		"encode_number_precision": lib.bound(14, func(c *JSONConfig) *int32 { return &c.precision }),
		"encode_keep_buffer":      lib.flag(func(c *JSONConfig) *bool { return &c.keepBuffer }),
		"encode_invalid_numbers":  lib.encodeInvalidNumbers,
		"decode_invalid_numbers":  lib.flag(func(c *JSONConfig) *bool { return &c.decodeInvalid }),
		"new":                     jsonNew,
	})
	t.RawSetString("null", jsonNull)
	t.RawSetString("_NAME", lua.LString("cjson"))
	t.RawSetString("_VERSION", lua.LString("2.1.0"))
	return t
}

// jsonNew makes another library with a configuration of its own.
func jsonNew(L *lua.LState) int {
	const cost = 300 // instructions, for its memory
	charge(L, cost)
	own := DefaultJSON
	return push(L, jsonLibrary{func() *JSONConfig { return &own }}.table(L))
}

// takes makes the arguments n, with nils for those that were left out.
func takes(L *lua.LState, n int) {
	if L.GetTop() > n {
		argumentError(L, n+1, "found too many arguments")
	}
	L.SetTop(n)
}

// number changes a setting to the nth argument, if there is one, and answers
// with the setting.
func (lib jsonLibrary) number(L *lua.LState, n int, setting *int32, low, high int32) {
	if L.Get(n) != lua.LNil {
		value := int32(toInt64(checkNumber(L, n)))
		if value < low || value > high {
			argumentError(L, 1, fmt.Sprintf("expected integer between %d and %d", low, high))
		}
		*setting = value
	}
	L.Push(lua.LNumber(*setting))
}

// choice is the nth argument as one of some options; true is the second.
func (lib jsonLibrary) choice(L *lua.LState, n, setting int, options ...string) int {
	switch v := L.Get(n).(type) {
	case *lua.LNilType:
		return setting
	case lua.LBool:
		return int(toNumber(bool(v)))
	}
	text := checkString(L, n)
	i := slices.Index(options, text)
	if i < 0 {
		argumentError(L, n, fmt.Sprintf("invalid option '%s'", text))
	}
	return i
}

func (lib jsonLibrary) toggle(L *lua.LState, n int, setting *bool) {
	*setting = lib.choice(L, n, int(toNumber(*setting)), "off", "on") == 1
	L.Push(lua.LBool(*setting))
}

// bound is a function that changes one setting to a number from 1 to most.
func (lib jsonLibrary) bound(most int32, of func(*JSONConfig) *int32) lua.LGFunction {
	return func(L *lua.LState) int {
		takes(L, 1)
		lib.number(L, 1, of(lib.config()), 1, most)
		return 1
	}
}

// flag is a function that turns one setting on or off.
func (lib jsonLibrary) flag(of func(*JSONConfig) *bool) lua.LGFunction {
	return func(L *lua.LState) int {
		takes(L, 1)
		lib.toggle(L, 1, of(lib.config()))
		return 1
	}
}

func (lib jsonLibrary) encodeSparseArray(L *lua.LState) int {
	takes(L, 3)
	c := lib.config()
	lib.toggle(L, 1, &c.convertSparse)
	lib.number(L, 2, &c.sparseRatio, 0, math.MaxInt32)
	lib.number(L, 3, &c.sparseSafe, 0, math.MaxInt32)
	return 3
}

func (lib jsonLibrary) encodeInvalidNumbers(L *lua.LState) int {
	takes(L, 1)
	c := lib.config()
	c.encodeInvalid = invalidNumbers(lib.choice(L, 1, int(c.encodeInvalid), "off", "on", "null"))
	if c.encodeInvalid == nullInvalid {
		return push(L, lua.LString("null"))
	}
	return push(L, lua.LBool(c.encodeInvalid == writeInvalid))
}
