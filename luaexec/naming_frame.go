package luaexec

import (
	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/syntax"
)

// frame is an activation of a function as messages look at it.
type frame struct {
	L    *lua.LState
	at   *lua.Debug
	fn   *lua.LFunction
	code *syntax.Proto
	made *lua.LTable // stands for what the source makes
}

var _ syntax.Frame = (*frame)(nil)

// frame is the activation at a level, or the one that called the function of Go there;
// nil if that is not the code of the program.
func (s *Sandbox) frame(L *lua.LState, level int) *frame {
	if _, line := position(L, level); line == -1 {
		level++
	}
	at, ok := L.GetStack(level)
	if !ok {
		return nil
	}
	v, err := L.GetInfo("f", at, lua.LNil)
	fn, ok := v.(*lua.LFunction)
	if err != nil || !ok || fn.IsG {
		return nil
	}
	code := s.sources[fn.Proto]
	if code == nil {
		code = s.loaded[fn.Proto]
	}
	if code == nil {
		return nil
	}
	return &frame{L, at, fn, code, L.CreateTable(0, 0)}
}

// Local is a local variable. It is where Lua 5.1 has it unless the tree was
// rewritten around it; gopher-lua does not know the name of one that was just
// declared.
func (f *frame) Local(name string, register int) (v any, known bool) {
	if local, value := f.L.GetLocal(f.at, register+1); local == name || local == "(*temporary)" {
		return value, true
	}
	for i := 1; ; i++ {
		local, value := f.L.GetLocal(f.at, i)
		switch local {
		case "", "(*temporary)":
			return v, known
		case name:
			v, known = value, true
		}
	}
}

// Upvalue is a variable of a function around.
func (f *frame) Upvalue(name string) (any, bool) {
	for i := 1; ; i++ {
		upvalue, value := f.L.GetUpvalue(f.fn, i)
		if upvalue == "" {
			return nil, false
		}
		if upvalue == name {
			return value, true
		}
	}
}

// Global is a global variable.
func (f *frame) Global(name string) (any, bool) { return f.L.G.Global.RawGetString(name), true }

// Field is a field of a table without a metatable, or a function of strings.
func (f *frame) Field(object, key any) (any, bool) {
	k, ok := key.(lua.LValue)
	if !ok {
		return nil, false
	}
	switch t := object.(type) {
	case *lua.LTable:
		if t == f.made {
			return nil, false
		}
		v := t.RawGet(k)
		return v, v != lua.LNil || t.Metatable == lua.LNil || isFrozen(t)
	case lua.LString:
		if lib, ok := f.L.G.Global.RawGetString("string").(*lua.LTable); ok {
			return lib.RawGet(k), true
		}
	}
	return nil, false
}

// Constant is a value of the source.
func (f *frame) Constant(c any) any {
	switch c := c.(type) {
	case string:
		return lua.LString(c)
	case float64:
		return lua.LNumber(c)
	case bool:
		return lua.LBool(c)
	}
	return lua.LNil
}

// Table stands for a table that the source makes.
func (f *frame) Table() any { return f.made }

// Function stands for a function that the source makes.
func (f *frame) Function() any { return f.fn }

// calledAsMethod tells whether the running Go function was called as object:name().
func (s *Sandbox) calledAsMethod(L *lua.LState, name string) bool {
	_, line := position(L, 1)
	f := s.frame(L, 1)
	if f == nil || line == -1 {
		return false
	}
	method := false
	for _, site := range f.code.Sites(syntax.Call) {
		if site.Line != line {
			continue
		}
		switch kind, called := site.Operands[0].Name(); {
		case called != name:
		case kind == "method":
			method = true
		default:
			return false // it could have been this one
		}
	}
	return method
}
