package luaexec

import (
	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/syntax"
)

// frame is an activation of a function as messages look at it.
type frame struct {
	L      *lua.LState
	at     *lua.Debug
	fn     *lua.LFunction
	source *syntax.Function
}

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
	source := s.function(L, fn.Proto)
	if source == nil {
		return nil
	}
	return &frame{L, at, fn, source}
}

// value is that of an expression, as far as it can be known without running anything.
func (f *frame) value(e *syntax.Expr) (v lua.LValue, known bool) {
	switch e = e.Bare(); e.Kind {
	case syntax.Nil:
		return lua.LNil, true
	case syntax.True, syntax.False:
		return lua.LBool(e.Kind == syntax.True), true
	case syntax.NumberValue:
		n, ok := syntax.Number(e.Text)
		return lua.LNumber(n), ok
	case syntax.StringValue:
		return lua.LString(e.Text), true
	case syntax.FunctionValue:
		return f.fn, true
	case syntax.TableValue:
		return unknownTable, true
	case syntax.Variable:
		return f.variable(e)
	case syntax.Index, syntax.MethodIndex:
		object, ok := f.value(e.Object)
		key, known := f.value(e.Key)
		if ok && known {
			return f.field(object, key)
		}
	case syntax.Other:
		if e.Object != nil {
			return f.value(e.Object)
		}
	default:
	}
	return lua.LNil, false
}

// unknownTable stands for a table that the source makes.
var unknownTable = &lua.LTable{}

func (f *frame) variable(e *syntax.Expr) (v lua.LValue, known bool) {
	switch kind, name := e.Name(); kind {
	case "global":
		return f.L.G.Global.RawGetString(name), true
	case "local":
		return f.local(name, e.Local.Index)
	default:
		for i := 1; ; i++ {
			upvalue, value := f.L.GetUpvalue(f.fn, i)
			if upvalue == "" || upvalue == name {
				return value, upvalue != ""
			}
		}
	}
}

// local is a local variable. It is where Lua 5.1 has it unless the tree was rewritten
// around it; gopher-lua does not know the name of one that was just declared.
func (f *frame) local(name string, index int) (v lua.LValue, known bool) {
	if local, value := f.L.GetLocal(f.at, index+1); local == name || local == "(*temporary)" {
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

// field is a field of a table without a metatable, or a function of strings.
func (f *frame) field(object, key lua.LValue) (v lua.LValue, known bool) {
	switch t := object.(type) {
	case *lua.LTable:
		if t != unknownTable {
			v = t.RawGet(key)
			return v, v != lua.LNil || t.Metatable == lua.LNil || isFrozen(t)
		}
	case lua.LString:
		if lib, ok := f.L.G.Global.RawGetString("string").(*lua.LTable); ok {
			return lib.RawGet(key), true
		}
	}
	return lua.LNil, false
}

// calledAsMethod tells whether the running Go function was called as object:name().
func (s *Sandbox) calledAsMethod(L *lua.LState, name string) bool {
	_, line := position(L, 1)
	f := s.frame(L, 1)
	if f == nil || line == -1 {
		return false
	}
	method := false
	for _, site := range f.source.Sites {
		if site.Op != syntax.DoCall || site.Line != line {
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
