package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// stubs are packages of the standard library that are linked for a few names: each
// is replaced by the folder of that name in tools/wasm/stub, which has these names
// and no others.
var stubs = map[string]string{
	"net/http":      "http",
	"html/template": "template",
	"html":          "html",
}

const lua = "github.com/yuin/gopher-lua"

// replace writes what the build is to use instead: an overlay for packages of the
// standard library, and a go.mod that names a gopher-lua without its libraries for
// files, processes and channels, which scripts here never get.
func replace(root, dir string) error {
	goroot, err := goSays(root, "env", "GOROOT")
	if err != nil {
		return err
	}
	files := map[string]string{}
	for pkg, stub := range stubs {
		folder := filepath.Join(goroot, "src", filepath.FromSlash(pkg))
		own, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(own) == 0 {
			return errors.Join(err, fmt.Errorf("%s is not in %s", pkg, folder))
		}
		for _, name := range own {
			files[name] = "" // as if it were not there
		}
		files[filepath.Join(folder, "stub.go")] = filepath.Join(root, "tools", "wasm", "stub", stub, stub+".go")
	}
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "overlay.json"), overlay); err != nil {
		return err
	}
	if err := smallLua(root, filepath.Join(dir, "gopher-lua")); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	from, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	// The module says what it was made from: with a whole path it would be another one in each folder.
	mod = fmt.Appendf(mod, "\nreplace %s => ./%s/gopher-lua\n", lua, filepath.ToSlash(from))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return errors.Join(write(filepath.Join(dir, "go.mod"), mod), write(filepath.Join(dir, "go.sum"), sum))
}

// libraries is the list that makes all of gopher-lua's libraries part of every
// program that uses it.
var libraries = regexp.MustCompile(`(?s)var luaLibs = \[\]luaLib\{.*?\n\}`)

// smallLua copies gopher-lua with a list that is empty.
func smallLua(root, to string) error {
	from, err := sourceOf(root, lua)
	if err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		return err
	}
	for _, sub := range []string{"ast", "parse", "pm"} {
		more, err := filepath.Glob(filepath.Join(from, sub, "*.go"))
		if err != nil {
			return err
		}
		names = append(names, more...)
	}
	found := false
	for _, name := range names {
		base := filepath.Base(name)
		if base != "go.mod" && (filepath.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go")) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if base == "linit.go" {
			found = libraries.Match(text)
			text = libraries.ReplaceAll(text, []byte("var luaLibs []luaLib"))
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(to, rel), text); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s has no list of libraries in linit.go any more: see what replaced it", lua)
	}
	return nil
}

// sourceOf is the folder of a module, downloaded when the module cache lacks it: on
// a fresh machine nothing else has asked for it yet.
func sourceOf(root, module string) (string, error) {
	said, err := goSays(root, "mod", "download", "-json", module)
	if err != nil {
		return "", err
	}
	var downloaded struct{ Dir, Error string }
	if err := json.Unmarshal([]byte(said), &downloaded); err != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	if downloaded.Dir == "" {
		return "", fmt.Errorf("go mod download %s: %s", module, downloaded.Error)
	}
	return downloaded.Dir, nil
}

func goSays(root string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// write leaves a file alone that is as it should be, so that nothing is built again.
func write(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == string(text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
