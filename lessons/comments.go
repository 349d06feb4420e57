package lessons

import (
	_ "embed"
	"strings"
)

// EnglishComment is a comment of the documents' scripts in English, for the page to show; the
// scripts run as they are, and their SHA1 is theirs. It is false for all other comments.
func EnglishComment(comment string) (string, bool) {
	english, known := comments[comment]
	return english, known
}

//go:embed comments.txt
var commentLines string

var comments = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(commentLines) {
		if comment, english, is := strings.Cut(strings.TrimSuffix(line, "\n"), " → "); is {
			all[comment] = english
		}
	}
	return all
}()
