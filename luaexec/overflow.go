package luaexec

import (
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// How many calls may wait for one another that Lua's code makes of Lua's, and how many more while
// the error is handled that comes of too many. Redis has the first number of Lua 5.1, LUAI_MAXCALLS.
const (
	maxCalls     = 20000
	handlerCalls = 400
)

// Where a state has its growing call stack. It is a list of segments, of which it uses no more than the
// list is long.
var (
	stackAt    = fieldOf(stateType, "stack", reflect.Interface).Offset
	segmentsAt = fieldOf(growingStack(), "segments", reflect.Slice).Offset
)

func growingStack() reflect.Type {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, MinimizeStackMemory: true})
	return reflect.ValueOf(L).Elem().FieldByName("stack").Elem().Type().Elem()
}

func segments(L *lua.LState) *[]unsafe.Pointer {
	stack := inside[struct{ methods, data *byte }](L, stackAt).data
	return inside[[]unsafe.Pointer](stack, segmentsAt)
}

// leaveRoom keeps the last calls that a state has room for to the handlers of an overflow.
func leaveRoom(L *lua.LState) {
	list := segments(L)
	*list = (*list)[:cap(*list)-handlerCalls/lua.FramesPerSegment]
}

// overflow raises an error of Lua for a call that had no room, as if its caller had raised it, and gives
// handlers the room that was kept for them. gopher-lua itself panics with a text, which comes to no handler
// and tells no line. It is deferred by what may call.
func overflow(L *lua.LState) {
	switch p := recover(); p {
	case nil:
	case "lua callstack overflow":
		list := segments(L)
		*list = (*list)[:cap(*list)]
		L.Error(lua.LString(where(L, 0)+"stack overflow"), 0)
	default:
		panic(p)
	}
}
