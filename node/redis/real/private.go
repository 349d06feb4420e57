package real

import (
	"context"
	"os/exec"
	"path/filepath"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
	"lockstep/node/process"
)

// Limits on what visitors can make a playground use.
const (
	maxProcesses  = 64        // at a time
	processMemory = 256 << 20 // bytes of address space that a process may have, its scripts' included: maxmemory does not count those
	keysMemory    = "32mb"    // of that, for keys
)

// private is a server that one node has to itself.
type private struct {
	*process.Process
	owner
}

// StartPrivate starts a server of our own: the given program, or for "" the
// redis-server or valkey-server on PATH. Every node gets a process to itself, so
// that names need no prefix and a crash or an endless script hurts one session only.
func StartPrivate(ctx context.Context, binary string) (*Server, error) {
	s := newServer(binary)
	if binary == "" {
		s.where = "redis-server"
		var err error
		if binary, err = findServer(); err != nil {
			return nil, s.problem(fact.Of("no-server-program"))
		}
		s.where = binary
	}
	s.pool = process.NewPool(process.Program{
		Path: binary, Args: arguments, Ready: "eady to accept connections",
		OutOfMemory: []string{"Out Of Memory", "not enough memory"}, Memory: processMemory,
	}, maxProcesses)
	p, problem := s.start(ctx)
	if problem != nil {
		return nil, problem
	}
	s.spare = p
	if err := s.examine(ctx, p.control); err != nil {
		_ = s.Close()
		return nil, err
	}
	s.probeAccount(ctx, p.owner)
	return s, nil
}

func findServer() (string, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	return path, err
}

func arguments(folder string) []string {
	return []string{
		"--port", "0", "--unixsocket", socket(folder), "--unixsocketperm", "700", "--dir", folder,
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--logfile", "",
		"--databases", "1", "--maxmemory", keysMemory, "--maxmemory-policy", "noeviction",
		"--client-output-buffer-limit", "pubsub", "4mb", "0", "0", "--proto-max-bulk-len", "16mb",
		"--enable-protected-configs", "no", "--enable-debug-command", "no", "--enable-module-command", "no",
		"--oom-score-adj", "absolute", "--oom-score-adj-values", "1000", "1000", "1000", // before the playground
		"--lua-time-limit", "500", "--crash-memcheck-enabled", "no",
	}
}

func socket(folder string) string { return filepath.Join(folder, "redis.sock") }

// take gives a node a server of its own.
func (s *Server) take(ctx context.Context) (*private, *Error) {
	s.mu.Lock()
	p := s.spare
	s.spare = nil
	s.mu.Unlock()
	if p != nil {
		if !p.Ended() {
			return p, nil
		}
		s.discard(p)
	}
	return s.start(ctx)
}

func (s *Server) start(ctx context.Context) (*private, *Error) {
	process, problem := s.pool.Start(ctx)
	if problem.Code != "" {
		return nil, s.problem(problem)
	}
	return &private{process, newOwner(redis.Options{Network: "unix", Addr: socket(process.Folder)})}, nil
}

// discard ends a server that a node no longer needs.
func (s *Server) discard(p *private) {
	_ = p.close()
	s.pool.End(p.Process)
}
