package beside

import (
	"context"
	"errors"

	"lockstep/engine/fact"
	"lockstep/node/process"
)

// Owner is a program of which each node has a server of its own.
type Owner struct {
	Name string // of the program, with its version, as in "mariadb 10.11.19"

	pool  *process.Pool
	where string // the program, for people
}

// Package is what to install where a program is missing: its name for people, and Debian's.
type Package struct{ Program, Name, Debian string }

// mostServers is how many servers of a program there are at a time.
const mostServers = 16

// Own finds out whether a program can serve nodes: one that it starts tells its version. An
// error of that is a fact, or one of the line to the server.
func Own(ctx context.Context, where string, of process.Program, from Package, version func(ctx context.Context, folder string) (string, error)) (Owner, error) {
	o := Owner{where: where}
	if of.Path == "" {
		return o, o.problem(fact.Of("no-program", from.Program, from.Name, from.Debian))
	}
	o.pool = process.NewPool(of, mostServers)
	p, problem := o.start(ctx)
	if problem != nil {
		return o, problem
	}
	defer o.pool.End(p)
	name, err := version(ctx, p.Folder)
	o.Name = name
	if why, told := errors.AsType[fact.Fact](err); told {
		return o, o.problem(why)
	}
	if err != nil {
		return o, o.problem(fact.Of("not-connected", err))
	}
	return o, nil
}

// Version is the program's name and version.
func (o *Owner) Version() string { return o.Name }

// Warnings are none, and Confined is nil: each node has a server of its own, and sends it only
// what its subset has.
func (o *Owner) Warnings() []string { return nil }

// Confined is nil.
func (o *Owner) Confined() error { return nil }

// Close ends all servers.
func (o *Owner) Close() error {
	o.pool.Close()
	return nil
}

func (o *Owner) problem(what fact.Fact) *Error { return &Error{What: what, Where: o.where} }

// attempts to start a server: somebody else may have taken its port meanwhile.
const attempts = 2

func (o *Owner) start(ctx context.Context) (p *process.Process, problem *Error) {
	for range attempts {
		p, why := o.pool.Start(ctx)
		switch why.Code {
		case "":
			return p, nil
		case "not-started":
			problem = o.problem(fact.Of("own-not-started", why.Args...))
		default:
			return nil, o.problem(why)
		}
	}
	return nil, problem
}
