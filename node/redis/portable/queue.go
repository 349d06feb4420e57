package portable

import (
	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/node/redis/keyspace"
)

// Queues tells whether a server takes an op of a transaction. It does not look into a script: that is refused its writes
// when it runs. What a lesson may not ask is taken, to be told so.
func Queues(op engine.Op, s Server) bool {
	text, _ := scriptOf(op, s)
	if op.ReadOnly && (writes(op) || luaexec.MayWrite(text)) {
		return false
	}
	if _, refused := Refuse(op, s); refused || op.Script != nil {
		return true
	}
	_, failed := keyspace.Find(op.Args)
	return !failed.IsError()
}
