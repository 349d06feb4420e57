package luaexec

import (
	"cmp"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

var structFunctions = map[string]lua.LGFunction{
	"pack":   structPack,
	"unpack": structUnpack,
}

// layout reads a format of the struct library: b B h H l L T f d x s, and c i I with a size. The options
// that set byte order and alignment are left out: no script of a lock, queue or limiter has them.
type layout struct {
	L      *lua.LState
	format string
	at     int
}

// newLayout takes the format from the first argument, up to the first zero byte as C does.
func newLayout(L *lua.LState) *layout {
	format, _, _ := strings.Cut(checkString(L, 1), "\x00")
	return &layout{L: L, format: format}
}

// next is the next option and its size; the size of s and c0 is 0.
func (l *layout) next() (option byte, size uint64, ok bool) {
	if l.at == len(l.format) {
		return 0, 0, false
	}
	charge(l.L, 1)
	option = l.format[l.at]
	l.at++
	return option, l.size(option), true
}

func (l *layout) size(option byte) uint64 {
	const maxInt = 32
	switch option {
	case 'b', 'B', 'x':
		return 1
	case 'h', 'H':
		return 2
	case 'f':
		return 4
	case 'l', 'L', 'T', 'd':
		return 8
	case 'c':
		return uint64(l.number(1))
	case 'i', 'I':
		n := l.number(4)
		if n > maxInt {
			raisef(l.L, "integral size %d is larger than limit of %d", n, maxInt)
		}
		return uint64(n)
	}
	return 0
}

// number reads the digits at the current place; otherwise, if there are none.
func (l *layout) number(otherwise int) int {
	start, n := l.at, 0
	for ; l.at < len(l.format) && '0' <= l.format[l.at] && l.format[l.at] <= '9'; l.at++ {
		n = n*10 + int(l.format[l.at]-'0')
		if n > math.MaxInt32 {
			raise(l.L, "integral size overflow")
		}
	}
	if l.at == start {
		return otherwise
	}
	return n
}

// refuse ends a format with a letter that is no option; blanks are none, and harmless.
func (l *layout) refuse(option byte) {
	if option != ' ' {
		argumentError(l.L, 1, "invalid format option '"+string([]byte{option})+"'")
	}
}

func structPack(L *lua.LState) int {
	l, out, arg := newLayout(L), &growing{L: L}, 1
	L.Push(lua.LNil) // a missing argument reads as nil, as in Redis
	for option, size, ok := l.next(); ok; option, size, ok = l.next() {
		switch option {
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I':
			arg++
			out.addInt(toUint64(checkNumber(L, arg)), int(size), false)
		case 'f':
			arg++
			out.addInt(uint64(singleBits(checkNumber(L, arg))), 4, false)
		case 'd':
			arg++
			out.addInt(doubleBits(checkNumber(L, arg)), 8, false)
		case 'x':
			out.add(0)
		case 'c', 's':
			arg++
			text := checkString(L, arg)
			size = cmp.Or(size, uint64(len(text)))
			if uint64(len(text)) < size {
				argumentError(L, arg+1, "string too short")
			}
			out.addString(text[:size])
			if option == 's' {
				out.add(0)
			}
		default:
			l.refuse(option)
		}
	}
	out.push()
	return 1
}

// addInt adds the low bytes of an integer; beyond the eighth they are zero.
func (g *growing) addInt(n uint64, size int, big bool) {
	g.pay(size)
	for i := range size {
		if big {
			i = size - 1 - i
		}
		g.bytes = append(g.bytes, byte(n>>(8*i))) // a shift by 64 or more leaves 0
	}
}

// doubleBits are the bits of a double. Every NaN has the bits of 0/0 on x86.
func doubleBits(f float64) uint64 {
	if math.IsNaN(f) {
		return 0xFFF8 << 48
	}
	return math.Float64bits(f)
}

func singleBits(f float64) uint32 {
	if math.IsNaN(f) {
		return 0xFFC0 << 16
	}
	return math.Float32bits(float32(f))
}

const tooShort = "data string too short"

func structUnpack(L *lua.LState) int {
	l, data := newLayout(L), checkString(L, 2)
	position := uint64(optional(L, 3, 1, checkInt64))
	if position == 0 {
		argumentError(L, 3, "offset must be 1 or greater")
	}
	position--
	args, results := L.GetTop(), 0
	for option, size, ok := l.next(); ok; option, size, ok = l.next() {
		rest := after(L, data, position, size)
		if args+results+2 > maxStack {
			raise(L, "stack overflow (too many results)")
		}
		switch option {
		case 'x':
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I', 'f', 'd':
			L.Push(lua.LNumber(decodeNumber(option, rest[:size])))
			results++
		case 'c':
			if size == 0 {
				f, ok := asNumber(L.Get(-1))
				if results == 0 || !ok {
					raise(L, "format 'c0' needs a previous size")
				}
				L.Pop(1)
				results--
				size = toUint64(f)
				rest = after(L, data, position, size)
			}
			L.Push(lua.LString(rest[:size]))
			results++
		case 's':
			end := strings.IndexByte(rest, 0)
			if end < 0 {
				raise(L, "unfinished string in data")
			}
			charge(L, int64(end/BytesPerInstruction))
			L.Push(lua.LString(rest[:end]))
			results++
			size = uint64(end) + 1
		default:
			l.refuse(option)
		}
		position += size
	}
	L.Push(lua.LNumber(int64(position + 1)))
	return results + 1
}

// after is the data from a position on. Fewer than size bytes are an error.
func after(L *lua.LState, data string, position, size uint64) string {
	n := uint64(len(data))
	if size > n || position > n-size {
		argumentError(L, 2, tooShort)
	}
	return data[position:]
}

// decodeNumber sign-extends for signed options. Only the low 8 bytes of a longer number count.
func decodeNumber(option byte, data string) float64 {
	n := uint64(0)
	for _, b := range slices.Backward([]byte(data)) {
		n = n<<8 | uint64(b)
	}
	switch option {
	case 'f':
		return float64(math.Float32frombits(uint32(n)))
	case 'd':
		return math.Float64frombits(n)
	case 'B', 'H', 'L', 'T', 'I':
		return float64(n)
	}
	if shift := (8*len(data) - 1) & 63; n>>shift != 0 {
		n |= math.MaxUint64 << shift
	}
	return float64(int64(n))
}
