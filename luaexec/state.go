package luaexec

import (
	"fmt"
	"sync"

	"lockstep/engine/reply"
	"lockstep/luaexec/keyspace"
	"lockstep/luaexec/lua"
)

// What one call of a script may use, unless the node was told otherwise.
const (
	DefaultBudget = 1_000_000 // instructions
	DefaultMemory = 64 << 20  // bytes that it holds
)

// state is one Lua state that runs scripts, one after the other, for any node.
// Nothing that a script does survives in it.
type state struct {
	L       *lua.State
	sandbox *Sandbox
	node    *Node  // that the running script belongs to
	made    uint32 // objects, before any script

	keys, argv *lua.Table // KEYS and ARGV, reused while a script has not changed them

	// Of the running script.
	home     *keyspace.Keyspace // where it began, whatever it selects
	special  bool               // its commands do not simply run
	readOnly bool
	full     bool // there was no memory left when it began
	dirty    bool // it has called a command that writes
	resp3    bool // it was told to see replies as RESP3 has them
	inRESP3  bool // what it returns may be of a kind that only RESP3 has

	used  int64 // bytes of the keys that it works on
	grown int64 // of that, what it has added

	args      []string          // of the running redis.call
	functions [16]*lua.Function // main chunks of programs, by index
	programs  [16]*program      // whose they are
	commands  [128]knownCommand // by the address of the name
}

// states are process-wide: a state costs far more than a node.
var states = sync.Pool{New: func() any { return newState() }}

func newState() *state {
	L := lua.New(lua.NewBudget(DefaultBudget, DefaultMemory))
	s := &state{L: L}
	s.sandbox = OpenSafe(L)
	s.openRedis()
	s.openCJSON()
	openBit(L)
	openCmsgpack(L)
	openStruct(L)
	s.keys, s.argv = L.NewTable(0, 0), L.NewTable(0, 0)
	L.Globals().SetString("KEYS", s.keys)
	L.Globals().SetString("ARGV", s.argv)
	protectGlobals(L)
	L.CountToo(func() int64 { return s.grown })
	s.made = L.Made()
	return s
}

// run runs a program to its end and answers as Redis does.
func (n *Node) run(p *program, i invocation) (r reply.Reply) {
	s, ok := states.Get().(*state)
	if !ok {
		panic("luaexec: the pool holds something that is not a state")
	}
	s.node, s.home = n, n.keys
	s.readOnly, s.inRESP3, s.resp3, s.dirty = i.readOnly, i.inRESP3, false, false
	s.full = p.flags&allowOOM == 0 && n.keys.Full()
	s.special = s.readOnly || s.full || n.databases != nil
	s.sandbox.Random = n.random
	s.used, s.grown = n.keys.Used(), 0
	s.L.Allow(n.budget, n.memory)
	s.L.Recount(s.made)
	s.keys = s.array("KEYS", s.keys, i.keys)
	s.L.Recount(s.made + 1)
	s.argv = s.array("ARGV", s.argv, i.args)
	s.L.Recount(s.made + 2)
	healthy := false
	defer func() {
		if p := recover(); p != nil {
			r = reply.OfError(oneLine(fmt.Sprintf("ERR the script failed in the Lua engine: %v", p)))
		}
		n.random = s.sandbox.Random
		n.keys = s.home
		s.node, s.home = nil, nil
		if healthy {
			s.L.Reset()
			states.Put(s)
		}
	}()
	r = s.answer(p)
	healthy = true
	return r
}

// wrote takes account of what a command has changed: a script holds what it writes.
func (s *state) wrote() {
	used := s.node.keys.Used()
	added := used - s.used
	s.used = used
	s.grown += added
	if added > 0 {
		s.L.Take(int(added))
	}
}

// answer runs a program in the state as it is.
func (s *state) answer(p *program) reply.Reply {
	s.L.Push(s.function(p))
	if failure := s.L.ProtectedCall(0, nil); failure != nil {
		return errorReply(p, failure)
	}
	r := s.toReply(s.L.Get(1), 0)
	if err := s.L.Err(); err != nil {
		return reply.OfError(fmt.Sprintf("ERR %v script: %s.", err, p.sha))
	}
	return r
}

// function is the main chunk of a program on this state.
func (s *state) function(p *program) *lua.Function {
	slot := p.index % len(s.functions)
	if s.programs[slot] != p {
		s.programs[slot], s.functions[slot] = p, s.L.Load(p.proto)
	}
	return s.functions[slot]
}

// array is a global array of texts. What is there already is kept: a call often has
// the arguments of the one before.
func (s *state) array(name string, t *lua.Table, texts []string) *lua.Table {
	if !t.IsArray(len(texts)) {
		t = s.L.NewTable(len(texts), 0)
		s.L.Globals().SetString(name, t)
	}
	for i, text := range texts {
		if old, ok := t.GetInt(i + 1).(string); !ok || old != text {
			t.SetInt(i+1, text)
		}
	}
	return t
}

// errorReply is what a client receives for an error that a script did not catch.
func errorReply(p *program, e *lua.Error) reply.Reply {
	text := "ERR " + display(e.Value)
	if t, ok := e.Value.(*lua.Table); ok {
		text, ok = lua.ToString(t.GetString("err"))
		if !ok {
			text = "ERR the script raised a table without an err field"
		}
	}
	text = fmt.Sprintf("%s script: %s", text, p.sha)
	if e.At.Line != 0 {
		text = fmt.Sprintf("%s, on %s:%d", text, e.At.Source, e.At.Line)
	}
	return reply.OfError(oneLine(text + "."))
}
