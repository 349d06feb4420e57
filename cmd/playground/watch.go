package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long files must rest before they are read: editors write in
// several moves.
const quiet = 40 * time.Millisecond

// watch calls changed after each change below the folders, until the context is
// done. An error is that of a watch that could not begin.
func watch(ctx context.Context, dirs []string, changed func(), failed func(error)) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("--lessons: the system gives no notice of changed files: %w", err)
	}
	for _, dir := range dirs {
		if err := watchBelow(w, dir); err != nil {
			_ = w.Close()
			return fmt.Errorf("--lessons: %s cannot be watched: %w", dir, err)
		}
	}
	go func() {
		defer func() { _ = w.Close() }()
		rest := time.NewTimer(quiet)
		rest.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if e.Has(fsnotify.Create) && !strings.HasPrefix(filepath.Base(e.Name), ".") {
					if err := watchBelow(w, e.Name); err != nil && !errors.Is(err, fs.ErrNotExist) { // it may be gone again
						failed(err)
					}
				}
				rest.Reset(quiet)
			case err := <-w.Errors:
				failed(err)
				rest.Reset(quiet) // what was missed is read now
			case <-rest.C:
				changed()
			}
		}
	}()
	return nil
}

// watchBelow watches a folder and the folders in it, as deep as lessons lie.
func watchBelow(w *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case path != dir && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		}
		if err := w.Add(path); err != nil {
			return err
		}
		if rel, err := filepath.Rel(dir, path); err == nil && strings.Count(rel, string(filepath.Separator)) > 0 {
			return filepath.SkipDir
		}
		return nil
	})
}
