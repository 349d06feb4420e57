package luaexec

import lua "github.com/yuin/gopher-lua"

// registers are a set of a function's registers, of which there are at most 256.
type registers [4]uint64

func (s *registers) add(from, to int) {
	for i := from; i < to; i++ {
		s[i>>6] |= 1 << (i & 63)
	}
}

func (s *registers) has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

// flow is what an instruction does to registers, and where it goes on.
type flow struct {
	reads, writes registers
	next          []int
}

// instruction is one of gopher-lua's, taken apart.
type instruction struct {
	op, a, b, c, bx, sbx int
	pc, used             int // its place, and how many registers the function uses
}

func instructionAt(p *lua.FunctionProto, pc int) instruction {
	code := p.Code[pc]
	bx := int(code & 0x3ffff)
	return instruction{
		op: int(code >> 26), a: int(code>>18) & 0xff, b: int(code) & 0x1ff, c: int(code>>9) & 0x1ff,
		bx: bx, sbx: bx - (1<<18-1)>>1, pc: pc, used: int(p.NumUsedRegisters),
	}
}

// live is, for each place in a function's code, the registers that what comes then may
// read before it writes them.
func live(p *lua.FunctionProto) []registers {
	flows := make([]flow, len(p.Code))
	for pc := 0; pc < len(p.Code); {
		i := instructionAt(p, pc)
		skip := i.operands(p)
		f := i.flow(p)
		for n := range f.next {
			if f.next[n] == pc+1 {
				f.next[n] += skip
			}
		}
		flows[pc] = f
		pc += 1 + skip
	}
	in := make([]registers, len(p.Code)+1)
	for changed := true; changed; {
		changed = false
		for pc := len(p.Code) - 1; pc >= 0; pc-- {
			f, was := &flows[pc], in[pc]
			for w := range was {
				var out uint64
				for _, next := range f.next {
					out |= in[min(next, len(p.Code))][w]
				}
				in[pc][w] |= f.reads[w] | out&^f.writes[w]
			}
			changed = changed || in[pc] != was
		}
	}
	return in
}

// operands counts the words after an instruction that are no instructions.
func (i instruction) operands(p *lua.FunctionProto) int {
	switch {
	case i.op == lua.OP_CLOSURE:
		return int(p.FunctionPrototypes[i.bx].NumUpvalues)
	case i.op == lua.OP_SETLIST && i.c == 0:
		return 1
	}
	return 0
}

// flow follows the comments in gopher-lua's opcode.go. What writes a register only
// sometimes does not count as writing it.
func (i instruction) flow(p *lua.FunctionProto) flow {
	f := flow{next: i.successors()}
	read := func(rs ...int) {
		for _, r := range rs {
			if r&0x100 == 0 { // else it is a constant
				f.reads.add(r, r+1)
			}
		}
	}
	many := func(set *registers, from, count int) { // below 0: all that there are
		if count < 0 {
			count = i.used - from
		}
		set.add(from, from+count)
	}
	switch i.op {
	case lua.OP_LOADK, lua.OP_LOADBOOL, lua.OP_GETUPVAL, lua.OP_GETGLOBAL, lua.OP_NEWTABLE, lua.OP_CLOSURE:
		f.writes.add(i.a, i.a+1)
	case lua.OP_LOADNIL:
		f.writes.add(i.a, i.b+1)
	case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_TEST:
		read(i.a)
	case lua.OP_TESTSET:
		read(i.b)
	case lua.OP_MOVE, lua.OP_MOVEN, lua.OP_UNM, lua.OP_NOT, lua.OP_LEN:
		read(i.b)
		f.writes.add(i.a, i.a+1)
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW:
		read(i.b, i.c)
		f.writes.add(i.a, i.a+1)
	case lua.OP_SELF:
		read(i.b, i.c)
		f.writes.add(i.a, i.a+2)
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		read(i.a, i.b, i.c)
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		read(i.b, i.c)
	case lua.OP_CONCAT:
		many(&f.reads, i.b, i.c-i.b+1)
		f.writes.add(i.a, i.a+1)
	case lua.OP_CALL:
		many(&f.reads, i.a, orAll(i.b, 0))
		many(&f.writes, i.a, i.c-1)
	case lua.OP_TAILCALL:
		many(&f.reads, i.a, orAll(i.b, 0))
	case lua.OP_RETURN:
		many(&f.reads, i.a, i.b-1)
	case lua.OP_FORLOOP, lua.OP_FORPREP, lua.OP_TFORLOOP:
		f.reads.add(i.a, i.a+3)
	case lua.OP_SETLIST:
		many(&f.reads, i.a, orAll(i.b, 1))
	case lua.OP_VARARG:
		many(&f.writes, i.a, i.b-1)
	}
	if i.op == lua.OP_CLOSURE { // it shares registers with what it makes
		for n := range i.operands(p) {
			if up := instructionAt(p, i.pc+1+n); up.op == lua.OP_MOVE {
				read(up.b)
			}
		}
	}
	return f
}

// orAll is a count of operands and more besides; 0 operands stand for all that there are.
func orAll(count, besides int) int {
	if count == 0 {
		return -1
	}
	return count + besides
}

func (i instruction) successors() []int {
	switch i.op {
	case lua.OP_JMP, lua.OP_FORPREP:
		return []int{i.pc + 1 + i.sbx}
	case lua.OP_FORLOOP:
		return []int{i.pc + 1, i.pc + 1 + i.sbx}
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_TESTSET, lua.OP_TFORLOOP:
		return []int{i.pc + 1, i.pc + 2}
	case lua.OP_LOADBOOL:
		if i.c != 0 {
			return []int{i.pc + 2}
		}
	case lua.OP_RETURN, lua.OP_TAILCALL:
		return nil
	}
	return []int{i.pc + 1}
}
