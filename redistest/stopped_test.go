//go:build unix

package redistest_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whoever presses Ctrl-C sees no failure that there is none of, and nothing is left behind.
func TestCtrlCLeavesNothing(t *testing.T) {
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheDeadlineIsKept$", "-test.v") //nolint:gosec // it is this program
	folder := t.TempDir()
	again.Env = append(os.Environ(), howItFails+"=many", "TMPDIR="+folder)
	again.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	again.Stdout, again.Stderr = &out, &out
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; { // it is far enough for the monitor to be there: schedules have six deviations
		diaries, _ := filepath.Glob(filepath.Join(folder, "*", "*"))
		for _, name := range diaries {
			text, _ := os.ReadFile(name) //nolint:gosec // it is this test's
			begun = begun || strings.Count(string(text[:min(len(text), 200)]), "}, {") >= 5
		}
	}
	if err := syscall.Kill(-again.Process.Pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := again.Wait() // also for the monitor, which writes to the same
	if left, _ := os.ReadDir(folder); len(left) > 0 || err == nil || strings.Contains(out.String(), "FAIL") {
		t.Errorf("%v; %v are left behind, and it is told:\n%s", err, left, &out)
	}
}
