package redis

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/node/redis/keyspace"
)

// programs are the compiled scripts of a node and all its forks.
type programs struct {
	mu       sync.Mutex
	bySource map[string]*luaexec.Program
	bySHA    map[string]*luaexec.Program
	compiled []*luaexec.Program // in the order in which they were compiled
	bytes    int                // of all sources
}

// What a program takes besides its source, and for each byte of it, in bytes, about.
const (
	programBytes = 4 << 10
	codeBytes    = 40
)

// maxPrograms is how many bytes of programs are kept when a node is reset.
const maxPrograms = 1 << 20

// held is about how many bytes the programs take.
func (ps *programs) held() int {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return programBytes*len(ps.bySource) + codeBytes*ps.bytes
}

func newPrograms() *programs {
	return &programs{bySource: map[string]*luaexec.Program{}, bySHA: map[string]*luaexec.Program{}}
}

// code are the compiled scripts of all nodes: each session runs those of the lesson on nodes of its own.
var code luaexec.Cache[*luaexec.Program]

func compiled(source string) (*luaexec.Program, error) { return luaexec.CompileProgram(source, 0) }

// of compiles a source, once.
func (ps *programs) of(source string) (*luaexec.Program, error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	index := len(ps.bySource)
	if known := ps.bySource[source]; known != nil {
		if known.Compiled() {
			return known, nil
		}
		index = known.Index
	}
	p, err := code.Of(source, compiled)
	if err != nil {
		return nil, err
	}
	p = p.At(index)
	ps.put(p)
	return p, nil
}

// maxCompiled is how many scripts stay compiled: a server may be sent any number. Of
// the others the source is kept, since EVALSHA must find them.
const maxCompiled = 1024

func (ps *programs) put(p *luaexec.Program) {
	if ps.bySource[p.Source] == nil {
		ps.bytes += len(p.Source)
	}
	ps.bySource[p.Source], ps.bySHA[p.SHA] = p, p
	ps.compiled = append(ps.compiled, p)
	if len(ps.compiled) > maxCompiled {
		old := ps.compiled[0].WithoutCode()
		ps.compiled = ps.compiled[1:]
		ps.bySource[old.Source], ps.bySHA[old.SHA] = old, old
	}
}

func (ps *programs) withSHA(sha string) *luaexec.Program {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return ps.bySHA[strings.ToLower(sha)]
}

// loaded is the set of programs that a node knows by their SHA1: unlike the
// compiled code it is part of the node's state. A copy shares nothing that either side changes.
type loaded struct {
	set []uint64 // bits by program index
	sum uint64   // of the programs in the set
}

func (l *loaded) has(p *luaexec.Program) bool {
	word := p.Index / 64
	return word < len(l.set) && l.set[word]&(1<<(p.Index%64)) != 0
}

func (l *loaded) add(p *luaexec.Program) {
	if l.has(p) {
		return
	}
	l.set = slices.Clone(l.set)
	for len(l.set) <= p.Index/64 {
		l.set = append(l.set, 0)
	}
	l.set[p.Index/64] |= 1 << (p.Index % 64)
	l.sum ^= p.Sum
}

type invocation struct {
	keys, args []string
	readOnly   bool   // it may not write
	written    string // the script as its author wrote it, where the source was made of that; else empty
}

func (n *Node) eval(source string, i invocation) reply.Reply {
	p, err := n.programs.of(source)
	if err != nil {
		return luaexec.Refusal(err)
	}
	n.loaded.add(p)
	return n.start(p, i)
}

// start runs a program unless what it says of itself forbids that.
func (n *Node) start(p *luaexec.Program, i invocation) reply.Reply {
	if p.Flags&luaexec.Declared != 0 {
		switch {
		case p.Flags&luaexec.NoCluster != 0 && n.member.InCluster():
			return reply.OfError("ERR Can not run script on cluster, 'no-cluster' flag is set.")
		case p.Flags&luaexec.NoWrites != 0:
			i.readOnly = true
		case p.Flags&luaexec.AllowOOM == 0 && n.keys.Full():
			return errOutOfMemory
		case i.readOnly:
			return reply.OfError("ERR Can not execute a script with write flag using *_ro command.")
		}
	}
	return n.run(p, i)
}

// Do runs one command, EVAL and the like included. The messages that are published stay in the keyspace.
func (n *Node) Do(args []string) reply.Reply {
	if len(args) > 0 {
		switch name := strings.ToLower(args[0]); name {
		case "eval", "evalsha", "eval_ro", "evalsha_ro":
			return n.evalCommand(name, args)
		case "script":
			return n.scriptCommand(args)
		}
	}
	return n.keys.Do(args)
}

var noScript = reply.OfError("NOSCRIPT No matching script. Please use EVAL.")

func (n *Node) evalCommand(name string, args []string) reply.Reply {
	if len(args) < 3 {
		return reply.OfError(fmt.Sprintf("ERR wrong number of arguments for '%s' command", name))
	}
	bySHA := strings.HasPrefix(name, "evalsha")
	if bySHA && len(args[1]) != 40 {
		return noScript
	}
	numKeys, ok := keyspace.ParseInt(args[2])
	switch {
	case !ok:
		return reply.OfError("ERR value is not an integer or out of range")
	case numKeys > int64(len(args)-3):
		return reply.OfError("ERR Number of keys can't be greater than number of args")
	case numKeys < 0:
		return reply.OfError("ERR Number of keys can't be negative")
	}
	i := invocation{keys: args[3 : 3+numKeys], args: args[3+numKeys:], readOnly: strings.HasSuffix(name, "_ro")}
	if !bySHA {
		return n.eval(args[1], i)
	}
	p := n.programs.withSHA(args[1])
	switch {
	case p == nil || !n.loaded.has(p):
		return noScript
	case !p.Compiled():
		return n.eval(p.Source, i)
	}
	return n.start(p, i)
}
