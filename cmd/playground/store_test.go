package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/web/ui"
)

// kept is a folder with a lesson of two files, and a store of it.
func kept(t *testing.T) (*store, *lessons.Lesson, string) {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "01-tiny")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, folder, "lesson.yaml", strings.Replace(tinyLesson, "actors:", "scripts: {add: {file: add.lua}}\nactors:", 1))
	put(t, folder, "add.lua", "return 1\r\n")
	ws, err := openWorkspace(builtInLessons(t), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	edition, wrong := ws.read()
	if wrong != "" {
		t.Fatal(wrong)
	}
	for _, l := range edition.Lessons {
		if l.Name == "tiny" {
			return &store{workspace: ws, publish: func() {}}, l, folder
		}
	}
	t.Fatal("the lesson is not read")
	return nil, nil, ""
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, folder, name, want string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil || string(text) != want {
		t.Errorf("%s has %q (%v), want %q", name, text, err, want)
	}
	for _, dir := range []string{folder, filepath.Dir(folder)} {
		if _, err := os.Lstat(filepath.Join(dir, savingFolder)); err == nil {
			t.Errorf("%s was left behind in %s", savingFolder, dir)
		}
	}
}

// says checks what the page says of a save that was refused.
func says(t *testing.T, err error, en, zh string) {
	t.Helper()
	if err == nil {
		t.Errorf("it is saved, and should say %q", en)
		return
	}
	for lang, want := range map[lessons.Lang]string{lessons.En: en, lessons.Zh: zh} {
		if got := ui.Tell(lang, err); !strings.Contains(got, want) {
			t.Errorf("in %s it says %q, want %q", lang, got, want)
		}
	}
}

// typed is the files of a lesson as a browser sends them, with other texts.
func typed(l *lessons.Lesson, texts ...string) []lessons.File {
	files := author.Reader{}.Files(l)
	for i, text := range texts {
		files[i].Text = text
	}
	return files
}

func TestSavingReplacesWhatWasOpened(t *testing.T) {
	s, l, folder := kept(t)
	if !s.Keeps(l) {
		t.Fatal("the lesson is not kept")
	}
	opened := lessons.Fingerprint(author.Reader{}.Files(l))
	other, third := titled(l, "Other"), titled(l, "Third")
	of, err := s.Save(l, opened, typed(l, other, "return 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, folder, "lesson.yaml", other)
	holds(t, folder, "add.lua", "return 2\r\n")
	if of, err = s.Save(l, of, typed(l, third, "return 2\n")); err != nil {
		t.Fatalf("a second time: %v", err)
	}
	info, err := os.Stat(filepath.Join(folder, "lesson.yaml"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	if _, err := s.Save(l, opened, typed(l, titled(l, "Late"))); err == nil || !strings.Contains(err.Error(), "changed on disk since you opened them") {
		t.Errorf("who opened it before saves with %v", err)
	}
	put(t, folder, "add.lua", "return 3")
	if _, err := s.Save(l, of, typed(l, titled(l, "Late"))); err == nil {
		t.Error("a script that changed on disk is not seen")
	}
	holds(t, folder, "lesson.yaml", third)
}

// titled is the text of a lesson with another title.
func titled(l *lessons.Lesson, title string) string {
	return strings.Replace(l.YAML, l.Title.En, title, 1)
}

// Whoever has the page open would see the mistakes.
func TestALessonWithMistakesIsNotSaved(t *testing.T) {
	s, l, folder := kept(t)
	of := lessons.Fingerprint(author.Reader{}.Files(l))
	for _, texts := range [][]string{
		{"title: broken"},
		{strings.Replace(l.YAML, "chapter: more", "chapter: moor", 1)},
		{l.YAML, "return (\n"},
	} {
		_, err := s.Save(l, of, typed(l, texts...))
		says(t, err, "Nothing was saved: a lesson is saved when it has no mistakes", "没有保存：课程要在没有错误之后才能保存")
	}
	holds(t, folder, "lesson.yaml", l.YAML)
	holds(t, folder, "add.lua", "return 1\r\n")
}

// A lesson may get more scripts and a client of its own, which are nobody else's.
func TestFilesAreAddedToALesson(t *testing.T) {
	s, l, folder := kept(t)
	dir := filepath.Dir(folder)
	of := lessons.Fingerprint(author.Reader{}.Files(l))
	yaml := strings.Replace(l.YAML, "scripts: {add: {file: add.lua}}", "client: mine\nscripts: {add: {file: add.lua}, sub: {file: sub.lua}}", 1)
	more := []lessons.File{{Name: "sub.lua", Text: "return 0\n"}, {Name: "clients/mine.lua", Text: "function f() end\n"}}
	fresh, err := s.Save(l, of, append(typed(l, yaml), more...))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, folder, "sub.lua", "return 0\n")
	holds(t, dir, "clients/mine.lua", "function f() end\n")
	edition, wrong := s.workspace.read()
	i := slices.IndexFunc(edition.Lessons, func(l *lessons.Lesson) bool { return l.Name == "tiny" })
	saved := edition.Lessons[i]
	if wrong != "" || fresh != lessons.Fingerprint(author.Reader{}.Files(saved)) || saved.Client.Name != "mine" || len(saved.Scripts) != 2 {
		t.Fatalf("%s it is read as %+v, and its files are not %s", wrong, saved, fresh)
	}

	old := l
	l, of = saved, fresh
	for _, c := range []struct {
		name, yaml string
		more       lessons.File
		en, zh     string
	}{
		{"a file of another lesson's", l.YAML, lessons.File{Name: "clients/theirs.lua", Text: "x = 2\n"}, "there is another clients/theirs.lua already", "已有另一个 clients/theirs.lua"},
		{"a file that nothing uses", l.YAML, lessons.File{Name: "idle.lua", Text: "return 0\n"}, "the lesson does not use idle.lua", "课程没有用到 idle.lua"},
		{"a file that is none", l.YAML, lessons.File{Name: "../../x.lua", Text: "return 0\n"}, "no mistakes", "没有错误"},
		{"a link", strings.Replace(l.YAML, "sub.lua", "link.lua", 1), lessons.File{Name: "link.lua", Text: "return 0\n"}, "it is not a plain file", "没有保存"},
	} {
		put(t, filepath.Join(dir, "clients"), "theirs.lua", "x = 1\n")
		_ = os.Symlink(filepath.Join(dir, "clients", "theirs.lua"), filepath.Join(folder, "link.lua"))
		_, err := s.Save(l, of, append(typed(l, c.yaml), c.more))
		says(t, err, c.en, c.zh)
		holds(t, filepath.Join(dir, "clients"), "theirs.lua", "x = 1\n")
	}
	if all := in(t, folder); all != "add.lua lesson.yaml link.lua sub.lua" {
		t.Errorf("the folder has %s", all)
	}

	// A client of the folder is changed by who has seen it, and left alone by who has not.
	theirs := lessons.File{Name: "clients/theirs.lua", Text: "x = 1\n"}
	yaml = strings.Replace(l.YAML, "client: mine", "client: theirs", 1)
	changed := lessons.File{Name: theirs.Name, Text: "x = 3\n", Of: lessons.Fingerprint([]lessons.File{theirs})}
	if _, err := s.Save(l, of, append(typed(l, yaml), changed)); err != nil {
		t.Errorf("a client that was opened: %v", err)
	}
	holds(t, filepath.Join(dir, "clients"), "theirs.lua", "x = 3\n")
	if _, err := s.Save(old, of, typed(old)); err == nil {
		t.Error("who has fewer files than there are saves")
	}
}

func TestTheFoldersClientsAreOffered(t *testing.T) {
	s, l, folder := kept(t)
	clients := filepath.Join(filepath.Dir(folder), "clients")
	if err := os.Mkdir(clients, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, clients, "redisson.lua", "-- theirs\n")
	put(t, clients, "mine.lua", "-- mine\n")
	put(t, clients, "notes.txt", "not a client")
	d := author.Reader{SharedClients: s.workspace.clients}
	offered := func(l *lessons.Lesson) (names []string, theirs lessons.File) {
		for _, f := range d.Offers(l) {
			if names = append(names, f.Name); f.Name == "clients/redisson.lua" {
				theirs = f
			}
		}
		return names, theirs
	}
	for _, of := range []*lessons.Lesson{l, d.Blank()} {
		names, theirs := offered(of)
		if !slices.Contains(names, "clients/mine.lua") || slices.Contains(names, "clients/notes.txt") || !slices.Contains(names, "clients/fenced.lua") {
			t.Errorf("%s: %v are offered", of.Name, names)
		}
		if theirs.Text != "-- theirs\n" || theirs.Of == "" {
			t.Errorf("%s: in place of the folder's client stands %+v", of.Name, theirs)
		}
	}
	builtIn := builtInLessons(t)
	if names, theirs := offered(builtIn[0]); slices.Contains(names, "clients/mine.lua") || theirs.Of != "" {
		t.Errorf("a lesson of the playground is offered %v", names)
	}
}

func TestOnlyTheLessonsOwnFilesAreWritten(t *testing.T) {
	s, l, folder := kept(t)
	of := lessons.Fingerprint(author.Reader{}.Files(l))
	for _, name := range []string{"../../victim.lua", "other.lua", "clients/redisson.lua"} {
		files := typed(l)
		files[1].Name = name
		if _, err := s.Save(l, of, files); err == nil {
			t.Errorf("%s is saved", name)
		}
		if _, err := s.Save(l, of, append(typed(l), lessons.File{Name: name, Text: "x"})); err == nil {
			t.Errorf("%s is saved beside the others", name)
		}
	}
	builtIn := builtInLessons(t)
	if s.Keeps(builtIn[0]) {
		t.Error("lessons that come with the program can be saved")
	}
	outside := filepath.Join(t.TempDir(), "outside.lua")
	put(t, filepath.Dir(outside), "outside.lua", "return 1\r\n")
	if err := os.Remove(filepath.Join(folder, "add.lua")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "add.lua")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Save(l, of, typed(l, titled(l, "X"), "return 2")); err == nil || !strings.Contains(err.Error(), "it is not a plain file") {
		t.Errorf("through a link it is saved with %v", err)
	}
	holds(t, filepath.Dir(outside), "outside.lua", "return 1\r\n")
}

// in is the names in a folder.
func in(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
