// Package client runs the programs of lock clients: Lua coroutines that hand
// requests to the engine and are resumed with the outcomes.
package client

import (
	_ "embed"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/lua"
)

//go:embed prelude.lua
var preludeSource string

// preludeName is no name that a lesson can give.
const preludeName = "(prelude)"

var prelude = mustCompile(preludeName, preludeSource)

// Chunk is a piece of Lua with the name that errors show.
type Chunk struct {
	Name   string
	Source string
}

// Setup is what all programs of a lesson share.
type Setup struct {
	Node    string                    // the node that redis.eval and redis.call ask
	Scripts map[string]*engine.Script // what redis.eval can run, by name
	Library Chunk                     // the lock client that programs call; may be empty
}

// Program is a compiled client program. It can be started any number of times.
type Program struct {
	setup   Setup
	library *lua.Proto
	main    *lua.Proto
}

// Compile compiles a program. A mistake in the Lua is a
// *luaexec.SyntaxError that names the chunk.
func Compile(setup Setup, program Chunk) (*Program, error) {
	library, err := luaexec.Compile(setup.Library.Name, setup.Library.Source)
	if err != nil {
		return nil, err
	}
	main, err := luaexec.Compile(program.Name, program.Source)
	if err != nil {
		return nil, err
	}
	return &Program{setup: setup, library: library, main: main}, nil
}

func mustCompile(name, source string) *lua.Proto {
	proto, err := luaexec.Compile(name, source)
	if err != nil {
		panic(err)
	}
	return proto
}
