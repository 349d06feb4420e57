package keyspace

import (
	"math/bits"
	"strings"

	"lockstep/engine/reply"
)

var bitmapCommands = []Command{
	{"bitcount", -2, ReadOnly | Slow, oneKey, bitcount, "Count the bits that are 1"},
	{"bitop", -4, Write | DenyOOM | Slow, operands, bitop, "Store the AND, OR, XOR or NOT of strings"},
	{"bitpos", -3, ReadOnly | Slow, oneKey, bitpos, "Position of the first bit that is 0 or 1"},
	{"getbit", 3, ReadOnly, oneKey, getbit, "Read a bit"},
	{"setbit", 4, Write | DenyOOM, oneKey, setbit, "Write a bit"},
}

var (
	errBitOffset = reply.OfError("ERR bit offset is not an integer or out of range")
	errBitValue  = reply.OfError("ERR bit is not an integer or out of range")
)

// bitOffset reads the place of a bit, counted from the highest of the first byte.
func bitOffset(s string) (at int64, ok bool) {
	at, ok = parseInt(s)
	return at, ok && at >= 0 && at>>3 < MaxText
}

// bitAt is a bit of a text that may be shorter.
func bitAt(text string, at int64) int64 {
	if at>>3 >= int64(len(text)) {
		return 0
	}
	return int64(text[at>>3] >> (7 - at&7) & 1)
}

func getbit(k *Keyspace, args []string) reply.Reply {
	at, ok := bitOffset(args[2])
	if !ok {
		return errBitOffset
	}
	e, none := k.value(args[1], stringType, reply.OfInt(0))
	if e == nil {
		return none
	}
	return reply.OfInt(bitAt(e.text, at))
}

func setbit(k *Keyspace, args []string) reply.Reply {
	at, ok := bitOffset(args[2])
	if !ok {
		return errBitOffset
	}
	bit, ok := parseInt(args[3])
	if !ok || bit&^1 != 0 {
		return errBitValue
	}
	e, ok := k.findAs(args[1], stringType)
	if !ok {
		return errWrongType
	}
	size := int(at>>3) + 1
	old := int64(0)
	if e != nil {
		old = bitAt(e.text, at)
		if old == bit && size <= len(e.text) {
			return reply.OfInt(old)
		}
	}
	if k.lacksRoomFor(e, size) {
		return errOutOfMemory
	}
	text := k.editOrCreate(args[1], e, stringType).bytesToWrite(size)
	text[at>>3] ^= byte((old ^ bit) << (7 - at&7))
	return reply.OfInt(old)
}

// lacksRoomFor tells whether a string cannot grow to a size in bytes.
func (k *Keyspace) lacksRoomFor(e *entry, size int) bool {
	if e != nil {
		size -= len(e.text)
	}
	return size > 0 && k.hasNoRoomFor(int64(size))
}

// bitRange reads the ends of BITCOUNT and BITPOS, in bytes or bits, as a half-open range of
// bits. BITPOS reports an error in the unit before other errors.
func bitRange(options []string, size int, unitFirst bool) (from, to int64, failed reply.Reply) {
	start, ok := parseInt(options[0])
	if !ok {
		return 0, 0, errNotInt
	}
	unit := int64(8)
	knownUnit := true
	if len(options) > 2 {
		knownUnit = strings.EqualFold(options[2], "byte")
		if strings.EqualFold(options[2], "bit") {
			unit, knownUnit = 1, true
		}
	}
	if unitFirst && !knownUnit {
		return 0, 0, errSyntax
	}
	stop := int64(-1)
	if len(options) > 1 {
		if stop, ok = parseInt(options[1]); !ok {
			return 0, 0, errNotInt
		}
	}
	if !knownUnit {
		return 0, 0, errSyntax
	}
	n := int64(size) * 8 / unit
	// As for GETRANGE, a stop before the first is the first.
	if stop < -n {
		stop = -n
	}
	first, last := clampRange(start, stop, int(n))
	return int64(first) * unit, int64(last) * unit, reply.Reply{}
}

func bitcount(k *Keyspace, args []string) reply.Reply {
	e, none := k.value(args[1], stringType, reply.OfInt(0))
	switch {
	case e == nil:
		return none
	case len(args) == 3 || len(args) > 5:
		return errSyntax
	}
	from, to := int64(0), int64(len(e.text))*8
	if len(args) > 3 {
		var failed reply.Reply
		if isBackwards(args[2], args[3]) {
			return reply.OfInt(0)
		}
		if from, to, failed = bitRange(args[2:], len(e.text), false); failed.IsError() {
			return failed
		}
	}
	return reply.OfInt(countBits(e.text, from, to))
}

// isBackwards tells whether two ends, both counted from the end of the text, are
// the wrong way round: BITPOS may still look at the first byte then, BITCOUNT not.
func isBackwards(low, high string) bool {
	start, _ := parseInt(low)
	stop, _ := parseInt(high)
	return start < 0 && stop < 0 && start > stop
}

func countBits(text string, from, to int64) int64 {
	n := int64(0)
	for ; from < to && from&7 != 0; from++ {
		n += bitAt(text, from)
	}
	for ; from+8 <= to; from += 8 {
		n += int64(bits.OnesCount8(text[from>>3]))
	}
	for ; from < to; from++ {
		n += bitAt(text, from)
	}
	return n
}

func bitpos(k *Keyspace, args []string) reply.Reply {
	bit, ok := parseInt(args[2])
	switch {
	case !ok:
		return errNotInt
	case bit != 0 && bit != 1:
		return reply.OfError("ERR The bit argument must be 1 or 0.")
	}
	e, none := k.value(args[1], stringType, reply.OfInt(-bit))
	switch {
	case e == nil:
		return none
	case len(args) > 6:
		return errSyntax
	}
	from, to := int64(0), int64(len(e.text))*8
	if len(args) > 3 {
		var failed reply.Reply
		if from, to, failed = bitRange(args[3:], len(e.text), true); failed.IsError() {
			return failed
		}
	}
	if from == to {
		return reply.OfInt(-1)
	}
	at := findBit(e.text, from, to, bit)
	if at == to && (bit == 1 || len(args) > 4) {
		return reply.OfInt(-1)
	}
	return reply.OfInt(at) // without a stop, zeros go on behind the text
}

// findBit is the first position of a bit, or to if there is none.
func findBit(text string, from, to, bit int64) int64 {
	skip := byte(0xFF * (1 - bit)) // a byte without it
	for from < to {
		if from&7 == 0 && from+8 <= to && text[from>>3] == skip {
			from += 8
			continue
		}
		if bitAt(text, from) == bit {
			return from
		}
		from++
	}
	return to
}

func bitop(k *Keyspace, args []string) reply.Reply {
	how := strings.ToLower(args[1])
	switch how {
	case "and", "or", "xor":
	case "not":
		if len(args) != 4 {
			return reply.OfError("ERR BITOP NOT must be called with a single source key.")
		}
	default:
		return errSyntax
	}
	size := 0
	var texts []string
	for _, key := range args[3:] {
		e, ok := k.findAs(key, stringType)
		if !ok {
			return errWrongType
		}
		text := ""
		if e != nil {
			text = e.text
		}
		texts = append(texts, text)
		size = max(size, len(text))
	}
	if size == 0 {
		k.drop(args[2])
		return reply.OfInt(0)
	}
	if k.hasNoRoomFor(int64(size)) {
		return errOutOfMemory
	}
	k.setText(args[2], combineBits(how, texts, size), false)
	return reply.OfInt(int64(size))
}

func combineBits(how string, texts []string, size int) string {
	out := make([]byte, size)
	copy(out, texts[0])
	if how == "not" {
		for i := range out {
			out[i] = ^out[i]
		}
	}
	for _, text := range texts[1:] {
		for i := range out {
			b := byte(0)
			if i < len(text) {
				b = text[i]
			}
			switch how {
			case "and":
				out[i] &= b
			case "or":
				out[i] |= b
			default:
				out[i] ^= b
			}
		}
	}
	return string(out)
}
