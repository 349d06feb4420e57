// Command bundle makes the client's JavaScript and CSS: static/src/main.js, editor.js,
// which the page loads when it is asked for, and style.css become minified files
// with source maps in static/dist, and so does worker.js together with the script
// that runs Go programs in a browser, which is the toolchain's own. sw.js is the
// service worker of sites without a server, retire.js the one that ends it.
//
//	go run -C tools ./bundle ../static
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bundle STATIC_DIR")
		os.Exit(2)
	}
	static, err := filepath.Abs(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle: go env GOROOT:", err)
		os.Exit(1)
	}
	page := options(static)
	page.EntryPoints = []string{"src/main.js", "src/editor.js", "src/style.css"}
	page.Format = api.FormatESModule
	worker := options(static)
	worker.EntryPoints = []string{"src/worker.js"}
	worker.Format = api.FormatIIFE // a module would keep browsers out that can do all else
	worker.Plugins = []api.Plugin{named("wasm_exec", filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec.js"))}
	offline := options(static)
	offline.EntryPoints = []string{"src/sw.js", "src/retire.js"} // each site puts a line before its own, so a map would not fit
	offline.Sourcemap = api.SourceMapNone
	for _, o := range []api.BuildOptions{page, worker, offline} {
		if err := bundle(o); err != nil {
			fmt.Fprintln(os.Stderr, "bundle:", err)
			os.Exit(1)
		}
	}
}

// named makes a file importable by a name, which is all that source maps have of it: they are the same in whatever
// folder they are made.
func named(name, file string) api.Plugin {
	only := "^" + name + "$"
	return api.Plugin{Name: name, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: only}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: name, Namespace: "go"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: only, Namespace: "go"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			contents, err := os.ReadFile(file)
			text := string(contents)
			return api.OnLoadResult{Contents: &text}, err
		})
	}}
}

// bundle leaves files alone that are as they should be: Go's test cache goes by their times.
func bundle(o api.BuildOptions) error {
	made := api.Build(o)
	if len(made.Errors) > 0 {
		return errors.New("esbuild has printed the errors, each with its line")
	}
	for _, file := range made.OutputFiles {
		if old, err := os.ReadFile(file.Path); err == nil && bytes.Equal(old, file.Contents) {
			continue
		}
		if err := os.WriteFile(file.Path, file.Contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func options(static string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir: static,
		Outdir:        "dist",
		Bundle:        true,
		Platform:      api.PlatformBrowser,
		Target:        api.ES2022,

		MinifyIdentifiers: true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		LegalComments:     api.LegalCommentsEndOfFile,
		Loader:            map[string]api.Loader{".woff2": api.LoaderFile},
		AssetNames:        "[name]-[hash]",
		Sourcemap:         api.SourceMapLinked,
		LogLevel:          api.LogLevelWarning,
	}
}
