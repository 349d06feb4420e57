package redisexec

import (
	"errors"
	"os/exec"
	"syscall"
)

// endWithParent makes a server end when this process is killed.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// runs tells whether there is a process with this id.
func runs(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
