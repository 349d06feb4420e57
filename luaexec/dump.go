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

// Dumper writes down all that decides what the code of a state will do: values with what
// can be reached from them, and coroutines that wait, with their calls and the registers
// that are read again. Code whose dumps are equal does the same when it goes on with the
// same. How many instructions it has run does not count.
type Dumper struct {
	sandbox   *Sandbox
	code      func() *Code
	userdata  func(v any) string // what Go's values in userdata are
	natives   map[*lua.LFunction]int
	libraries map[*lua.LTable]int
	out       []byte
	seen      map[any]int // pointers, in the order in which they were met
	unknown   int         // functions of Go that have no number: each differs from all others
}

// NewDumper is a dumper for a state that has all its libraries and runs some code, and for functions
// of them that only Go knows.
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

// numbering gives the functions of Go that can be reached from values their numbers, and the tables
// that have nothing but such functions and cannot be changed: the same in each state that has made the
// same values.
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

// table looks into a table, in the order of its keys.
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

// isPlain tells whether nothing can be reached from a value.
func isPlain(v lua.LValue) bool {
	switch v := v.(type) {
	case lua.LNumber, lua.LString, lua.LBool:
		return true
	case *lua.LFunction:
		return v.IsG && len(v.Upvalues) == 0
	}
	return false
}

// Begin starts anew, with what the sandbox itself remembers.
func (d *Dumper) Begin() {
	d.out = d.out[:0]
	clear(d.seen)
	d.out = binary.AppendUvarint(d.out, d.sandbox.Random.x)
	d.int(len(d.sandbox.names))
}

// Bytes is what was written since Begin. It is good until the next one.
func (d *Dumper) Bytes() []byte { return d.out }

// Text writes a text.
func (d *Dumper) Text(s string) {
	d.int(len(s))
	d.out = append(d.out, s...)
}

func (d *Dumper) int(n int)   { d.out = binary.AppendVarint(d.out, int64(n)) }
func (d *Dumper) kind(b byte) { d.out = append(d.out, b) }

// met writes the number of what was met before.
func (d *Dumper) met(pointer any) bool {
	n, ok := d.seen[pointer]
	if !ok {
		n = len(d.seen)
		d.seen[pointer] = n
		return false
	}
	d.kind('#')
	d.int(n)
	return true
}

// Value writes a value.
func (d *Dumper) Value(v lua.LValue) {
	switch v := v.(type) {
	case nil, *lua.LNilType:
		d.kind('n')
	case lua.LBool:
		d.kind('f')
		if v {
			d.kind('t')
		}
	case lua.LNumber:
		d.kind('N')
		d.out = binary.LittleEndian.AppendUint64(d.out, math.Float64bits(float64(v)))
	case lua.LString:
		d.kind('S')
		d.Text(string(v))
	case *lua.LTable:
		d.kind('T')
		d.table(v)
	case *lua.LFunction:
		d.kind('F')
		d.function(v)
	case *lua.LState:
		d.kind('L')
		d.Thread(v)
	case *lua.LUserData:
		d.kind('U')
		d.Text(d.userdata(v.Value))
	default:
		panic(fmt.Sprintf("luaexec: a %T has no dump", v))
	}
	if n, named := d.sandbox.names[v]; named {
		d.kind('@')
		d.int(n)
	}
}

func (d *Dumper) table(t *lua.LTable) {
	if n, ok := d.libraries[t]; ok && len(d.sandbox.names) == 0 {
		d.kind('l')
		d.int(n)
		d.places(t)
		return
	}
	if d.met(t) {
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

// places writes where the keys of a table would be in Lua 5.1, which decides in what order
// they are walked over, and how long the table is when it has holes.
func (d *Dumper) places(t *lua.LTable) {
	s := d.sandbox
	if made, ok := s.shapes[t]; ok && d.code().ordered {
		d.kind('s')
		d.int(made.array)
		d.int(made.hash)
	}
	if p := s.placements[t]; p != nil {
		d.kind('p')
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
			d.kind('w')
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
		if d.met(f) {
			return
		}
		d.out = append(d.out, d.code().of(f.Proto).name...)
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

// slot is a register that a closure and a call that has not ended share.
type slot struct {
	of *registry
	at int
}

func (d *Dumper) upvalue(u *upvalue) {
	switch {
	case u == nil:
		d.kind('0')
	case u.closed || u.reg == nil:
		d.kind('c')
		if !d.met(u) {
			d.Value(u.value)
		}
	default:
		d.kind('o')
		if !d.met(u.reg) {
			d.int(len(d.seen))
		}
		d.int(u.index)
		if !d.met(slot{u.reg, u.index}) {
			d.Value(u.reg.array[u.index])
		}
	}
}

// Thread writes a coroutine that waits.
func (d *Dumper) Thread(L *lua.LState) {
	if L == nil || L.Dead {
		d.kind('d')
		return
	}
	if d.met(L) {
		return
	}
	reg := *inside[*registry](L, registryAt)
	if !d.met(reg) {
		d.int(len(d.seen))
	}
	for f := *inside[*callFrame](L, frameAt); f != nil; f = f.Parent {
		d.call(reg, f)
	}
	d.kind('.')
}

func (d *Dumper) call(reg *registry, f *callFrame) {
	d.kind('C')
	d.function(f.Fn)
	d.int(f.Pc)
	d.int(f.NRet)
	d.int(f.ReturnBase - f.Base)
	if f.Fn == nil || f.Fn.IsG {
		return
	}
	p := f.Fn.Proto
	d.int(f.LocalBase - f.Base)
	for i := f.Base + 1; i < f.LocalBase; i++ { // what stands for ...
		d.Value(reg.array[i])
	}
	if f.Pc == 0 { // it has not begun
		for i := range f.NArgs {
			d.Value(reg.array[f.LocalBase+i])
		}
		return
	}
	upto, all := int(p.NumUsedRegisters), true
	if i := instructionAt(p, f.Pc-1); i.op == lua.OP_CALL {
		upto, all = i.a, false // what comes from there on is the call's
	}
	read := d.code().of(p).live[f.Pc]
	for i := range upto {
		if all || read.has(i) {
			d.Value(reg.array[f.LocalBase+i])
		}
	}
}

// What gopher-lua's own types look like.
type (
	registry struct {
		array []lua.LValue
		top   int //nolint:unused // it must be laid out so
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
	mirrors[callFrame](frameType)
	mirrors[upvalue](cellType)
	return reg.Offset
}()

// mirrors panics unless a type of ours begins with the same fields as one of gopher-lua's.
func mirrors[T any](theirs reflect.Type) {
	ours := reflect.TypeFor[T]()
	for f := range ours.Fields() {
		if fieldOf(theirs, f.Name, f.Type.Kind()).Offset != f.Offset {
			panic(fmt.Sprintf("luaexec: gopher-lua's %v has %s elsewhere", theirs, f.Name))
		}
	}
}
