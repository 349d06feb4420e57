package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// One test program has many changes in it: each is a copy of its function, and the
// function itself begins with
//
//	switch activeChange { case 17: return a.change17(n) }
//
// Which change is active stands in a file beside the program. So a change costs a run
// of the tests and no build. Changes of declarations are built one by one.

// switchFile is added to the package.
const switchFile = `package %s

import (
	"os"
	"path/filepath"
	"strconv"
)

var activeChange = func() int {
	program, _ := os.Executable()
	text, _ := os.ReadFile(filepath.Join(filepath.Dir(program), "active"))
	n, _ := strconv.Atoi(string(text))
	return n
}()
`

// together builds a program with changes of functions, each under its place in the list.
// Those that do not compile are left out, and the rest is told.
func (t *target) together(changes []change, scratch, program string) (built map[int]change, err error) {
	built = map[int]change{}
	for i, c := range changes {
		if c.in != "" {
			built[i+1] = c
		}
	}
	for len(built) > 0 {
		overlay, err := t.switched(built, scratch)
		if err != nil {
			return nil, err
		}
		_, err = t.goSays("test", "-c", "-gcflags=-e", "-ldflags=-w", "-overlay", overlay, "-o", program, t.path)
		if err == nil {
			return built, nil
		}
		wrong := inChange.FindAllStringSubmatch(err.Error(), -1)
		if len(wrong) == 0 {
			return nil, err
		}
		for _, m := range wrong {
			n, _ := strconv.Atoi(m[1])
			delete(built, n)
		}
	}
	return built, nil
}

// inChange finds changes in what the compiler complains about.
var inChange = regexp.MustCompile(`(?m)\bchange(\d+)\.go:\d+`)

// switched writes the package with all changes in it, and an overlay that says so.
func (t *target) switched(changes map[int]change, scratch string) (overlay string, err error) {
	instead := map[string]string{}
	put := func(name, text string) error {
		file := filepath.Join(scratch, fmt.Sprintf("switched%d.go", len(instead)))
		instead[name] = file
		return os.WriteFile(file, []byte(text), 0o600)
	}
	var pkg string
	for _, path := range t.files {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return "", err
		}
		pkg = file.Name.Name
		switched, left := withChanges(string(text), file, func(c change) bool { return filepath.Join(t.root, c.file) == path }, changes)
		for _, n := range left {
			delete(changes, n)
		}
		if err := put(path, switched); err != nil {
			return "", err
		}
	}
	if err := put(filepath.Join(t.dir, "active_change.go"), fmt.Sprintf(switchFile, pkg)); err != nil {
		return "", err
	}
	said, err := json.Marshal(map[string]any{"Replace": instead})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(scratch, "switched.json")
	return overlay, os.WriteFile(overlay, said, 0o600)
}

// withChanges is a file whose functions look which change is active. Its lines keep
// their numbers; the copies stand behind them. Changes that cannot be read are left.
func withChanges(text string, file *ast.File, ours func(change) bool, changes map[int]change) (with string, left []int) {
	var out, copies strings.Builder
	done := 0
	offset := func(p token.Pos) int { return int(p - file.FileStart) }
	for _, n := range sortedKeys(changes) {
		if ours(changes[n]) {
			left = append(left, n)
		}
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		from, body, to := offset(f.Pos()), offset(f.Body.Pos()), offset(f.End())
		s := signatureOf(f, func(n ast.Node) string { return text[offset(n.Pos()):offset(n.End())] })
		var cases strings.Builder
		left = slices.DeleteFunc(left, func(n int) bool {
			c, name := changes[n], "change"+strconv.Itoa(n)
			if c.from < body || c.to > to {
				return false
			}
			copied := s.head(name) + text[body:c.from] + c.with + text[c.to:to]
			if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+copied, parser.SkipObjectResolution); err != nil {
				return false
			}
			fmt.Fprintf(&copies, "\n//line %s.go:1\n%s\n", name, copied)
			fmt.Fprintf(&cases, "case %d: %s; ", n, s.call(name))
			return true
		})
		if cases.Len() == 0 {
			continue
		}
		head := s.head(f.Name.Name)
		lost := strings.Count(text[from:body], "\n") - strings.Count(head, "\n")
		out.WriteString(text[done:from] + head + "{" + strings.Repeat("\n", max(0, lost)) + "switch activeChange { " + cases.String() + "}; ")
		done = body + 1
	}
	return out.String() + text[done:] + copies.String(), left
}

// signature is what a copy of a function has in common with it. All its parameters have
// names, so that they can be passed on.
type signature struct {
	receiver, types, params, results string
	on, given, args                  string // in a call
}

func signatureOf(f *ast.FuncDecl, text func(ast.Node) string) signature {
	var s signature
	unnamed := 0
	list := func(fields *ast.FieldList) (declared, passed []string) {
		if fields == nil {
			return nil, nil
		}
		for _, field := range fields.List {
			names := []string{}
			for _, n := range field.Names {
				names = append(names, n.Name)
			}
			if len(names) == 0 {
				names = []string{"_"}
			}
			for _, name := range names {
				if name == "_" {
					unnamed++
					name = "unnamed" + strconv.Itoa(unnamed)
				}
				declared = append(declared, name+" "+text(field.Type))
				if _, many := field.Type.(*ast.Ellipsis); many {
					name += "..."
				}
				passed = append(passed, name)
			}
		}
		return declared, passed
	}
	if declared, passed := list(f.Recv); len(passed) > 0 {
		s.receiver, s.on = "("+declared[0]+") ", passed[0]+"."
	}
	if declared, passed := list(f.Type.TypeParams); len(passed) > 0 {
		s.types, s.given = "["+strings.Join(declared, ", ")+"]", "["+strings.Join(passed, ", ")+"]"
	}
	declared, passed := list(f.Type.Params)
	s.params, s.args = strings.Join(declared, ", "), strings.Join(passed, ", ")
	if f.Type.Results != nil {
		s.results = text(f.Type.Results) + " "
	}
	return s
}

func (s signature) head(name string) string {
	return "func " + s.receiver + name + s.types + "(" + s.params + ") " + s.results
}

func (s signature) call(name string) string {
	called := s.on + name + s.given + "(" + s.args + ")"
	if s.results == "" {
		return called + "; return"
	}
	return "return " + called
}

func sortedKeys(m map[int]change) []int { return slices.Sorted(maps.Keys(m)) }

// activate copies a program into a folder, once, and says beside it which change is active.
func activate(program, folder string, n int) (active string, err error) {
	active = filepath.Join(folder, filepath.Base(program))
	if _, err := os.Stat(active); err != nil {
		text, err := os.ReadFile(program)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(active, text, 0o700); err != nil {
			return "", err
		}
	}
	return active, os.WriteFile(filepath.Join(folder, "active"), []byte(strconv.Itoa(n)), 0o600)
}
