package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// builtIn is where the lessons that come with the program are in its sources,
// for messages.
const builtIn = "lessons"

// catalog reads the lessons that come with the program.
func catalog() ([]*lessons.Lesson, error) {
	return decode.Library{FS: lessons.FS, Shown: builtIn}.All()
}

// find reads the lessons that an argument means: one of the program's own by
// its name, or those of a folder. A mistake in one of them does not keep the
// others from being read.
func find(arg string) ([]*lessons.Lesson, error) {
	all, err := catalog()
	names := make([]string, len(all))
	for i, l := range all {
		if l.Name == arg {
			return all[i : i+1], nil
		}
		names[i] = l.Name
	}
	info, statErr := os.Stat(arg)
	switch {
	case statErr == nil && info.IsDir():
		return folder(arg)
	case statErr == nil && filepath.Base(arg) == decode.Filename:
		return folder(filepath.Dir(arg))
	case statErr == nil:
		return nil, usage("%s is no lesson: name the lesson's folder, or its %s", arg, decode.Filename)
	case err != nil:
		return nil, err
	}
	return nil, usage("there is no lesson and no folder %q: the lessons are %s", arg, strings.Join(names, ", "))
}

// folder reads a lesson's folder, or a folder of them. The lock clients are in
// clients/ beside the lessons' folders.
func folder(dir string) ([]*lessons.Lesson, error) {
	if _, err := os.Stat(filepath.Join(dir, decode.Filename)); err != nil {
		library, closeLibrary, err := open(dir, dir)
		if err != nil {
			return nil, err
		}
		defer closeLibrary()
		all, err := library.All()
		if err == nil && len(all) == 0 {
			return nil, usage("%s is no lesson and has none: a lesson is a folder with a %s, named as in 01-eval", dir, decode.Filename)
		}
		return all, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be found: %w", dir, err)
	}
	shown := filepath.Dir(filepath.Clean(dir))
	if filepath.Base(filepath.Clean(dir)) != filepath.Base(abs) { // it was given as . or ..
		shown = filepath.Dir(abs)
	}
	library, closeLibrary, err := open(filepath.Dir(abs), shown)
	if err != nil {
		return nil, err
	}
	defer closeLibrary()
	l, err := library.Lesson(filepath.Base(abs))
	if err != nil {
		return nil, err
	}
	return []*lessons.Lesson{l}, nil
}

// open makes a library of a folder that no link leads out of.
func open(dir, shown string) (decode.Library, func(), error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return decode.Library{}, nil, fmt.Errorf("the folder %s cannot be opened: %w", dir, err)
	}
	return decode.Library{FS: root.FS(), Shown: filepath.ToSlash(shown)}, func() { _ = root.Close() }, nil
}
