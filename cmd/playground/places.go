package main

import (
	"context"
	"errors"

	"lockstep/engine"
	"lockstep/lessons"
)

type place struct {
	servers
	kind lessons.NodeKind
	node func(session string, of lessons.Node) realNode
}

// servers are what the nodes of a place run on.
type servers interface {
	Version() string
	Warnings() []string // what scripts can do to others there
	Confined() error    // why they could reach what is not theirs; nil: they cannot
	Close() error
}

// realNode is a node that leaves something behind unless it is closed.
type realNode interface {
	engine.Node
	Close(context.Context) error
}

// openAt makes the nodes of a lesson: those of the place's kind are real. No place: none is.
func openAt(at *place, session string, l *lessons.Lesson) (nodes []engine.NodeSpec, release func(context.Context) error) {
	makers := lessons.Makers{}
	var real []realNode
	if at != nil {
		makers[at.kind] = func(of lessons.Node) engine.Node {
			n := at.node(session, of)
			real = append(real, n)
			return n
		}
	}
	return l.Open(makers), func(ctx context.Context) error {
		var errs []error
		for _, n := range real {
			errs = append(errs, n.Close(ctx))
		}
		return errors.Join(errs...)
	}
}
