package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/cover"
)

// target is a package whose tests are tried.
type target struct {
	root  string // of the module
	path  string // of the package
	dir   string
	files []string // with their folders

	blocks map[string][]cover.ProfileBlock // that the tests run or not, by the file's name
	limits limits
}

// newTarget reads a package and runs its tests as they are, which must pass.
func newTarget(root, dir, scratch string) (*target, error) {
	t := &target{root: root, blocks: map[string][]cover.ProfileBlock{}}
	listed, err := t.goSays("list", "-json=ImportPath,Dir,GoFiles", "./"+dir)
	if err != nil {
		return nil, err
	}
	var pkg struct {
		ImportPath, Dir string
		GoFiles         []string
	}
	if err := json.Unmarshal(listed, &pkg); err != nil {
		return nil, err
	}
	t.path, t.dir = pkg.ImportPath, pkg.Dir
	for _, name := range pkg.GoFiles {
		if !strings.HasSuffix(name, "_templ.go") {
			t.files = append(t.files, filepath.Join(pkg.Dir, name))
		}
	}
	return t, t.measure(scratch)
}

func (t *target) goSays(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...) //nolint:noctx // ends by itself
	cmd.Dir = t.root
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, complaint.String())
	}
	return out, nil
}

// measure runs the tests once, to see what they run and what they take.
func (t *target) measure(scratch string) error {
	program, profile := filepath.Join(scratch, "covering"), filepath.Join(scratch, "cover.out")
	if _, err := t.goSays("test", "-c", "-cover", "-covermode=set", "-o", program, t.path); err != nil {
		return err
	}
	t.limits = limits{processor: time.Hour, wall: time.Hour}
	took, out, err := t.run(program, "-test.coverprofile="+profile)
	if err != nil {
		return fmt.Errorf("the tests of %s fail without a change:\n%s", t.path, out)
	}
	t.limits = limits{processor: 5*time.Second + 10*took, wall: 20*time.Second + 20*took}
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		return err
	}
	for _, p := range profiles {
		t.blocks[filepath.Base(p.FileName)] = p.Blocks
	}
	return nil
}

// runs tells whether any test executes a line. A line in no block is a declaration,
// which is always there.
func (t *target) runs(c change) bool {
	known := false
	for _, b := range t.blocks[filepath.Base(c.file)] {
		if b.StartLine <= c.line && c.line <= b.EndLine {
			if b.Count > 0 {
				return true
			}
			known = true
		}
	}
	return !known
}
