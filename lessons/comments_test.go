package lessons_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"lockstep/lessons"
)

var chineseComment = regexp.MustCompile(`--[^\n]*\p{Han}[^\n]*`)

// Who reads no Chinese can read the documents' scripts.
func TestCommentsOfScriptsAreThereInEnglish(t *testing.T) {
	seen := 0
	err := fs.WalkDir(lessons.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".lua") {
			return err
		}
		text, err := fs.ReadFile(lessons.FS, path)
		for _, comment := range chineseComment.FindAllString(string(text), -1) {
			seen++
			if english, known := lessons.EnglishComment(comment); !known || !strings.HasPrefix(english, "-- ") {
				t.Errorf("%s: %q is %q in English", path, comment, english)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("only %d comments were found", seen)
	}
}
