package zookeeper

import (
	"embed"
	"time"

	"lockstep/engine"
	"lockstep/node"
)

//go:embed template
var template embed.FS

//go:embed prelude.lua
var prelude string

// Kind is that of ZooKeepers.
var Kind = node.Kind{
	Name: "zookeeper",
	Like: "ZooKeeper 3.8",
	Keys: []string{"session"},
	New:  func(session time.Duration) engine.Node { return NewNode(session) },
	Give: func(k engine.Key) []engine.Op {
		return []engine.Op{{Args: []string{"create", k.Name, k.Text}}}
	},
	Text:     engine.ZnodeKey,
	Ensemble: true,
	Prelude:  prelude,
	Template: template,
	Called:   node.Words{En: "ZooKeeper", Zh: "ZooKeeper"},
	Holds:    node.Words{En: "Znodes", Zh: "znode"},
	Real:     node.Real{Engine: "zookeeper", Name: "ZooKeeper"},
}
