// Package static holds the built client: what tools/bundle made of src.
package static

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist is the client's files: main.js, style.css and their source maps. Before
// the first build it holds none of them.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("static: dist is not embedded: " + err.Error()) // the directive above makes it so
	}
	return sub
}
