// Command scripts runs each script of a list, a JSON array, on an embedded Redis of its
// own, once more with somebody who looks inside, and prints the answers, one a line.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"lockstep/engine"
	"lockstep/luaexec"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "scripts:", err)
		os.Exit(1)
	}
}

func run() error {
	var scripts []string
	if err := json.NewDecoder(os.Stdin).Decode(&scripts); err != nil {
		return err
	}
	for i, source := range scripts {
		op := engine.Op{Script: &engine.Script{Name: "script", Source: source}}
		result, err := node().Exec(context.Background(), op)
		if err != nil {
			return fmt.Errorf("script %d: %w", i+1, err)
		}
		fmt.Println(result.Reply.String())
		if _, _, err := luaexec.Look(context.Background(), node(), op, engine.NodeView{}, 0); err != nil {
			return fmt.Errorf("a look inside script %d: %w", i+1, err)
		}
	}
	return nil
}

// node is a server whose scripts end soon: some of them never would, and Node is slow.
func node() *luaexec.Node {
	n := luaexec.NewNode()
	n.SetBudget(luaexec.DefaultBudget/20, nil)
	return n
}
