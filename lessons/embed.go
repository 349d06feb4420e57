package lessons

import "embed"

// FS holds the lessons that come with the program: a folder for each, and the
// lock clients and their scripts, which they share.
//
//go:embed */lesson.yaml */*.lua clients/*/*.lua
var FS embed.FS
