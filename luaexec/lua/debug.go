package lua

import (
	"fmt"
	"strings"
)

// Place is where a function was when an error was raised.
type Place struct {
	Source string // the chunk as it was named: @script, =name, or its text
	Line   int    // -1 in a function of Go, 0 if there is no function
}

// line is the line of the instruction that a function of Lua is at.
func (c *call) line() int { return int(c.fn.proto.lines[c.pc-1]) }

// frame is the call at a level of the stack, 0 being the running one. A level may
// belong to a call that a tail call has taken the place of: lost is true.
func (L *State) frame(level int) (c *call, lost bool) {
	at := L.depth
	for ; level > 0 && at > 0; at-- {
		level--
		if c := &L.calls[at]; c.fn.proto != nil {
			level -= c.tailCalls
		}
	}
	switch {
	case level == 0 && at > 0:
		return &L.calls[at], false
	case level < 0:
		return nil, true
	}
	return nil, false
}

// place is where the function at a level is.
func (L *State) place(level int) Place {
	c, lost := L.frame(level)
	switch {
	case lost:
		return Place{"=(tail call)", -1}
	case c == nil:
		return Place{}
	case c.fn.proto == nil:
		return Place{"=[C]", -1}
	}
	return Place{c.fn.proto.source, c.line()}
}

// origin is where Redis says that an error comes from.
func (L *State) origin() Place {
	p := L.place(0)
	if p.Source == "=[C]" {
		p = L.place(1)
	}
	return p
}

// Where is the position of the function at a level, as Lua puts it before a
// message: "user_script:3: ", or nothing in a function of Go.
func (L *State) Where(level int) string {
	c, _ := L.frame(level)
	if c == nil || c.fn.proto == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", c.fn.proto.shown, c.line())
}

// shownChunk is what messages call a chunk.
func shownChunk(source string) string {
	const most, mostOfFile, mostOfText = 59, 52, 43
	source, _, _ = strings.Cut(source, "\x00")
	if name, ok := strings.CutPrefix(source, "="); ok {
		return name[:min(len(name), most)]
	}
	if file, ok := strings.CutPrefix(source, "@"); ok {
		if len(file) > mostOfFile {
			file = "..." + file[len(file)-mostOfFile:]
		}
		return file
	}
	text := source
	if n := strings.IndexAny(source, "\r\n"); n >= 0 {
		text = source[:n]
	}
	text = text[:min(len(text), mostOfText)]
	if len(text) < len(source) {
		text += "..."
	}
	return `[string "` + text + `"]`
}

// ArgumentError says what is wrong with the nth argument of the running function.
func (L *State) ArgumentError(n int, problem string) {
	kind, name := L.calledAs()
	if kind == "method" {
		n-- // self does not count
		if n == 0 {
			L.Raise(fmt.Sprintf("%scalling '%s' on bad self (%s)", L.Where(1), name, problem))
		}
	}
	if name == "" {
		name = "?"
	}
	L.Raise(fmt.Sprintf("%sbad argument #%d to '%s' (%s)", L.Where(1), n, name, problem))
}

// calledAs is what the code that called the running function calls it.
func (L *State) calledAs() (kind, name string) {
	if L.depth == 0 {
		return "", ""
	}
	if c := &L.calls[L.depth]; c.fn.proto != nil && c.tailCalls > 0 {
		return "", ""
	}
	c := &L.calls[L.depth-1]
	if c.fn == nil || c.fn.proto == nil {
		return "", ""
	}
	switch i := c.fn.proto.code[c.pc-1]; i.op() {
	case opCall, opTailCall, opTForLoop:
		return c.fn.proto.nameOf(c.pc-1, i.a())
	default:
		return "", ""
	}
}

// typeError says that an operation met a value of the wrong type. at is where on the
// stack the value is, or -1.
func (L *State) typeError(v Value, at int, verb string) {
	c := &L.calls[L.depth]
	kind, name := "", ""
	if c.fn != nil && c.fn.proto != nil && at >= c.base && at < c.top {
		kind, name = c.fn.proto.nameOf(c.pc-1, at-c.base)
	}
	if kind == "" {
		L.errorf("attempt to %s a %s value", verb, TypeName(v))
	}
	L.errorf("attempt to %s %s '%s' (a %s value)", verb, kind, name, TypeName(v))
}

func (L *State) compareError(a, b Value) {
	if s, t := TypeName(a), TypeName(b); s[2] == t[2] {
		L.errorf("attempt to compare two %s values", s)
	} else {
		L.errorf("attempt to compare %s with %s", s, t)
	}
}

// nameOf is the kind (local, global, field, upvalue or method) and the name of what
// made the value of a register, as far as the code before an instruction tells.
func (p *Proto) nameOf(pc, register int) (kind, name string) {
	if name := p.localName(register+1, pc); name != "" {
		return "local", name
	}
	at := p.lastWrite(pc, register)
	switch i := p.code[at]; i.op() {
	case opGetGlobal:
		name, _ := p.constants[i.bx()].(string)
		return "global", name
	case opMove:
		if i.b() < i.a() {
			return p.nameOf(pc, i.b())
		}
	case opGetTable:
		return "field", p.constantName(i.c())
	case opGetUpvalue:
		return "upvalue", p.upvalues[i.b()]
	case opSelf:
		return "method", p.constantName(i.c())
	default:
	}
	return "", ""
}

func (p *Proto) constantName(operand int) string {
	if operand&constBit != 0 {
		if s, ok := p.constants[operand&^constBit].(string); ok {
			return s
		}
	}
	return "?"
}

// localName is the nth local that is active at an instruction, from 1.
func (p *Proto) localName(n, pc int) string {
	for _, l := range p.locals {
		if l.start > pc {
			break
		}
		if pc < l.until {
			if n--; n == 0 {
				return l.name
			}
		}
	}
	return ""
}

// lastWrite is the last instruction before one that changed a register, as far as
// reading the code from its start and following jumps ahead tells.
func (p *Proto) lastWrite(until, register int) int {
	last := len(p.code) - 1
	for pc := 0; pc < until; pc++ {
		i := p.code[pc]
		op, a := i.op(), i.a()
		if op.setsA() && a == register {
			last = pc
		}
		switch op {
		case opLoadNil:
			if a <= register && register <= i.b() {
				last = pc
			}
		case opSelf:
			if register == a+1 {
				last = pc
			}
		case opTForLoop:
			if register >= a+2 {
				last = pc
			}
		case opForLoop, opForPrep, opJmp:
			if target := pc + 1 + i.sbx(); pc < target && target <= until {
				pc += i.sbx()
			}
		case opCall, opTailCall:
			if register >= a {
				last = pc
			}
		case opSetList:
			if i.c() == 0 {
				pc++
			}
		case opClosure:
			pc += len(p.protos[i.bx()].upvalues)
		default:
		}
	}
	return last
}
