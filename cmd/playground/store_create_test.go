package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
)

// blank is the files of a new lesson as a browser sends them.
func blank() []lessons.File { return author.New(lessons.Redis, "new-lesson", "01-new-lesson") }

// withLongName is files of a new lesson of which the last has a name that no disk takes.
func withLongName(files []lessons.File) []lessons.File {
	files = slices.Clone(files)
	name := strings.Repeat("x", 300) + ".lua"
	files[0].Text = strings.Replace(files[0].Text, "file: unlock.lua", "file: "+name, 1)
	return append(files, lessons.File{Name: name, Text: "return 1"})
}

func TestANewLessonGetsTheNextFolder(t *testing.T) {
	s, _, folder := kept(t)
	dir := filepath.Dir(folder)
	published := 0
	s.publish = func() { published++ }
	for i, of := range []struct{ wanted, folder string }{
		{"01-queue", "02-queue"}, // 01 is the template's
		{"07-chosen", "07-chosen"},
		{"unnumbered", "08-unnumbered"},
	} {
		got, err := s.Create(of.wanted, blank())
		if err != nil || got != of.folder || published != i+1 {
			t.Fatalf("%s is in %q (%v), published %d times", of.wanted, got, err, published)
		}
		for _, f := range blank() {
			holds(t, filepath.Join(dir, got), f.Name, f.Text)
		}
	}
	if all := in(t, dir); all != "01-tiny 02-queue 07-chosen 08-unnumbered" {
		t.Errorf("the folder has %s", all)
	}
	edition, wrong := s.workspace.read()
	if wrong != "" || !slices.ContainsFunc(edition.Lessons, func(l *lessons.Lesson) bool { return l.Name == "queue" && s.Keeps(l) }) {
		t.Errorf("the new lesson is not read: %s", wrong)
	}
}

// What was left of the template, and is not used, is not written.
func TestANewLessonHasNoFileThatItDoesNotUse(t *testing.T) {
	s, _, folder := kept(t)
	files := blank()
	files[0].Text = tinyLesson
	got, err := s.Create("07-small", files)
	if err != nil {
		t.Fatal(err)
	}
	if all := in(t, filepath.Join(filepath.Dir(folder), got)); all != "lesson.yaml" {
		t.Errorf("its folder has %s", all)
	}
}

func TestANewLessonTakesNobodysPlace(t *testing.T) {
	_, _, folder := kept(t)
	first := t.TempDir()
	put(t, first, "03-file", "not a folder")
	ws, err := openWorkspace(builtInLessons(t), []string{first, filepath.Dir(folder)})
	if err != nil {
		t.Fatal(err)
	}
	s := &store{workspace: ws, publish: func() { t.Error("it is published") }}
	broken := blank()
	broken[0].Text = "title: x"
	idle := append(blank(), lessons.File{Name: "clients/mine.lua", Text: "x = 1"})
	for _, c := range []struct {
		wanted string
		files  []lessons.File
		en, zh string
	}{
		{"01-tiny", blank(), "01-tiny is there already: choose another name", "01-tiny 已存在"},
		{"09-file", blank(), "03-file is there already", "03-file 已存在"},
		{"009-eval", blank(), `the playground comes with a lesson "eval"`, `"eval" 是自带课程的名称`},
		{"01-new-lesson", blank(), "the lesson needs a name of its own", "请给课程另起一个名称"},
		{"../outside", blank(), `"../outside" cannot be the name of a lesson`, `"../outside" 不能作为课程名`},
		{"", blank(), `"" cannot be the name of a lesson`, `"" 不能作为课程名`},
		{"good", broken, "a lesson is saved when it has no mistakes", "没有错误之后才能保存"},
		{"good", append(blank(), lessons.File{Name: "../victim.lua", Text: "x"}), "no mistakes", "没有错误"},
		{"good", idle, "the lesson does not use clients/mine.lua", "课程没有用到 clients/mine.lua"},
		{"good", nil, "no mistakes", "没有错误"},
	} {
		_, err := s.Create(c.wanted, c.files)
		says(t, err, "Nothing was saved: ", "没有保存：")
		says(t, err, c.en, c.zh)
	}
	if all := in(t, first); all != "03-file" {
		t.Errorf("the folder has %s", all)
	}
}

// A new lesson may bring a client of its own along, which goes when the lesson does not come.
func TestANewLessonHasAClientOfItsOwn(t *testing.T) {
	s, _, folder := kept(t)
	dir := filepath.Dir(folder)
	files := append(blank(), lessons.File{Name: "clients/mine.lua", Text: "x = 1\n"})
	files[0].Text = strings.Replace(files[0].Text, "scripts:", "client: mine\nscripts:", 1)
	tooLong := withLongName(files)
	if _, err := s.Create("queue", tooLong); err == nil {
		t.Error("a file whose name is too long is saved")
	}
	if left := in(t, dir); left != "01-tiny" {
		t.Errorf("the folder has %s", left)
	}
	if _, err := s.Create("queue", files); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(dir, "clients"), "mine.lua", "x = 1\n")
}

// A disk that is full, say: the second file cannot be written.
func TestANewLessonIsWrittenWholeOrNotAtAll(t *testing.T) {
	s, _, folder := kept(t)
	dir := filepath.Dir(folder)
	s.publish = func() { t.Error("it is published") }
	_, err := s.Create("queue", withLongName(blank()))
	if err == nil || !strings.Contains(err.Error(), "02-queue cannot be written: file name too long. Your text is still here") {
		t.Errorf("it says %v", err)
	}
	if all := in(t, dir); all != "01-tiny" {
		t.Errorf("the folder has %s", all)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create("queue", blank()); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("without its folder it says %v", err)
	}
}
