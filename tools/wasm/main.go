// Command wasm builds the player for browsers: cmd/playground-wasm, compressed, as
// static/dist/playground.wasm.gz, and with the decoder of lessons as author.wasm.gz.
//
//	go run -C tools ./wasm ..
//
// A browser fetches all of it before the first step, so what never runs there is
// kept out: see replace.go. What it makes on the way stays in bin/wasm, where tests
// find it.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wasm ROOT")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "wasm:", err)
		os.Exit(1)
	}
}

// once is code of which a step runs so little that it needs no inlining. Without,
// the module is a tenth smaller. gopher-lua, the runtime and strings are not in the
// list: with them a step would take half as long again.
var once = []string{
	"lockstep/...", "github.com/a-h/templ/...", "github.com/yuin/gopher-lua/parse",
	"github.com/goccy/go-yaml/...", "github.com/yuin/goldmark/...",
	"bufio", "compress/...", "context", "encoding/...", "errors", "fmt", "html", "internal/fmtsort", "internal/poll",
	"internal/strconv", "io/...", "math/big", "math/rand/...", "net/...", "os/...", "path/...", "reflect", "regexp/...",
	"bytes", "hash/...", "maps", "slices", "sort", "strconv", "strings", "syscall", "time", "unicode", "unique", "weak",
}

func build(root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "bin", "wasm")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := replace(root, dir); err != nil {
		return err
	}
	flags := strings.Join(common(dir), "\n") + "\n" // tests build with them, too
	if err := write(filepath.Join(dir, "flags"), []byte(flags)); err != nil {
		return err
	}
	return errors.Join(compile(root, dir, "playground"), compile(root, dir, "author", "-tags=author"))
}

// common are the flags of everything that runs in a browser.
func common(dir string) []string {
	flags := []string{"-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-overlay=" + filepath.Join(dir, "overlay.json"), "-modfile=" + filepath.Join(dir, "go.mod")}
	for _, pattern := range once {
		flags = append(flags, "-gcflags="+pattern+"=-l")
	}
	return flags
}

func compile(root, dir, name string, flags ...string) error {
	module := filepath.Join(dir, name+".wasm")
	args := slices.Concat([]string{"build", "-o", module}, common(dir), flags, []string{"./cmd/playground-wasm"})
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build of %s: %w", name, err)
	}
	return zip(module, filepath.Join(root, "static", "dist", name+".wasm.gz"))
}

// zip compresses a file, unless the compressed one has the same content: go build gives a file that
// it leaves as it was a new time. gzip, which all of Debian has, makes it a hundredth smaller than
// Go's own package does.
func zip(from, to string) error {
	plain, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	// A file of gzip ends with the checksum and the size of its content.
	end := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(plain))
	end = binary.LittleEndian.AppendUint32(end, uint32(len(plain)))
	if zipped, err := os.ReadFile(to); err == nil && bytes.HasSuffix(zipped, end) {
		return nil
	}
	cmd := exec.Command("gzip", "-9", "-n", "-c", from)
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("gzip: %w", err)
	}
	if err := os.WriteFile(to+".part", data, 0o644); err != nil {
		return err
	}
	return os.Rename(to+".part", to) // in one move: a part of it would count as made
}
