package luaexec

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

const (
	maxCaptures       = 32
	maxPatternNesting = 200
	captureUnfinished = -1
	capturePosition   = -2
)

// matcher matches Lua 5.1 patterns. Every step is charged to the budget: a short pattern can
// backtrack practically for ever over a short subject.
type matcher struct {
	L        *lua.LState
	subject  string
	pattern  string
	depth    int
	captures []capture
	steps    int64
}

type capture struct{ start, length int }

func (m *matcher) step() {
	m.steps++
	if m.steps&63 == 0 {
		charge(m.L, 16)
	}
}

// matchAt matches the whole pattern at the subject's index s. Its result is the end of the match, or -1.
func (m *matcher) matchAt(s int) int {
	m.captures = m.captures[:0]
	return m.match(s, 0)
}

func (m *matcher) match(s, p int) int {
	m.depth++
	if m.depth > maxPatternNesting {
		raise(m.L, "pattern too complex")
	}
	defer func() { m.depth-- }()
	for p < len(m.pattern) {
		m.step()
		switch c := m.pattern[p]; {
		case c == '(':
			if p+1 < len(m.pattern) && m.pattern[p+1] == ')' {
				return m.startCapture(s, p+2, capturePosition)
			}
			return m.startCapture(s, p+1, captureUnfinished)
		case c == ')':
			return m.endCapture(s, p+1)
		case c == '$' && p+1 == len(m.pattern):
			if s == len(m.subject) {
				return s
			}
			return -1
		case c == '%' && p+1 < len(m.pattern) && m.pattern[p+1] == 'b':
			if s = m.matchBalance(s, p+2); s == -1 {
				return -1
			}
			p += 4
			continue
		case c == '%' && p+1 < len(m.pattern) && m.pattern[p+1] == 'f':
			next, ok := m.matchFrontier(s, p+2)
			if !ok {
				return -1
			}
			p = next
			continue
		case c == '%' && p+1 < len(m.pattern) && isDigit(m.pattern[p+1]):
			if s = m.matchCapture(s, m.pattern[p+1]); s == -1 {
				return -1
			}
			p += 2
			continue
		}
		end := m.classEnd(p)
		var suffix byte
		if end < len(m.pattern) {
			suffix = m.pattern[end]
		}
		switch suffix {
		case '?':
			if s < len(m.subject) && m.single(m.subject[s], p, end) {
				if result := m.match(s+1, end+1); result != -1 {
					return result
				}
			}
			p = end + 1
			continue
		case '*':
			return m.maxExpand(s, p, end, 0)
		case '+':
			return m.maxExpand(s, p, end, 1)
		case '-':
			return m.minExpand(s, p, end)
		}
		if s >= len(m.subject) || !m.single(m.subject[s], p, end) {
			return -1
		}
		s++
		p = end
	}
	return s
}

func (m *matcher) maxExpand(s, p, end, least int) int {
	n := 0
	for s+n < len(m.subject) && m.single(m.subject[s+n], p, end) {
		m.step()
		n++
	}
	for ; n >= least; n-- {
		m.step()
		if result := m.match(s+n, end+1); result != -1 {
			return result
		}
	}
	return -1
}

func (m *matcher) minExpand(s, p, end int) int {
	for {
		m.step()
		if result := m.match(s, end+1); result != -1 {
			return result
		}
		if s >= len(m.subject) || !m.single(m.subject[s], p, end) {
			return -1
		}
		s++
	}
}

func (m *matcher) startCapture(s, p, kind int) int {
	if len(m.captures) >= maxCaptures {
		raise(m.L, "too many captures")
	}
	n := len(m.captures)
	m.captures = append(m.captures, capture{s, kind})
	result := m.match(s, p)
	if result == -1 {
		m.captures = m.captures[:n]
	}
	return result
}

func (m *matcher) endCapture(s, p int) int {
	for i := len(m.captures) - 1; i >= 0; i-- {
		if m.captures[i].length != captureUnfinished {
			continue
		}
		m.captures[i].length = s - m.captures[i].start
		result := m.match(s, p)
		if result == -1 {
			m.captures[i].length = captureUnfinished
		}
		return result
	}
	raise(m.L, "invalid pattern capture")
	return -1
}

func (m *matcher) matchBalance(s, p int) int {
	if p+1 >= len(m.pattern) {
		raise(m.L, "unbalanced pattern")
	}
	if s >= len(m.subject) || m.subject[s] != m.pattern[p] {
		return -1
	}
	opening, closing, level := m.pattern[p], m.pattern[p+1], 1
	for i := s + 1; i < len(m.subject); i++ {
		m.step()
		switch m.subject[i] {
		case closing:
			if level--; level == 0 {
				return i + 1
			}
		case opening:
			level++
		}
	}
	return -1
}

func (m *matcher) matchFrontier(s, p int) (int, bool) {
	if p >= len(m.pattern) || m.pattern[p] != '[' {
		raise(m.L, "missing '[' after '%f' in pattern")
	}
	end := m.classEnd(p)
	var before, after byte
	if s > 0 {
		before = m.subject[s-1]
	}
	if s < len(m.subject) {
		after = m.subject[s]
	}
	return end, !m.inSet(before, p, end-1) && m.inSet(after, p, end-1)
}

func (m *matcher) matchCapture(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= len(m.captures) || m.captures[i].length == captureUnfinished {
		raise(m.L, "invalid capture index")
	}
	c := m.captures[i]
	if c.length < 0 {
		return -1
	}
	text := m.subject[c.start : c.start+c.length]
	charge(m.L, int64(len(text)/BytesPerInstruction))
	if strings.HasPrefix(m.subject[s:], text) {
		return s + len(text)
	}
	return -1
}

// value is capture i, from 0. Without captures, the first is the whole match.
func (m *matcher) value(i, start, end int) lua.LValue {
	if i >= len(m.captures) {
		if i != 0 {
			raise(m.L, "invalid capture index")
		}
		return lua.LString(m.subject[start:end])
	}
	c := m.captures[i]
	switch c.length {
	case captureUnfinished:
		raise(m.L, "unfinished capture")
	case capturePosition:
		return lua.LNumber(c.start + 1)
	}
	return lua.LString(m.subject[c.start : c.start+c.length])
}

// pushCaptures pushes all captures. If there are none and whole is set, it pushes the match.
func (m *matcher) pushCaptures(start, end int, whole bool) int {
	n := len(m.captures)
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		m.L.Push(m.value(i, start, end))
	}
	return n
}
