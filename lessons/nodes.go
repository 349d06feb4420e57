package lessons

import (
	"encoding/json"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/node"
	"lockstep/node/redis"
	"lockstep/node/redis/cluster"
	"lockstep/node/sql"
	"lockstep/node/zookeeper"
)

// Node is one server of a lesson.
type Node struct {
	Name      string
	Kind      NodeKind
	ReplicaOf string             // the node that it follows; empty: it takes writes
	Min       engine.MinReplicas `json:",omitzero"`
	Session   time.Duration      // how long it keeps the session of a silent process; 0: as long as its kind does
	Version   string             // the newer server that it is, one of its kind's Versions; such a node is always in memory
}

// NodeKind is what kind of server a node is.
type NodeKind string

// The kinds of which the page says more than their rows do. Redis is that of nodes that do not say theirs.
const (
	Redis     NodeKind = "redis"
	ZooKeeper NodeKind = "zookeeper"
	SQL       NodeKind = "sql"
)

// DefaultSession is how long a node keeps the session of a silent process unless its lesson
// says otherwise.
const DefaultSession = zookeeper.DefaultTimeout

// NodeKinds are all kinds, in the order in which messages and the page list them.
var NodeKinds = []node.Kind{redis.Kind, sql.Kind, zookeeper.Kind}

// Row is all that there is to know of nodes of the kind.
func (k NodeKind) Row() node.Kind {
	row, _ := find(NodeKinds, func(row node.Kind) bool { return row.Name == string(k) })
	return row
}

// KindNames are the kinds, as lessons write them.
func KindNames() []string {
	return namesOf(NodeKinds, func(k node.Kind) string { return k.Name })
}

// Versions are the newer servers that nodes of any kind can be, as lessons write them.
func Versions() []string {
	var all []string
	for _, k := range NodeKinds {
		all = append(all, k.Versions...)
	}
	return all
}

// Makers make nodes, by their kind. A kind without one is in memory.
type Makers map[NodeKind]func(Node) engine.Node

// Embedded makes all nodes in memory.
var Embedded = Makers{}

// Open makes the lesson's nodes, each by its kind.
func (l *Lesson) Open(makers Makers) []engine.NodeSpec {
	specs := []engine.NodeSpec{}
	for _, n := range l.Nodes {
		spec := engine.NodeSpec{Name: n.Name, ReplicaOf: n.ReplicaOf, Min: n.Min, Given: l.given(n)}
		if make, ok := makers[n.Kind]; ok && n.Version == "" {
			spec.Node = make(n)
		} else {
			spec.Node = n.Kind.Row().New(n.Session)
		}
		if newer, ok := spec.Node.(node.Versioned); ok && n.Version != "" {
			newer.Be(n.Version)
		}
		specs = append(specs, spec)
	}
	return specs
}

// CanBeReal tells whether a node of the lesson can be a real server of a kind: it is of that kind, and no newer
// server than those that are installed.
func (l *Lesson) CanBeReal(kind NodeKind) bool {
	return slices.ContainsFunc(l.Nodes, func(n Node) bool { return n.Kind == kind && n.Version == "" })
}

// Node finds a node by name.
func (l *Lesson) Node(name string) (Node, bool) {
	return find(l.Nodes, func(n Node) bool { return n.Name == name })
}

// find is the first that is wanted; ok tells whether there is one.
func find[T any](all []T, wanted func(T) bool) (first T, ok bool) {
	if i := slices.IndexFunc(all, wanted); i >= 0 {
		return all[i], true
	}
	return first, false
}

// join tells the members of the lesson's cluster, which are nodes of Redis, who has which slots.
func (l *Lesson) join(nodes []engine.NodeSpec) {
	for _, n := range nodes {
		if m := l.Member(n.Name); m.InCluster() {
			n.Node.(cluster.Joiner).Join(m)
		}
	}
}

// Member is the place of a node in the lesson's cluster; zero: it is in none.
func (l *Lesson) Member(node string) cluster.Member {
	if !slices.ContainsFunc(l.Cluster, func(r cluster.Range) bool { return r.Node == node }) {
		return cluster.Member{}
	}
	return cluster.Member{Name: node, Ranges: l.Cluster, Moving: l.Moving}
}

// ActorNames are the actors by name, in the lesson's order.
func (l *Lesson) ActorNames() []string {
	return namesOf(l.Actors, func(a Actor) string { return a.Name })
}

// NodeNames are the nodes by name, in the lesson's order.
func (l *Lesson) NodeNames() []string {
	return namesOf(l.Nodes, func(n Node) string { return n.Name })
}

func namesOf[T any](all []T, name func(T) string) []string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = name(one)
	}
	return names
}

// Replicates tells whether a node follows another one, or has a replica.
func (l *Lesson) Replicates(name string) bool {
	return slices.ContainsFunc(l.Nodes, func(n Node) bool {
		return n.ReplicaOf != "" && (n.Name == name || n.ReplicaOf == name)
	})
}

// Given is a key that is there at the start, on one node; or a statement that a server of
// SQL has done before it.
type Given struct {
	Node      string
	Key       engine.Key // its deadline is by the clock of the start
	Statement string     // empty: it is a key
}

// MarshalJSON writes the key whole: by itself it writes only what a trace shows of it.
func (g Given) MarshalJSON() ([]byte, error) {
	type whole engine.Key
	return json.Marshal(struct {
		Node      string
		Key       whole
		Statement string
	}{g.Node, whole(g.Key), g.Statement})
}

// given is what a node has done before the start. What its leader was given has reached a replica.
func (l *Lesson) given(n Node) []engine.Op {
	var ops []engine.Op
	for _, g := range l.Given {
		switch {
		case g.Node != n.Name && g.Node != n.ReplicaOf:
		case g.Statement != "":
			ops = append(ops, engine.Op{Args: []string{g.Statement}})
		default:
			ops = append(ops, n.Kind.Row().Give(g.Key)...)
		}
	}
	return ops
}
