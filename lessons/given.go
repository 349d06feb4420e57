package lessons

import (
	"encoding/json"

	"lockstep/engine"
)

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
