//go:build !js || author

package fact

import _ "embed"

//go:embed words_lessons.txt
var ofLessons string

//go:embed words_drafts.txt
var ofDrafts string

func init() {
	read(ofLessons)
	read(ofDrafts)
}
