package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// sources are the files in which the types are, and wanted those to declare. Every type that
// one of them names must be wanted, too.
var (
	sources = []string{"web/player/protocol.go", "web/player/kept.go", "lessons/part.go", "lessons/lesson.go", "lessons/problem.go"}
	wanted  = []string{"Op", "Command", "Place", "Message", "Hello", "Frame", "Frag", "KeptTimeline", "KeptAnswer", "Reply", "Error", "Code", "PartText", "Problem", "Lang", "Severity", "File"}
	// taken are wanted types whose name two packages have, with the package that is meant.
	taken = map[string]string{"Problem": "player", "Place": "player"}
)

// plain are the types of Go that JSON has its own names for. What engines there are the list of kinds
// of nodes says.
var plain = map[string]string{"string": "string", "EngineKind": "string", "bool": "boolean", "int": "number", "int64": "number", "float64": "number"}

// reader collects type declarations and typed constants.
type reader struct {
	types  map[string]*ast.TypeSpec
	values map[string][]string // of typed string constants, quoted, by type
}

// declarations is the text of the file.
func declarations(repository string) (string, error) {
	r := reader{types: map[string]*ast.TypeSpec{}, values: map[string][]string{}}
	for _, name := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		r.read(file)
	}
	var b strings.Builder
	b.WriteString("// Made by tools/protocol of the Go types of the same names: make generate.\n")
	for _, name := range wanted {
		text, err := r.declare(name)
		if err != nil {
			return "", err
		}
		b.WriteString("\n" + text)
	}
	return b.String(), nil
}

func (r *reader) read(file *ast.File) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if only, is := taken[s.Name.Name]; !is || only == file.Name.Name {
					r.types[s.Name.Name] = s
				}
			case *ast.ValueSpec:
				r.constants(s)
			}
		}
	}
}

func (r *reader) constants(s *ast.ValueSpec) {
	of, ok := s.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, v := range s.Values {
		if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			r.values[of.Name] = append(r.values[of.Name], lit.Value)
		}
	}
}

// declare is one type: an interface, or the strings that a name may be.
func (r *reader) declare(name string) (string, error) {
	spec, ok := r.types[name]
	if !ok {
		return "", fmt.Errorf("%s is not in %s", name, strings.Join(sources, ", "))
	}
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		if len(r.values[name]) == 0 {
			return "", fmt.Errorf("%s has no constants", name)
		}
		return fmt.Sprintf("export type %s = %s;\n", name, strings.ReplaceAll(strings.Join(r.values[name], " | "), `"`, "'")), nil
	}
	head, body := "export interface "+name, ""
	var parents []string
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 { // its fields are among those of the message
			if maybe, is := f.Type.(*ast.StarExpr); is {
				parents = append(parents, "Partial<"+maybe.X.(*ast.Ident).Name+">")
			} else {
				parents = append(parents, f.Type.(*ast.Ident).Name)
			}
			continue
		}
		line, err := r.field(f)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		body += line
	}
	if len(parents) > 0 {
		head += " extends " + strings.Join(parents, ", ")
	}
	return head + " {\n" + body + "}\n", nil
}

func (r *reader) field(f *ast.Field) (string, error) {
	tag := ""
	if f.Tag != nil {
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return "", err
		}
		tag = reflect.StructTag(text).Get("json")
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" {
		return "", fmt.Errorf("%s has no name in JSON", f.Names[0].Name)
	}
	if options == "omitempty" || options == "omitzero" {
		name += "?"
	}
	is, err := r.typeOf(f.Type)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Names[0].Name, err)
	}
	return fmt.Sprintf("  %s: %s;\n", name, is), nil
}

func (r *reader) typeOf(e ast.Expr) (string, error) {
	switch t := e.(type) {
	case *ast.StarExpr:
		return r.typeOf(t.X)
	case *ast.ArrayType:
		of, err := r.typeOf(t.Elt)
		return of + "[]", err
	case *ast.SelectorExpr:
		return r.typeOf(t.Sel)
	case *ast.Ident:
		if is, ok := plain[t.Name]; ok {
			return is, nil
		}
		if slices.Contains(wanted, t.Name) {
			return t.Name, nil
		}
		return "", fmt.Errorf("the type %s is not among those that are declared", t.Name)
	}
	return "", fmt.Errorf("JSON has nothing for %T", e)
}
