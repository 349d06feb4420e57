package luaexectest

import (
	"os"
	"os/exec"
	"path/filepath"
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

// ValkeyServer is the path of the Valkey that make servers unpacks below the
// module's root; without it the test fails.
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
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("there is no Valkey at %s: run make servers", path)
	}
	return path
}
