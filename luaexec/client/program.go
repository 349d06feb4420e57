// Package client runs the programs of lock clients: Lua coroutines that hand
// requests to the engine and are resumed with the outcomes.
package client

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"lockstep/engine"
)

//go:embed prelude.lua
var preludeSource string

var prelude = mustCompile("prelude", preludeSource)

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
	library *lua.FunctionProto
	main    *lua.FunctionProto
}

// SyntaxError is a mistake in the Lua of a client or a program.
type SyntaxError struct {
	Chunk   string
	Line    int // 1 is the first line of the chunk
	Column  int // 0: unknown
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message)
}

// Compile compiles a program. A mistake in the Lua is a *SyntaxError.
func Compile(setup Setup, program Chunk) (*Program, error) {
	library, err := compile(setup.Library)
	if err != nil {
		return nil, err
	}
	main, err := compile(program)
	if err != nil {
		return nil, err
	}
	return &Program{setup: setup, library: library, main: main}, nil
}

func compile(c Chunk) (*lua.FunctionProto, error) {
	stmts, err := parse.Parse(strings.NewReader(c.Source), c.Name)
	if err != nil {
		return nil, syntaxError(c, err)
	}
	proto, err := lua.Compile(stmts, c.Name)
	if err != nil {
		return nil, syntaxError(c, err)
	}
	return proto, nil
}

func syntaxError(c Chunk, err error) error {
	last := 1 + strings.Count(strings.TrimRight(c.Source, "\n"), "\n")
	var perr *parse.Error
	if errors.As(err, &perr) {
		if perr.Pos.Line < 1 {
			return &SyntaxError{Chunk: c.Name, Line: last, Message: "the program ends too early: is an `end` missing?"}
		}
		return &SyntaxError{
			Chunk: c.Name, Line: perr.Pos.Line, Column: perr.Pos.Column,
			Message: fmt.Sprintf("%s near '%s'", perr.Message, perr.Token),
		}
	}
	var cerr *lua.CompileError
	if errors.As(err, &cerr) {
		return &SyntaxError{Chunk: c.Name, Line: cerr.Line, Message: cerr.Message}
	}
	return &SyntaxError{Chunk: c.Name, Line: 1, Message: err.Error()}
}

func mustCompile(name, source string) *lua.FunctionProto {
	proto, err := compile(Chunk{Name: name, Source: source})
	if err != nil {
		panic(err)
	}
	return proto
}
