package main

import (
	"errors"
	"fmt"
	"os"
	"path"
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
	all, err := decode.All(lessons.FS)
	return placed(all, builtIn), placedError(err, builtIn)
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
	case err != nil:
		return nil, err
	}
	return nil, usage("there is no lesson and no folder %q: the lessons are %s", arg, strings.Join(names, ", "))
}

// folder reads a lesson's folder, or a folder of them. The lock clients are in
// clients/ beside the lessons' folders.
func folder(dir string) ([]*lessons.Lesson, error) {
	if _, err := os.Stat(filepath.Join(dir, decode.Filename)); err != nil {
		all, err := decode.All(os.DirFS(dir))
		if err == nil && len(all) == 0 {
			return nil, usage("%s is no lesson and has none: a lesson is a folder with a %s, named as in 01-eval", dir, decode.Filename)
		}
		return placed(all, dir), placedError(err, dir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be found: %w", dir, err)
	}
	shown := filepath.Dir(filepath.Clean(dir))
	if filepath.Base(filepath.Clean(dir)) != filepath.Base(abs) { // it was given as . or ..
		shown = filepath.Dir(abs)
	}
	l, err := decode.Lesson(os.DirFS(filepath.Dir(abs)), filepath.Base(abs))
	if err != nil {
		return nil, placedError(err, shown)
	}
	return placed([]*lessons.Lesson{l}, shown), nil
}

// placed makes the files of lessons such that they can be opened from here.
func placed(all []*lessons.Lesson, dir string) []*lessons.Lesson {
	for _, l := range all {
		for i := range l.Actors {
			l.Actors[i].File = path.Join(dir, l.Actors[i].File)
		}
		for i := range l.Rules {
			l.Rules[i].File = path.Join(dir, l.Rules[i].File)
		}
		for i := range l.Story {
			l.Story[i].File = path.Join(dir, l.Story[i].File)
		}
	}
	return all
}

func placedError(err error, dir string) error {
	if mistakes, ok := errors.AsType[decode.Errors](err); ok {
		for _, m := range mistakes {
			m.File = path.Join(dir, m.File)
		}
	}
	return err
}
