package luaexec

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// unpacker reads MessagePack.
type unpacker struct {
	L     *lua.LState
	data  string
	at    int
	stack int // values that Redis has on its stack
	depth int // of the tables at hand
}

func cmsgpackUnpack(L *lua.LState) int {
	u := &unpacker{L: L, data: checkString(L, 1), stack: L.GetTop()}
	values := []lua.LValue{}
	for u.at < len(u.data) {
		values = append(values, u.value())
		u.stack++
	}
	return push(L, values...)
}

func (u *unpacker) take(n int) string {
	if n > len(u.data)-u.at {
		raise(u.L, "Missing bytes in input.")
	}
	u.at += n
	return u.data[u.at-n : u.at]
}

// number reads an unsigned number of n bytes.
func (u *unpacker) number(n int) uint64 {
	v := uint64(0)
	for _, b := range []byte(u.take(n)) {
		v = v<<8 | uint64(b)
	}
	return v
}

func (u *unpacker) text(n uint64) lua.LValue {
	text := u.take(int(n))
	charge(u.L, int64(n/BytesPerInstruction))
	return lua.LString(text)
}

// packedSizes are how many bytes of number or size follow a first byte.
var packedSizes = [256]int{
	0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8,
	0xd9: 1, 0xda: 2, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4,
}

func (u *unpacker) value() lua.LValue {
	charge(u.L, 1)
	kind := u.take(1)[0]
	u.room("too many return values at once; use unpack_one or unpack_limit instead.")
	switch {
	case kind < 0x80:
		return lua.LNumber(kind)
	case kind < 0x90:
		return u.table(uint64(kind & 0xf))
	case kind < 0xa0:
		return u.array(uint64(kind & 0xf))
	case kind < 0xc0:
		return u.text(uint64(kind & 0x1f))
	case kind >= 0xe0:
		return lua.LNumber(int8(kind))
	case kind == 0xc0:
		return lua.LNil
	case kind == 0xc2 || kind == 0xc3:
		return lua.LBool(kind == 0xc3)
	}
	size := packedSizes[kind]
	if size == 0 {
		raise(u.L, "Bad data format in input.")
	}
	n := u.number(size)
	switch kind {
	case 0xca:
		return lua.LNumber(math.Float32frombits(uint32(n)))
	case 0xcb:
		return lua.LNumber(math.Float64frombits(n))
	case 0xd0:
		return lua.LNumber(int8(n))
	case 0xd1:
		return lua.LNumber(int16(n))
	case 0xd2:
		return lua.LNumber(int32(n))
	case 0xd9, 0xda, 0xdb:
		return u.text(n)
	case 0xdc, 0xdd:
		return u.array(n)
	case 0xde, 0xdf:
		return u.table(n)
	}
	return lua.LNumber(int64(n))
}

// room is for one more value on Redis's stack.
func (u *unpacker) room(problem string) {
	if u.stack+1 > maxStack || tooDeep(u.L, u.depth) {
		raise(u.L, "stack overflow ("+problem+")")
	}
}

const unpackedTableCost = 20 // instructions, for its memory

func (u *unpacker) array(n uint64) lua.LValue {
	charge(u.L, unpackedTableCost)
	u.depth++
	u.stack++
	u.room("in function mp_decode_to_lua_array")
	u.stack++ // the index
	t := u.L.CreateTable(1, 0)
	for i := uint64(1); i <= n; i++ {
		if v := u.value(); v != lua.LNil {
			set(u.L, t, lua.LNumber(i), v)
		}
	}
	u.stack -= 2
	u.depth--
	return t
}

func (u *unpacker) table(n uint64) lua.LValue {
	charge(u.L, unpackedTableCost)
	u.depth++
	u.stack++
	t := u.L.CreateTable(0, 1)
	for ; n > 0; n-- {
		key := u.value()
		u.stack++
		v := u.value()
		u.stack--
		switch k := key.(type) {
		case *lua.LNilType:
			raisePlain(u.L, "table index is nil")
		case lua.LNumber:
			if k != k {
				raisePlain(u.L, "table index is NaN")
			}
		}
		charge(u.L, 4) // for the key's place in the table
		set(u.L, t, key, v)
	}
	u.stack--
	u.depth--
	return t
}
