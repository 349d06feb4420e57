package lessons_test

import (
	"io/fs"
	"strings"
	"testing"
	"unicode"

	"lockstep/lessons"
	"lockstep/luaexec/syntax"
)

// The page shows the comments of what lessons share in the language of its reader.
func TestCommentsOfClientsAndScriptsStandInBothLanguages(t *testing.T) {
	seen := 0
	err := fs.WalkDir(lessons.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".lua") {
			return err
		}
		source, err := fs.ReadFile(lessons.FS, path)
		for _, token := range syntax.Tokens(string(source)) {
			comment, reader := string(source[token.Start:token.End]), lessons.Zh
			if token.Kind != syntax.TokComment || !strings.HasPrefix(path, "clients/") && !isChinese(comment) {
				continue // a lesson's own are among its words
			}
			seen++
			if isChinese(comment) {
				reader = lessons.En
			}
			there, known := lessons.Words(nil).Comment(reader, comment)
			if !known || !strings.HasPrefix(there, "-- ") || isChinese(there) == isChinese(comment) && there != comment {
				t.Errorf("%s: %q is %q in the other language: comments.txt has it", path, comment, there)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Errorf("only %d comments were found", seen)
	}
}

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
