package luaexec

import (
	"fmt"
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Where gopher-lua keeps what it does not give out, and Lua 5.1's rules need.
var (
	stateType = reflect.TypeFor[lua.LState]()
	loopAt    = fieldOf(stateType, "mainLoop", reflect.Func).Offset
	caughtAt  = fieldOf(stateType, "hasErrorFunc", reflect.Bool).Offset
	frameAt   = fieldOf(stateType, "currentFrame", reflect.Pointer).Offset
	aboutAt   = fieldOf(reflect.TypeFor[lua.Debug](), "frame", reflect.Pointer).Offset
	cellsAt   = fieldOf(stateType, "uvcache", reflect.Pointer).Offset
)

// fieldOf is a field of a struct of gopher-lua. Another version may have none.
func fieldOf(in reflect.Type, name string, kind reflect.Kind) reflect.StructField {
	field, ok := in.FieldByName(name)
	if !ok || field.Type.Kind() != kind {
		panic(fmt.Sprintf("luaexec: gopher-lua's %v has no %s that is a %v", in, name, kind))
	}
	return field
}

func inside[F, T any](of *T, offset uintptr) *F { return (*F)(unsafe.Add(unsafe.Pointer(of), offset)) }

// loop is the loop of a state's virtual machine, which runs once more for each call that
// Go's code makes of Lua's.
func loop(L *lua.LState) *func(L *lua.LState, frame unsafe.Pointer) {
	return inside[func(*lua.LState, unsafe.Pointer)](L, loopAt)
}

// caught tells whether somebody catches the errors of a state. If nobody does, a raised
// error parts all functions that wait from the closures that share their variables.
func caught(L *lua.LState) *bool { return inside[bool](L, caughtAt) }

// registersOf is where the registers of the running function begin.
func registersOf(L *lua.LState) int { return (*inside[*callFrame](L, frameAt)).LocalBase }

// toCaller goes on to who made a call, if any: to find each call by its level takes the square of their number.
func toCaller(about *lua.Debug) bool {
	frame := inside[*callFrame](about, aboutAt)
	*frame = (*frame).Parent
	return *frame != nil
}

// unshare gives closures what they share with registers that are about to be cleared.
func unshare(L *lua.LState, base int) {
	p := inside[*upvalue](L, cellsAt)
	for *p != nil && (*p).index < base {
		p = &(*p).next
	}
	for shared := *p; shared != nil; shared = shared.next {
		(*lua.Upvalue)(unsafe.Pointer(shared)).Close()
	}
	*p = nil
}
