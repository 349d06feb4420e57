package same

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/node/redis"
)

// Scripts runs each script of a list, a JSON array, on an embedded Redis of its own, once
// more with somebody who looks inside, and prints the answers, one a line.
func Scripts(encoded []byte, to io.Writer) error {
	var scripts []string
	if err := json.Unmarshal(encoded, &scripts); err != nil {
		return err
	}
	for i, source := range scripts {
		op := engine.Op{Script: &engine.Script{Name: "script", Source: source}}
		result, err := node().Exec(context.Background(), op)
		if err != nil {
			return fmt.Errorf("script %d: %w", i+1, err)
		}
		fmt.Fprintln(to, result.Reply.String())
		if _, _, err := redis.Look(context.Background(), node(), op, engine.NodeView{}, 0); err != nil {
			return fmt.Errorf("a look inside script %d: %w", i+1, err)
		}
	}
	return nil
}

// node is a server whose scripts end soon: some of them never would, and Node is slow.
func node() *redis.Node {
	n := redis.NewNode()
	n.SetBudget(luaexec.DefaultBudget/20, nil)
	return n
}
