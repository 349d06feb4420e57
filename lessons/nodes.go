package lessons

import (
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/cluster"
	"lockstep/luaexec/sqlexec"
)

// Node is one server of a lesson.
type Node struct {
	Name      string
	Kind      NodeKind
	ReplicaOf string // the node that it follows; empty: it takes writes
}

// NodeKind is what kind of server a node is.
type NodeKind string

// The kinds. Nodes that do not say theirs are of the first.
const (
	Redis NodeKind = "redis"
	SQL   NodeKind = "sql"
)

// Kind is what a lesson can do with nodes of a kind.
type Kind struct {
	Name   NodeKind
	Keys   bool // it can be given keys, have replicas, be in a cluster, be saved and crash
	Tables bool // it can be given tables
	Embed  func(name string) engine.Node
}

// Kinds are all kinds, in the order in which messages list them.
var Kinds = []Kind{
	{Name: Redis, Keys: true, Embed: func(string) engine.Node { return luaexec.NewNode() }},
	{Name: SQL, Tables: true, Embed: func(string) engine.Node { return sqlexec.NewNode() }},
}

// KindOf finds a kind by name.
func KindOf(name NodeKind) Kind {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	return Kinds[max(i, 0)]
}

// Makers make nodes, by their kind. Nodes of other kinds are in memory.
type Makers map[NodeKind]func(name string) engine.Node

// Embedded makes all nodes in memory.
var Embedded = Makers{}

// Open makes the lesson's nodes, each by its kind.
func (l *Lesson) Open(make Makers) []engine.NodeSpec {
	specs := []engine.NodeSpec{}
	for _, n := range l.Nodes {
		open := make[n.Kind]
		if open == nil {
			open = KindOf(n.Kind).Embed
		}
		specs = append(specs, engine.NodeSpec{Name: n.Name, Node: open(n.Name), ReplicaOf: n.ReplicaOf, Given: l.given(n)})
	}
	return specs
}

// Embeds lists the nodes that are in memory whatever runs the lesson: there is no real server
// of their kind.
func (l *Lesson) Embeds() []string {
	var names []string
	for _, n := range l.Nodes {
		if n.Kind != Redis {
			names = append(names, n.Name)
		}
	}
	return names
}

// join tells the members of the lesson's cluster who has which slots.
func (l *Lesson) join(nodes []engine.NodeSpec) error {
	for _, r := range l.Cluster {
		i := slices.IndexFunc(nodes, func(n engine.NodeSpec) bool { return n.Name == r.Node })
		if i < 0 {
			return fmt.Errorf("lesson %s: the cluster's node %s is not there", l.Name, r.Node)
		}
		member, ok := nodes[i].Node.(cluster.Joiner)
		if !ok {
			return fmt.Errorf("lesson %s: the node %s cannot be in a cluster", l.Name, r.Node)
		}
		member.Join(cluster.Member{Name: r.Node, Ranges: l.Cluster, Moving: l.Moving})
	}
	return nil
}

// NodeNames are the nodes by name, in the lesson's order.
func (l *Lesson) NodeNames() []string {
	names := make([]string, len(l.Nodes))
	for i, n := range l.Nodes {
		names[i] = n.Name
	}
	return names
}

// Replicates tells whether a node follows another one, or has a replica.
func (l *Lesson) Replicates(name string) bool {
	return slices.ContainsFunc(l.Nodes, func(n Node) bool {
		return n.ReplicaOf != "" && (n.Name == name || n.ReplicaOf == name)
	})
}
