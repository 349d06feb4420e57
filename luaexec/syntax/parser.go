package syntax

import (
	"fmt"
	"slices"
)

const (
	maxLocals    = 200
	maxUpvalues  = 60
	maxLevels    = 200 // of syntax
	maxLocalVars = 1<<15 - 1
)

// block is a chain of the blocks around a statement.
type block struct {
	outer     *block
	breaks    int // jumps out of this loop
	active    int // locals outside
	captured  bool
	breakable bool
}

// parser reads a source and makes code as it goes.
type parser struct {
	lexer
	f     *function
	level int // of syntax, on top of the calls that wait
}

// Compile compiles a source. The chunk is what messages call it. Its error is an
// *Error.
func Compile(source, chunk string) (*Proto, error) { return compile(source, chunk) }

// Check tells whether Lua 5.1 would compile a source. Its error is an *Error.
func Check(source, chunk string) error {
	_, err := compile(source, chunk)
	return err
}

func compile(source, chunk string) (proto *Proto, err error) {
	p := &parser{}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			proto, err = nil, r
		default:
			panic(r)
		}
	}()
	p.start(source, chunk)
	main := p.open()
	main.proto.vararg = isVararg
	p.next()
	p.statements()
	p.check(tokEOS)
	p.close()
	return main.proto, nil
}

func (p *parser) open() *function {
	f := &function{
		proto: &Proto{registers: 2},
		outer: p.f, parser: p, lastTarget: -1, jumpHere: noJump, constants: map[any]int{},
	}
	p.f = f
	return f
}

func (p *parser) close() {
	f := p.f
	p.removeLocals(0)
	f.codeABC(opReturn, 0, 1, 0)
	p.f = f.outer
}

func (p *parser) expected(t token) { p.syntaxError("'" + t.String() + "' expected") }

func (p *parser) limit(f *function, n, limit int, what string) {
	if n <= limit {
		return
	}
	if f.proto.lineDefined == 0 {
		p.fail(fmt.Sprintf("main function has more than %d %s", limit, what), 0)
	}
	p.fail(fmt.Sprintf("function at line %d has more than %d %s", f.proto.lineDefined, limit, what), 0)
}

func (p *parser) accept(t token) bool {
	if p.t.token != t {
		return false
	}
	p.next()
	return true
}

func (p *parser) check(t token) {
	if p.t.token != t {
		p.expected(t)
	}
}

func (p *parser) expect(t token) {
	p.check(t)
	p.next()
}

// match expects what closes something that was opened on a line.
func (p *parser) match(closing, opening token, line int) {
	if p.accept(closing) {
		return
	}
	if line == p.line {
		p.expected(closing)
	}
	p.syntaxError(fmt.Sprintf("'%v' expected (to close '%v' at line %d)", closing, opening, line))
}

func (p *parser) name() string {
	p.check(tokName)
	s := p.t.str
	p.next()
	return s
}

func (p *parser) nameConstant() (e expression) {
	e.set(expConstant, p.f.stringConstant(p.name()))
	return e
}

func (p *parser) enterLevel() {
	p.level++
	if p.level > maxLevels {
		p.fail("chunk has too many syntax levels", 0)
	}
}

func (p *parser) leaveLevel() { p.level-- }

// newLocal declares a local; n others wait for activation too.
func (p *parser) newLocal(name string, n int) {
	f := p.f
	p.limit(f, len(f.active)+n+1, maxLocals, "local variables")
	if len(f.proto.locals) >= maxLocalVars {
		p.fail("too many local variables", 0)
	}
	f.proto.locals = append(f.proto.locals, localVar{name: name})
}

// activate brings n locals into scope: the last ones that were declared but for
// those that go on waiting.
func (p *parser) activate(n, waiting int) {
	f := p.f
	end := len(f.proto.locals) - waiting
	for i := end - n; i < end; i++ {
		f.proto.locals[i].start = f.pc
		f.active = append(f.active, i)
	}
}

func (p *parser) removeLocals(level int) {
	f := p.f
	for _, i := range f.active[level:] {
		f.proto.locals[i].until = f.pc
	}
	f.active = f.active[:level]
}

func (f *function) findLocal(name string) int {
	for i, local := range slices.Backward(f.active) {
		if f.proto.locals[local].name == name {
			return i
		}
	}
	return -1
}

func (f *function) markCaptured(level int) {
	b := f.block
	for b != nil && b.active > level {
		b = b.outer
	}
	if b != nil {
		b.captured = true
	}
}

// variable finds what a name stands for.
func (p *parser) variable(e *expression) {
	name := p.name()
	p.resolve(p.f, name, e, true)
	if e.kind == expGlobal {
		e.info = p.f.stringConstant(name)
	}
}

func (p *parser) resolve(f *function, name string, e *expression, here bool) {
	if f == nil {
		e.set(expGlobal, noRegister)
		return
	}
	if v := f.findLocal(name); v >= 0 {
		e.set(expLocal, v)
		if !here {
			f.markCaptured(v)
		}
		return
	}
	p.resolve(f.outer, name, e, false)
	if e.kind != expGlobal {
		e.info = f.upvalue(name, e)
		e.kind = expUpvalue
	}
}

func (f *function) upvalue(name string, e *expression) int {
	source := upvalueSource{e.kind, e.info}
	for i, u := range f.upvalues {
		if u == source {
			return i
		}
	}
	f.parser.limit(f, len(f.upvalues)+1, maxUpvalues, "upvalues")
	f.upvalues = append(f.upvalues, source)
	f.proto.upvalues = append(f.proto.upvalues, name)
	return len(f.upvalues) - 1
}

func (p *parser) enterBlock(b *block, breakable bool) {
	f := p.f
	*b = block{outer: f.block, breaks: noJump, active: len(f.active), breakable: breakable}
	f.block = b
}

func (p *parser) leaveBlock() {
	f := p.f
	b := f.block
	f.block = b.outer
	p.removeLocals(b.active)
	if b.captured {
		f.codeABC(opClose, b.active, 0, 0)
	}
	f.freeReg = len(f.active)
	f.patchToHere(b.breaks)
}

// adjust makes an assignment of some values to some variables even.
func (p *parser) adjust(variables, values int, last *expression) {
	f := p.f
	extra := variables - values
	if last.isMulti() {
		extra = max(extra+1, 0)
		f.setReturns(last, extra)
		if extra > 1 {
			f.reserve(extra - 1)
		}
		return
	}
	if last.kind != expVoid {
		f.toNextRegister(last)
	}
	if extra > 0 {
		reg := f.freeReg
		f.reserve(extra)
		f.loadNil(reg, extra)
	}
}

// pushClosure makes the value of a function that was just read.
func (p *parser) pushClosure(inner *function, e *expression) {
	f := p.f
	f.proto.protos = append(f.proto.protos, inner.proto)
	e.set(expRelocatable, f.codeABx(opClosure, 0, len(f.proto.protos)-1))
	for _, u := range inner.upvalues {
		op := opGetUpvalue
		if u.kind == expLocal {
			op = opMove
		}
		f.codeABC(op, 0, u.info, 0)
	}
}
