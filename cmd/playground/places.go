package main

import (
	"context"
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/lessons"
	realredis "lockstep/node/redis/real"
	realsql "lockstep/node/sql/real"
	realzookeeper "lockstep/node/zookeeper/real"
)

// place is where the nodes of one kind are real servers.
type place interface {
	Version() string
	Warnings() []string // what scripts can do to others there
	Confined() error    // why they could reach what is not theirs; nil: they cannot
	Close() error

	kind() lessons.NodeKind
	node(session string, of lessons.Node) realNode
}

// realNode is a node that leaves something behind unless it is closed.
type realNode interface {
	engine.Node
	Close(context.Context) error
}

// openAt makes the nodes of a lesson: those of the place's kind are real. No place: none is.
func openAt(at place, session string, l *lessons.Lesson) (nodes []engine.NodeSpec, release func(context.Context) error) {
	makers := lessons.Makers{}
	var real []realNode
	if at != nil {
		makers[at.kind()] = func(of lessons.Node) engine.Node {
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

// hasKind tells whether a lesson has a node of a kind.
func hasKind(l *lessons.Lesson, kind lessons.NodeKind) bool {
	return slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind == kind })
}

type redisPlace struct{ *realredis.Server }

func (redisPlace) kind() lessons.NodeKind { return lessons.Redis }

func (p redisPlace) node(session string, of lessons.Node) realNode { return p.Node(session, of.Name) }

type mariadbPlace struct{ *realsql.Server }

func (mariadbPlace) kind() lessons.NodeKind               { return lessons.SQL }
func (p mariadbPlace) node(string, lessons.Node) realNode { return p.Node() }

// Warnings are none, and Confined is nil: each node has a server of its own, and sends it only
// statements of the subset.
func (mariadbPlace) Warnings() []string { return nil }

// Confined is nil.
func (mariadbPlace) Confined() error { return nil }

type zookeeperPlace struct{ *realzookeeper.Server }

func (zookeeperPlace) kind() lessons.NodeKind { return lessons.ZooKeeper }

func (p zookeeperPlace) node(_ string, of lessons.Node) realNode { return p.Node(of.Session) }

// Warnings are none, and Confined is nil: each node has a server of its own, and sends it only
// requests of its subset.
func (zookeeperPlace) Warnings() []string { return nil }

// Confined is nil.
func (zookeeperPlace) Confined() error { return nil }
