package redisexec

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
)

// Limits on what visitors can make a playground use.
const (
	maxProcesses  = 64        // at a time
	processMemory = 256 << 20 // bytes of address space that a process may have, its scripts' included
	keysMemory    = "32mb"    // of that, for keys
)

// startLimit is how long a server may take to be ready, in real time.
const startLimit = 10 * time.Second

const folderPrefix = "lockstep-redis-"

// StartPrivate starts a server of our own: the given program, or for "" the
// redis-server or valkey-server on PATH. Every node gets a process to itself, so
// that names need no prefix and a crash or an endless script hurts one session only.
func StartPrivate(ctx context.Context, binary string) (*Server, error) {
	s := newServer(binary)
	s.binary, s.running, s.slots = binary, map[*process]bool{}, newSlots(maxProcesses)
	if binary == "" {
		s.where = "redis-server"
		var err error
		if s.binary, err = findServer(); err != nil {
			return nil, s.problem(fact.Of("no-server-program"))
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
	s.probeAccount(ctx, p.control, p.options)
	return s, nil
}

func findServer() (string, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	return path, err
}

// take gives a node a process of its own.
func (s *Server) take(ctx context.Context) (*process, *Error) {
	s.mu.Lock()
	p := s.spare
	s.spare = nil
	s.mu.Unlock()
	if p != nil {
		if !p.ended() {
			return p, nil
		}
		s.discard(p)
	}
	return s.start(ctx)
}

// start runs a server and waits until it says that it is ready.
func (s *Server) start(ctx context.Context) (*process, *Error) {
	if !s.slots.take(ctx) {
		return nil, s.problem(fact.Of("servers-taken", len(s.slots.taken), maxProcesses))
	}
	p, problem := s.launch(ctx)
	if problem == nil && !s.keep(p) {
		p.stop()
		problem = s.problem(fact.Of("servers-stopped"))
	}
	if problem != nil {
		s.slots.give()
		return nil, problem
	}
	return p, nil
}

// keep notes a process, unless the playground is ending.
func (s *Server) keep(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.running[p] = true
	}
	return !s.closed
}

// launch starts a process.
func (s *Server) launch(ctx context.Context) (*process, *Error) {
	dir, err := os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, s.problem(fact.Of("no-socket-folder", err))
	}
	socket := filepath.Join(dir, "redis.sock")
	p := &process{dir: dir, begun: make(chan struct{}), done: make(chan struct{})}
	// No context: the server outlives the request that needed it first.
	p.cmd = exec.Command(s.binary, //nolint:noctx // ends in discard, or with this process
		"--port", "0", "--unixsocket", socket, "--unixsocketperm", "700", "--dir", dir,
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--logfile", "",
		"--databases", "1", "--maxmemory", keysMemory, "--maxmemory-policy", "noeviction",
		"--client-output-buffer-limit", "pubsub", "4mb", "0", "0", "--proto-max-bulk-len", "16mb",
		"--enable-protected-configs", "no", "--enable-debug-command", "no", "--enable-module-command", "no",
		"--oom-score-adj", "absolute", "--oom-score-adj-values", "1000", "1000", "1000", // before the playground
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
		return nil, s.problem(fact.Of("not-started", err))
	}
	p.options = redis.Options{Network: "unix", Addr: socket}
	p.owner = newMetered(p.options)
	p.control = newMetered(p.options)
	return p, nil
}

// discard ends a process that a node no longer needs.
func (s *Server) discard(p *process) {
	p.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[p] {
		delete(s.running, p)
		s.slots.give()
	}
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
