package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/player"
)

// workspace is the folders that an author works in, beside the lessons that come with
// the program.
type workspace struct {
	reading sync.Mutex // while files are read, and while they are replaced
	builtIn []*lessons.Lesson
	libs    []decode.Library
	roots   []*os.Root                 // of the libraries
	good    map[string]*lessons.Lesson // the last good version of each lesson of the folders
	last    [][]*lessons.Lesson        // of each folder, as it was when it could be read
}

// openWorkspace opens the folders, beside the lessons that come with the program. They are
// read through an os.Root, so that no link leads out of them.
func openWorkspace(builtIn []*lessons.Lesson, dirs []string) (*workspace, error) {
	d := &workspace{builtIn: builtIn, good: map[string]*lessons.Lesson{}}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, decode.Filename)); err == nil {
			return nil, usage("--lessons %s: this is a single lesson; name its parent folder", dir)
		}
		root, err := os.OpenRoot(dir) // open as long as the program runs
		if err != nil {
			return nil, fmt.Errorf("--lessons: the folder %s cannot be opened: %w", dir, err)
		}
		if err := (saving{root: root}).recover(); err != nil {
			return nil, fmt.Errorf("--lessons %s: a save that was broken off can be neither finished nor undone: %w", dir, err)
		}
		d.roots = append(d.roots, root)
		d.last = append(d.last, nil)
		d.libs = append(d.libs, decode.Library{FS: root.FS(), Shown: filepath.ToSlash(filepath.Clean(dir))})
	}
	return d, nil
}

// read reads the folders anew. A lesson of theirs stands in place of one with the
// same name that comes with the program. The text says everything that is wrong;
// lessons that are broken keep their last good version, and so do all of a folder that cannot be read.
func (d *workspace) read() (*player.Edition, string) {
	d.reading.Lock()
	defer d.reading.Unlock()
	e := &player.Edition{Broken: map[string]string{}}
	byName := map[string]*lessons.Lesson{}
	var order []string
	var wrong []string
	for i, lib := range d.libs {
		all, err := lib.All()
		problems, ok := errors.AsType[lessons.Problems](err)
		if err != nil && !ok {
			all = d.last[i]
			wrong = append(wrong, fmt.Sprintf("%s: its lessons stay as they were: %v; start again if another folder has taken its place", lib.Shown, err))
		}
		d.last[i] = all
		for _, l := range all {
			if byName[l.Name] == nil {
				order = append(order, l.Name)
			}
			byName[l.Name] = l
		}
		for name, of := range d.byLesson(lib, problems) {
			e.Broken[name] = of.Error()
			if byName[name] == nil && d.good[name] != nil {
				byName[name] = d.good[name]
				order = append(order, name)
			}
		}
		if len(problems) > 0 {
			wrong = append(wrong, problems.Error())
		}
	}
	for name, l := range byName {
		if same := d.good[name]; same != nil && same.Hash == l.Hash && same.YAML == l.YAML && same.File == l.File {
			byName[name] = same // so that nobody's lesson is opened anew for nothing
		}
	}
	d.good = maps.Clone(byName)
	for _, l := range d.builtIn {
		if mine := byName[l.Name]; mine != nil {
			l = mine
		}
		e.Lessons = append(e.Lessons, l)
	}
	for _, name := range order {
		if !slices.Contains(e.Lessons, byName[name]) {
			e.Lessons = append(e.Lessons, byName[name])
		}
	}
	return e, strings.Join(wrong, "\n")
}

// byLesson sorts what is wrong in a library by the lesson whose files it is in.
func (d *workspace) byLesson(lib decode.Library, all lessons.Problems) map[string]lessons.Problems {
	out := map[string]lessons.Problems{}
	above := strings.TrimSuffix(path.Join(lib.Shown, "x"), "x") // which is nothing for --lessons .
	for _, p := range all {
		rest, ok := strings.CutPrefix(p.File, above)
		folder, _, inside := strings.Cut(rest, "/")
		if ok && inside {
			name := decode.NameOf(folder)
			out[name] = append(out[name], p)
		}
	}
	return out
}
