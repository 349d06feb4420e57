package process

import (
	"context"

	"lockstep/engine/fact"
)

// Owner is a program of which each node has a server of its own.
type Owner struct {
	Pool  *Pool
	Where string // the program, for people
	Name  string // with its version, as in "mariadb 10.11.19"
}

// Version is the program's name and version.
func (o *Owner) Version() string { return o.Name }

// Close ends all servers.
func (o *Owner) Close() error {
	o.Pool.Close()
	return nil
}

// Problem is an Error of this program.
func (o *Owner) Problem(what fact.Fact) *Error { return &Error{What: what, Where: o.Where} }

// attempts to start a server: somebody else may have taken its port meanwhile.
const attempts = 2

// Start starts a server.
func (o *Owner) Start(ctx context.Context) (p *Process, problem *Error) {
	for range attempts {
		p, why := o.Pool.Start(ctx)
		switch why.Code {
		case "":
			return p, nil
		case "not-started":
			problem = o.Problem(fact.Of("own-not-started", why.Args...))
		default:
			return nil, o.Problem(why)
		}
	}
	return nil, problem
}
