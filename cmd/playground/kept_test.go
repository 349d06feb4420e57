package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// What stays is promised in CHANGELOG.md. The files in testdata/kept were made by earlier versions, and are not
// changed when the program is: when one of these tests fails, somebody's lesson, link or test has broken.

// Lessons that an earlier version wrote hold in this one.
func TestLessonsOfEarlierVersionsHold(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	if code := start(t.Context(), terminal{&out, &err}, []string{"check", "testdata/kept/lessons"}); code != exitOK {
		t.Errorf("exit code %d\n%s%s", code, &out, &err)
	}
}

// toldAnew are lessons with other actors than they had. A link with moves opens them, and says that it is of another version.
var toldAnew = []string{"fair-lock"}

// Links that an earlier version gave lead on: all their moves are possible, where a lesson still has its actors.
func TestLinksOfEarlierVersionsPlay(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/kept/links.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		lesson, schedule, _ := strings.Cut(strings.TrimSpace(line), " ")
		t.Run(lesson+" "+schedule, func(t *testing.T) {
			t.Parallel()
			var out, err bytes.Buffer
			code := start(t.Context(), terminal{&out, &err}, []string{"run", lesson, "--schedule", schedule})
			if slices.Contains(toldAnew, lesson) {
				if !strings.Contains(err.String(), "for another version of the lesson") {
					t.Errorf("exit code %d, and it does not say why\n%s", code, &err)
				}
			} else if code != exitOK {
				t.Errorf("exit code %d\n%s", code, &err)
			}
		})
	}
}

// What redistest exports is what was written down, and more: lines are only added.
func TestRedistestExportsWhatItDid(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/kept/redistest.txt")
	if err != nil {
		t.Fatal(err)
	}
	now := exports(t, "../../redistest")
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(now, line) {
			t.Errorf("redistest exports no more: %s", line)
		}
	}
}

// exports is what a package exports, a line each: functions, methods, types, and the fields of structs.
func exports(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	files := token.NewFileSet()
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, folder+"/"+e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(f)
		for _, d := range f.Decls {
			all = append(all, exported(t, d)...)
		}
	}
	return strings.Join(all, "")
}

// exported are the parts of a declaration that can be used by themselves.
func exported(t *testing.T, d ast.Decl) []string {
	t.Helper()
	if fn, is := d.(*ast.FuncDecl); is {
		fn.Body = nil
		if fn.Recv != nil && !ast.IsExported(strings.TrimPrefix(source(t, fn.Recv.List[0].Type), "*")) {
			return nil
		}
		return []string{source(t, d) + "\n"}
	}
	var all []string
	for _, s := range d.(*ast.GenDecl).Specs {
		typ, is := s.(*ast.TypeSpec)
		if !is {
			all = append(all, source(t, s)+"\n")
			continue
		}
		fields, is := typ.Type.(*ast.StructType)
		if !is {
			all = append(all, "type "+source(t, typ)+"\n")
			continue
		}
		all = append(all, "type "+typ.Name.Name+"\n")
		for _, f := range fields.Fields.List {
			for _, name := range f.Names {
				all = append(all, typ.Name.Name+"."+name.Name+" "+source(t, f.Type)+"\n")
			}
		}
	}
	return all
}

// source is a part of a program on one line.
func source(t *testing.T, n ast.Node) string {
	t.Helper()
	var text bytes.Buffer
	if err := format.Node(&text, token.NewFileSet(), n); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
