package luaexec

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

var cmsgpackFunctions = map[string]lua.LGFunction{
	"pack":   cmsgpackPack,
	"unpack": cmsgpackUnpack,
}

func openCmsgpack(L *lua.LState) {
	lib := L.CreateTable(0, 8)
	register(L, lib, cmsgpackFunctions)
	for _, field := range [][2]string{
		{"_NAME", "cmsgpack"},
		{"_VERSION", "lua-cmsgpack 0.4.0"},
		{"_COPYRIGHT", "Copyright (C) 2012, Salvatore Sanfilippo"},
		{"_DESCRIPTION", "MessagePack C implementation for Lua"},
	} {
		lib.RawSetString(field[0], lua.LString(field[1]))
	}
	addLibrary(L, "cmsgpack", lib)
}

// maxPackDepth is how deep tables nest: what is deeper becomes nil.
const maxPackDepth = 16

type packer struct{ growing }

func cmsgpackPack(L *lua.LState) int {
	n := L.GetTop()
	if n == 0 {
		argumentError(L, 0, "MessagePack pack needs input.")
	}
	if 2*n > maxStack {
		argumentError(L, 0, "Too many arguments for MessagePack pack.")
	}
	p := packer{growing{L: L}}
	for i := 1; i <= n; i++ {
		p.value(L.Get(i), 0)
	}
	p.push()
	return 1
}

func (p *packer) value(v lua.LValue, level int) {
	switch v := v.(type) {
	case lua.LString:
		p.text(string(v))
		return
	case lua.LBool:
		if v {
			p.add(0xc3)
		} else {
			p.add(0xc2)
		}
		return
	case lua.LNumber:
		p.number(float64(v))
		return
	case *lua.LTable:
		if level < maxPackDepth {
			p.table(v, level)
			return
		}
	}
	p.add(0xc0)
}

// sized adds the head of something of size n: the byte small with the size in it when it is at most most, or else a
// byte of its own before 1, 2 or 4 bytes of size; one is 0 where MessagePack knows no size of 1 byte.
func (p *packer) sized(n int, small byte, most int, one, two, four byte) {
	switch {
	case n <= most:
		p.add(small | byte(n))
	case n <= math.MaxUint8 && one != 0:
		p.add(one, byte(n))
	case n <= math.MaxUint16:
		p.tagged(two, uint64(n), 2)
	default:
		p.tagged(four, uint64(n), 4)
	}
}

// tagged adds the byte of a kind before a number of so many bytes.
func (p *packer) tagged(kind byte, n uint64, size int) {
	p.add(kind)
	p.addInt(n, size, true)
}

func (p *packer) text(s string) {
	p.sized(len(s), 0xa0, 31, 0xd9, 0xda, 0xdb)
	p.addString(s)
}

func (p *packer) number(f float64) {
	n := toInt64(f)
	switch single := float32(f); {
	case float64(n) == f:
		p.integer(n)
	case float64(single) == f:
		p.tagged(0xca, uint64(singleBits(f)), 4)
	default:
		p.tagged(0xcb, doubleBits(f), 8)
	}
}

func (p *packer) integer(n int64) {
	switch {
	case n >= -32 && n <= math.MaxInt8:
		p.add(byte(n))
	case n > math.MaxUint32:
		p.tagged(0xcf, uint64(n), 8)
	case n > math.MaxUint16:
		p.tagged(0xce, uint64(n), 4)
	case n > math.MaxUint8:
		p.tagged(0xcd, uint64(n), 2)
	case n >= 0:
		p.add(0xcc, byte(n))
	case n >= math.MinInt8:
		p.add(0xd0, byte(n))
	case n >= math.MinInt16:
		p.tagged(0xd1, uint64(n), 2)
	case n >= math.MinInt32:
		p.tagged(0xd2, uint64(n), 4)
	default:
		p.tagged(0xd3, uint64(n), 8)
	}
}

func (p *packer) table(t *lua.LTable, level int) {
	n, isArray := p.shape(t)
	if isArray {
		p.sized(n, 0x90, 15, 0, 0xdc, 0xdd)
		for i := range n {
			p.value(t.RawGet(lua.LNumber(i+1)), level+1)
		}
		return
	}
	p.sized(n, 0x80, 15, 0, 0xde, 0xdf)
	for k, v := range sandboxOf(p.L).fields(p.L, t) {
		p.value(k, level+1)
		p.value(v, level+1)
	}
}

// shape counts the fields of a table and tells whether they are an array without holes.
func (p *packer) shape(t *lua.LTable) (n int, isArray bool) {
	highest := int32(0)
	isArray = true
	for key, _ := t.Next(lua.LNil); key != lua.LNil; key, _ = t.Next(key) {
		charge(p.L, 1)
		n++
		k, ok := key.(lua.LNumber)
		if i := toInt32(float64(k)); ok && i > 0 && float64(i) == float64(k) {
			highest = max(highest, i)
		} else {
			isArray = false
		}
	}
	return n, isArray && int(highest) == n
}
