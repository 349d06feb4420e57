// Package lockstep_test holds what must be true of the repository as a whole.
package lockstep_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "lockstep/"

// testsMayImport is what any package's tests may use besides: the suite, real
// lessons, and those that are being written, a real server, an embedded one, programs of clients, and the engine's
// values to stand in for a node.
var testsMayImport = []string{"engine", "engine/reply", "luaexec", "lessons/client", "node/redis/conversations", "lessons", "lessons/decode", "lessons/author", "node/redis/real", "lessons/serverstest", "static/built", "node/sql/conversations", "node/zookeeper/conversations"}

// deterministic packages answer the same on every run and every machine. They start
// no goroutine, so their tests run on one processor and without the race detector.
var deterministic = []string{
	"engine/fact", "engine/quota", "engine/reply", "engine", "node/redis/blocking", "node/redis/cluster", "node/redis/keyspace", "luaexec/libm", "luaexec/luaprobe", "luaexec/syntax", "node/redis/portable", "luaexec", "lessons/client", "node/sql", "node/zookeeper",
	"lessons", "lessons/highlight", "lessons/decode", "lessons/author", "recording", "web/ui", "web/player",
}

// rule is a row of the tables in docs/ARCHITECTURE.md: a package and what it may
// import of this module, or a dependency and what may link it.
type rule struct {
	of    []string
	names []string
	why   string
}

// rulesOf reads the table of docs/ARCHITECTURE.md that has this first column.
func rulesOf(t *testing.T, column string) []rule {
	t.Helper()
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| "+column+" |")
	var rules []rule
	for _, line := range strings.Split(table, "\n")[1:] {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "|") {
			break
		}
		if len(cells) == 3 {
			rules = append(rules, rule{
				of:    strings.Split(strings.TrimPrefix(cells[0], "| "), ", "),
				names: strings.Split(cells[1], ", "),
				why:   strings.TrimSuffix(cells[2], " |"),
			})
		}
	}
	if len(rules) == 0 {
		t.Fatalf("docs/ARCHITECTURE.md has no table with the first column %q", column)
	}
	return rules
}

func TestEveryPackageImportsOnlyWhatItMay(t *testing.T) {
	packages, dependencies := rulesOf(t, "package"), rulesOf(t, "dependency")
	for _, f := range goFiles(t) {
		for _, spec := range f.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			broken := ""
			if own, inModule := strings.CutPrefix(imported, module); inModule {
				broken = f.mayNotImport(own, packages)
			} else {
				broken = f.mayNotLink(imported, dependencies)
			}
			if broken != "" {
				t.Errorf("%s: %s imports %q: %s", f.at(spec), f.pkg, imported, broken)
			}
		}
	}
}

// mayNotImport says why a file may not import a package of this module, or nothing.
func (f goFile) mayNotImport(own string, rules []rule) string {
	if own == f.pkg || f.test && slices.Contains(testsMayImport, own) {
		return ""
	}
	for _, r := range rules {
		if !slices.ContainsFunc(r.of, func(pkg string) bool { return f.pkg == pkg || strings.HasPrefix(f.pkg, pkg+"/testdata/") }) {
			continue
		}
		if slices.Contains(r.names, own) || slices.Contains(r.names, "everything") {
			return ""
		}
		return fmt.Sprintf("of this module it may import %s, because %s", strings.Join(r.names, ", "), r.why)
	}
	return "the package has no row in docs/ARCHITECTURE.md: add one, with its reason"
}

// mayNotLink says why a file may not import a dependency, or nothing.
func (f goFile) mayNotLink(imported string, rules []rule) string {
	for _, r := range rules {
		covers := imported == r.of[0] || strings.HasPrefix(imported, r.of[0]+"/")
		if covers && !f.test && !slices.Contains(r.names, f.pkg) {
			return fmt.Sprintf("tests aside it may be linked by %s, because %s", strings.Join(r.names, ", "), r.why)
		}
	}
	return ""
}

func TestTheTableOfImportsNamesOnlyPackagesThatExist(t *testing.T) {
	exists := map[string]bool{"nothing": true, "everything": true}
	for _, f := range goFiles(t) {
		exists[f.pkg] = true
	}
	for _, r := range rulesOf(t, "package") {
		for _, name := range slices.Concat(r.of, r.names) {
			if !exists[name] {
				t.Errorf("docs/ARCHITECTURE.md names the package %s, which has no Go file", name)
			}
		}
	}
}

func TestDeterministicPackagesStartNoGoroutine(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || !slices.Contains(deterministic, f.pkg) {
			continue
		}
		for _, n := range slices.Concat(f.goroutines(), f.selects()) {
			t.Errorf("%s: a goroutine or a select in %s: which one goes first is chance, and two replays would differ", f.at(n), f.pkg)
		}
	}
}

// The Makefile names the packages that the race detector watches, and all others run
// on one processor.
func TestTheRaceDetectorWatchesAllGoroutines(t *testing.T) {
	var concurrent []string
	for _, f := range goFiles(t) {
		ours := f.pkg != "tools" && !strings.HasPrefix(f.pkg, "tools/")
		if ours && !f.test && len(f.goroutines()) > 0 && !slices.Contains(concurrent, "./"+f.pkg) {
			concurrent = append(concurrent, "./"+f.pkg)
		}
	}
	slices.Sort(concurrent)
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	want := "\nCONCURRENT := " + strings.Join(concurrent, " ") + "\n"
	if !strings.Contains(string(text), want) {
		t.Errorf("the Makefile has to say, of the packages that start goroutines:%s", want)
	}
}

// The linter keeps the clock and chance out of the deterministic packages.
func TestTheLinterKnowsWhatIsDeterministic(t *testing.T) {
	text, err := os.ReadFile(".golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`(?m)^ *- path-except: (.*)\n *linters: \[forbidigo\]$`).FindSubmatch(text)
	if rule == nil {
		t.Fatal(".golangci.yml has no path-except for forbidigo")
	}
	covers := regexp.MustCompile(string(rule[1]))
	for _, f := range goFiles(t) {
		if want := slices.Contains(deterministic, f.pkg); covers.MatchString(f.name) != want {
			t.Errorf("%s: in .golangci.yml the deterministic packages are %s", f.name, rule[1])
		}
	}
}

func TestEveryPackageSaysOnceWhatItIs(t *testing.T) {
	comments := map[string][]string{}
	onlyTests := map[string]bool{}
	for _, f := range goFiles(t) {
		if _, seen := onlyTests[f.pkg]; !seen {
			onlyTests[f.pkg] = true
		}
		onlyTests[f.pkg] = onlyTests[f.pkg] && f.test
		// templ puts its version where a package comment stands.
		if f.syntax.Doc.Text() != "" && !strings.HasSuffix(f.name, "_templ.go") {
			comments[f.pkg] = append(comments[f.pkg], f.name)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(onlyTests)) {
		if n := len(comments[pkg]); n > 1 || n == 0 && !onlyTests[pkg] {
			t.Errorf("package %s has %d package comments %v: write one, one sentence that says what it is", pkg, n, comments[pkg])
		}
	}
}

func TestEveryNameSaysWhatIsInside(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "manager", "managers", "misc"}
	for _, name := range repositoryFiles(t) {
		words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("/_-.", r) })
		for _, word := range words {
			if slices.Contains(empty, strings.ToLower(word)) {
				t.Errorf("%s: %q says nothing about what is inside: name it after that", name, word)
			}
		}
	}
}

func TestNoFileNamesAPackageRegistry(t *testing.T) {
	// In halves, so that this file passes too.
	hosts := []string{
		"npmjs" + ".org", "npmjs" + ".com", "npm" + "mirror.com", "yarnpkg" + ".com", "unpkg" + ".com", "jsdelivr" + ".net", "esm" + ".sh",
		"proxy.golang" + ".org", "sum.golang" + ".org", "goproxy" + ".",
		"deb.debian" + ".org", "security.debian" + ".org", "snapshot.debian" + ".org", "ftp.debian" + ".org", "archive.debian" + ".org",
		"/debian" + "-security", "archive.ubuntu" + ".com", "deb.nodesource" + ".com", "packages.redis" + ".io",
	}
	for _, name := range repositoryFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, host := range hosts {
				if strings.Contains(line, host) {
					t.Errorf("%s:%d: names %s: where packages come from is the machine's own setting", name, i+1, host)
				}
			}
		}
	}
}

// goFile is one parsed file of this module or of tools.
type goFile struct {
	name   string
	pkg    string // its folder; "." is the root
	test   bool
	syntax *ast.File
	files  *token.FileSet
}

// goroutines are the places where the file starts one.
func (f goFile) goroutines() []ast.Node {
	return f.all(func(n ast.Node) bool {
		if call, ok := n.(*ast.SelectorExpr); ok {
			return call.Sel.Name == "Go" // of a sync.WaitGroup
		}
		_, ok := n.(*ast.GoStmt)
		return ok
	})
}

// selects are the places where the file waits for several goroutines.
func (f goFile) selects() []ast.Node {
	return f.all(func(n ast.Node) bool {
		_, ok := n.(*ast.SelectStmt)
		return ok
	})
}

// all are the file's nodes of a kind.
func (f goFile) all(is func(ast.Node) bool) (found []ast.Node) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n != nil && is(n) {
			found = append(found, n)
		}
		return true
	})
	return found
}

func (f goFile) at(n ast.Node) string { return f.files.Position(n.Pos()).String() }

// goFiles parses the repository's Go files itself: what go list says can come from
// a cache, and a file that is opened here also makes go test run this again.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	set := token.NewFileSet()
	var all []goFile
	for _, name := range repositoryFiles(t) {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			continue
		}
		syntax, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, goFile{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), syntax, set})
	}
	return all
}

// repositoryFiles lists what is written by hand or committed, with slashes.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	notOurs := []string{".git", ".cache", "bin", "node_modules", "static/dist"}
	var names []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case entry.IsDir() && (slices.Contains(notOurs, name) || slices.Contains(notOurs, entry.Name())):
			return fs.SkipDir
		case entry.Type().IsRegular() && path.Ext(name) != ".test" && path.Ext(name) != ".prof":
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
