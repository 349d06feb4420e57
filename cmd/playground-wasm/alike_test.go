package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/node/redis"
	"lockstep/web/player"
)

// alike are what must come out the same natively and in Node, where these tests are a program that does one of them.
var alike = map[string]func(input []byte, to io.Writer) error{"traces": traces, "scripts": answersOf}

// inNode does what the argument names.
func inNode() error {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return alike[os.Args[1]](input, os.Stdout)
}

// traces plays each lesson of a catalog and prints what happened, one JSON line for
// each, with the lines of all scripts.
func traces(encoded []byte, to io.Writer) error {
	catalog, err := lessons.Decode(encoded)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	for _, listed := range catalog.List {
		l, err := catalog.Read(listed.Name)
		if err != nil {
			return err
		}
		nodes, _, err := player.Embedded{}.Open(context.Background(), "", l)
		if err != nil {
			return err
		}
		scenario, err := l.Scenario(nodes)
		if err != nil {
			return err
		}
		scenario.Look, scenario.Watch = redis.Look, func(int) bool { return true }
		_, trace, err := engine.Replay(context.Background(), scenario, l.Choices())
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		if err := json.NewEncoder(out).Encode(trace); err != nil {
			return err
		}
	}
	return out.Flush()
}

// answersOf runs each script of a list, a JSON array, on an embedded Redis of its own, once
// more with somebody who looks inside, and prints the answers, one a line.
func answersOf(encoded []byte, to io.Writer) error {
	var scripts []string
	if err := json.Unmarshal(encoded, &scripts); err != nil {
		return err
	}
	for i, source := range scripts {
		op := engine.Op{Script: &engine.Script{Name: "script", Source: source}}
		result, err := slow().Exec(context.Background(), op)
		if err != nil {
			return fmt.Errorf("script %d: %w", i+1, err)
		}
		fmt.Fprintln(to, result.Reply.String())
		if _, _, err := redis.Look(context.Background(), slow(), op, engine.NodeView{}, 0); err != nil {
			return fmt.Errorf("a look inside script %d: %w", i+1, err)
		}
	}
	return nil
}

// slow is a server whose scripts end soon: some of them never would, and Node is slow.
func slow() *redis.Node {
	n := redis.NewNode()
	n.SetBudget(luaexec.DefaultBudget/20, nil)
	return n
}
