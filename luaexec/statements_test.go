package luaexec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec"
	"lockstep/luaexec/luaprobe"
)

// manySources are Lua of all kinds, laid out with one statement on a line.
func manySources(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for i, s := range corpus(t) {
		found[fmt.Sprint("script ", i+1)] = s
	}
	probed, err := os.ReadFile("luaprobe/testdata/scripts.lua")
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range strings.Split(string(probed), "\n----\n") {
		found[fmt.Sprint("probed script ", i+1)] = s
	}
	files, err := filepath.Glob("../lessons/*/*.lua")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	shared, err := filepath.Glob("../lessons/clients/*/*.lua")
	if err != nil || len(shared) < 10 {
		t.Fatal(shared, err)
	}
	for _, name := range append(files, shared...) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(source)
	}
	for name, s := range found {
		if text, err := luaprobe.LayOut(s); err == nil {
			found[name] = text
		} else {
			delete(found, name)
		}
	}
	return found
}

// What gopher-lua says of lines, and of where variables begin, must agree with the source.
func TestStatementsNameVariablesThatAreDeclared(t *testing.T) {
	compared := 0
	for name, source := range manySources(t) {
		proto, statements, err := luaexec.CompileStatements("test", source)
		if err != nil {
			continue
		}
		var check func(p *lua.FunctionProto)
		check = func(p *lua.FunctionProto) {
			for pc := range p.Code {
				s := statements.At(p, pc)
				if s == nil {
					continue
				}
				compared++
				if line := p.DbgSourcePositions[pc]; line < s.Line {
					t.Errorf("%s: instruction %d of line %d is of a statement of line %d", name, pc, line, s.Line)
				}
				for _, r := range s.Locals {
					if !slices.ContainsFunc(p.DbgLocals, func(l *lua.DbgLocalInfo) bool {
						return l.Name == r.Name && l.StartPc <= pc+1
					}) {
						t.Errorf("%s, line %d: %s is not declared by instruction %d", name, s.Line, r.Name, pc)
					}
				}
			}
			for _, inner := range p.FunctionPrototypes {
				check(inner)
			}
		}
		check(proto)
	}
	if compared < 10_000 {
		t.Errorf("only %d instructions were compared", compared)
	}
}
