package process

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// Process is one server.
type Process struct {
	Folder string // that it has to itself

	program     Program
	cmd         *exec.Cmd
	outOfMemory atomic.Bool
	begun       chan struct{} // closed when the process was started, or could not be
	done        chan struct{}
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Ended tells whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// State is how a process has ended.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }

// OutOfMemory tells whether it said that it has no memory left.
func (p *Process) OutOfMemory() bool { return p.outOfMemory.Load() }

// run starts the process, reports once whether it is ready, and waits for its
// end. The thread is kept, because a server that ends with its parent ends with
// the thread that started it.
func (p *Process) run(ready chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.cmd.Stderr = p.cmd.Stdout
		err = p.cmd.Start()
	}
	if err == nil {
		if err = limit(p.cmd.Process.Pid, p.program.Memory); err != nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	}
	close(p.begun)
	if err != nil {
		ready <- err
		return
	}
	lines := bufio.NewReader(out)
	lastLine := "it said nothing"
	for {
		line, err := lines.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" && line[0] != '\t' { // not where an exception came from
			lastLine = text
		}
		if strings.Contains(line, p.program.Ready) {
			ready <- nil
			break
		}
		if err != nil {
			ready <- errors.New("it ended: " + lastLine)
			break
		}
	}
	p.listen(lines)
	_ = p.cmd.Wait() // how it ended is in ProcessState
}

// listen reads the log until its end.
func (p *Process) listen(log *bufio.Reader) {
	for {
		line, _, err := log.ReadLine()
		if err != nil {
			return
		}
		if slices.ContainsFunc(p.program.OutOfMemory, func(words string) bool { return strings.Contains(string(line), words) }) {
			p.outOfMemory.Store(true)
		}
	}
}

func (p *Process) stop() {
	p.Kill()
	_ = os.RemoveAll(p.Folder)
}

// Kill ends the process and waits for its end. What it left stays until it is given
// back to its pool.
func (p *Process) Kill() {
	<-p.begun
	if p.cmd.Process != nil {
		_ = p.cmd.Process.Kill() // it may have ended already
	}
	<-p.done
}
