// Package process runs servers of our own, of any program: each has limits, and none
// outlives this process.
package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/fact"
)

// Program is what servers run.
type Program struct {
	Path string
	Args func(folder string) []string // for a server that has this folder to itself
	// Prepare makes the files that the arguments name; nil: there are none.
	Prepare     func(ctx context.Context, folder string) error
	Ready       string   // in the line of its log that says that it takes requests
	OutOfMemory []string // in the lines that say that it has no memory left, one of them
	Memory      uint64   // bytes of address space that a server may have
}

// Pool is the servers of one program.
type Pool struct {
	program Program
	slots   *slots

	mu      sync.Mutex
	running map[*Process]bool
	closed  bool
}

// NewPool makes a pool that runs at most so many servers at a time.
func NewPool(p Program, most int) *Pool {
	removeStaleFolders()
	return &Pool{program: p, slots: &slots{taken: make(chan struct{}, most)}, running: map[*Process]bool{}}
}

// Start runs a server and waits until it says that it is ready. A problem with a code
// tells why there is none.
func (s *Pool) Start(ctx context.Context) (p *Process, problem fact.Fact) {
	if !s.slots.take(ctx) {
		return nil, fact.Of("servers-taken", len(s.slots.taken), cap(s.slots.taken))
	}
	p, problem = s.program.launch(ctx)
	if problem.Code == "" && !s.keep(p) {
		p.stop()
		problem = fact.Of("servers-stopped")
	}
	if problem.Code != "" {
		s.slots.give()
		return nil, problem
	}
	return p, fact.Fact{}
}

// keep notes a server, unless the pool was closed meanwhile.
func (s *Pool) keep(p *Process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.running[p] = true
	}
	return !s.closed
}

// startLimit is how long a server may take to be ready, in real time: a Java on a busy machine needs
// many times the second that it takes on an idle one.
const startLimit = time.Minute

const folderPrefix = "lockstep-server-"

func (g Program) launch(ctx context.Context) (*Process, fact.Fact) {
	folder, err := os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, fact.Of("no-socket-folder", err)
	}
	if g.Prepare != nil {
		if err := g.Prepare(ctx, folder); err != nil {
			_ = os.RemoveAll(folder)
			return nil, fact.Of("no-socket-folder", err)
		}
	}
	p := &Process{program: g, Folder: folder, begun: make(chan struct{}), done: make(chan struct{})}
	// No context: the server outlives the request that needed it first.
	p.cmd = exec.Command(g.Path, g.Args(folder)...) //nolint:noctx // ends in End, or with this process
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
		return nil, fact.Of("not-started", err)
	}
	return p, fact.Fact{}
}

// End ends a server at once, and removes what it left.
func (s *Pool) End(p *Process) {
	p.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[p] {
		delete(s.running, p)
		s.slots.give()
	}
}

// Close ends all servers. None starts any more.
func (s *Pool) Close() {
	s.mu.Lock()
	s.closed = true
	all := s.running
	s.running = map[*Process]bool{}
	s.mu.Unlock()
	for p := range all {
		p.stop()
	}
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

// slots bounds how many private servers there are at a time.
type slots struct {
	taken chan struct{}
	freed atomic.Int64 // how often one was given back
}

// queueLimit is how long to wait for a slot while nobody gives one back, in real time.
const queueLimit = time.Second

// take takes a slot. While sessions come and go it waits for its turn: a page needs its
// server for a moment only. It is false when all are taken and none comes free.
func (s *slots) take(ctx context.Context) bool {
	for {
		freed := s.freed.Load()
		select {
		case s.taken <- struct{}{}:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(queueLimit):
			if s.freed.Load() == freed {
				return false
			}
		}
	}
}

func (s *slots) give() {
	s.freed.Add(1)
	<-s.taken
}
