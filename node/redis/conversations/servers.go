package conversations

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// RedisServer is the path of redis-server; without one the test fails.
func RedisServer(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("there is no redis-server on PATH: run make servers")
	}
	return path
}

// ValkeyServer is the path of the Valkey that make servers unpacks below the module's root, or of
// the installed one; without any the test fails.
func ValkeyServer(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("there is no go.mod above the test")
		}
		dir = parent
	}
	path := filepath.Join(dir, ".cache", "valkey", "usr", "bin", "valkey-server")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	installed, err := exec.LookPath("valkey-server")
	if err != nil {
		t.Fatalf("there is no Valkey at %s, nor on PATH: run make servers", path)
	}
	return installed
}

// StartServer runs a server that belongs to nobody's session, on a socket of
// its own, until the test ends, and returns its URL.
func StartServer(t testing.TB, binary string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(binary, append([]string{ //nolint:noctx // ends with the test
		"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no",
	}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	var log strings.Builder
	for lines.Scan() {
		if strings.Contains(lines.Text(), "eady to accept connections") {
			go func() {
				for lines.Scan() {
					continue // its log must not fill the pipe
				}
			}()
			return "unix://" + socket
		}
		log.WriteString(lines.Text() + "\n")
	}
	t.Fatalf("%s did not start:\n%s", binary, log.String())
	return ""
}
