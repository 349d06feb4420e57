package main

import (
	"errors"
	"os"
	"path"
	"slices"
	"sync"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/author"
)

// store writes the files of lessons in an author's folders, and no others. An
// os.Root keeps it inside of them.
type store struct {
	workspace *workspace
	publish   func()                        // reads the folders anew, for all sessions
	mu        sync.Mutex                    // one author saves at a time
	before    func(does, name string) error // as saving has it
}

// Keeps tells whether a lesson is one of the folders'.
func (s *store) Keeps(l *lessons.Lesson) bool {
	root, _ := s.home(l)
	return root != nil
}

// home is the folder of lessons that a lesson is in, and its own folder there.
func (s *store) home(l *lessons.Lesson) (*os.Root, string) {
	for i, root := range s.workspace.roots {
		if folder, ok := s.workspace.folderIn(i, l); ok {
			return root, folder
		}
	}
	return nil, ""
}

// Save replaces the files of a lesson that differ, all of them or none, and returns the
// fingerprint of what is there then. The files must be those that the lesson has, as
// they were when the author opened them, and may be followed by others that are to be
// added. What they make must be a lesson without mistakes.
func (s *store) Save(l *lessons.Lesson, of string, files []lessons.File) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	root, folder := s.home(l)
	own := author.Reader{}.Files(l)
	if root == nil || len(files) < len(own) || !slices.EqualFunc(files[:len(own)], own, func(a, b lessons.File) bool { return a.Name == b.Name }) {
		return "", fact.Of("other-files")
	}
	next, err := parseLesson(folder, files)
	if err != nil {
		return "", err
	}
	now, err := onDisk(root, folder, own)
	if err != nil {
		return "", err
	}
	if lessons.Fingerprint(now) != of {
		return "", fact.Of("changed-on-disk")
	}
	changes, err := s.added(root, folder, next, files[len(own):])
	if err != nil {
		return "", err
	}
	for i, f := range files[:len(own)] {
		if text := withLineEndsOf(f.Text, now[i].Text); text != now[i].Text {
			changes = append(changes, change{File: within(folder, f.Name), old: now[i].Text, text: text})
		}
	}
	if err := s.replaceAll(root, changes); err != nil {
		return "", err
	}
	s.publish() // before the reply: from then on the saved files are not a draft
	now, err = onDisk(root, folder, author.Reader{}.Files(next))
	return lessons.Fingerprint(now), err
}

// Create writes a new lesson into the first of the folders, and publishes it. It returns
// the lesson's folder: that of the name which was wanted, and the next free number
// where none was chosen.
func (s *store) Create(wanted string, files []lessons.File) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	number, name, err := splitName(wanted)
	if err != nil {
		return "", fact.Of("not-saved", err)
	}
	if number == author.BlankNumber { // which nobody chose
		number = ""
	}
	folder, err := freeFolder(s.workspace.libs, number, name)
	if err != nil {
		return "", fact.Of("not-saved", err)
	}
	next, err := parseLesson(folder, files)
	if err != nil {
		return "", err
	}
	inside, clients := splitClients(files)
	added, err := s.added(s.workspace.roots[0], folder, next, clients)
	if err != nil {
		return "", err
	}
	lesson := change{File: folder, Fresh: true, lesson: used(next, inside), shown: path.Join(s.workspace.libs[0].Shown, folder)}
	if err := s.replaceAll(s.workspace.roots[0], append(added, lesson)); err != nil {
		return "", err
	}
	s.publish()
	return folder, nil
}

func (s *store) replaceAll(root *os.Root, changes []change) error {
	s.workspace.reading.Lock() // or some would be read as they were, and some as they are
	defer s.workspace.reading.Unlock()
	return saving{root, s.before}.replaceAll(changes)
}

// within is where a file of a lesson is; lock clients lie beside its folder.
func within(folder, name string) string {
	if path.Dir(name) != "." {
		return name
	}
	return path.Join(folder, name)
}

func notWritten(name string, err error) error {
	return fact.Of("file-unwritten", name, cause(err))
}

// readPlain reads a file that is not a link, pipe or folder.
func readPlain(root *os.Root, name string) (string, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is not a plain file")
	}
	text, err := root.ReadFile(name)
	return string(text), err
}
