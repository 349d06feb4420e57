package built_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lockstep/static/built"
)

func TestWhatIsMissingIsNamedWithWhatToRun(t *testing.T) {
	if err := built.Need("built.go"); err != nil {
		t.Error(err)
	}
	missing := filepath.Join(t.TempDir(), "main.js")
	if err := built.Need("built.go", missing); err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "make ready") {
		t.Errorf("of a file that is not there it says %v", err)
	}
}
