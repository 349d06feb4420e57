package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// verdict is what became of a change.
type verdict string

const (
	killed   verdict = "killed"   // a test failed
	survived verdict = "survived" // all tests pass
	missed   verdict = "not run"  // no test comes by the line
	invalid  verdict = ""         // it does not compile
)

// limits of one run of the tests. A change can make a loop endless or a slice huge.
type limits struct {
	processor time.Duration // does not depend on what else the machine does
	wall      time.Duration // for what waits for ever
}

const mostMemory = 4 << 20 // KB of address space

// try runs the tests with a change that is in a program under its place.
func (t *target) try(c change, program, folder string, place int) (verdict, error) {
	if !t.runs(c) {
		return missed, nil
	}
	active, err := activate(program, folder, place)
	if err != nil {
		return "", err
	}
	return t.verdict(active), nil
}

func (t *target) verdict(program string) verdict {
	if _, _, err := t.run(program, "-test.failfast"); err != nil {
		return killed
	}
	return survived
}

// tryAlone builds the tests with a change of a declaration, and runs them.
func (t *target) tryAlone(c change, folder string) (verdict, error) {
	path := filepath.Join(t.root, c.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	changed, overlay, program := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "alone")
	instead, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(changed, []byte(c.applied(string(text))), 0o600), os.WriteFile(overlay, instead, 0o600)); err != nil {
		return "", err
	}
	if _, err := t.goSays("test", "-c", "-ldflags=-w", "-overlay", overlay, "-o", program, t.path); err != nil {
		return invalid, nil //nolint:nilerr // it does not compile
	}
	return t.verdict(program), nil
}

// run runs a test program. What it has started ends with it.
func (t *target) run(program string, args ...string) (took time.Duration, out []byte, err error) {
	script := `ulimit -t "$1"; ulimit -v "$2"; shift 2; exec "$@"`
	seconds := strconv.Itoa(int(t.limits.processor.Seconds()))
	args = append([]string{"-c", script, "sh", seconds, strconv.Itoa(mostMemory), program, "-test.timeout=" + t.limits.wall.String()}, args...)
	cmd := exec.Command("sh", args...) //nolint:noctx // has limits of its own
	cmd.Dir = t.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // a server that is left may hold the pipe
	out, err = cmd.CombinedOutput()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // nobody may be left
		took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return took, out, err
}
