package conversations_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/node/redis/conversations"
)

// TestEveryDifferenceIsProved finds the tests that the table names.
func TestEveryDifferenceIsProved(t *testing.T) {
	var tests strings.Builder
	for _, folder := range []string{"../../../luaexec", ".."} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			tests.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range conversations.Differences {
		switch {
		case d.Test != "" && !strings.Contains(tests.String(), "\nfunc "+d.Test+"("):
			t.Errorf("%s: there is no %s", d.What, d.Test)
		case d.Test+d.Absent == "" && d.Sent+d.Theirs+d.Ours == "" && d.Common == nil:
			t.Errorf("%s: nothing shows it", d.What)
		}
	}
}
