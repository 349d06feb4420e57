package lessons

import (
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/cluster"
)

// Node is one server of a lesson.
type Node struct {
	Name      string
	Kind      NodeKind
	ReplicaOf string // the node that it follows; empty: it takes writes
}

// NodeKind is what kind of server a node is.
type NodeKind string

// Redis is the kind of nodes that do not say theirs.
const Redis NodeKind = "redis"

// NodeKinds are all kinds, in the order in which messages list them.
var NodeKinds = []NodeKind{Redis}

// Makers make nodes, by their kind.
type Makers map[NodeKind]func(name string) engine.Node

// Embedded makes nodes in memory.
var Embedded = Makers{
	Redis: func(string) engine.Node { return luaexec.NewNode() },
}

// Open makes the lesson's nodes, each by its kind.
func (l *Lesson) Open(make Makers) []engine.NodeSpec {
	specs := []engine.NodeSpec{}
	for _, n := range l.Nodes {
		specs = append(specs, engine.NodeSpec{Name: n.Name, Node: make[n.Kind](n.Name), ReplicaOf: n.ReplicaOf, Given: l.given(n)})
	}
	return specs
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
