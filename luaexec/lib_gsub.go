package luaexec

import (
	"strings"

	"lockstep/luaexec/lua"
)

func stringGsub(L *lua.State) int {
	s, pattern := L.CheckString(1), L.CheckString(2)
	replacement := L.Get(3)
	switch replacement.(type) {
	case string, float64, *lua.Table, *lua.Function:
	default:
		L.ArgumentError(3, "string/function/table expected")
	}
	limit := L.OptInt(4, len(s)+1)
	pattern, anchored := strings.CutPrefix(pattern, "^")
	m := &matcher{L: L, subject: s, pattern: pattern}
	out := &growing{L: L}
	at, count := 0, 0
	for count < limit {
		m.step()
		end := m.matchAt(at)
		if end != -1 {
			count++
			m.replace(out, replacement, at, end)
		}
		switch {
		case end != -1 && end > at:
			at = end
		case at < len(s):
			out.add(s[at])
			at++
		default:
			at++
		}
		if at > len(s) || anchored {
			break
		}
	}
	if at < len(s) {
		out.addString(s[at:])
	}
	out.push()
	L.Push(lua.Int(count))
	return 2
}

// replace writes what stands for one match of gsub.
func (m *matcher) replace(out *growing, with lua.Value, start, end int) {
	L := m.L
	var v lua.Value
	switch with := with.(type) {
	case *lua.Table:
		v = L.Index(with, m.value(0, start, end))
	case *lua.Function:
		L.Push(with)
		n := m.pushCaptures(start, end, true)
		L.Call(n, 1)
		v = L.Get(-1)
		L.Pop(1)
	default:
		text, _ := lua.ToString(with)
		m.expand(out, text, start, end)
		return
	}
	switch text, ok := lua.ToString(v); {
	case ok:
		out.addString(text)
	case !lua.Truth(v):
		out.addString(m.subject[start:end])
	default:
		L.Failf("invalid replacement value (a %s)", lua.TypeName(v))
	}
}

// expand writes a replacement string with its %0 to %9.
func (m *matcher) expand(out *growing, text string, start, end int) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '%':
			out.add(text[i])
			continue
		case i+1 < len(text) && !isDigit(text[i+1]):
			out.add(text[i+1])
		case i+1 < len(text) && text[i+1] == '0':
			out.addString(m.subject[start:end])
		case i+1 < len(text):
			s, _ := lua.ToString(m.value(int(text[i+1]-'1'), start, end))
			out.addString(s)
		default:
			out.add(0) // as C reads past the end of its string
		}
		i++
	}
}
