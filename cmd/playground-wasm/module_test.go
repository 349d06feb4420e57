package main_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lockstep/static/built"
)

const (
	module       = "../../static/dist/playground.wasm.gz"
	authorModule = "../../static/dist/author.wasm.gz"
	script       = "../../static/dist/worker.js"
	made         = "../../bin/wasm" // by tools/wasm
)

// budget is how large a learner's module may be, in bytes as they travel, and
// authorBudget that of the Author view, which few load.
const (
	budget       = 3_560_000
	authorBudget = 4_505_000
)

func TestTheModulesKeepTheirBudgets(t *testing.T) {
	keeps(t, module, budget)
	keeps(t, authorModule, authorBudget)
}

func keeps(t *testing.T, module string, budget int) {
	t.Helper()
	zipped, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes of gzip, %d of WebAssembly, %d left", module, len(zipped), len(plain), budget-len(zipped))
	if len(zipped) > budget {
		t.Errorf("%s has %d bytes of gzip, and the budget is %d: see what was linked with go list -deps, as the next test does", module, len(zipped), budget)
	}
}

// heavy is what the module must not link, and where it would come from.
var heavy = map[string]string{
	"net":                            "a worker opens no connection",
	"crypto/tls":                     "a worker opens no connection",
	"text/template":                  "pages are templ components",
	"github.com/redis/":              "only node/redis/real speaks to a server",
	"github.com/go-sql-driver/":      "only node/sql/real speaks to a MariaDB",
	"github.com/gorilla/":            "only web speaks to a page",
	"github.com/goccy/go-yaml":       "lessons come as JSON",
	"github.com/yuin/goldmark":       "prose comes as HTML",
	"lockstep/lessons/decode":        "lessons come as JSON",
	"lockstep/node/redis/real":       "only a server reaches a Redis",
	"lockstep/node/sql/real":         "only a server starts a MariaDB",
	"lockstep/node/zookeeper/real":   "only a server starts a ZooKeeper",
	"crypto/internal/fips140/nistec": "nothing is signed",
}

// forAuthors is what only the module of the Author view links.
var forAuthors = []string{"github.com/goccy/go-yaml", "github.com/yuin/goldmark", "lockstep/lessons/decode"}

func TestTheModulesLinkNothingHeavy(t *testing.T) {
	learners, authors := linked(t), linked(t, "-tags=author")
	for name, why := range heavy {
		if pkg := links(learners, name); pkg != "" {
			t.Errorf("the module links %s: %s", pkg, why)
		}
		pkg := links(authors, name)
		if wanted := slices.Contains(forAuthors, name); wanted != (pkg != "") {
			t.Errorf("the module of the Author view links %q for %s", pkg, name)
		}
	}
}

// links is the package of that name, or below it, among those that are linked.
func links(linked []string, name string) string {
	for _, pkg := range linked {
		if pkg == name || strings.HasPrefix(pkg, strings.TrimSuffix(name, "/")+"/") && name != "net" {
			return pkg
		}
	}
	return ""
}

// linked are the packages of a module that is built with such flags.
func linked(t *testing.T, flags ...string) []string {
	t.Helper()
	if err := built.Need(module, authorModule); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"list", "-deps", "-overlay=bin/wasm/overlay.json", "-modfile=bin/wasm/go.mod"}, flags...)
	list := exec.CommandContext(t.Context(), "go", append(args, "./cmd/playground-wasm")...)
	list.Dir = "../.."
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := strings.Fields(string(out))
	t.Logf("%d packages: %s", len(all), strings.Join(all, " "))
	if len(all) < 50 {
		t.Fatal("go list forgot most of them")
	}
	return all
}
