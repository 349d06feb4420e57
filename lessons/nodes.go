package lessons

import (
	"fmt"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/redis/cluster"
	"lockstep/node/sql"
	"lockstep/node/zookeeper"
)

// Node is one server of a lesson.
type Node struct {
	Name      string
	Kind      NodeKind
	ReplicaOf string        // the node that it follows; empty: it takes writes
	Session   time.Duration // how long it keeps the session of a silent process; 0: as long as its kind does
}

// NodeKind is what kind of server a node is.
type NodeKind string

// The kinds. Redis is that of nodes that do not say theirs.
const (
	Redis     NodeKind = "redis"
	ZooKeeper NodeKind = "zookeeper"
	SQL       NodeKind = "sql"
)

// DefaultSession is how long a node keeps the session of a silent process unless its lesson
// says otherwise.
const DefaultSession = zookeeper.DefaultTimeout

// KindOfNode says what lessons can do with the nodes of a kind.
type KindOfNode struct {
	Kind     NodeKind
	Text     engine.KeyType // what a key is that is given as a text
	Keys     bool           // it can be given keys, and have faults and replicas like a Redis
	Tables   bool           // it can be given tables
	Sessions bool           // each process has a session with it
	Ensemble bool           // it stands for several servers: it goes on when one fails, and is no replica and in no cluster
}

// NodeKinds are all kinds, in the order in which messages list them.
var NodeKinds = []KindOfNode{
	{Kind: Redis, Text: engine.StringKey, Keys: true},
	{Kind: ZooKeeper, Text: engine.ZnodeKey, Keys: true, Sessions: true, Ensemble: true},
	{Kind: SQL, Tables: true},
}

// Row is what lessons can do with nodes of the kind.
func (k NodeKind) Row() KindOfNode {
	i := slices.IndexFunc(NodeKinds, func(row KindOfNode) bool { return row.Kind == k })
	if i < 0 {
		return KindOfNode{Kind: k}
	}
	return NodeKinds[i]
}

// Makers make nodes, by their kind.
type Makers map[NodeKind]func(Node) engine.Node

// Embedded makes nodes in memory.
var Embedded = Makers{
	Redis:     func(Node) engine.Node { return redis.NewNode() },
	ZooKeeper: func(n Node) engine.Node { return zookeeper.NewNode(n.Session) },
	SQL:       func(Node) engine.Node { return sql.NewNode() },
}

// Open makes the lesson's nodes, each by its kind. A kind that has no maker is embedded.
func (l *Lesson) Open(makers Makers) []engine.NodeSpec {
	specs := []engine.NodeSpec{}
	for _, n := range l.Nodes {
		make, ok := makers[n.Kind]
		if !ok {
			make = Embedded[n.Kind]
		}
		specs = append(specs, engine.NodeSpec{Name: n.Name, Node: make(n), ReplicaOf: n.ReplicaOf, Given: l.given(n)})
	}
	return specs
}

// Node finds a node by name.
func (l *Lesson) Node(name string) (Node, bool) {
	i := slices.IndexFunc(l.Nodes, func(n Node) bool { return n.Name == name })
	if i < 0 {
		return Node{}, false
	}
	return l.Nodes[i], true
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
