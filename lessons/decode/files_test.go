package decode_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

func TestALessonIsReadFromTexts(t *testing.T) {
	texts := map[string]string{}
	for name, file := range good(t) {
		texts[name] = string(file.Data)
	}
	library := decode.Library{Texts: texts, Shown: "mine"}
	l, err := library.Lesson("07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	if l.Client.File != "mine/clients/plain.lua" || l.Scripts[0].Place.String() != "mine/07-good-lesson/lock.lua:1:1" {
		t.Errorf("its client is in %s, and its script at %s", l.Client.File, l.Scripts[0].Place)
	}
	if l.Name != "good-lesson" || l.File != "mine/07-good-lesson/lesson.yaml" || l.Scripts[0].File != "mine/07-good-lesson/lock.lua" {
		t.Errorf("it is %s in %s with %s", l.Name, l.File, l.Scripts[0].File)
	}
	all, err := library.All()
	if err != nil || len(all) != 1 {
		t.Errorf("%d lessons, %v", len(all), err)
	}
}

func TestTextsStandBeforeFiles(t *testing.T) {
	text := strings.Replace(string(good(t)["07-good-lesson/lesson.yaml"].Data), "A good lesson", "Another one", 1)
	library := decode.Library{FS: good(t), Texts: map[string]string{
		"07-good-lesson/lesson.yaml": text,
		"07-good-lesson/lock.lua":    "return 1",
		"clients/plain.lua":          "function lock(k",
	}}
	_, err := library.Lesson("07-good-lesson")
	if err == nil || !strings.Contains(err.Error(), "clients/plain.lua:1:") {
		t.Fatalf("the client is not what the texts have: %v", err)
	}
	delete(library.Texts, "clients/plain.lua")
	l, err := library.Lesson("07-good-lesson")
	if err != nil {
		t.Fatal(err)
	}
	if l.Title.En != "Another one" || l.Scripts[0].Source != "return 1" || !strings.Contains(l.Client.Source, "redis.eval") {
		t.Errorf("it is called %q, has the script %q and the client %q", l.Title.En, l.Scripts[0].Source, l.Client.Source)
	}
}

func TestALessonMayNameAClientOfThePlayground(t *testing.T) {
	fsys := good(t)
	edit(t, fsys, "client: plain", "client: redisson")
	l, err := decode.Lesson(fsys, "07-good-lesson")
	if err != nil || !strings.Contains(l.Client.Source, "watchdog") {
		t.Fatalf("the client is not read: %v", err)
	}
	if l.Client.File != "" {
		t.Errorf("its file is %s, and beside the lesson is none", l.Client.File)
	}
}

func TestNoLinkLeadsOutOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, file := range good(t) {
		write("lessons/"+name, string(file.Data))
	}
	write("secret/secret.lua", "return 'secret'")
	script := filepath.Join(dir, "lessons", "07-good-lesson", "lock.lua")
	read := func() error {
		root, err := os.OpenRoot(filepath.Join(dir, "lessons"))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		_, err = decode.Lesson(root.FS(), "07-good-lesson")
		return err
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		make func() error
		want string
	}{
		{"a link out of it", func() error { return os.Symlink("../../secret/secret.lua", script) }, "path escapes from parent"},
		{"a link to elsewhere", func() error { return os.Symlink(filepath.Join(dir, "secret", "secret.lua"), script) }, "path escapes from parent"},
		{"a link to itself", func() error { return os.Symlink("lock.lua", script) }, "too many"},
		{"a pipe", func() error { return syscall.Mkfifo(script, 0o644) }, "this is not a regular file"},
		{"a folder", func() error { return os.Mkdir(script, 0o755) }, "there is no file lock.lua beside the lesson"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.Remove(script); err != nil {
				t.Fatal(err)
			}
			if err := c.make(); err != nil {
				t.Fatal(err)
			}
			err := read()
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), dir) {
				t.Errorf("it is said %v, want %q", err, c.want)
			}
		})
	}
}

func TestFilesThatAreTooLong(t *testing.T) {
	for _, c := range []struct {
		file string
		long int
		want string
	}{
		{"07-good-lesson/lesson.yaml", 256 << 10, "07-good-lesson/lesson.yaml: this file is longer than 262144 bytes"},
		{"07-good-lesson/lock.lua", 16 << 10, "lock.lua: this file is longer than 16384 bytes"},
		{"clients/plain.lua", 64 << 10, "clients/plain.lua: this file is longer than 65536 bytes"},
	} {
		for _, library := range []string{"texts", "files"} {
			for more, allowed := range map[int]bool{0: true, 1: false} {
				texts := map[string]string{}
				files := good(t)
				for name, file := range files {
					texts[name] = string(file.Data)
				}
				comment := "#"
				if strings.HasSuffix(c.file, ".lua") {
					comment = "--"
				}
				rest := c.long + more - len(texts[c.file])
				text := texts[c.file] + strings.Repeat(comment+strings.Repeat("x", 97)+"\n", rest/(98+len(comment)))
				text += comment + strings.Repeat("x", c.long+more-len(text)-len(comment))
				texts[c.file], files[c.file].Data = text, []byte(text)
				l := decode.Library{Texts: texts}
				if library == "files" {
					l = decode.Library{FS: files}
				}
				_, err := l.Lesson("07-good-lesson")
				if allowed != (err == nil) || !allowed && !strings.Contains(err.Error(), c.want) {
					t.Errorf("of %s with %d bytes too many in %s is said %v", c.file, more, library, err)
				}
			}
		}
	}
}

// What a folder offers is listed in the order of the names, whichever way it is kept.
func TestFilesAreListedInOrder(t *testing.T) {
	text := string(good(t)["07-good-lesson/lesson.yaml"].Data)
	texts := map[string]string{
		"clients/plain.lua": "function lock() end", "clients/abc.lua": "-- abc", "clients/xyz.lua": "-- xyz", "clients/mid.lua": "-- mid",
		"clients/readme.md": "no client", "clients/in/deep.lua": "no client", "other.lua": "no client", "07-x/other.lua": "no client",
	}
	var want []string
	for i := range 9 {
		dir := fmt.Sprintf("0%d-lesson-%d", i+1, i+1)
		texts[dir+"/lesson.yaml"], texts[dir+"/lock.lua"] = text, "return 1"
		want = append(want, fmt.Sprintf("lesson-%d", i+1))
	}
	library := decode.Library{Texts: texts}
	all, err := library.All()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range all {
		names = append(names, l.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("the lessons are %v, want %v", names, want)
	}
	var clients []string
	for _, f := range library.ClientFiles() {
		clients = append(clients, f.Name+" "+f.Text)
	}
	if want := []string{"clients/abc.lua -- abc", "clients/mid.lua -- mid", "clients/plain.lua function lock() end", "clients/xyz.lua -- xyz"}; !slices.Equal(clients, want) {
		t.Errorf("the clients are %q, want %q", clients, want)
	}
}

func TestClientsOfThePlayground(t *testing.T) {
	files := decode.OwnClientFiles()
	if len(files) == 0 {
		t.Fatal("there are none")
	}
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(f.Name, "clients/"), ".lua")
		if f.Name != decode.ClientFile(name) || !decode.IsOwn(f.Name, f.Text) || decode.IsOwn(f.Name, f.Text+" ") {
			t.Errorf("%s is not known by its text", f.Name)
		}
	}
	if decode.IsOwn("clients/none.lua", "") {
		t.Error("a client that is none comes with the playground")
	}
}

// What cannot be read as text of the size that is allowed says so.
func TestFilesThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		"\nreturn '\xff'":                        "07-good-lesson/lock.lua:2:1: this line is not UTF-8 text\n",
		"return 1 -- \u202e":                     "07-good-lesson/lock.lua:1:13: here is a character that cannot be seen, U+202E\n",
		"\uFEFFreturn 1":                         "07-good-lesson/lock.lua:1:1: this file begins with a byte order mark, which Lua cannot read\n",
		"-- " + strings.Repeat("x", 20<<10):      "lock.lua: this file is longer than ",
		"return redis.call('GET', KEYS[1]\n-- x": "07-good-lesson/lock.lua:2:",
		"\n\nreturn redis.call('GET', KEYS[1]":   "07-good-lesson/lock.lua:3:",
	} {
		fsys := good(t)
		fsys["07-good-lesson/lock.lua"] = &fstest.MapFile{Data: []byte(text)}
		_, fromFile := decode.Lesson(fsys, "07-good-lesson")
		_, fromText := decode.Library{FS: good(t), Texts: map[string]string{"07-good-lesson/lock.lua": text}}.Lesson("07-good-lesson")
		for _, err := range []error{fromFile, fromText} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("of %.40q is said %v, want %q", text, err, want)
			}
		}
	}
}

// An author reads no more than a page of mistakes at once.
func TestMistakesAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "key%d: x\n", i)
	}
	_, problems := decode.Library{Texts: map[string]string{"01-a/lesson.yaml": text.String()}}.Lesson("01-a")
	found, ok := errors.AsType[lessons.Problems](problems)
	if !ok || len(found) != 40 {
		t.Errorf("%d mistakes are told, want 40", len(found))
	}
}
