package lessons

import "lockstep/engine"

// Given is a key that is there at the start, on one node; or a statement that a server of
// SQL has done before it.
type Given struct {
	Node      string
	Key       engine.Key // its deadline is by the clock of the start
	Statement string     // empty: it is a key
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
