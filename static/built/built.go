// Package built has tests say in one sentence what to run first.
package built

import (
	"fmt"
	"os"
	"testing"
)

// Tests are those of a package that need files, which make writes: where one is missing, none of
// them begins.
type Tests struct {
	*testing.M
	Files []string
}

// Run runs them, and returns the exit code.
func (t Tests) Run() int {
	if err := Need(t.Files...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return t.M.Run()
}

// Need says what to run first where one of these files is missing. A test that gives files to another
// program asks for them by itself: Go's test cache knows of them by that, and by nothing before the
// tests begin.
func Need(files ...string) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("%s is missing, which these tests need: run `make ready` first", name)
		}
	}
	return nil
}
