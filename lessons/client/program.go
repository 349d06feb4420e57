package client

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/luaexec"
)

//go:embed prelude.lua
var preludeSource string

// preludeName is a name that no file or actor of a lesson can have.
const preludeName = "(prelude)"

var prelude = mustCompile(preludeName, preludeSource)

// defined finds what a piece of Lua defines for others to call.
var defined = regexp.MustCompile(`(?m)^(?:function (\w+)\(|(\w+(?:, \w+)*) = )`)

// Names are what a program can call by name: what it has of the playground, and of its lock client.
func Names(library string) []string {
	var names []string
	for _, m := range defined.FindAllStringSubmatch(preludeSource+"\n"+library, -1) {
		names = append(names, strings.Split(m[1]+m[2], ", ")...)
	}
	return names
}

// Chunk is a piece of Lua with the name that errors show.
type Chunk struct {
	Name   string
	Source string
}

// Setup is what all programs of a lesson share.
type Setup struct {
	Node    string                    // the node that redis.eval and redis.call ask
	Opens   map[string]string         // of nodes: the prelude of its kind; without one node(name) is asked as a Redis is
	Scripts map[string]*engine.Script // what redis.eval can run, by name
	Library Chunk                     // the lock client that programs call; may be empty
}

// chunk is a compiled piece of Lua. All sessions share those of their lessons.
type chunk struct {
	code       *lua.FunctionProto
	statements *luaexec.Statements
}

var chunks luaexec.Cache[chunk]

func compiled(c Chunk) (chunk, error) {
	return chunks.Of(c.Name+"\x00"+c.Source, func(string) (chunk, error) {
		code, statements, err := luaexec.CompileStatements(c.Name, c.Source)
		return chunk{code, statements}, err
	})
}

// Program is a compiled client program. It can be started any number of times.
type Program struct {
	setup      Setup
	library    *lua.FunctionProto
	main       *lua.FunctionProto
	opens      map[string]*lua.FunctionProto // of nodes
	statements []*luaexec.Statements         // of both
	bytes      int                           // of both sources
	code       func() *luaexec.Code          // what digests know of it
}

// Compile compiles a program. A mistake in the Lua is a
// *luaexec.SyntaxError that names the chunk.
func Compile(setup Setup, program Chunk) (*Program, error) {
	library, err := compiled(setup.Library)
	if err != nil {
		return nil, err
	}
	main, err := compiled(program)
	if err != nil {
		return nil, err
	}
	p := &Program{
		setup: setup, library: library.code, main: main.code, statements: []*luaexec.Statements{main.statements, library.statements},
		bytes: len(setup.Library.Source) + len(program.Source), opens: map[string]*lua.FunctionProto{},
	}
	code := []*lua.FunctionProto{prelude, library.code, main.code}
	for _, name := range slices.Sorted(maps.Keys(setup.Opens)) {
		p.opens[name] = mustCompile(preludeName, setup.Opens[name])
		code = append(code, p.opens[name])
	}
	p.code = sync.OnceValue(func() *luaexec.Code { return luaexec.NewCode(p.seesOrder(), code...) })
	return p, nil
}

// at is the statement that an instruction belongs to; nil for those of the prelude.
func (p *Program) at(proto *lua.FunctionProto, pc int) *luaexec.Statement {
	for _, s := range p.statements {
		if found := s.At(proto, pc); found != nil {
			return found
		}
	}
	return nil
}

func mustCompile(name, source string) *lua.FunctionProto {
	proto, err := luaexec.Compile(name, source)
	if err != nil {
		panic(err)
	}
	return proto
}
