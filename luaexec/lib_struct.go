package luaexec

import (
	"cmp"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

var structFunctions = map[string]lua.LGFunction{
	"pack":   structPack,
	"size":   structSize,
	"unpack": structUnpack,
}

// layout reads a format of the struct library: options for values (b B h H l L T f d x s, and c i I
// with a size), and < > ! that set byte order and alignment of the options behind them.
type layout struct {
	L      *lua.LState
	format string
	at     int
	big    bool   // the byte order
	align  uint64 // the largest alignment of an option; a power of two
}

// newLayout takes the format from the first argument, up to the first zero byte as C does.
func newLayout(L *lua.LState) *layout {
	format, _, _ := strings.Cut(checkString(L, 1), "\x00")
	return &layout{L: L, format: format, align: 1}
}

// next is the next option and its size; the size of s, c0 and control options is 0.
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

// padding is the number of bytes that align an option at a position. Text has none.
func (l *layout) padding(position uint64, option byte, size uint64) uint64 {
	if size == 0 || option == 'c' {
		return 0
	}
	size = min(size, l.align)
	return (size - position&(size-1)) & (size - 1)
}

// control obeys an option without a value.
func (l *layout) control(option byte) {
	switch option {
	case ' ':
	case '>':
		l.big = true
	case '<':
		l.big = false
	case '!':
		n := l.number(8)
		if n <= 0 || n&(n-1) != 0 {
			raisef(l.L, "alignment %d is not a power of 2", n)
		}
		l.align = uint64(n)
	default:
		argumentError(l.L, 1, "invalid format option '"+string([]byte{option})+"'")
	}
}

func structSize(L *lua.LState) int {
	l, position := newLayout(L), uint64(0)
	for option, size, ok := l.next(); ok; option, size, ok = l.next() {
		position += l.padding(position, option, size)
		switch {
		case option == 's':
			argumentError(L, 1, "option 's' has no fixed size")
		case option == 'c' && size == 0:
			argumentError(L, 1, "option 'c0' has no fixed size")
		case !isAlphanumeric(option):
			l.control(option)
		}
		position += size
	}
	return push(L, lua.LNumber(int64(position)))
}

func isAlphanumeric(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func structPack(L *lua.LState) int {
	l, out, arg := newLayout(L), &growing{L: L}, 1
	L.Push(lua.LNil) // a missing argument reads as nil, as in Redis
	for option, size, ok := l.next(); ok; option, size, ok = l.next() {
		out.add(make([]byte, l.padding(uint64(len(out.bytes)), option, size))...)
		switch option {
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I':
			arg++
			out.addInt(toUint64(checkNumber(L, arg)), int(size), l.big)
		case 'f':
			arg++
			out.addInt(uint64(singleBits(checkNumber(L, arg))), 4, l.big)
		case 'd':
			arg++
			out.addInt(doubleBits(checkNumber(L, arg)), 8, l.big)
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
			l.control(option)
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
		position += l.padding(position, option, size)
		rest := after(L, data, position, size)
		if args+results+2 > maxStack {
			raise(L, "stack overflow (too many results)")
		}
		switch option {
		case 'x':
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I', 'f', 'd':
			L.Push(lua.LNumber(l.decode(option, rest[:size])))
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
			l.control(option)
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

// decode reads a number, sign-extended for signed options. Only the low 8 bytes of a longer one count.
func (l *layout) decode(option byte, data string) float64 {
	n := uint64(0)
	for i := range len(data) {
		if l.big {
			n = n<<8 | uint64(data[i])
		} else {
			n = n<<8 | uint64(data[len(data)-1-i])
		}
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
