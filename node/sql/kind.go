package sql

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

// Kind is that of databases.
var Kind = node.Kind{
	Name:     "sql",
	Like:     "MariaDB 10.11",
	Keys:     []string{"isolation", "lock-wait", "wait-timeout", "tables"},
	New:      func(time.Duration) engine.Node { return NewNode() },
	Prelude:  prelude,
	Template: template,
	Called:   node.Words{En: "database", Zh: "数据库"},
	Holds:    node.Words{En: "Rows and locks", Zh: "行与锁"},
	Real:     node.Real{Engine: "mariadb", Name: "MariaDB"},
}
