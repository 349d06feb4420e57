package luaexec

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

var stringFunctions = map[string]lua.LGFunction{
	"byte":    stringByte,
	"char":    stringChar,
	"find":    func(L *lua.LState) int { return find(L, true) },
	"format":  stringFormat,
	"gmatch":  stringGmatch,
	"gfind":   stringGmatch,
	"gsub":    stringGsub,
	"len":     func(L *lua.LState) int { return push(L, lua.LNumber(len(checkString(L, 1)))) },
	"lower":   toCase('A', 'a'),
	"match":   func(L *lua.LState) int { return find(L, false) },
	"rep":     stringRep,
	"reverse": stringReverse,
	"sub":     stringSub,
	"upper":   toCase('a', 'A'),
}

// maxResults is how many values one call may give, as in Redis's Lua.
const maxResults = 7999

// fromEnd turns a negative position into one from the start.
func fromEnd(at, length int) int {
	if at < 0 {
		at += length + 1
	}
	return max(at, 0)
}

func stringByte(L *lua.LState) int {
	s := checkString(L, 1)
	from := fromEnd(optPosition(L, 2, 1), len(s))
	to := min(fromEnd(optPosition(L, 3, from), len(s)), len(s))
	from = max(from, 1)
	if from > to {
		return 0
	}
	if to-from+1 > maxResults {
		raise(L, "string slice too long")
	}
	for i := from - 1; i < to; i++ {
		L.Push(lua.LNumber(s[i]))
	}
	return to - from + 1
}

func stringChar(L *lua.LState) int {
	bytes := make([]byte, L.GetTop())
	for i := range bytes {
		c := checkInt(L, i+1)
		if c < 0 || c > 255 {
			argumentError(L, i+1, "invalid value")
		}
		bytes[i] = byte(c)
	}
	return push(L, lua.LString(bytes))
}

// toCase makes lower or upper, of the first letters of both cases. No others count: Redis runs in the C locale.
func toCase(from, to byte) lua.LGFunction {
	return func(L *lua.LState) int {
		s := checkString(L, 1)
		chargeString(L, len(s))
		out := []byte(s)
		for i, c := range out {
			if from <= c && c < from+26 {
				out[i] = c - from + to
			}
		}
		return push(L, lua.LString(out))
	}
}

func stringReverse(L *lua.LState) int {
	s := checkString(L, 1)
	chargeString(L, len(s))
	out := []byte(s)
	slices.Reverse(out)
	return push(L, lua.LString(out))
}

func stringRep(L *lua.LState) int {
	s, n := checkString(L, 1), checkInt(L, 2)
	if n <= 0 || s == "" {
		return push(L, lua.LString(""))
	}
	if n > maxString {
		chargeString(L, n)
	}
	chargeString(L, n*len(s))
	return push(L, lua.LString(strings.Repeat(s, n)))
}

func stringSub(L *lua.LState) int {
	s := checkString(L, 1)
	from := max(fromEnd(checkPosition(L, 2), len(s)), 1)
	to := min(fromEnd(optPosition(L, 3, -1), len(s)), len(s))
	if from > to {
		return push(L, lua.LString(""))
	}
	return push(L, lua.LString(s[from-1:to]))
}

// find is string.find, which gives the positions of a match, or string.match.
func find(L *lua.LState, positions bool) int {
	s, pattern := checkString(L, 1), checkString(L, 2)
	at := min(max(fromEnd(optPosition(L, 3, 1), len(s))-1, 0), len(s))
	if positions && (lua.LVAsBool(L.Get(4)) || !strings.ContainsAny(pattern, "^$*+?.([%-")) {
		charge(L, int64((len(s)-at)/BytesPerInstruction))
		i := strings.Index(s[at:], pattern)
		if i < 0 {
			return push(L, lua.LNil)
		}
		return push(L, lua.LNumber(at+i+1), lua.LNumber(at+i+len(pattern)))
	}
	pattern, anchored := strings.CutPrefix(pattern, "^")
	m := &matcher{L: L, subject: s, pattern: pattern}
	for ; at <= len(s); at++ {
		if end := m.matchAt(at); end != -1 {
			if !positions {
				return m.pushCaptures(at, end, true)
			}
			return push(L, lua.LNumber(at+1), lua.LNumber(end)) + m.pushCaptures(at, end, false)
		}
		if anchored {
			break
		}
		m.step()
	}
	return push(L, lua.LNil)
}

func stringGmatch(L *lua.LState) int {
	s, pattern := checkString(L, 1), checkString(L, 2)
	at := 0
	L.Push(L.NewFunction(func(L *lua.LState) int {
		m := &matcher{L: L, subject: s, pattern: pattern}
		for ; at <= len(s); at++ {
			m.step()
			end := m.matchAt(at)
			if end == -1 {
				continue
			}
			start := at
			at = end
			if end == start {
				at++
			}
			return m.pushCaptures(start, end, true)
		}
		return 0
	}))
	return 1
}
