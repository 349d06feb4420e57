package luaexec

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"

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
	h := fnv.New64a() // there may be two functions on a line
	appendCode(h, p)
	return function{h.Sum(name), live(p)}
}

// appendCode writes all that a function does, with the functions in it.
func appendCode(to hash.Hash, p *lua.FunctionProto) {
	_, _ = fmt.Fprintf(to, "%d %d %x", p.NumParameters, p.IsVarArg, p.Code)
	for _, k := range p.Constants {
		_, _ = fmt.Fprintf(to, " %T %q", k, k.String())
	}
	for _, inner := range p.FunctionPrototypes {
		appendCode(to, inner)
	}
}
