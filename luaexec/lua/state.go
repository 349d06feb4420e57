package lua

// State is a thread of execution: the main one of an interpreter, or a coroutine.
// It is for one goroutine at a time, together with all threads of its interpreter.
type State struct {
	world *world
	stack []Value
	base  int // of the running function's registers or arguments
	top   int // first free slot
	call  *callInfo
	open  *upvalue // those that point into the stack, the highest first

	baseCall     callInfo
	depth        int // calls that wait, the running one included
	maxDepth     int // as large as PUC-Rio's Lua would have made its array of calls
	goCalls      int // calls through Go that wait
	baseGoCalls  int // of them, those outside this coroutine
	errorHandler int // stack slot of the function that sees an error first, 0 for none
	status       status
	resumer      *State // that waits for this coroutine
	id           uint32
	mark         uint32
}

// world is what all threads of one interpreter share.
type world struct {
	globals  *Table
	main     *State
	current  *State
	budget   *Budget
	textMeta *Table
	lastID   uint32
	sealedID uint32 // what a script makes has higher ids
	epoch    uint32 // of the last census
}

// status is how a thread ended, or why it waits.
type status uint8

const (
	statusOK status = iota
	statusYield
	statusRun // an error with a value
	statusMemory
	statusHandler // an error in an error handler
)

// Sizes and limits of PUC-Rio's Lua, as Redis builds it.
const (
	firstCalls    = 8
	maxCalls      = 20000
	firstStack    = 64
	maxStack      = 1 << 20 // slots
	minFree       = 20      // slots that a Go function finds
	maxFree       = 8000    // slots that a Go function may ask for
	maxErrorCalls = maxGoCalls + maxGoCalls/8
)

// callInfo is the activation of a function.
type callInfo struct {
	fn       *Function
	index    int // of the function in the stack
	base     int
	top      int
	pc       int // of the next instruction
	results  int
	tails    int // calls that gave way to this one
	previous *callInfo
	next     *callInfo // kept for reuse
}

// Function is a closure: of compiled code, or of Go code.
type Function struct {
	proto    *Proto
	upvalues []*upvalue
	env      *Table

	native func(*State) int
	held   []Value // by the Go code, for the census
	id     uint32
	mark   uint32
}

// IsNative tells whether the function is Go code.
func (f *Function) IsNative() bool { return f.native != nil }

// upvalue is a variable of an outer function: a slot of the stack as long as that
// function runs, then its own.
type upvalue struct {
	value *Value
	own   Value
	index int // of the slot while it is open
	next  *upvalue
	mark  uint32
}

// NewState is an interpreter with no libraries and no bounds.
func NewState() *State {
	w := &world{}
	L := &State{world: w}
	w.main, w.current = L, L
	L.SetBudget(NewBudget(1<<62, 0))
	L.initialize()
	w.globals = L.NewTable(0, 0)
	return L
}

func (L *State) initialize() {
	L.id = L.nextID()
	L.stack = make([]Value, firstStack)
	L.maxDepth = firstCalls
	L.call = &L.baseCall
	L.base, L.top, L.call.base, L.call.top = 1, 1, 1, 1+minFree
}

func (L *State) nextID() uint32 {
	L.world.lastID++
	return L.world.lastID
}

// SetBudget bounds what the interpreter runs from now on. What it has already is
// not counted again.
func (L *State) SetBudget(b *Budget) {
	b.world = L.world
	L.world.budget = b
}

// Budget is what bounds the interpreter.
func (L *State) Budget() *Budget { return L.world.budget }

// Globals is the table of global variables.
func (L *State) Globals() *Table { return L.world.globals }

// SetGlobal gives a global variable a value.
func (L *State) SetGlobal(name string, v Value) { L.world.globals.SetString(name, v) }

// SetStringMetatable gives all strings a metatable.
func (L *State) SetStringMetatable(t *Table) { L.world.textMeta = t }

// Main is the thread that is no coroutine.
func (L *State) Main() *State { return L.world.main }

// NewTable is an empty table with room for so many fields.
func (L *State) NewTable(array, hash int) *Table {
	b := L.world.budget
	t := &Table{id: L.nextID(), account: b}
	b.allocate(tableBytes)
	if array > 0 || hash > 0 {
		t.resize(array, hash)
	}
	return t
}

// NewFunction is a function of Go code. It finds its arguments with Get and
// returns how many results it has pushed. held are values that the code keeps.
func (L *State) NewFunction(native func(*State) int, held ...Value) *Function {
	return &Function{native: native, held: held, id: L.nextID(), env: L.world.globals}
}

// Load makes a function of compiled code in the environment of the globals.
func (L *State) Load(p *Proto) *Function {
	return &Function{proto: p, id: L.nextID(), env: L.world.globals}
}

// NewUserdata is a value of the host.
func (L *State) NewUserdata(v any) *Userdata { return &Userdata{Value: v, id: L.nextID()} }

// Seal makes what exists now the interpreter's own, which Rewind goes back to.
func (L *State) Seal() { L.world.sealedID = L.world.lastID }

// Rewind makes the main thread as it was when it was sealed, so that the next
// script cannot tell what the last one did. Tables stay as they are.
func (L *State) Rewind() {
	w := L.world
	w.lastID = w.sealedID
	m := w.main
	w.current = m
	m.closeUpvalues(0)
	clear(m.stack[:min(len(m.stack), m.top+4*minFree)])
	if len(m.stack) > 8*firstStack {
		m.stack = make([]Value, firstStack)
		m.baseCall.next = nil
	}
	m.call = &m.baseCall
	m.base, m.top, m.depth, m.goCalls, m.errorHandler = 1, 1, 0, 0, 0
	m.maxDepth, m.status = firstCalls, statusOK
}

// ensure makes room for n more values.
func (L *State) ensure(n int) {
	if L.top+n+minFree > len(L.stack) {
		L.growStack(n)
	}
}

func (L *State) growStack(n int) {
	size := max(2*len(L.stack), L.top+n+minFree)
	if size > maxStack {
		size = L.top + n + minFree
		if size > maxStack+maxStack/8 {
			L.throw(statusHandler, Nil)
		}
		if size > maxStack && L.errorHandler == 0 || size > maxStack+minFree*minFree {
			L.runError("stack overflow")
		}
	}
	L.world.budget.allocate((size - len(L.stack)) * slotBytes)
	stack := make([]Value, size)
	copy(stack, L.stack)
	L.stack = stack
	for u := L.open; u != nil; u = u.next {
		u.value = &stack[u.index]
	}
}

// capture is the upvalue of a slot.
func (L *State) capture(index int) *upvalue {
	at := &L.open
	for *at != nil && (*at).index >= index {
		if (*at).index == index {
			return *at
		}
		at = &(*at).next
	}
	u := &upvalue{index: index, value: &L.stack[index], next: *at}
	*at = u
	return u
}

// closeUpvalues makes the upvalues from a slot on own their values.
func (L *State) closeUpvalues(index int) {
	for L.open != nil && L.open.index >= index {
		u := L.open
		L.open = u.next
		u.own = *u.value
		u.value = &u.own
		u.next = nil
	}
}
