package redisexec

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// process is one running private server.
type process struct {
	cmd         *exec.Cmd
	dir         string
	options     redis.Options
	owner       *redis.Client
	control     *redis.Client
	outOfMemory atomic.Bool   // it said that it has no memory left
	begun       chan struct{} // closed when the process was started, or could not be
	done        chan struct{} // closed when the process has ended
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// run starts the process, reports once whether it is ready, and waits for its
// end. The thread is kept, because a server that ends with its parent ends with
// the thread that started it.
func (p *process) run(ready chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.cmd.Stderr = p.cmd.Stdout
		err = p.cmd.Start()
	}
	if err == nil {
		if err = limit(p.cmd.Process.Pid); err != nil {
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
		if text := strings.TrimSpace(line); text != "" {
			lastLine = text
		}
		if strings.Contains(line, "eady to accept connections") {
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
func (p *process) listen(log *bufio.Reader) {
	for {
		line, _, err := log.ReadLine()
		if err != nil {
			return
		}
		if bytes.Contains(line, []byte("Out Of Memory")) || bytes.Contains(line, []byte("not enough memory")) {
			p.outOfMemory.Store(true)
		}
	}
}

// stop ends the process, at once, and removes what it left.
func (p *process) stop() {
	if p.owner != nil {
		_ = p.owner.Close()
		_ = p.control.Close()
	}
	p.kill()
	_ = os.RemoveAll(p.dir)
}

// kill ends the process and waits for its end.
func (p *process) kill() {
	<-p.begun
	if p.cmd.Process != nil {
		_ = p.cmd.Process.Kill() // it may have ended already
	}
	<-p.done
}
