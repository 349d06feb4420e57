package lua

// State runs code: it is a coroutine, or the main thread that coroutines come from.
// It is for one goroutine at a time.
type State struct {
	*shared

	stack []Value
	top   int
	calls []call
	depth int // index of the running call
	most  int // calls there is room for, as Lua 5.1 counts them
	open  *upvalue

	status        status
	goCalls       int // that wait for one another
	resumeGoCalls int // of them, those before the last resume
	handler       Value
	resumer       *State // of a coroutine that runs
	identity
}

// shared is what the states of a program have in common.
type shared struct {
	*Budget
	globals    *Table
	stringMeta *Table
	main       *State
	running    *State // the coroutine, or main
	made       uint32 // objects
	looks      uint32 // at the memory
	kept       int64  // bytes that functions of Go hold
	outside    func() int64
	watcher    *watcher
}

// call is an activation of a function.
type call struct {
	fn        *Function // nil at the bottom
	at        int       // of the function on the stack
	base, top int
	results   int // that are wanted, or all
	pc        int // of the next instruction
	tailCalls int // that it stands for
}

type status uint8

const (
	statusReady status = iota
	statusYielded
	statusFailed
)

// The limits of Lua 5.1 as Redis builds it.
const (
	maxCalls   = 20000
	maxGoCalls = 200
	minStack   = 20 // values that a function of Go can push

	// MaxStack is how many values a function of Go can have on the stack.
	MaxStack = 8000
)

// slack is how much more stack there always is: as much as an operand can name.
const slack = 256

// The sizes in bytes of what a state is made of.
const (
	sizeOfState = 256
	sizeOfCall  = 64
)

// New makes a main thread with no globals, bounded by a budget.
func New(budget *Budget) *State {
	g := &shared{Budget: budget}
	g.main = newState(g)
	g.running = g.main
	g.globals = g.main.NewTable(0, 0)
	return g.main
}

func newState(g *shared) *State {
	const firstCalls, firstStack = 8, 40
	g.Take(sizeOfState + firstCalls*sizeOfCall + (firstStack+slack)*sizeOfValue)
	L := &State{shared: g, most: firstCalls, calls: make([]call, firstCalls), stack: make([]Value, firstStack+slack)}
	L.calls[0] = call{base: 1, top: minStack + 1}
	L.top = 1
	L.identity = g.identify()
	return L
}

func (g *shared) identify() identity {
	g.made++
	return identity{id: g.made}
}

// Made tells how many objects there have been.
func (g *shared) Made() uint32 { return g.made }

// Recount lets the next objects be told apart as if there had been so many.
func (g *shared) Recount(made uint32) { g.made = made }

// Globals are the global variables.
func (g *shared) Globals() *Table { return g.globals }

// SetStringMetatable changes the metatable of all strings.
func (g *shared) SetStringMetatable(meta *Table) { g.stringMeta = meta }

// Main is the thread that is no coroutine.
func (g *shared) Main() *State { return g.main }

// ensure makes room for n more values on the stack.
func (L *State) ensure(n int) {
	if L.top+n+slack > len(L.stack) {
		L.growStack(L.top + n + slack)
	}
}

func (L *State) growStack(size int) {
	size = max(size, 2*len(L.stack))
	L.Take((size - len(L.stack)) * sizeOfValue)
	stack := make([]Value, size)
	copy(stack, L.stack)
	L.stack = stack
	for u := L.open; u != nil; u = u.next {
		u.at = &stack[u.index]
	}
}

// clear forgets what is on the stack beyond its top.
func (L *State) clear() {
	clear(L.stack[max(L.top, L.calls[L.depth].top):])
}

// Reset makes a main thread as it was before it ran anything. Only its globals stay.
func (L *State) Reset() {
	L.closeUpvalues(0)
	L.depth, L.top = 0, 1
	L.most = min(L.most, maxCalls)
	L.goCalls, L.resumeGoCalls, L.kept, L.handler = 0, 0, 0, nil
	L.status, L.running = statusReady, L
	clear(L.stack)
	clear(L.calls[1:])
}
