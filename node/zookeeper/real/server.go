package real

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lockstep/node/beside"
	"lockstep/node/process"
)

// processMemory is how many bytes of address space a process may have. It uses about 55 MB.
const processMemory = 4 << 30

// Server starts a ZooKeeper for each node.
type Server struct{ beside.Owner }

// folder is where Debian has the programs of Java.
const folder = "/usr/share/java"

// StartPrivate finds out whether the Java program, or for "" the installed one, can run a
// ZooKeeper that serves nodes.
func StartPrivate(ctx context.Context, java string) (*Server, error) {
	owner, err := beside.Own(ctx, "zookeeper", process.Program{
		Path: cmp.Or(java, Installed()), Prepare: prepare, Args: arguments, Ready: "checkIntervalMs", // the port is open before
		OutOfMemory: []string{"OutOfMemoryError"}, Memory: processMemory,
	}, install, version)
	return &Server{owner}, err
}

var install = beside.Package{Program: "java + zookeeper.jar", Name: "ZooKeeper 3.8", Debian: "libzookeeper-java default-jre-headless"}

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
	return "zookeeper " + number, err
}
