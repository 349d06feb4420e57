package process

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// endWithParent makes a server end when this process is killed.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// runs tells whether there is a process with this id.
func runs(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// niceness lets the playground itself go before servers that run scripts for seconds.
const niceness = 5

// yield makes a process at least so nice. One that is nicer, as the playground itself may be, stays so: nobody but root may
// take that back.
func yield(pid int) error {
	priority, err := unix.Getpriority(unix.PRIO_PROCESS, pid) // 20 less the niceness
	if err != nil || 20-priority >= niceness {
		return err
	}
	return unix.Setpriority(unix.PRIO_PROCESS, pid, niceness)
}

// limit bounds the memory that a process can take, and a server that crashes must not
// fill the disk.
func limit(pid int, memory uint64) error {
	if err := yield(pid); err != nil {
		return err
	}
	for resource, most := range map[int]uint64{unix.RLIMIT_AS: memory, unix.RLIMIT_CORE: 0} {
		var is unix.Rlimit
		if err := unix.Prlimit(pid, resource, nil, &is); err != nil {
			return err
		}
		most = min(most, is.Max) // which nobody but root may raise
		if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
			return err
		}
	}
	return nil
}
