package luaexec

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func stringGsub(L *lua.LState) int {
	s, pattern := checkString(L, 1), checkString(L, 2)
	replacement := L.Get(3)
	switch replacement.(type) {
	case lua.LString, lua.LNumber, *lua.LTable, *lua.LFunction:
	default:
		argumentError(L, 3, "string/function/table expected")
	}
	limit := optInt(L, 4, len(s)+1)
	pattern, anchored := strings.CutPrefix(pattern, "^")
	m := &matcher{L: L, subject: s, pattern: pattern}
	var out strings.Builder
	at, count := 0, 0
	for count < limit {
		m.step()
		end := m.matchAt(at)
		if end != -1 {
			count++
			m.replace(&out, replacement, at, end)
		}
		switch {
		case end != -1 && end > at:
			at = end
		case at < len(s):
			out.WriteByte(s[at])
			at++
		default:
			at++
		}
		if at > len(s) || anchored {
			break
		}
	}
	if at < len(s) {
		out.WriteString(s[at:])
	}
	chargeString(L, out.Len())
	return push(L, lua.LString(out.String()), lua.LNumber(count))
}

// replace writes what stands for one match of gsub.
func (m *matcher) replace(out *strings.Builder, with lua.LValue, start, end int) {
	L := m.L
	var v lua.LValue
	switch with := with.(type) {
	case *lua.LTable:
		v = L.GetTable(with, m.value(0, start, end))
	case *lua.LFunction:
		L.Push(with)
		n := m.pushCaptures(start, end, true)
		L.Call(n, 1)
		v = L.Get(-1)
		L.Pop(1)
	default:
		text, _ := asString(with)
		m.expand(out, text, start, end)
		return
	}
	switch text, ok := asString(v); {
	case ok:
		m.write(out, text)
	case lua.LVIsFalse(v):
		m.write(out, m.subject[start:end])
	default:
		raisef(L, "invalid replacement value (a %s)", v.Type())
	}
}

// expand writes a replacement string with its %0 to %9.
func (m *matcher) expand(out *strings.Builder, text string, start, end int) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '%':
			out.WriteByte(text[i])
			continue
		case i+1 < len(text) && !isDigit(text[i+1]):
			out.WriteByte(text[i+1])
		case i+1 < len(text) && text[i+1] == '0':
			m.write(out, m.subject[start:end])
		case i+1 < len(text):
			s, _ := asString(m.value(int(text[i+1]-'1'), start, end))
			m.write(out, s)
		default:
			out.WriteByte(0) // as C reads past the end of its string
		}
		i++
	}
	charge(m.L, int64(len(text)/BytesPerInstruction))
	if out.Len() > maxString {
		chargeString(m.L, out.Len())
	}
}

func (m *matcher) write(out *strings.Builder, text string) {
	if out.Len()+len(text) > maxString {
		chargeString(m.L, out.Len()+len(text))
	}
	chargeBytes(m.L, len(text))
	out.WriteString(text)
}
