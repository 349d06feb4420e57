package ui

import (
	"slices"

	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/lessons"
)

// nodePanels draw what a node of a kind holds; of the others it is a list of keys.
var nodePanels = map[lessons.NodeKind]func(*View, engine.NodeView) templ.Component{
	lessons.ZooKeeper: zookeeperPanel,
}

// panelOf is what draws one of the lesson's nodes; nil: the list of keys does.
func panelOf(v *View, n engine.NodeView) func(*View, engine.NodeView) templ.Component {
	of, _ := v.Lesson.Node(n.Node)
	return nodePanels[of.Kind]
}

// nodePanel draws what a node holds.
func nodePanel(v *View, n engine.NodeView) templ.Component {
	if panel := panelOf(v, n); panel != nil {
		return panel(v, n)
	}
	return nodeKeys(v, n)
}

// listening are the subscriptions that the list of channels shows: a panel of its own shows
// what the clients of a node watch.
func listening(v *View, n engine.NodeView) []engine.Subscription {
	if panelOf(v, n) != nil {
		return nil
	}
	return n.Subscriptions
}

// called is what a server of a kind is called within a sentence.
func called(lang lessons.Lang, kind lessons.NodeKind) string { return lessons.Text(kind.Row().Called).In(lang) }

// serverName is what the lesson's first node is called, apart from its own name.
func serverName(v *View) string { return sentenceCase(called(v.Lang, v.Lesson.Nodes[0].Kind)) }

// dataLabel is the head of what the lesson's servers hold.
func dataLabel(v *View) string {
	if severalKinds(v.Lesson) {
		return keysOfSeveral.in(v.Lang)
	}
	return lessons.Text(v.Lesson.Nodes[0].Kind.Row().Holds).In(v.Lang)
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
	return !slices.ContainsFunc(v.Lesson.Nodes, func(n lessons.Node) bool { return n.Kind.Row().Give != nil })
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
		return withName(v.Lang, sideServer, called(v.Lang, lessons.Redis))
	case severalKinds(v.Lesson):
		return sideServers.in(v.Lang)
	}
	return withName(v.Lang, sideServer, serverName(v))
}
