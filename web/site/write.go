package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// listName is the file with the names of all others, by which a later export knows
// what it may replace and remove.
const listName = "files.txt"

// Check tells whether a site can be written into a folder, as far as that can be known before
// the site is made, which takes seconds. It makes the folder.
func Check(dir string) error {
	root, before, err := open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return inTheWay(root, before, "index.html")
}

// open makes a folder, and tells which of its files an earlier export wrote.
func open(dir string) (root *os.Root, before []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	root, err = os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("the folder %s cannot be opened: %w", dir, err)
	}
	before, err = listed(root)
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, before, nil
}

// inTheWay says that a file is there which no export wrote.
func inTheWay(root *os.Root, before []string, name string) error {
	_, err := root.Lstat(name)
	switch {
	case err == nil && !slices.Contains(before, name):
		return fmt.Errorf("%s already exists and was not written by an export: choose another folder, or move it away", path.Join(root.Name(), name))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s cannot be read: %w", root.Name(), err)
	}
	return nil
}

// Write puts a site into a folder, in place of the one that was written there
// before. Files of others stay as they are, and one in the way is an error. A page
// is replaced when all that it names is there, so that what is served is whole at
// every moment, and after an error too.
func (s *Site) Write(dir string) error {
	root, before, err := open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range s.order {
		if err := inTheWay(root, before, name); err != nil {
			return err
		}
	}
	both := append(slices.Clone(before), s.order...)
	slices.Sort(both)
	if err := writeFile(root, listName, list(slices.Compact(both))); err != nil {
		return err
	}
	for _, name := range s.order {
		if err := writeFile(root, name, s.files[name]); err != nil {
			return err
		}
	}
	for _, name := range before {
		if !slices.Contains(s.order, name) {
			if err := remove(root, name); err != nil {
				return err
			}
		}
	}
	return writeFile(root, listName, list(s.order))
}

func list(names []string) []byte {
	return []byte("# Written by playground export, which replaces these files and no others.\n" + strings.Join(names, "\n") + "\n")
}

// listed is what an earlier export wrote.
func listed(root *os.Root) ([]string, error) {
	text, err := root.ReadFile(listName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the list of an earlier export cannot be read: %w", err)
	}
	comment, names, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.HasPrefix(comment, []byte("# Written by playground export")) {
		return nil, fmt.Errorf("%s already exists and was not written by an export: choose another folder, or move it away", path.Join(root.Name(), listName))
	}
	return strings.Fields(string(names)), nil
}

// writeFile replaces a file in one move.
func writeFile(root *os.Root, name string, data []byte) error {
	if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, data) {
		return nil
	}
	err := root.MkdirAll(path.Dir(name), 0o755)
	part := name + ".part"
	if err == nil {
		err = root.WriteFile(part, data, 0o644)
	}
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part) // the error before says more
		return fmt.Errorf("%s cannot be written: %w", path.Join(root.Name(), name), err)
	}
	return nil
}

// remove removes a file, and the folders that are empty without it.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s of an earlier export cannot be removed: %w", path.Join(root.Name(), name), err)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if root.Remove(dir) != nil { // it holds something
			break
		}
	}
	return nil
}
