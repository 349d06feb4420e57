package main_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	module = "../../static/dist/playground.wasm.gz"
	script = "../../static/dist/worker.js"
	made   = "../../bin/wasm" // by tools/wasm
)

// budget is how large the module may be, in bytes as they travel.
const budget = 2_600_000

func TestTheModuleKeepsItsBudget(t *testing.T) {
	zipped, err := os.ReadFile(module)
	if err != nil {
		t.Fatalf("%v: run make wasm", err)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes of gzip, %d of WebAssembly, %d left", len(zipped), len(plain), budget-len(zipped))
	if len(zipped) > budget {
		t.Errorf("the module has %d bytes of gzip, and the budget is %d: see what was linked with go list -deps, as the next test does", len(zipped), budget)
	}
}

// heavy is what the module must not link, and where it would come from.
var heavy = map[string]string{
	"net":                            "a worker opens no connection",
	"crypto/tls":                     "a worker opens no connection",
	"text/template":                  "pages are templ components",
	"github.com/redis/":              "only redisexec speaks to a server",
	"github.com/gorilla/":            "only web speaks to a page",
	"github.com/goccy/go-yaml":       "lessons come as JSON",
	"github.com/yuin/goldmark":       "prose comes as HTML",
	"lockstep/lessons/decode":        "lessons come as JSON",
	"lockstep/luaexec/redisexec":     "only a server reaches a Redis",
	"crypto/internal/fips140/nistec": "nothing is signed",
}

func TestTheModuleLinksNothingHeavy(t *testing.T) {
	if _, err := os.Stat(made + "/overlay.json"); err != nil {
		t.Fatalf("%v: run make wasm", err)
	}
	list := exec.Command("go", "list", "-deps", "-overlay=bin/wasm/overlay.json", "-modfile=bin/wasm/go.mod", "./cmd/playground-wasm")
	list.Dir = "../.."
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	t.Logf("%d packages: %s", len(linked), strings.Join(linked, " "))
	if len(linked) < 50 {
		t.Fatal("go list forgot most of them")
	}
	for _, pkg := range linked {
		for name, why := range heavy {
			if pkg == name || strings.HasPrefix(pkg, strings.TrimSuffix(name, "/")+"/") && name != "net" {
				t.Errorf("the module links %s: %s", pkg, why)
			}
		}
	}
}
