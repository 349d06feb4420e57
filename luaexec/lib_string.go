package luaexec

import (
	"strings"

	"lockstep/luaexec/lua"
)

var stringFunctions = map[string]lua.GoFunction{
	"byte":    stringByte,
	"char":    stringChar,
	"dump":    stringDump,
	"find":    stringFind,
	"format":  stringFormat,
	"gmatch":  stringGmatch,
	"gfind":   stringGmatch,
	"gsub":    stringGsub,
	"len":     stringLen,
	"lower":   stringLower,
	"match":   stringMatch,
	"rep":     stringRep,
	"reverse": stringReverse,
	"sub":     stringSub,
	"upper":   stringUpper,
}

// fromEnd turns a negative position into one from the start.
func fromEnd(at, length int) int {
	if at < 0 {
		at += length + 1
	}
	return max(at, 0)
}

func stringByte(L *lua.State) int {
	s := L.CheckString(1)
	from := fromEnd(L.OptPosition(2, 1), len(s))
	to := min(fromEnd(L.OptPosition(3, from), len(s)), len(s))
	from = max(from, 1)
	if from > to {
		return 0
	}
	if !room(L, to-from+1) {
		L.Fail("stack overflow (string slice too long)")
	}
	for i := from - 1; i < to; i++ {
		L.Push(lua.Int(int(s[i])))
	}
	return to - from + 1
}

func stringChar(L *lua.State) int {
	bytes := make([]byte, L.Top())
	for i := range bytes {
		c := L.CheckInt(i + 1)
		if c < 0 || c > 255 {
			L.ArgumentError(i+1, "invalid value")
		}
		bytes[i] = byte(c)
	}
	L.PushString(string(bytes))
	return 1
}

// stringDump writes the code of a function as Lua 5.1 does. Redis reads none back.
func stringDump(L *lua.State) int {
	code, ok := L.CheckFunction(1).Dump()
	if !ok {
		L.Fail("unable to dump given function")
	}
	L.PushString(code)
	return 1
}

func stringLen(L *lua.State) int {
	L.Push(lua.Int(len(L.CheckString(1))))
	return 1
}

// mapBytes changes a string byte by byte: Redis runs in the C locale.
func mapBytes(L *lua.State, change func(c byte) byte) int {
	out := []byte(L.CheckString(1))
	for i, c := range out {
		out[i] = change(c)
	}
	L.PushString(string(out))
	return 1
}

func stringLower(L *lua.State) int {
	return mapBytes(L, func(c byte) byte {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	})
}

func stringUpper(L *lua.State) int {
	return mapBytes(L, func(c byte) byte {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		return c
	})
}

func stringReverse(L *lua.State) int {
	s := L.CheckString(1)
	out := make([]byte, len(s))
	for i := range len(s) {
		out[len(s)-1-i] = s[i]
	}
	L.PushString(string(out))
	return 1
}

func stringRep(L *lua.State) int {
	s, n := L.CheckString(1), max(L.CheckInt(2), 0)
	L.TakeString(n * len(s))
	L.Push(strings.Repeat(s, n))
	return 1
}

func stringSub(L *lua.State) int {
	s := L.CheckString(1)
	from := max(fromEnd(L.CheckPosition(2), len(s)), 1)
	to := min(fromEnd(L.OptPosition(3, -1), len(s)), len(s))
	if from > to {
		L.Push("")
	} else {
		L.Push(L.Piece(s, from-1, to))
	}
	return 1
}

func stringFind(L *lua.State) int { return find(L, true) }

func stringMatch(L *lua.State) int { return find(L, false) }

func find(L *lua.State, positions bool) int {
	s, pattern := L.CheckString(1), L.CheckString(2)
	at := min(max(fromEnd(L.OptPosition(3, 1), len(s))-1, 0), len(s))
	if positions && (lua.Truth(L.Get(4)) || !strings.ContainsAny(pattern, "^$*+?.([%-")) {
		L.Charge(int64((len(s) - at) / bytesPerInstruction))
		i := strings.Index(s[at:], pattern)
		if i < 0 {
			L.Push(nil)
			return 1
		}
		L.Push(lua.Int(at + i + 1))
		L.Push(lua.Int(at + i + len(pattern)))
		return 2
	}
	pattern, anchored := strings.CutPrefix(pattern, "^")
	m := &matcher{L: L, subject: s, pattern: pattern}
	for ; at <= len(s); at++ {
		if end := m.matchAt(at); end != -1 {
			if !positions {
				return m.pushCaptures(at, end, true)
			}
			L.Push(lua.Int(at + 1))
			L.Push(lua.Int(end))
			return 2 + m.pushCaptures(at, end, false)
		}
		if anchored {
			break
		}
		m.step()
	}
	L.Push(nil)
	return 1
}

func stringGmatch(L *lua.State) int {
	s, pattern := L.CheckString(1), L.CheckString(2)
	L.Push(L.NewFunction(nextMatch, s, pattern, lua.Int(0)))
	return 1
}

// nextMatch is what gmatch makes: a function with the string, the pattern, and where
// it goes on.
func nextMatch(L *lua.State) int {
	s, _ := L.Own(1).(string)
	pattern, _ := L.Own(2).(string)
	from, _ := L.Own(3).(float64)
	m := &matcher{L: L, subject: s, pattern: pattern}
	for at := int(from); at <= len(s); at++ {
		m.step()
		end := m.matchAt(at)
		if end == -1 {
			continue
		}
		next := end
		if end == at {
			next++
		}
		L.SetOwn(3, lua.Int(next))
		return m.pushCaptures(at, end, true)
	}
	return 0
}
