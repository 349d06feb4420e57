package redisexec

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxProcesses bounds what visitors can make a playground start.
const maxProcesses = 64

// startLimit is how long a server may take to be ready, in real time.
const startLimit = 10 * time.Second

const folderPrefix = "lockstep-redis-"

// StartPrivate starts a server of our own: the given program, or for "" the
// redis-server or valkey-server on PATH. Every node gets a process to itself, so
// that names need no prefix and a crash or an endless script hurts one session only.
func StartPrivate(ctx context.Context, binary string) (*Server, error) {
	s := &Server{where: binary, binary: binary, running: map[*process]bool{}}
	if binary == "" {
		s.where = "redis-server"
		var err error
		if s.binary, err = findServer(); err != nil {
			return nil, s.problem(NotFound, "no redis-server or valkey-server is on PATH",
				"install one (Debian: apt-get install redis-server), or give the URL of a server", err)
		}
		s.where = s.binary
	}
	removeStaleFolders()
	p, problem := s.start(ctx)
	if problem != nil {
		return nil, problem
	}
	s.spare = p
	if err := s.examine(ctx, p.control); err != nil {
		_ = s.stopAll()
		return nil, err
	}
	return s, nil
}

func findServer() (string, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	return path, err
}

// process is one running private server.
type process struct {
	cmd     *exec.Cmd
	dir     string
	data    *redis.Client
	control *redis.Client
	begun   chan struct{} // closed when the process was started, or could not be
	done    chan struct{} // closed when the process has ended
}

// take gives a node a process of its own.
func (s *Server) take(ctx context.Context) (*process, *Error) {
	s.mu.Lock()
	p := s.spare
	s.spare = nil
	s.mu.Unlock()
	if p != nil {
		select {
		case <-p.done:
			s.discard(p)
		default:
			return p, nil
		}
	}
	return s.start(ctx)
}

// start runs a server and waits until it says that it is ready.
func (s *Server) start(ctx context.Context) (*process, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, s.problem(Unreachable, "the servers were stopped", "start the playground again", nil)
	case len(s.running) >= maxProcesses:
		return nil, s.problem(Refused, fmt.Sprintf("%d servers are running already", maxProcesses),
			"close another lesson that uses a real Redis, or use the embedded engine", nil)
	}
	dir, err := os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, s.problem(NotFound, "there is no folder for its socket", "make TMPDIR writable", err)
	}
	socket := filepath.Join(dir, "redis.sock")
	p := &process{dir: dir, begun: make(chan struct{}), done: make(chan struct{})}
	// No context: the server outlives the request that needed it first.
	p.cmd = exec.Command(s.binary, //nolint:noctx // ends in discard, or with this process
		"--port", "0", "--unixsocket", socket, "--unixsocketperm", "700", "--dir", dir,
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--logfile", "",
		"--databases", "1", "--maxmemory", "128mb", "--maxmemory-policy", "noeviction",
		"--lua-time-limit", "500", "--crash-memcheck-enabled", "no")
	endWithParent(p.cmd)
	ready := make(chan error, 1)
	go p.run(ready)
	select {
	case err = <-ready:
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(startLimit):
		err = errors.New("it was not ready after " + startLimit.String())
	}
	if err != nil {
		p.stop()
		return nil, s.problem(NotFound, "the server did not start ("+err.Error()+")",
			"try the program by hand, or give the URL of a server", err)
	}
	p.data = newClient(&redis.Options{Network: "unix", Addr: socket})
	p.control = newClient(&redis.Options{Network: "unix", Addr: socket})
	s.running[p] = true
	return p, nil
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
	_, _ = io.Copy(io.Discard, lines)
	_ = p.cmd.Wait() // how it ended is in ProcessState
}

// stop ends the process, at once, and removes what it left.
func (p *process) stop() {
	if p.data != nil {
		_ = p.data.Close()
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

// discard ends a process that a node no longer needs.
func (s *Server) discard(p *process) {
	p.stop()
	s.mu.Lock()
	delete(s.running, p)
	s.mu.Unlock()
}

func (s *Server) stopAll() error {
	s.mu.Lock()
	s.closed = true
	all := s.running
	s.running = map[*process]bool{}
	s.mu.Unlock()
	for p := range all {
		p.stop()
	}
	return nil
}

// removeStaleFolders removes what playgrounds that were killed have left.
func removeStaleFolders() {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*")) // the pattern is sound
	for _, dir := range found {
		text, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), folderPrefix), "-")
		if pid, err := strconv.Atoi(text); err == nil && !runs(pid) {
			_ = os.RemoveAll(dir)
		}
	}
}
