package serverstest

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMain ends all servers after the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := mariadb(); err == nil {
		_ = s.Close()
	}
	if s, err := zookeepers(); err == nil {
		_ = s.Close()
	}
	os.Exit(code)
}

// kill ends a process that this one has started, and waits until the system knows it no more.
func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for slices.Contains(running(t), pid) {
		runtime.Gosched()
	}
}

// running are the processes that this one has started.
func running(t *testing.T) (pids []int) {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		children, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children") // the thread may have ended
		for text := range strings.FieldsSeq(string(children)) {
			pid, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}
