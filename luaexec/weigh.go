package luaexec

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// maxHeld is how many bytes the tables, functions and coroutines of a script may
// take that it can still reach. Strings do not count: the budget pays for them.
const maxHeld = 64 << 20

// bytesOfInstruction is about how many bytes of tables one instruction can make.
const bytesOfInstruction = 350

// What gopher-lua's values take, in bytes, about. The first key of a table that is
// no index makes two Go maps.
const (
	tableBytes    = 112
	mapsBytes     = 480
	pairBytes     = 100
	elementBytes  = 16
	functionBytes = 120
	threadBytes   = 8 << 10
	taskBytes     = 32 << 10 // of a thread that is not a script's own
)

// weight is the sum of all that a script holds. It is found by walking through it,
// as a collector of garbage does, and not by asking Go: the same script must end at
// the same instruction everywhere.
type weight struct {
	bytes int64
	steps int64 // of the walk
	seen  map[any]struct{}
	todo  []lua.LValue
}

// weigh tells what can be reached from a state, and from other threads of it, and how
// many steps it took to find out. It ends at what is over the limit.
func weigh(limit int64, L *lua.LState, threads ...*lua.LState) (bytes, steps int64) {
	w := weight{seen: map[any]struct{}{}}
	w.add(L.G.Registry)
	w.add(L.G.Global)
	for t := L.G.CurrentThread; t != nil; t = t.Parent {
		w.add(t)
	}
	w.add(L)
	for _, t := range threads {
		w.bytes += taskBytes
		w.add(t)
	}
	for len(w.todo) > 0 && w.bytes <= limit {
		v := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.walk(v)
	}
	return w.bytes, w.steps
}

// add has a value walked through unless it was.
func (w *weight) add(v lua.LValue) {
	switch v.(type) {
	case *lua.LTable, *lua.LFunction, *lua.LState:
		if _, ok := w.seen[v]; !ok {
			w.seen[v] = struct{}{}
			w.todo = append(w.todo, v)
		}
	}
}

func (w *weight) walk(v lua.LValue) {
	w.steps++
	switch v := v.(type) {
	case *lua.LTable:
		w.table(v)
	case *lua.LFunction:
		w.bytes += functionBytes + int64(len(v.Upvalues))*elementBytes
		for _, u := range v.Upvalues {
			w.add(u.Value())
		}
	case *lua.LState:
		w.bytes += threadBytes
		w.stack(v)
	}
}

func (w *weight) table(t *lua.LTable) {
	n, pairs := int64(t.Len()), int64(0)
	t.ForEach(func(k, v lua.LValue) {
		pairs++
		w.add(k)
		w.add(v)
	})
	w.add(t.Metatable)
	w.steps += pairs
	w.bytes += tableBytes + n*elementBytes
	if pairs > n {
		w.bytes += mapsBytes + (pairs-n)*pairBytes
	}
}

// stack walks through all that the calls of a thread have in registers.
func (w *weight) stack(thread *lua.LState) {
	frame, ok := thread.GetStack(0)
	for ; ok; ok = toCaller(frame) {
		w.steps++
		if f, err := thread.GetInfo("f", frame, lua.LNil); err == nil {
			w.add(f)
		}
		for i := 1; ; i++ {
			name, v := thread.GetLocal(frame, i)
			if name == "" {
				break
			}
			w.steps++
			w.add(v)
		}
	}
}

// HeldError says that a script holds too much.
type HeldError struct{ Limit int64 }

func (e *HeldError) Error() string {
	return fmt.Sprintf("script holds more than its %d bytes of memory", e.Limit)
}

// mayGoOn runs periodically while a script does. Weighing takes time, so it weighs again only after
// at least as many instructions as the last weighing took steps.
func (s *Machine) mayGoOn() error {
	if s.call.Guard != nil {
		if err := s.call.Guard(); err != nil {
			return err
		}
	}
	if s.unweighed -= guarded; s.unweighed > 0 {
		return nil
	}
	bytes, steps := weigh(maxHeld, s.L)
	if bytes > maxHeld {
		return &HeldError{maxHeld}
	}
	s.unweighed = steps
	return nil
}

// scale weighs what code holds whose state stays.
type scale struct {
	limit     int64
	L         *lua.LState
	threads   func() []*lua.LState // of it, that wait
	bytes     int64                // when it was weighed last, …
	run       int64                // … after so many instructions were run …
	unweighed int64                // … and so many until it is weighed again
}

// Keep limits the tables, functions and coroutines that a long-lived state and its suspended threads
// may hold. Strings are bounded by the budget, and cost more of it than those of a script.
func (b *Budget) Keep(limit int64, L *lua.LState, threads func() []*lua.LState) {
	b.scale = &scale{limit: limit, L: L, threads: threads}
	b.every, b.perByte = keptGuarded, keptBytesPerInstruction
	b.guard = b.weigh
	b.Reset()
}

// run is how many instructions were run.
func (b *Budget) run() int64 { return b.limit - b.reserve - max(b.left, 0) - b.strings }

func (b *Budget) weigh() error {
	s := b.scale
	if b.run()-s.run < s.unweighed {
		return nil
	}
	s.bytes, s.unweighed = weigh(s.limit, s.L, s.threads()...)
	s.run = b.run()
	if s.bytes > s.limit {
		return &HeldError{s.limit}
	}
	return nil
}

// Bytes is an upper bound on the memory that the code registered with Keep holds.
func (b *Budget) Bytes() int64 {
	s := b.scale
	return s.bytes + (b.run()-s.run)*bytesOfInstruction + b.strings*b.perByte
}
