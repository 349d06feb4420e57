package client

import (
	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/node/redis/blocking"
)

// watchKeys is WATCH, or UNWATCH when there are no keys.
func watchKeys(L *lua.LState) engine.Request {
	keys, stamps := texts(L, L.CheckTable(2), "key")
	if len(stamps) > 0 {
		L.RaiseError("a stamp is not a key")
	}
	told := append([]string{"WATCH"}, keys...)
	if len(keys) == 0 {
		told = []string{"UNWATCH"}
	}
	return engine.Exec{
		Node: server(L), Op: engine.Op{Args: told}, ToLeader: yes(L, 4), Timeout: patience(L, 3),
		Transaction: &engine.Transaction{Watch: keys, Forget: len(keys) == 0},
	}
}

// multi is MULTI, the commands that the prelude has gathered, and EXEC.
func multi(L *lua.LState) engine.Request {
	sent, told := L.CheckTable(2), []string{"MULTI"}
	tx := &engine.Transaction{Commit: true}
	for i := range sent.Len() {
		data, _ := sent.RawGetInt(i + 1).(*lua.LUserData)
		exec, ok := data.Value.(engine.Exec)
		switch {
		case !ok:
			L.RaiseError("WAIT cannot be in a transaction")
		case len(exec.Stamps) > 0:
			L.RaiseError("a stamp cannot be in a transaction: pass now()")
		}
		if _, waits := blocking.Command(exec.Op); waits {
			L.RaiseError("%s cannot be in a transaction, which waits for nothing", exec.Op.Args[0])
		}
		tx.Ops = append(tx.Ops, exec.Op)
		told = append(told, ";")
		if s := exec.Op.Script; s != nil {
			told = append(append(told, "EVAL", s.Name), exec.Op.Keys...)
		}
		told = append(told, exec.Op.Args...)
	}
	told = append(told, ";", "EXEC")
	return engine.Exec{
		Node: server(L), Op: engine.Op{Args: told}, Transaction: tx, ToLeader: yes(L, 4), Timeout: patience(L, 3),
	}
}
