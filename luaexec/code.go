package luaexec

import (
	"encoding/binary"

	lua "github.com/yuin/gopher-lua"
)

// Code is what dumpers know of the functions of a program, however many states run it.
type Code struct {
	ordered   bool // it may see the order of a table's keys
	functions map[*lua.FunctionProto]function
}

// function is compiled code as dumps know it.
type function struct {
	name []byte      // that tells it from all others
	live []registers // what is read again, at each place in it
}

// NewCode looks at compiled code and all functions in it. Ordered code can walk over tables.
func NewCode(ordered bool, compiled ...*lua.FunctionProto) *Code {
	c := &Code{ordered: ordered, functions: map[*lua.FunctionProto]function{}}
	for _, p := range compiled {
		c.add(p)
	}
	return c
}

func (c *Code) add(p *lua.FunctionProto) {
	c.functions[p] = newFunction(p)
	for _, inner := range p.FunctionPrototypes {
		c.add(inner)
	}
}

// of knows a function of the code, or looks at one that it has loaded.
func (c *Code) of(p *lua.FunctionProto) function {
	if f, known := c.functions[p]; known {
		return f
	}
	return newFunction(p)
}

func newFunction(p *lua.FunctionProto) function {
	name := binary.AppendUvarint(nil, uint64(len(p.SourceName)))
	name = append(name, p.SourceName...)
	name = binary.AppendVarint(binary.AppendVarint(name, int64(p.LineDefined)), int64(p.LastLineDefined))
	h := uint64(14695981039346656037) // FNV: there may be two functions on a line
	for _, word := range p.Code {
		h = (h ^ uint64(word)) * 1099511628211
	}
	return function{binary.LittleEndian.AppendUint64(name, h), live(p)}
}
