package luaexec

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

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
	for _, name := range files {
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

// Two programs that read scopes from a source in different ways, one from its
// tokens and one from its tree, must agree. Probes report the variables of the
// functions around a statement too, before its own.
func TestStatementsHaveTheLocalsThatProbesReport(t *testing.T) {
	compared := 0
	for name, source := range manySources(t) {
		probe, err := luaprobe.Rewrite(source, luaprobe.Options{})
		if err != nil || probe.Shown != source {
			continue
		}
		_, statements, err := CompileStatements("test", source)
		if err != nil {
			continue
		}
		flat := !strings.Contains(source, "function")
		for _, want := range probe.Statements {
			if want.Omitted > 0 {
				continue
			}
			compared++
			if !slices.ContainsFunc(statements.statements, func(s Statement) bool {
				first := len(want.Locals) - len(s.Locals)
				return s.Line == want.Line && first >= 0 && (first == 0 || !flat) && slices.EqualFunc(want.Locals[first:], s.Locals,
					func(name string, r Register) bool {
						return name == r.Name || name == "goto" && r.Name == "goto_" // see syntax.ForGopher
					})
			}) {
				t.Errorf("%s: there is no statement on line %d with the locals %v in\n%s", name, want.Line, want.Locals, source)
			}
		}
	}
	if compared < 1300 {
		t.Errorf("only %d statements were compared", compared)
	}
}

// What gopher-lua says of where variables begin must agree too.
func TestStatementsNameVariablesThatAreDeclared(t *testing.T) {
	for name, source := range manySources(t) {
		proto, statements, err := CompileStatements("test", source)
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
				for _, r := range s.Locals {
					if !slices.ContainsFunc(p.DbgLocals, func(l *lua.DbgLocalInfo) bool { return l.Name == r.Name && l.StartPc <= pc+1 }) {
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
}
