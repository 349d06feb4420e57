package luaexec

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"lockstep/engine/reply"
)

// programs are the compiled scripts of a node and all its forks.
type programs struct {
	mu       sync.Mutex
	bySource map[string]*program
	bySHA    map[string]*program
}

func newPrograms() *programs {
	return &programs{bySource: map[string]*program{}, bySHA: map[string]*program{}}
}

// of compiles a source, once.
func (ps *programs) of(source string) (*program, error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.bySource[source]; p != nil {
		return p, nil
	}
	p, err := compileProgram(source, sha1hex(source))
	if err != nil {
		return nil, err
	}
	p.index = len(ps.bySource)
	ps.bySource[source], ps.bySHA[p.sha] = p, p
	return p, nil
}

// withSHA finds a compiled script.
func (ps *programs) withSHA(sha string) *program {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return ps.bySHA[strings.ToLower(sha)]
}

// loaded is the set of programs that a node knows by their SHA1: unlike the
// compiled code it is part of the node's state.
type loaded struct {
	set []uint64 // bits by program index
	sum uint64   // of the programs in the set
}

func (l *loaded) has(p *program) bool {
	word := p.index / 64
	return word < len(l.set) && l.set[word]&(1<<(p.index%64)) != 0
}

func (l *loaded) add(p *program) {
	if l.has(p) {
		return
	}
	for len(l.set) <= p.index/64 {
		l.set = append(l.set, 0)
	}
	l.set[p.index/64] |= 1 << (p.index % 64)
	l.sum ^= p.sum
}

// eval runs a source as EVAL does.
func (n *Node) eval(source string, keys, args []string) reply.Reply {
	p, err := n.programs.of(source)
	if err != nil {
		return compileError(err)
	}
	n.loaded.add(p)
	return n.run(p, keys, args)
}

func compileError(err error) reply.Reply {
	return reply.OfError(oneLine(fmt.Sprintf("ERR Error compiling script (new function): %v", err)))
}

// command runs a plain command.
func (n *Node) command(args []string) reply.Reply {
	if len(args) > 0 {
		switch strings.ToLower(args[0]) {
		case "eval":
			return n.evalCommand(args, false)
		case "evalsha":
			return n.evalCommand(args, true)
		case "script":
			return n.scriptCommand(args)
		}
	}
	return n.keys.Do(args)
}

var noScript = reply.OfError("NOSCRIPT No matching script. Please use EVAL.")

func wrongArguments(command string) reply.Reply {
	return reply.OfError(fmt.Sprintf("ERR wrong number of arguments for '%s' command", command))
}

func (n *Node) evalCommand(args []string, bySHA bool) reply.Reply {
	if len(args) < 3 {
		return wrongArguments(strings.ToLower(args[0]))
	}
	if bySHA && len(args[1]) != 40 {
		return noScript
	}
	numKeys, err := strconv.ParseInt(args[2], 10, 64)
	switch {
	case err != nil || strconv.FormatInt(numKeys, 10) != args[2]:
		return reply.OfError("ERR value is not an integer or out of range")
	case numKeys > int64(len(args)-3):
		return reply.OfError("ERR Number of keys can't be greater than number of args")
	case numKeys < 0:
		return reply.OfError("ERR Number of keys can't be negative")
	}
	keys, rest := args[3:3+numKeys], args[3+numKeys:]
	if !bySHA {
		return n.eval(args[1], keys, rest)
	}
	p := n.programs.withSHA(args[1])
	if p == nil || !n.loaded.has(p) {
		return noScript
	}
	return n.run(p, keys, rest)
}

func (n *Node) scriptCommand(args []string) reply.Reply {
	if len(args) < 2 {
		return wrongArguments("script")
	}
	subcommand, rest := strings.ToLower(args[1]), args[2:]
	switch {
	case subcommand == "load" && len(rest) == 1:
		p, err := n.programs.of(rest[0])
		if err != nil {
			return compileError(err)
		}
		n.loaded.add(p)
		return reply.OfBulk(p.sha)
	case subcommand == "exists" && len(rest) >= 1:
		found := make([]reply.Reply, len(rest))
		for i, sha := range rest {
			if p := n.programs.withSHA(sha); p != nil && n.loaded.has(p) {
				found[i] = reply.OfInt(1)
			} else {
				found[i] = reply.OfInt(0)
			}
		}
		return reply.OfArray(found...)
	case subcommand == "flush":
		if len(rest) > 1 || len(rest) == 1 && !strings.EqualFold(rest[0], "sync") && !strings.EqualFold(rest[0], "async") {
			return reply.OfError("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
		}
		n.loaded = loaded{}
		return reply.OK
	case subcommand == "kill" && len(rest) == 0:
		return reply.OfError("NOTBUSY No scripts in execution right now.")
	case subcommand == "load", subcommand == "exists", subcommand == "kill":
		return wrongArguments("script|" + subcommand)
	}
	return reply.OfError(fmt.Sprintf("ERR unknown subcommand '%s'. Try SCRIPT HELP.", args[1]))
}
