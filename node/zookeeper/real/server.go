package real

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/node/process"
)

// Limits on what visitors can make a playground use.
const (
	maxProcesses  = 16      // at a time; each takes about 55 MB
	processMemory = 4 << 30 // bytes of address space that a process may have, of which it uses a fraction
)

// Server starts a ZooKeeper for each node.
type Server struct{ process.Owner }

// folder is where Debian has the programs of Java.
const folder = "/usr/share/java"

// StartPrivate finds out whether the Java program, or for "" the installed one, can run a
// ZooKeeper that serves nodes.
func StartPrivate(ctx context.Context, java string) (*Server, error) {
	s := &Server{process.Owner{Where: "zookeeper"}}
	if java == "" {
		if java = Installed(); java == "" {
			return nil, s.Problem(fact.Of("no-zookeeper-program"))
		}
	}
	s.Pool = process.NewPool(process.Program{
		Path: java, Prepare: prepare, Args: arguments, Ready: "checkIntervalMs", // the port is open before
		OutOfMemory: []string{"OutOfMemoryError"}, Memory: processMemory,
	}, maxProcesses)
	p, problem := s.Start(ctx)
	if problem != nil {
		return nil, problem
	}
	defer s.Pool.End(p)
	version, err := version(ctx, p.Folder)
	if err != nil {
		return nil, s.Problem(fact.Of("not-connected", err))
	}
	s.Name = "zookeeper " + version
	return s, nil
}

// Installed is the program of Java, on a machine that has a ZooKeeper for it; empty: there
// is none.
func Installed() string {
	if _, err := os.Stat(filepath.Join(folder, "zookeeper.jar")); err != nil {
		return ""
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return ""
	}
	return java
}

// Node makes a node, which starts a server when it is used first. A session that is silent for
// the timeout expires; 0 is zookeeper.DefaultTimeout.
func (s *Server) Node(timeout time.Duration) *Node {
	n := &Node{timeout: timeout}
	n.own = process.NewTenancy(&s.Owner, process.Hooks{Begin: n.begin, Clear: n.clear, HangUp: n.hangUp})
	return n
}

// version is what the server of a folder says of itself.
func version(ctx context.Context, folder string) (string, error) {
	at, err := address(folder)
	if err != nil {
		return "", err
	}
	var d net.Dialer
	line, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return "", err
	}
	defer func() { _ = line.Close() }()
	if err := line.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return "", err
	}
	if _, err := line.Write([]byte("srvr")); err != nil {
		return "", err
	}
	text, err := io.ReadAll(line)
	_, after, found := strings.Cut(string(text), "Zookeeper version: ")
	if err == nil && !found {
		err = fmt.Errorf("it says %q", text)
	}
	number, _, _ := strings.Cut(after, "-")
	return number, err
}
