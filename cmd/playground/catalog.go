package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// builtIn is where the lessons that come with the program are in its sources,
// for messages.
const builtIn = "lessons"

// ownLessons is where the lessons are read from that come with the program.
var ownLessons = decode.Library{FS: lessons.FS, Shown: builtIn}

// catalog is the lessons that come with the program. Nobody changes them.
var catalog = sync.OnceValues(ownLessons.All)

// lessonSet is lessons that were read, with what is wrong with others.
type lessonSet struct {
	lessons []*lessons.Lesson
	broken  lessons.Problems
	// library is where they were read from; nil: they come with the program.
	library *decode.Library
}

// put takes in what a library gave. The error is one that has kept it from reading any lesson: mistakes in lessons are
// part of the set.
func (s *lessonSet) put(all []*lessons.Lesson, err error) error {
	s.lessons = all
	if problems, ok := errors.AsType[lessons.Problems](err); ok {
		s.broken, err = problems, nil
	}
	return err
}

// putAll takes in all lessons of a library, of which there must be some.
func (s *lessonSet) putAll(library decode.Library, named string) error {
	if err := s.put(library.All()); err != nil {
		return err
	}
	if len(s.lessons)+len(s.broken) == 0 {
		return usage("%s contains no lesson: a lesson is a folder with a %s, named like 009-eval", named, decode.Filename)
	}
	return nil
}

// find reads the lessons that an argument means: one of the program's own by
// its name, or those of a folder. A mistake in one of them does not keep the
// others from being read.
func find(arg string) (lessonSet, error) {
	folders, err := ownLessons.Folders()
	if err != nil {
		return lessonSet{}, err
	}
	var names []string
	for _, dir := range folders { // reading all of them to find one would take half a second
		if decode.NameOf(dir) == arg {
			l, err := ownLessons.Lesson(dir)
			return lessonSet{lessons: []*lessons.Lesson{l}}, err
		}
		names = append(names, decode.NameOf(dir))
	}
	info, statErr := os.Stat(arg)
	switch {
	case statErr == nil && info.IsDir():
		return folder(arg)
	case statErr == nil && filepath.Base(arg) == decode.Filename:
		return folder(filepath.Dir(arg))
	case statErr == nil && filepath.Ext(arg) == ".zip":
		return archive(arg)
	case statErr == nil:
		return lessonSet{}, usage("%s is not a lesson: name the lesson's folder, its %s, or a zip of the folder", arg, decode.Filename)
	}
	own, _ := filepath.Glob("*/" + decode.Filename) // this pattern is not malformed
	for _, file := range own {
		if dir := filepath.Dir(file); decode.NameOf(dir) == arg {
			return folder(dir)
		}
	}
	all, _ := catalog() // those that cannot be read have no old names
	return lessonSet{}, usage("there is no lesson and no folder %q: %s", arg, otherName(arg, names, all))
}

// otherName says which lesson was probably meant by a name that none has now.
func otherName(wanted string, names []string, all []*lessons.Lesson) string {
	for _, l := range all {
		if slices.Contains(l.Formerly, wanted) {
			return fmt.Sprintf("it is part of %q now, did you mean that?", l.Name)
		}
	}
	if best := lessons.Closest(wanted, names); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "playground list has the names of all lessons"
}

// folder reads a lesson's folder, or a folder of them. The lock clients are in
// clients/ beside the lessons' folders.
func folder(dir string) (lessonSet, error) {
	if _, err := os.Stat(filepath.Join(dir, decode.Filename)); err != nil {
		library, err := open(dir, dir)
		if err != nil {
			return lessonSet{}, err
		}
		s := lessonSet{library: library}
		err = s.putAll(*library, dir)
		return s, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return lessonSet{}, fmt.Errorf("the folder %s cannot be found: %w", dir, err)
	}
	shown := filepath.Dir(filepath.Clean(dir))
	if filepath.Base(filepath.Clean(dir)) != filepath.Base(abs) { // it was given as . or ..
		shown = filepath.Dir(abs)
	}
	library, err := open(filepath.Dir(abs), shown)
	if err != nil {
		return lessonSet{}, err
	}
	s := lessonSet{library: library}
	l, err := library.Lesson(filepath.Base(abs))
	if l != nil {
		s.lessons = []*lessons.Lesson{l}
		return s, nil
	}
	err = s.put(nil, err)
	return s, err
}

// archive reads the lessons of a zip, such as the Author view exports.
func archive(name string) (lessonSet, error) {
	z, err := zip.OpenReader(name) // open as long as the program runs
	if err != nil {
		return lessonSet{}, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	var s lessonSet
	err = s.putAll(decode.Library{FS: z, Shown: filepath.ToSlash(name)}, name)
	return s, err
}

// open makes a library of a folder that no link leads out of. It stays open until
// the program ends, since its lessons may be read again.
func open(dir, shown string) (*decode.Library, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be opened: %w", dir, err)
	}
	return &decode.Library{FS: root.FS(), Shown: filepath.ToSlash(shown)}, nil
}
