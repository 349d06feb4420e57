package lua

import (
	"fmt"
	"strings"
)

// MaxString is the length in bytes that one string may reach.
const MaxString = 16 << 20

// bytesPerInstruction is how many bytes of a string one instruction pays for.
const bytesPerInstruction = 16

// TakeString pays for a string of n bytes before it is made.
func (g *shared) TakeString(n int) {
	if n > MaxString {
		g.running.Raise(g.running.Where(1) + fmt.Sprintf("string of %d bytes is over the limit of %d", n, MaxString))
	}
	if n > bytesPerInstruction {
		g.Charge(int64(n / bytesPerInstruction))
	}
	g.Take(n)
}

// Piece is a part of a string that does not keep the whole of it in memory.
func (g *shared) Piece(whole string, from, to int) string {
	part := whole[from:to]
	g.TakeString(len(part))
	if len(whole) > longString && len(part) < len(whole)/2 {
		part = strings.Clone(part)
	}
	return part
}

// Top is how many values there are.
func (L *State) Top() int { return L.top - L.calls[L.depth].base }

// SetTop makes there be n values: nil stands for those that are missing.
func (L *State) SetTop(n int) {
	end := L.calls[L.depth].base + n
	if end > L.top {
		L.ensure(end - L.top)
		clear(L.stack[L.top:end])
	}
	L.top = end
}

// Get is the nth value, from 1, or from the last one with -1. There is nil where
// there is none.
func (L *State) Get(n int) Value {
	at := L.calls[L.depth].base + n - 1
	if n < 0 {
		at = L.top + n
	}
	if at >= L.top {
		return nil
	}
	return L.stack[at]
}

// Push adds a value.
func (L *State) Push(v Value) {
	if L.top+slack >= len(L.stack) {
		L.growStack(L.top + 1 + slack)
	}
	L.stack[L.top] = v
	L.top++
}

// PushString pays for a string and adds it.
func (L *State) PushString(s string) {
	L.TakeString(len(s))
	L.Push(s)
}

// Pop takes n values away.
func (L *State) Pop(n int) { L.top -= n }

// Insert puts a value at a place from 1, below those that are there.
func (L *State) Insert(v Value, n int) {
	L.Push(nil)
	at := L.calls[L.depth].base + n - 1
	copy(L.stack[at+1:L.top], L.stack[at:L.top-1])
	L.stack[at] = v
}

// NewTable makes a table with room for so many values in its array and its hash.
func (g *shared) NewTable(array, hash int) *Table {
	g.Take(sizeOfTable)
	t := &Table{bounds: g, identity: g.identify()}
	if array > 0 || hash > 0 {
		t.resize(array, hash)
	}
	return t
}

// NewFunction makes a function of one of Go, with some values of its own.
func (g *shared) NewFunction(f GoFunction, values ...Value) *Function {
	g.Take(sizeOfFunction + len(values)*sizeOfValue)
	return &Function{native: f, values: values, identity: g.identify()}
}

// Own is the nth value, from 1, of the running function of Go.
func (L *State) Own(n int) Value { return L.calls[L.depth].fn.values[n-1] }

// SetOwn changes it.
func (L *State) SetOwn(n int, v Value) { L.calls[L.depth].fn.values[n-1] = v }

// Metatable is the metatable of a value, nil if it has none.
func (g *shared) Metatable(v Value) *Table {
	switch v := v.(type) {
	case *Table:
		return v.meta
	case string:
		return g.stringMeta
	}
	return nil
}

// Load makes a function of a main chunk.
func (g *shared) Load(p *Proto) *Function {
	c := &chunk{size: p.size()}
	g.Take(sizeOfFunction + c.size)
	return &Function{proto: p, chunk: c, identity: g.identify()}
}

// ID tells an object from all others of its program: it is the order in which they
// were made. Of other values it is 0.
func ID(v Value) uint32 {
	switch v := v.(type) {
	case *Table:
		return v.id
	case *Function:
		return v.id
	case *State:
		return v.id
	}
	return 0
}

// IsGo tells whether a function is one of Go.
func (f *Function) IsGo() bool { return f.proto == nil }
