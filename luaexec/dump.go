package luaexec

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Dumper writes the future of a state as bytes: values with everything reachable from them, and
// suspended coroutines with their calls and live registers. Equal dumps behave equally on equal
// input. Unequal dumps may behave equally, too: that costs a search time, but no soundness. The
// number of instructions run so far is no part of a dump.
type Dumper struct {
	sandbox   *Sandbox
	code      func() *Code
	userdata  func(v any) string // text of a Go value; equal only for values that behave equally
	natives   map[*lua.LFunction]int
	libraries map[*lua.LTable]int
	out       []byte
	seen      map[any]int // pointers written since Begin, numbered in that order
	unknown   int         // the last number given to a Go function outside natives. Each use gets a new one below 0, so that its dump equals no other
}

// NewDumper numbers the Go functions of a state with all its libraries open. known are functions
// that globals do not reach.
func (s *Sandbox) NewDumper(L *lua.LState, code func() *Code, userdata func(v any) string, known ...lua.LValue) *Dumper {
	d := &Dumper{
		sandbox: s, code: code, userdata: userdata,
		natives: map[*lua.LFunction]int{}, libraries: map[*lua.LTable]int{}, seen: map[any]int{},
	}
	n := numbering{d.natives, d.libraries, map[any]bool{}}
	n.value(L.G.Global)
	for _, v := range append(known, s.pairs, s.ipairs) {
		n.value(v)
	}
	return d
}

// numbering numbers the Go functions that values reach, and the read-only tables of plain values.
// States that made the same values in the same order have the same numbers.
type numbering struct {
	natives   map[*lua.LFunction]int
	libraries map[*lua.LTable]int
	met       map[any]bool
}

func (n numbering) value(v lua.LValue) {
	if n.met[v] {
		return
	}
	switch v := v.(type) {
	case *lua.LTable:
		n.met[v] = true
		n.table(v)
	case *lua.LFunction:
		n.met[v] = true
		if v.IsG {
			n.natives[v] = len(n.natives)
			return
		}
		n.value(v.Env)
		for _, u := range v.Upvalues {
			if u != nil {
				n.value(u.Value())
			}
		}
	}
}

// table numbers what a table reaches. Text keys come in their order: every state meets them alike.
func (n numbering) table(t *lua.LTable) {
	n.value(t.Metatable)
	var texts []string
	library := isFrozen(t)
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		library = library && isPlain(v)
		if s, ok := k.(lua.LString); !ok {
			n.value(v)
		} else if v.Type() == lua.LTTable || v.Type() == lua.LTFunction {
			texts = append(texts, string(s))
		}
	}
	slices.Sort(texts)
	for _, k := range texts {
		n.value(t.RawGetString(k))
	}
	if library {
		n.libraries[t] = len(n.libraries)
	}
}

// isPlain tells whether a value reaches no other one.
func isPlain(v lua.LValue) bool {
	switch v := v.(type) {
	case lua.LNumber, lua.LString, lua.LBool:
		return true
	case *lua.LFunction:
		return v.IsG && len(v.Upvalues) == 0
	}
	return false
}

// Begin starts a new dump: the state of math.random and the number of printed addresses come first.
func (d *Dumper) Begin() {
	d.out = d.out[:0]
	clear(d.seen)
	d.out = binary.AppendUvarint(d.out, d.sandbox.Random.x)
	d.int(len(d.sandbox.addresses))
}

// Bytes is the dump since Begin, valid until the next Begin.
func (d *Dumper) Bytes() []byte { return d.out }

// Text writes a text behind its length.
func (d *Dumper) Text(s string) {
	d.int(len(s))
	d.out = append(d.out, s...)
}

func (d *Dumper) int(n int)  { d.out = binary.AppendVarint(d.out, int64(n)) }
func (d *Dumper) tag(b byte) { d.out = append(d.out, b) }

// wrote writes the number of a pointer that is in the dump already. Otherwise it numbers the
// pointer and is false: the caller writes the content.
func (d *Dumper) wrote(pointer any) bool {
	n, ok := d.seen[pointer]
	if !ok {
		n = len(d.seen)
		d.seen[pointer] = n
		return false
	}
	d.tag('#')
	d.int(n)
	return true
}

// Value writes a value with everything that it reaches.
func (d *Dumper) Value(v lua.LValue) {
	switch v := v.(type) {
	case nil, *lua.LNilType:
		d.tag('n')
	case lua.LBool:
		d.tag('f')
		if v {
			d.tag('t')
		}
	case lua.LNumber:
		d.tag('N')
		d.out = binary.LittleEndian.AppendUint64(d.out, math.Float64bits(float64(v)))
	case lua.LString:
		d.tag('S')
		d.Text(string(v))
	case *lua.LTable:
		d.tag('T')
		d.table(v)
	case *lua.LFunction:
		d.tag('F')
		d.function(v)
	case *lua.LState:
		d.tag('L')
		d.Thread(v)
	case *lua.LUserData:
		d.tag('U')
		if !d.wrote(v) { // which of two equal ones it is, a table with one as its key tells
			d.Text(d.userdata(v.Value))
		}
	default:
		panic(fmt.Sprintf("luaexec: a %T has no dump", v))
	}
	if n, printed := d.sandbox.addresses[v]; printed {
		d.tag('@')
		d.int(n)
	}
}

func (d *Dumper) table(t *lua.LTable) {
	if n, ok := d.libraries[t]; ok && len(d.sandbox.addresses) == 0 {
		d.tag('l')
		d.int(n)
		d.places(t)
		return
	}
	if d.wrote(t) {
		return
	}
	d.Value(t.Metatable)
	var texts []string
	var others []lua.LValue
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if s, ok := k.(lua.LString); ok && !d.code().ordered {
			texts = append(texts, string(s))
		} else {
			others = append(others, k)
		}
	}
	slices.Sort(texts)
	d.int(len(texts))
	for _, k := range texts {
		d.Text(k)
		d.Value(t.RawGetString(k))
	}
	d.int(len(others))
	for _, k := range others {
		d.Value(k)
		d.Value(t.RawGet(k))
	}
	d.places(t)
}

// places writes the places of a table's keys in Lua 5.1. They decide the order of walks and the
// length of a table with holes.
func (d *Dumper) places(t *lua.LTable) {
	s := d.sandbox
	p := s.placements[t]
	if made, ok := s.shapes[t]; ok && p == nil { // where its keys will be placed
		d.tag('s')
		d.int(made.array)
		d.int(made.hash)
	}
	if p != nil {
		d.tag('p')
		d.int(p.array)
		d.int(p.free)
		for _, n := range p.nodes {
			d.int(n.next)
			d.Value(n.key)
		}
	}
	if !d.code().ordered {
		return
	}
	for _, w := range s.walks {
		if w.table == t {
			d.tag('w')
			d.int(w.at)
			for _, k := range w.keys {
				d.Value(k)
			}
		}
	}
}

func (d *Dumper) function(f *lua.LFunction) {
	if f == nil {
		return
	}
	if !f.IsG {
		if d.wrote(f) {
			return
		}
		d.int(d.code().of(f.Proto).number)
		d.Value(f.Env)
		for _, u := range f.Upvalues {
			d.upvalue((*upvalue)(unsafe.Pointer(u)))
		}
		return
	}
	n, ok := d.natives[f]
	if !ok {
		d.unknown--
		n = d.unknown
	}
	d.int(n)
}

// slot is a register shared by a closure and a running call.
type slot struct {
	of *registry
	at int
}

func (d *Dumper) upvalue(u *upvalue) {
	switch {
	case u == nil:
		d.tag('0')
	case u.closed || u.reg == nil:
		d.tag('c')
		if !d.wrote(u) {
			d.Value(u.value)
		}
	default:
		d.tag('o')
		if !d.wrote(u.reg) {
			d.int(len(d.seen))
		}
		d.int(u.index)
		if !d.wrote(slot{u.reg, u.index}) {
			d.Value(u.reg.array[u.index])
		}
	}
}

// Thread writes a suspended coroutine; one that is nil or has ended is a tag.
func (d *Dumper) Thread(L *lua.LState) {
	if L == nil || L.Dead {
		d.tag('d')
		return
	}
	if d.wrote(L) {
		return
	}
	reg := *inside[*registry](L, registryAt)
	if !d.wrote(reg) {
		d.int(len(d.seen))
	}
	for f := *inside[*callFrame](L, frameAt); f != nil; f = f.Parent {
		d.call(reg, f)
	}
	d.tag('.')
}

// call writes a call that waits in a coroutine: where it goes on, and of its registers those that
// may be read before they are set.
func (d *Dumper) call(reg *registry, f *callFrame) {
	d.tag('C')
	d.function(f.Fn)
	d.int(f.Pc)
	d.int(f.NRet)
	d.int(f.ReturnBase - f.Base)
	if f.Fn == nil || f.Fn.IsG {
		return
	}
	p := f.Fn.Proto
	d.int(f.LocalBase - f.Base)
	for i := f.Base + 1; i < f.LocalBase; i++ { // the values of ...
		d.Value(reg.array[i])
	}
	if f.Pc == 0 { // not begun: its registers are its arguments
		for i := range f.NArgs {
			d.Value(reg.array[f.LocalBase+i])
		}
		return
	}
	upto, all := int(p.NumUsedRegisters), true
	if i := instructionAt(p, f.Pc-1); i.op == lua.OP_CALL {
		upto, all = i.a, false // the callee owns the registers from there on
	}
	read := d.code().of(p).live[f.Pc]
	for i := range upto {
		if all || read.has(i) {
			d.Value(reg.array[f.LocalBase+i])
		}
	}
}

// Layouts of gopher-lua's unexported types; mirrors checks them.
type (
	registry struct {
		array []lua.LValue
		top   int //nolint:unused // part of the layout
	}
	callFrame struct {
		Idx        int
		Fn         *lua.LFunction
		Parent     *callFrame
		Pc         int
		Base       int
		LocalBase  int
		ReturnBase int
		NArgs      int
		NRet       int
	}
	upvalue struct {
		next   *upvalue
		reg    *registry
		index  int
		value  lua.LValue
		closed bool
	}
)

var registryAt = func() uintptr {
	reg := fieldOf(stateType, "reg", reflect.Pointer)
	mirrors[registry](reg.Type.Elem())
	mirrors[callFrame](fieldOf(stateType, "currentFrame", reflect.Pointer).Type.Elem())
	mirrors[upvalue](reflect.TypeFor[lua.Upvalue]())
	return reg.Offset
}()

// mirrors panics unless each field of a type of ours has its name, kind and offset in gopher-lua's.
func mirrors[T any](theirs reflect.Type) {
	ours := reflect.TypeFor[T]()
	for f := range ours.Fields() {
		if fieldOf(theirs, f.Name, f.Type.Kind()).Offset != f.Offset {
			panic(fmt.Sprintf("luaexec: gopher-lua's %v has %s elsewhere", theirs, f.Name))
		}
	}
}
