// Package built has tests say in one sentence what to run first.
package built

import (
	"fmt"
	"os"
	"testing"
)

// Run runs a package's tests. They need these files, which make writes: where one is missing, none
// of them begins.
func Run(m *testing.M, files ...string) {
	if err := Need(files...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// Need says what to run first where one of these files is missing.
func Need(files ...string) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("%s is missing, which these tests need: run `make ready` first", name)
		}
	}
	return nil
}
