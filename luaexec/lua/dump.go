package lua

import (
	"encoding/binary"
	"math"
)

// Dump is the code of a function in the binary format of Lua 5.1 on a 64-bit
// machine; ok is false for a function of Go.
func (f *Function) Dump() (code string, ok bool) {
	if f.proto == nil {
		return "", false
	}
	// The signature, the version, the format, the byte order, and the sizes of int,
	// size_t, instructions and numbers, which are no integers.
	d := dump("\x1bLua\x51\x00\x01\x04\x08\x04\x08\x00")
	d.function(f.proto, "")
	return string(d), true
}

type dump []byte

func (d *dump) int(n int) { *d = binary.LittleEndian.AppendUint32(*d, uint32(n)) }

func (d *dump) bytes(values ...int) {
	for _, v := range values {
		*d = append(*d, byte(v))
	}
}

func (d *dump) string(s string) {
	*d = binary.LittleEndian.AppendUint64(*d, uint64(len(s)+1))
	*d = append(*d, s+"\x00"...)
}

func (d *dump) function(p *Proto, outerSource string) {
	if p.source == outerSource {
		*d = binary.LittleEndian.AppendUint64(*d, 0)
	} else {
		d.string(p.source)
	}
	d.int(p.lineDefined)
	d.int(p.lastLine)
	d.bytes(len(p.upvalues), p.params, int(p.vararg), p.registers)
	d.int(len(p.code))
	for _, i := range p.code {
		d.int(int(i))
	}
	d.int(len(p.constants))
	for _, v := range p.constants {
		d.constant(v)
	}
	d.int(len(p.protos))
	for _, inner := range p.protos {
		d.function(inner, p.source)
	}
	d.int(len(p.lines))
	for _, line := range p.lines {
		d.int(int(line))
	}
	d.int(len(p.locals))
	for _, l := range p.locals {
		d.string(l.name)
		d.int(l.start)
		d.int(l.until)
	}
	d.int(len(p.upvalues))
	for _, name := range p.upvalues {
		d.string(name)
	}
}

func (d *dump) constant(v Value) {
	const ofNil, ofBoolean, ofNumber, ofString = 0, 1, 3, 4
	switch v := v.(type) {
	case nil:
		d.bytes(ofNil)
	case bool:
		d.bytes(ofBoolean, 0)
		if v {
			(*d)[len(*d)-1] = 1
		}
	case float64:
		d.bytes(ofNumber)
		*d = binary.LittleEndian.AppendUint64(*d, math.Float64bits(v))
	case string:
		d.bytes(ofString)
		d.string(v)
	}
}
