// Command bundle makes the client's JavaScript and CSS: static/src/main.js, editor.js,
// which the page loads when it is asked for, and style.css become minified files
// with source maps in static/dist.
//
//	go run -C tools ./bundle ../static
package main

import (
	"fmt"
	"os"
	"path/filepath"

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
	result := api.Build(options(static))
	// esbuild has printed the errors, each with its line.
	if len(result.Errors) > 0 {
		os.Exit(1)
	}
}

func options(static string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir: static,
		EntryPoints:   []string{"src/main.js", "src/editor.js", "src/style.css"},
		Outdir:        "dist",
		Write:         true,
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformBrowser,
		Target:        api.ES2022,

		MinifyIdentifiers: true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		LegalComments:     api.LegalCommentsEndOfFile,
		Sourcemap:         api.SourceMapLinked,
		LogLevel:          api.LogLevelWarning,
	}
}
