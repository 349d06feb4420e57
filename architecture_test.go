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

// imports is the direction of imports between this module's packages. Every
// package but the commands has a row; engine/reply is a leaf that all may import.
var imports = []struct {
	pkg string
	may []string
	why string
}{
	{"engine/reply", nil, "a reply is a plain value that every layer passes on"},
	{"engine/quota", nil, "it counts bytes, whosever they are"},
	{"engine", nil, "the engine never sees Lua or Redis: they are behind engine.Node"},
	{"luaexec/keyspace", nil, "the data knows neither scripts nor actors"},
	{"luaexec/luaprobe", nil, "it makes text of text, for engines of any kind to run"},
	{"luaexec/syntax", nil, "it knows a source and nothing that runs it"},
	{"luaexec/libm", nil, "it computes numbers of numbers"},
	{"luaexec/portable", []string{"engine", "luaexec/keyspace", "luaexec/syntax"}, "it says what a lesson may ask of any node"},
	{"luaexec", []string{"engine", "luaexec/keyspace", "luaexec/libm", "luaexec/luaprobe", "luaexec/portable", "luaexec/syntax"}, "luaexec never sees a lesson: it implements engine.Node over a keyspace"},
	{"luaexec/luaexectest", []string{"engine", "luaexec", "luaexec/keyspace"}, "the contract suite knows nodes by engine.Node alone, so that it treats all alike"},
	{"luaexec/client", []string{"engine", "luaexec", "luaexec/keyspace"}, "a client is an actor on any node, of any lesson"},
	{"luaexec/redisexec", []string{"engine", "luaexec", "luaexec/keyspace", "luaexec/portable"}, "a real server is one more engine.Node"},
	{"luaexec/resp", []string{"engine", "luaexec", "luaexec/keyspace"}, "the port carries commands and replies, and knows no lesson"},
	{"lessons", []string{"engine", "luaexec", "luaexec/client"}, "a lesson is data that runs on any node: it knows no page and no real server"},
	{"lessons/highlight", nil, "it makes text of text, for pages and for prose"},
	{"lessons/decode", []string{"lessons", "lessons/highlight", "engine", "luaexec", "luaexec/portable"}, "decoding makes a lessons.Lesson and no more"},
	{"lessons/author", []string{"lessons", "lessons/decode"}, "it reads what is typed, and no page"},
	{"web/ui", []string{"engine", "luaexec", "lessons", "lessons/highlight"}, "components draw values: they decode and run nothing"},
	{"web/player", []string{"engine", "engine/quota", "luaexec", "lessons", "web/ui"}, "a session is a state machine without I/O, so that it also runs in a browser's worker"},
	{"web/site", []string{"lessons", "lessons/author", "web/player", "web/ui", "static"}, "it draws what web serves, and writes it down"},
	{"web/browsertest", []string{"lessons", "web/player"}, "it knows the pages, and a player to compare theirs with"},
	{"static", nil, "files only"},
	{"web", []string{"engine/quota", "lessons", "web/player", "web/ui", "static"}, "an address names a lesson and a language; of commands and frames the server carries the bytes and looks into neither"},
}

// testsMayImport is what any package's tests may use besides: the suite, real
// lessons, and those that are being written, a real server, an embedded one, and the engine's values to stand in for
// a node.
var testsMayImport = []string{"engine", "luaexec", "luaexec/luaexectest", "lessons/decode", "lessons/author", "luaexec/redisexec"}

// thirdParty says which packages may link a dependency, tests aside. No packages
// means that it is for tests alone.
var thirdParty = []struct {
	path string
	only []string
	why  string
}{
	{"github.com/yuin/gopher-lua", []string{"luaexec", "luaexec/client", "luaexec/portable", "lessons"}, "the engine and the page never see Lua"},
	{"github.com/redis/go-redis", []string{"luaexec/redisexec"}, "only redisexec speaks to a real server, and the browser build carries no network client"},
	{"golang.org/x/sys", []string{"luaexec/redisexec"}, "only the servers that it starts are other processes, which have to be held in bounds"},
	{"github.com/gorilla/websocket", []string{"web"}, "only web does I/O with the page, and the browser build carries no network client"},
	{"github.com/goccy/go-yaml", []string{"lessons/decode"}, "everybody else takes a decoded lesson, and the browser build carries no parser"},
	{"github.com/yuin/goldmark", []string{"lessons/decode"}, "everybody else takes a decoded lesson, and the browser build carries no parser"},
	{"github.com/go-redsync/redsync", nil, "it is a lock client that tests run against the embedded Redis"},
	{"github.com/bsm/redislock", nil, "it is a lock client that tests run against the embedded Redis"},
	{"github.com/chromedp", nil, "it drives a browser for tests"},
	{"github.com/alicebob/miniredis", nil, "it is here to be compared with"},
	{"github.com/santhosh-tekuri/jsonschema", nil, "it reads the schema of lessons as editors do, for tests"},
	{"github.com/rogpeppe/go-internal", nil, "it runs command-line scripts for tests"},
	{"github.com/google/go-cmp", nil, "it panics on what it cannot compare, which only a test can afford"},
}

// deterministic packages answer the same on every run and every machine. They start
// no goroutine, so their tests run on one processor and without the race detector.
var deterministic = []string{
	"engine/reply", "engine/quota", "engine", "luaexec/keyspace", "luaexec/libm", "luaexec/luaprobe", "luaexec/syntax", "luaexec/portable", "luaexec", "luaexec/client",
	"lessons", "lessons/highlight", "lessons/decode", "lessons/author", "web/ui", "web/player",
}

func TestEveryPackageImportsOnlyWhatItMay(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, spec := range f.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			broken := brokenRule(f, imported)
			if broken != "" {
				t.Errorf("%s: %s imports %q: %s", f.at(spec), f.pkg, imported, broken)
			}
		}
	}
}

// brokenRule is the rule that an import breaks, or nothing.
func brokenRule(f goFile, imported string) string {
	own, inModule := strings.CutPrefix(imported, module)
	if !inModule {
		return brokenThirdPartyRule(f, imported)
	}
	if strings.HasPrefix(f.pkg, "cmd/") || own == f.pkg || own == "engine/reply" {
		return ""
	}
	if f.test && slices.Contains(testsMayImport, own) {
		return ""
	}
	for _, row := range imports {
		if row.pkg != f.pkg {
			continue
		}
		if slices.Contains(row.may, own) {
			return ""
		}
		return fmt.Sprintf("of this module it may import [%s], because %s", strings.Join(row.may, " "), row.why)
	}
	return "the package has no row in the table of imports: add one, with its reason, here and to docs/ARCHITECTURE.md"
}

func brokenThirdPartyRule(f goFile, imported string) string {
	for _, rule := range thirdParty {
		covers := imported == rule.path || strings.HasPrefix(imported, rule.path+"/")
		if !covers || f.test || slices.Contains(rule.only, f.pkg) {
			continue
		}
		if len(rule.only) == 0 {
			return "only _test.go files may, because " + rule.why
		}
		return fmt.Sprintf("only [%s] may, because %s", strings.Join(rule.only, " "), rule.why)
	}
	return ""
}

func TestTheTableOfImportsNamesOnlyPackagesThatExist(t *testing.T) {
	exists := map[string]bool{}
	for _, f := range goFiles(t) {
		exists[f.pkg] = true
	}
	for _, row := range imports {
		if !exists[row.pkg] {
			t.Errorf("the table of imports has a row for %s, which has no Go file", row.pkg)
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
	notOurs := []string{".git", ".cache", "bin", "static/node_modules", "static/dist"}
	var names []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case entry.IsDir() && slices.Contains(notOurs, name):
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
