package process

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// Who runs the playground with a lower priority, as by nice, has its servers, too: nobody but root may raise theirs.
func TestAServerStaysAsNiceAsThePlayground(t *testing.T) {
	t.Parallel()
	const most = 19
	cmd := exec.CommandContext(t.Context(), "nice", "-n", "19", "sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	niceness := func() int {
		priority, err := unix.Getpriority(unix.PRIO_PROCESS, cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		return 20 - priority
	}
	for niceness() != most { // until nice has done its work
	}
	if err := limit(cmd.Process.Pid, 1<<30); err != nil {
		t.Error(err)
	}
	if got := niceness(); got != most {
		t.Errorf("a process at %d is at %d", most, got)
	}
}
