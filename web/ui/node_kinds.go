package ui

import (
	"slices"

	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/lessons"
)

// nodeKind is how the page shows the nodes of a kind.
type nodeKind struct {
	name  msg                                          // of a server of the kind
	holds msg                                          // heads what it holds
	panel func(*View, engine.NodeView) templ.Component // draws that; nil: as a list of keys
}

var nodeKinds = map[lessons.NodeKind]nodeKind{
	lessons.Redis:     {name: timelineServer, holds: keysLabel},
	lessons.SQL:       {name: msg{"Database", "数据库"}, holds: rowsLabel},
	lessons.ZooKeeper: {name: msg{"ZooKeeper", "ZooKeeper"}, holds: znodesLabel, panel: zookeeperPanel},
}

// kindOf is the kind of one of the lesson's nodes.
func kindOf(v *View, node string) nodeKind {
	of, _ := v.Lesson.Node(node)
	return nodeKinds[of.Kind]
}

// nodePanel draws what a node holds.
func nodePanel(v *View, n engine.NodeView) templ.Component {
	if panel := kindOf(v, n.Node).panel; panel != nil {
		return panel(v, n)
	}
	return nodeKeys(v, n)
}

// listening are the subscriptions that the list of channels shows: a panel of its own shows
// what the clients of a node watch.
func listening(v *View, n engine.NodeView) []engine.Subscription {
	if kindOf(v, n.Node).panel != nil {
		return nil
	}
	return n.Subscriptions
}

// serverName is what the lesson's first node is called, apart from its own name.
func serverName(v *View) string { return nodeKinds[v.Lesson.Nodes[0].Kind].name.in(v.Lang) }

// dataLabel is the head of what the lesson's servers hold.
func dataLabel(v *View) string {
	if severalKinds(v.Lesson) {
		return keysOfSeveral.in(v.Lang)
	}
	return nodeKinds[v.Lesson.Nodes[0].Kind].holds.in(v.Lang)
}

// ofData is what data is called: rows, where there are only tables.
func ofData(v *View, keys, rows msg) string {
	if hasOnlyTables(v) {
		return rows.in(v.Lang)
	}
	return keys.in(v.Lang)
}

// hasOnlyTables tells whether no node of the lesson keeps keys.
func hasOnlyTables(v *View) bool {
	return !slices.ContainsFunc(v.Lesson.Nodes, func(n lessons.Node) bool { return !n.Kind.Row().Tables })
}

// severalKinds tells whether a lesson's servers are of more than one kind.
func severalKinds(l *lessons.Lesson) bool {
	return slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind != l.Nodes[0].Kind })
}

// runsScripts tells whether a lesson has a node that scripts run in: only a Redis runs any. Of one
// among other servers, the lesson has some.
func runsScripts(l *lessons.Lesson) bool {
	return (len(l.Scripts) > 0 || !severalKinds(l)) && slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind == lessons.Redis })
}

// sideServerText heads what runs in the server.
func sideServerText(v *View) string {
	switch {
	case runsScripts(v.Lesson):
		return withName(v.Lang, sideServer, timelineServer.in(v.Lang))
	case severalKinds(v.Lesson):
		return sideServers.in(v.Lang)
	}
	return withName(v.Lang, sideServer, serverName(v))
}
