package redistest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// What go doc shows is used in an example that is named for it or for its type.
func TestWhatIsExportedHasAnExample(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(set, files, "lockstep/redistest")
	if err != nil || len(pkg.Types) == 0 {
		t.Fatal(err)
	}
	for _, f := range pkg.Funcs {
		isUsed(t, f.Examples, f.Name)
	}
	for _, is := range pkg.Types {
		examples := is.Examples
		for _, m := range is.Methods {
			examples = append(examples, m.Examples...)
		}
		for _, f := range slices.Concat(is.Methods, is.Funcs) {
			isUsed(t, append(f.Examples, examples...), f.Name)
		}
		isUsed(t, examples, exportedBy(is)...)
	}
}

// exportedBy are the names of a type, of its fields and of its constants.
func exportedBy(is *doc.Type) (names []string) {
	for _, c := range is.Consts {
		names = append(names, c.Names...)
	}
	ast.Inspect(is.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
		case *ast.Field:
			for _, name := range n.Names {
				names = append(names, name.Name)
			}
		}
		return true
	})
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}

func isUsed(t *testing.T, in []*doc.Example, names ...string) {
	t.Helper()
	used := map[string]bool{}
	for _, e := range in {
		ast.Inspect(e.Code, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	for _, name := range names {
		if !used[name] {
			t.Errorf("no example uses %s", name)
		}
	}
}
