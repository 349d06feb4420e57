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
	"github.com/yuin/gopher-lua/parse"

	"lockstep/engine"
)

// maxSource is the length in bytes of the longest source that is compiled.
const maxSource = 1 << 20

// chunkName is what Redis calls every script in its messages.
const chunkName = "user_script"

// SyntaxError says why a source does not compile.
type SyntaxError struct {
	Chunk   string
	Line    int // from 1
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message)
}

// Check compiles a script without running it. Its error is a *SyntaxError whose
// chunk is the name of the script.
func Check(script engine.Script) error {
	_, err := Compile(script.Name, script.Source)
	return err
}

// Compile makes a prototype that runs on any state that OpenSafe has prepared.
// Its error is a *SyntaxError.
func Compile(chunk, source string) (proto *lua.FunctionProto, err error) {
	r := &rewriter{}
	defer func() {
		if p := recover(); p != nil {
			proto, err = nil, &SyntaxError{Chunk: chunk, Line: max(r.line, 1), Message: fmt.Sprint(p)}
		}
	}()
	if len(source) > maxSource {
		message := fmt.Sprintf("the source of %d bytes is over the limit of %d", len(source), maxSource)
		return nil, &SyntaxError{Chunk: chunk, Line: 1, Message: message}
	}
	if strings.HasPrefix(source, "#") { // gopher-lua takes it for a comment, Redis does not
		return nil, &SyntaxError{Chunk: chunk, Line: 1, Message: "unexpected symbol near '#'"}
	}
	stmts, err := parse.Parse(strings.NewReader(source), chunk)
	if err != nil {
		return nil, syntaxError(chunk, source, err)
	}
	r.block(stmts)
	proto, err = lua.Compile(stmts, chunk)
	if err != nil {
		return nil, syntaxError(chunk, source, err)
	}
	// A script has no arguments of its own, and the table that gopher-lua would
	// make for them on every call halves the speed.
	proto.IsVarArg = 0
	return proto, nil
}

func syntaxError(chunk, source string, err error) error {
	var syntax *parse.Error
	var compile *lua.CompileError
	switch {
	case errors.As(err, &syntax):
		line, near := syntax.Pos.Line, syntax.Token
		if line == parse.EOF {
			line, near = 1+strings.Count(strings.TrimRight(source, "\n"), "\n"), "<eof>"
		}
		if near != "<eof>" && strings.HasPrefix(syntax.Message, "unterminated string") {
			line-- // the parser has read the line break that ends it
		}
		message := fmt.Sprintf("%s near '%s'", asLuaSays(strings.TrimSpace(syntax.Message)), near)
		return &SyntaxError{Chunk: chunk, Line: line, Message: message}
	case errors.As(err, &compile):
		return &SyntaxError{Chunk: chunk, Line: max(compile.Line, 1), Message: compile.Message}
	}
	return &SyntaxError{Chunk: chunk, Line: 1, Message: err.Error()}
}

// program is a compiled script. It is never changed, so nodes share it.
type program struct {
	source string
	sha    string // in lower case
	sum    uint64 // of the sha, for digests
	index  int    // of the program among those of its family of nodes
	proto  *lua.FunctionProto
	flags  scriptFlags

	// setsGlobals and touchesTables tell what the code might do: only such code
	// runs behind the slower protections that it needs.
	setsGlobals   bool
	touchesTables bool
}

func compileProgram(source, sha string) (*program, error) {
	proto, err := Compile(chunkName, source)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(sha)
	if err != nil || len(raw) < 8 {
		return nil, fmt.Errorf("compile %s: not the SHA1 of a script", sha)
	}
	p := &program{source: source, sha: sha, proto: proto, sum: binary.LittleEndian.Uint64(raw)}
	p.setsGlobals = setsGlobals(proto)
	p.touchesTables = touchesTables(proto)
	return p, nil
}

func sha1hex(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// setsGlobals tells whether code assigns a global variable anywhere.
func setsGlobals(proto *lua.FunctionProto) bool {
	for _, instruction := range proto.Code {
		if int(instruction>>26) == lua.OP_SETGLOBAL {
			return true
		}
	}
	return slices.ContainsFunc(proto.FunctionPrototypes, setsGlobals)
}

// touchers are the names without which no code reaches a function that changes
// a table: KEYS and ARGV can be reused after code that has none of them.
var touchers = map[string]bool{
	setIndexName: true, "rawset": true, "setmetatable": true, "table": true,
	"load": true, "loadstring": true, "_G": true,
}

func touchesTables(proto *lua.FunctionProto) bool {
	for _, c := range proto.Constants {
		if name, ok := c.(lua.LString); ok && touchers[string(name)] {
			return true
		}
	}
	return slices.ContainsFunc(proto.FunctionPrototypes, touchesTables)
}
