package lua

// GoFunction is a function of Go that code can call. Its arguments are the values
// of the state from 1 to Top; it pushes its results and answers how many they are.
type GoFunction func(L *State) int

// Function is a function of Lua with the variables around it, or one of Go.
type Function struct {
	proto    *Proto
	chunk    *chunk
	upvalues []*upvalue

	native GoFunction
	values []Value // that belong to the native one

	identity
}

// identity tells objects apart.
type identity struct {
	id     uint32 // the order in which they were made
	looked uint32 // number of the last look at the memory that came by
}

// chunk is what the functions of a source have in common: all of its code, for the
// memory of which they stand.
type chunk struct {
	size   int
	looked uint32
}

// upvalue is a variable of a function that another one inside it uses. It is on the
// stack until the outer one ends.
type upvalue struct {
	at     *Value // on the stack, or closed
	closed Value
	index  int // on the stack
	next   *upvalue
}

// The sizes in bytes of what a function is made of.
const (
	sizeOfFunction = 96
	sizeOfUpvalue  = 56
)

// upvalueAt is the upvalue of a place on the stack.
func (L *State) upvalueAt(index int) *upvalue {
	link := &L.open
	for *link != nil && (*link).index > index {
		link = &(*link).next
	}
	if *link != nil && (*link).index == index {
		return *link
	}
	L.Take(sizeOfUpvalue)
	*link = &upvalue{at: &L.stack[index], index: index, next: *link}
	return *link
}

// closeUpvalues takes the variables off the stack that are at an index or above.
func (L *State) closeUpvalues(index int) {
	for L.open != nil && L.open.index >= index {
		u := L.open
		L.open = u.next
		u.closed = *u.at
		u.at = &u.closed
		u.next = nil
	}
}

func (L *State) newClosure(p *Proto, outer *Function, base int, code []instruction) *Function {
	L.Take(sizeOfFunction + 8*len(p.upvalues))
	f := &Function{proto: p, chunk: outer.chunk, upvalues: make([]*upvalue, len(p.upvalues)), identity: L.identify()}
	for i := range f.upvalues {
		if from := code[i]; from.op() == opGetUpvalue {
			f.upvalues[i] = outer.upvalues[from.b()]
		} else {
			f.upvalues[i] = L.upvalueAt(base + from.b())
		}
	}
	return f
}
