// Package lockstep_test holds what must be true of the repository as a whole.
package lockstep_test

import (
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

// deterministic tells whether a package answers the same on every run and every machine: each of
// these folders that is no exception. They start no goroutine, so their tests run on one processor
// and without the race detector.
func deterministic(pkg string) bool {
	return within(pkg, []string{"engine", "luaexec", "node", "recording", "lessons", "web/ui", "web/player"}) && path.Base(pkg) != "real" &&
		!slices.Contains([]string{"node/beside", "node/conversation", "node/process", "node/redis/conversations", "node/redis/port", "node/sample"}, pkg)
}

// rule is a row of a table in docs/ARCHITECTURE.md: folders or modules, those that they are
// allowed to import, or to be imported by, and the reason.
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

// within tells whether a package is in one of these folders or modules, at any depth.
func within(pkg string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") })
}

// TestImportsRunDownwards: tests aside, a folder imports its own packages and those of the
// floors that its row names, and what has a door is imported by those whom its row names.
func TestImportsRunDownwards(t *testing.T) {
	floors, doors := rulesOf(t, "folder"), rulesOf(t, "behind a door")
	for _, f := range goFiles(t) {
		if f.test || within(f.pkg, []string{"tools"}) {
			continue
		}
		floor := slices.IndexFunc(floors, func(r rule) bool { return within(f.pkg, r.of) })
		if floor < 0 {
			t.Errorf("%s: no floor of docs/ARCHITECTURE.md has the folder %s", f.name, f.pkg)
			continue
		}
		for _, spec := range f.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			own, inModule := strings.CutPrefix(imported, module)
			if r := floors[floor]; inModule && !within(own, slices.Concat(r.of, r.names)) {
				t.Errorf("%s: %s is not on the floors that %s stands on (%s), because %s", f.at(spec), own, f.pkg, strings.Join(r.names, ", "), r.why)
			}
			for _, r := range doors {
				if within(own, r.of) && !within(f.pkg, slices.Concat(r.of, r.names)) {
					t.Errorf("%s: %s may be imported by %s, because %s", f.at(spec), own, strings.Join(r.names, ", "), r.why)
				}
			}
		}
	}
}

func TestTheTablesOfImportsNameOnlyWhatExists(t *testing.T) {
	exists := func(name string) bool {
		_, err := os.Stat(name)
		return err == nil || name == "nothing" || strings.Contains(name, ".")
	}
	for _, r := range slices.Concat(rulesOf(t, "folder"), rulesOf(t, "behind a door")) {
		for _, name := range slices.Concat(r.of, r.names) {
			if !exists(name) {
				t.Errorf("docs/ARCHITECTURE.md names %s, which is not there", name)
			}
		}
	}
}

// Whoever requires this module to test a lock keeps the version of the lock's library that they have.
func TestThisModuleRequiresNoLockLibrary(t *testing.T) {
	ours, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("redistest/locks/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	libraries := 0
	for _, direct := range regexp.MustCompile(`(?m)^\t(github\S+ )v\S+$`).FindAllStringSubmatch(string(tests), -1) {
		if name := direct[1]; name != "github.com/redis/go-redis/v9 " {
			libraries++
			if strings.Contains(string(ours), name) {
				t.Errorf("go.mod requires %s: its tests belong into redistest/locks", name)
			}
		}
	}
	if libraries < 2 {
		t.Errorf("redistest/locks requires %d lock libraries", libraries)
	}
}

func TestDeterministicPackagesStartNoGoroutine(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || !deterministic(f.pkg) {
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
		if want := deterministic(f.pkg); covers.MatchString(f.name) != want {
			t.Errorf("%s: deterministic is %t, and in .golangci.yml the deterministic packages are %s", f.name, want, rule[1])
		}
	}
}

func TestContributorsAreToldOfEveryTarget(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllSubmatch(makefile, -1) {
		if !strings.Contains(string(text), "`"+string(target[1])+"`") {
			t.Errorf("CONTRIBUTING.md does not tell what make %s proves", target[1])
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
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") || strings.HasPrefix(name, "redistest/found/") {
			continue // redistest/found is a module of its own, which nothing here can import
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
	notOurs := []string{".git", ".cache", "bin", "dist", "site", "static/dist"}
	var names []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case entry.IsDir() && (slices.Contains(notOurs, name) || entry.Name() == "node_modules"):
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
