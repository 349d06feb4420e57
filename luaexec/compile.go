package luaexec

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/luaexec/lua"
)

// SyntaxError says why a source does not compile.
type SyntaxError = lua.SyntaxError

// maxSource is the length in bytes of the longest source that is compiled.
const maxSource = 1 << 20

// chunkName is what Redis calls every script.
const chunkName = "@user_script"

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

// Compile compiles code whose messages call it by a name. Its error is a
// *SyntaxError; one at the end is on the last line that has text.
func Compile(name, source string) (*lua.Proto, error) {
	return compile("="+name, strings.TrimRight(source, " \t\r\n"))
}

func compile(chunk, source string) (*lua.Proto, error) {
	if len(source) > maxSource {
		message := fmt.Sprintf("the source of %d bytes is over the limit of %d", len(source), maxSource)
		return nil, &SyntaxError{Chunk: chunk[1:], Line: 1, Message: message}
	}
	return lua.Compile(source, chunk)
}

// program is a compiled script. It is never changed, so nodes share it.
type program struct {
	source string
	sha    string // in lower case
	sum    uint64 // of the sha, for digests
	index  int    // of the program among those of its family of nodes
	proto  *lua.Proto
	flags  scriptFlags
}

func compileProgram(source, sha string) (*program, error) {
	proto, err := compile(chunkName, source)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(sha)
	if err != nil || len(raw) < 8 {
		return nil, errors.New("compile " + sha + ": not the SHA1 of a script")
	}
	return &program{source: source, sha: sha, proto: proto, sum: binary.LittleEndian.Uint64(raw)}, nil
}

func sha1hex(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}
