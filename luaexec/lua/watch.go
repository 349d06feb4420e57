package lua

// watcher is told where statements begin.
type watcher struct {
	tell func(L *State)
	last map[activationKey]spot
}

// activationKey tells the calls of all threads apart while they have not returned.
type activationKey struct {
	thread *State
	depth  int
}

// spot is an instruction of a statement.
type spot struct {
	statement int32
	pc        int
}

// Watch has a function called before each statement that code begins, with the thread
// that runs it; nil ends that. What is left of a statement that has begun before is
// none of its own.
func (g *shared) Watch(tell func(L *State)) {
	g.watcher, g.pause = nil, 0
	if tell != nil {
		g.watcher, g.pause = &watcher{tell, map[activationKey]spot{}}, everyInstruction
	}
}

// look is called before an instruction when the budget is used up or somebody watches.
func (L *State) look(c *call, pc int) {
	c.pc = pc + 1
	if L.left < 0 {
		L.stop()
	}
	p := c.fn.proto
	now := spot{p.statements[pc], pc}
	if op := p.code[pc].op(); now.statement == 0 || op == opJmp || op == opClose {
		return // on the way between two statements
	}
	key := activationKey{L, L.depth}
	was, known := L.watcher.last[key]
	if !known && pc > 0 {
		was = spot{p.statements[pc-1], pc - 1}
	}
	L.watcher.last[key] = now
	if pc == 0 || was.statement != now.statement || was.pc >= now.pc {
		L.watcher.tell(L)
	}
}
