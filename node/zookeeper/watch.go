package zookeeper

import (
	"cmp"
	"slices"

	"lockstep/engine"
)

// The names of the events that a watch can end with.
const (
	created         = "NodeCreated"
	deleted         = "NodeDeleted"
	dataChanged     = "NodeDataChanged"
	childrenChanged = "NodeChildrenChanged"
	// expired is what a client tells its watchers when its session is over. For ZooKeeper
	// it is a state, which comes with an event without a type.
	expired = "Expired"
)

// watch is a wish to be told once.
type watch struct {
	path     string
	process  string
	children bool // of the list of children; else of the znode itself
	absent   bool // asked for with exists while there was no such znode
}

// watches are all of a node, ordered by path, by process and by sort: in which order they
// were asked for makes no difference.
type watches []watch

func (w watch) compare(o watch) int {
	if c := cmp.Or(cmp.Compare(w.path, o.path), cmp.Compare(w.process, o.process)); c != 0 || w.children == o.children {
		return c
	}
	if w.children {
		return 1
	}
	return -1
}

// add keeps a watch. A session has at most one of each path and each sort.
func (ws *watches) add(w watch) {
	i, there := slices.BinarySearchFunc(*ws, w, watch.compare)
	if there {
		(*ws)[i] = w
		return
	}
	*ws = slices.Insert(*ws, i, w)
}

// take removes the watches that a function picks, and returns them.
func (ws *watches) take(picks func(watch) bool) []watch {
	var taken []watch
	*ws = slices.DeleteFunc(*ws, func(w watch) bool {
		if picks(w) {
			taken = append(taken, w)
			return true
		}
		return false
	})
	return taken
}

// fire ends the watches of a path that are told of an event, unless their sessions have no
// connection: those learn of it when they have one again.
func (n *Node) fire(path, event string, children bool) {
	for _, w := range n.watches.take(func(w watch) bool {
		return w.path == path && w.children == children && n.client(w.process).connected()
	}) {
		n.tell(w, event)
	}
}

// tell notes an event for a client. A client that had two watches is told once.
func (n *Node) tell(w watch, event string) {
	d := engine.Delivery{Process: w.process, Channel: w.path, Payload: event}
	if !slices.Contains(n.events, d) {
		n.events = append(n.events, d)
	}
}

// removed fires the watches that hear of a znode that is gone.
func (n *Node) removed(path string) {
	n.fire(path, deleted, false)
	n.fire(path, deleted, true)
	n.fire(parent(path), childrenChanged, true)
}

// missed tells a client that has a connection again what its watches have missed since a
// write: ZooKeeper compares what they wait for with what there is now, first of those that
// watch a znode, then of those for which it is to come, then of those that watch its children.
func (n *Node) missed(process string, since int64) {
	missed := n.watches.take(func(w watch) bool { return w.process == process && n.event(w, since) != "" })
	slices.SortStableFunc(missed, func(a, b watch) int { return a.group() - b.group() })
	for _, w := range missed {
		n.tell(w, n.event(w, since))
	}
}

func (w watch) group() int {
	switch {
	case w.children:
		return 2
	case w.absent:
		return 1
	}
	return 0
}

func (n *Node) event(w watch, since int64) string {
	z := n.tree.at(w.path)
	switch {
	case z == nil && !w.absent:
		return deleted
	case z == nil:
		return ""
	case w.absent:
		return created
	case w.children && z.pzxid > since:
		return childrenChanged
	case !w.children && z.mzxid > since:
		return dataChanged
	}
	return ""
}

// takeEvents are the events since the last call, by process and then as they came.
func (n *Node) takeEvents() []engine.Delivery {
	events := n.events
	n.events = nil
	slices.SortStableFunc(events, func(a, b engine.Delivery) int { return cmp.Compare(a.Process, b.Process) })
	return events
}
