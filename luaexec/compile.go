package luaexec

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/luaexec/syntax"
)

// maxSource is the length in bytes of the longest source that is compiled.
const maxSource = 1 << 20

// chunkName is what Redis calls every script in its messages.
const chunkName = "user_script"

// SyntaxError says why a source does not compile.
type SyntaxError = syntax.Error

// Check compiles a script without running it. Its error is a *SyntaxError whose
// chunk is the name of the script.
func Check(script engine.Script) error {
	body, _, err := cutShebang(script.Source)
	if err != nil {
		return &SyntaxError{Chunk: script.Name, Line: 1, Message: err.Error()}
	}
	_, err = Compile(script.Name, body)
	return err
}

// Compile makes a prototype that runs on any state that OpenSafe has prepared.
// Its error is a *SyntaxError; one at the end is on the last line that has text.
func Compile(chunk, source string) (*lua.FunctionProto, error) {
	proto, _, err := compile(chunk, strings.TrimRight(source, " \t\r\n"))
	return proto, err
}

// compile is Compile with the lines that Redis's messages have, and with the source
// taken apart.
func compile(chunk, source string) (proto *lua.FunctionProto, tree *syntax.Tree, err error) {
	r := newRewriter(source)
	defer func() {
		if p := recover(); p != nil {
			proto, tree, err = nil, nil, &SyntaxError{Chunk: chunk, Line: max(r.line, 1), Message: fmt.Sprint(p)}
		}
	}()
	if len(source) > maxSource {
		message := fmt.Sprintf("the source of %d bytes is over the limit of %d", len(source), maxSource)
		return nil, nil, &SyntaxError{Chunk: chunk, Line: 1, Message: message}
	}
	tree, err = syntax.Parse(source, chunk)
	if err != nil {
		return nil, nil, err
	}
	if proto, err = r.compile(chunk, tree, func([]ast.Stmt) {}); err != nil {
		return nil, nil, err
	}
	// A script has no arguments of its own, and the table that gopher-lua would
	// make for them on every call halves the speed.
	proto.IsVarArg = 0
	if r.varargs {
		proto.IsVarArg = lua.VarArgIsVarArg
	}
	shrink(proto)
	return proto, tree, nil
}

// compile rewrites a source and has gopher-lua compile it; number may change the lines in between.
func (r *rewriter) compile(chunk string, tree *syntax.Tree, number func([]ast.Stmt)) (*lua.FunctionProto, error) {
	stmts, err := parse.Parse(strings.NewReader(tree.Source), chunk)
	if err != nil {
		return nil, syntaxError(chunk, err)
	}
	r.block(stmts)
	number(stmts)
	proto, err := lua.Compile(stmts, chunk)
	if err != nil {
		return nil, syntaxError(chunk, err)
	}
	return proto, nil
}

// shrink gives back the room for a thousand instructions, and more, that gopher-lua
// keeps with each function.
func shrink(proto *lua.FunctionProto) {
	proto.Code = slices.Clone(proto.Code)
	proto.Constants = slices.Clone(proto.Constants)
	proto.DbgSourcePositions = slices.Clone(proto.DbgSourcePositions)
	proto.DbgLocals = slices.Clone(proto.DbgLocals)
	proto.DbgCalls = slices.Clone(proto.DbgCalls)
	proto.FunctionPrototypes = slices.Clone(proto.FunctionPrototypes)
	for _, inner := range proto.FunctionPrototypes {
		shrink(inner)
	}
}

func newRewriter(source string) *rewriter {
	return &rewriter{
		ordered:  names(source, "pairs", "next", "cjson", "cmsgpack", "map", "set"),
		measured: names(source, "#", "table", "unpack", "cjson"),
	}
}

// names tells whether a source has one of these texts anywhere.
func names(source string, any ...string) bool {
	return slices.ContainsFunc(any, func(text string) bool { return strings.Contains(source, text) })
}

// syntaxError is what gopher-lua says of a source that Lua 5.1 would compile.
func syntaxError(chunk string, err error) error {
	if compiling, ok := errors.AsType[*lua.CompileError](err); ok {
		return &SyntaxError{Chunk: chunk, Line: max(compiling.Line, 1), Message: compiling.Message}
	}
	return &SyntaxError{Chunk: chunk, Line: 1, Message: err.Error()}
}

// Program is a compiled script. It is never changed, so servers share it.
type Program struct {
	Source string // as it was sent
	Body   string // without its first line, if that is about the script
	SHA    string // of Source, in lower case
	Sum    uint64 // of SHA, for digests
	Index  int    // among the programs that run on the same machines
	Flags  Flags
	proto  *lua.FunctionProto // nil: only the source is kept

	// sources tell what messages call the variables of its functions.
	sources sources

	// setsGlobals: only code that might do so runs behind the slower protection that it needs.
	setsGlobals bool
}

// CompileProgram compiles what a client sends to EVAL or SCRIPT LOAD.
func CompileProgram(source string, index int) (*Program, error) {
	body, flags, err := cutShebang(source)
	if err != nil {
		return nil, err
	}
	proto, _, err := compile(chunkName, body)
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum([]byte(source))
	p := &Program{
		Source: source, Body: body, SHA: hex.EncodeToString(sum[:]), Sum: binary.LittleEndian.Uint64(sum[:]),
		Index: index, Flags: flags, proto: proto, sources: sources{},
	}
	p.sources.add(body, proto, 0)
	p.setsGlobals = SetsGlobals(proto)
	return p, nil
}

// Refusal is the answer to a source that CompileProgram finds wrong.
func Refusal(err error) reply.Reply {
	if _, ok := errors.AsType[*SyntaxError](err); ok {
		return reply.OfError(reply.OneLine(fmt.Sprintf("ERR Error compiling script (new function): %v", err)))
	}
	return reply.OfError(reply.OneLine("ERR " + err.Error()))
}

// Compiled tells whether the program can run.
func (p *Program) Compiled() bool { return p.proto != nil }

// At is the program with another index.
func (p *Program) At(index int) *Program {
	at := *p
	at.Index = index
	return &at
}

// WithoutCode is the program as it is remembered to be compiled again.
func (p *Program) WithoutCode() *Program {
	return &Program{Source: p.Source, SHA: p.SHA, Sum: p.Sum, Index: p.Index}
}

// SetsGlobals tells whether code assigns a global variable anywhere.
func SetsGlobals(proto *lua.FunctionProto) bool {
	for _, instruction := range proto.Code {
		if int(instruction>>26) == lua.OP_SETGLOBAL {
			return true
		}
	}
	return slices.ContainsFunc(proto.FunctionPrototypes, SetsGlobals)
}

// Mentions tells whether compiled Lua has one of some names, or a text like one, in any of its functions.
func Mentions(p *lua.FunctionProto, names ...string) bool {
	return slices.ContainsFunc(p.Constants, func(v lua.LValue) bool { return slices.Contains(names, v.String()) }) ||
		slices.ContainsFunc(p.FunctionPrototypes, func(inner *lua.FunctionProto) bool { return Mentions(inner, names...) })
}
