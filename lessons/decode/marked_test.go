package decode_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// An editor marks from the column of a mistake to its end: what it marks of the broken lessons
// stands in testdata/marked.txt.
func TestWhatEditorsMark(t *testing.T) {
	var b strings.Builder
	for _, c := range broken {
		fsys := good(t)
		edit(t, fsys, c.old, c.new)
		_, err := decode.Lesson(fsys, "07-good-lesson")
		problems, _ := errors.AsType[lessons.Problems](err)
		for _, p := range problems {
			line := []rune(p.Source)
			if p.Line == 0 || p.EndCol > len(line)+1 || p.Col > p.EndCol {
				t.Errorf("%s: it marks the columns %d to %d of %q", c.name, p.Col, p.EndCol, p.Source)
				continue
			}
			fmt.Fprintf(&b, "%s: %.60s\n", c.name, string(line[min(p.Col-1, len(line)):p.EndCol-1]))
		}
	}
	golden(t, filepath.Join("testdata", "marked.txt"), b.String())
}
