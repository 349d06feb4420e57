package lessons

import "embed"

// FS holds the lessons that come with the program: a folder for each, and the
// lock clients that they share.
//
//go:embed */lesson.yaml */*.lua
var FS embed.FS
