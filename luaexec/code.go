package luaexec

import lua "github.com/yuin/gopher-lua"

// Code is what dumpers know of the functions of a program, however many states run it.
type Code struct {
	ordered   bool // it may see the order of a table's keys
	functions map[*lua.FunctionProto]function
}

// function is compiled code as dumps know it.
type function struct {
	number int         // among all of the program: two on a line may differ in nothing but a constant
	live   []registers // what is read again, at each place in it
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
	c.functions[p] = function{len(c.functions), live(p)}
	for _, inner := range p.FunctionPrototypes {
		c.add(inner)
	}
}

// of knows a function of the code. A program can load no other.
func (c *Code) of(p *lua.FunctionProto) function {
	f, known := c.functions[p]
	if !known {
		panic("luaexec: a function of other code has no dump")
	}
	return f
}
