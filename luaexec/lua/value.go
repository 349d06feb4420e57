// Package lua runs Lua 5.1 with the register machine, the tables and the messages
// of PUC-Rio's interpreter, so that scripts behave here as they do inside Redis.
//
// Its algorithms are those of PUC-Rio's Lua 5.1.5 (Copyright 1994-2012 Lua.org,
// PUC-Rio; MIT licence) wherever a script could see the difference: code
// generation, because messages name variables by it; hashing and rehashing,
// because pairs and # show them; error positions.
package lua

import "strings"

// Kind is the type of a value.
type Kind uint8

// The kinds of values, in the order in which Lua's C API numbers them.
const (
	KindNil Kind = iota
	KindBoolean
	KindLightUserdata
	KindNumber
	KindString
	KindTable
	KindFunction
	KindUserdata
	KindThread
)

var kindNames = [...]string{"nil", "boolean", "userdata", "number", "string", "table", "function", "userdata", "thread"}

// String is the kind's name as the function type gives it.
func (k Kind) String() string { return kindNames[k] }

// Value is any Lua value. The zero Value is nil.
type Value struct {
	// ref tells the kind by its type: numberTag, bool, *text, *Table, *Function,
	// *State, *Userdata or lightUserdata.
	ref any
	num float64
}

type numberTag struct{}

// lightUserdata is the null pointer, which cjson uses for null.
type lightUserdata struct{}

// text is a string with its hash. It is shared by pointer and never changes but
// for the hash, which is there from the start in what states share.
type text struct {
	s      string
	hash   uint32
	hashed bool
	shared bool // between states: a constant, which no script pays for
	mark   uint32
}

// Userdata is a value of the host that Lua code can pass on.
type Userdata struct {
	Value any
	meta  *Table
	id    uint32
}

// Nil, True and False are the values of those names; Null is the null pointer.
var (
	Nil   = Value{}
	True  = Value{ref: true}
	False = Value{ref: false}
	Null  = Value{ref: lightUserdata{}}
)

// Number is a number as a value.
func Number(f float64) Value { return Value{ref: numberTag{}, num: f} }

// Int is an integer as a value.
func Int[T int | int32 | int64 | uint32](n T) Value { return Value{ref: numberTag{}, num: float64(n)} }

// Bool is a boolean as a value.
func Bool(b bool) Value { return Value{ref: b} }

// String is a string as a value.
func String(s string) Value { return Value{ref: &text{s: s}} }

// constant is a string that states may share.
func constant(s string) Value {
	return Value{ref: &text{s: s, hash: hashString(s), hashed: true, shared: true}}
}

// TableValue is a table as a value; a nil table is nil.
func TableValue(t *Table) Value {
	if t == nil {
		return Nil
	}
	return Value{ref: t}
}

// FunctionValue is a function as a value.
func FunctionValue(f *Function) Value { return Value{ref: f} }

// UserdataValue is a userdata as a value.
func UserdataValue(u *Userdata) Value { return Value{ref: u} }

// ThreadValue is a coroutine as a value.
func ThreadValue(t *State) Value { return Value{ref: t} }

// Kind is the kind of the value.
func (v Value) Kind() Kind {
	switch v.ref.(type) {
	case nil:
		return KindNil
	case bool:
		return KindBoolean
	case lightUserdata:
		return KindLightUserdata
	case numberTag:
		return KindNumber
	case *text:
		return KindString
	case *Table:
		return KindTable
	case *Function:
		return KindFunction
	case *State:
		return KindThread
	}
	return KindUserdata
}

// IsNil tells whether the value is nil.
func (v Value) IsNil() bool { return v.ref == nil }

// Truth is the value as a condition: all but nil and false is true.
func (v Value) Truth() bool { return !v.isFalse() }

func (v Value) isFalse() bool {
	if v.ref == nil {
		return true
	}
	b, ok := v.ref.(bool)
	return ok && !b
}

func (v Value) isNumber() bool {
	_, ok := v.ref.(numberTag)
	return ok
}

// AsNumber is the value if it is a number.
func (v Value) AsNumber() (float64, bool) { return v.num, v.isNumber() }

// AsString is the value if it is a string.
func (v Value) AsString() (string, bool) {
	if t, ok := v.ref.(*text); ok {
		return t.s, true
	}
	return "", false
}

// AsTable is the value if it is a table.
func (v Value) AsTable() (*Table, bool) {
	t, ok := v.ref.(*Table)
	return t, ok
}

// AsFunction is the value if it is a function.
func (v Value) AsFunction() (*Function, bool) {
	f, ok := v.ref.(*Function)
	return f, ok
}

// AsThread is the value if it is a coroutine.
func (v Value) AsThread() (*State, bool) {
	t, ok := v.ref.(*State)
	return t, ok
}

// AsUserdata is the value if it is a full userdata.
func (v Value) AsUserdata() (*Userdata, bool) {
	u, ok := v.ref.(*Userdata)
	return u, ok
}

// ToNumber is a number, or a string that reads as one.
func (v Value) ToNumber() (float64, bool) {
	switch ref := v.ref.(type) {
	case numberTag:
		return v.num, true
	case *text:
		return ParseNumber(ref.s)
	}
	return 0, false
}

// ToString is a string, or a number written as one.
func (v Value) ToString() (string, bool) {
	switch ref := v.ref.(type) {
	case *text:
		return ref.s, true
	case numberTag:
		return FormatNumber(v.num), true
	}
	return "", false
}

// RawEqual tells whether two values are the same, whatever their metatables say.
func RawEqual(a, b Value) bool {
	switch ref := a.ref.(type) {
	case numberTag:
		return b.isNumber() && a.num == b.num
	case *text:
		other, ok := b.ref.(*text)
		return ok && (ref == other || ref.s == other.s)
	}
	return a.ref == b.ref
}

// compareStrings orders strings by their bytes.
func compareStrings(a, b string) int { return strings.Compare(a, b) }

// hashString is the hash that places a string in a table: of a long string it
// reads only some bytes.
func hashString(s string) uint32 {
	h := uint32(len(s))
	step := len(s)>>5 + 1
	for i := len(s); i >= step; i -= step {
		h ^= h<<5 + h>>2 + uint32(s[i-1])
	}
	return h
}

func (t *text) hashOf() uint32 {
	if !t.hashed {
		t.hash, t.hashed = hashString(t.s), true
	}
	return t.hash
}
