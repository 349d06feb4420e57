package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/node/sample"
)

// killedSaves are how often a save is killed.
var killedSaves = sample.Generated{All: 200, Sample: 20}

// inChild is the environment variable that tells TestChildThatSaves what to do: what, where, and
// before what change of the disk to die.
const inChild = "SAVES_IN_CHILD"

// TestChildThatSaves is what TestASaveSurvivesAKill starts and kills.
func TestChildThatSaves(t *testing.T) {
	var what, dir string
	var place, places int
	if _, err := fmt.Sscan(os.Getenv(inChild), &what, &dir, &place); err != nil {
		return // there is nothing to do but in a child
	}
	before := func(does, name string) error {
		if places++; places == place {
			die(t)
		}
		if does == "write" { // it has a middle
			if places++; places == place {
				put(t, dir, name, "half")
				die(t)
			}
		}
		if what == "refused" && name == newText(2) && does == "rename" {
			return syscall.EPERM
		}
		return nil
	}
	if what == "recover" {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := (saving{root, before}).recover(); err != nil {
			t.Fatal(err)
		}
		return
	}
	s := storeOf(t, dir)
	s.before = before
	switch what {
	case "create":
		if _, err := s.Create("new", withClient(author.New(lessons.Redis, "new-lesson", "01-new-lesson"), "scripts:")); err != nil {
			t.Fatal(err)
		}
	case "save", "refused":
		l := theOnly(t, s)
		files := typed(l, titled(l, "Second"), "return 2")
		if _, err := s.Save(l, lessons.Fingerprint(author.Reader{}.Files(l)), withClient(files, "scripts:")); (err == nil) != (what == "save") {
			t.Fatalf("%s: %v", what, err)
		}
	}
	fmt.Printf("\nplaces %d\n", places)
	for what == "endless" {
		l := theOnly(t, s)
		files := typed(l, strings.NewReplacer("First", "Second", "Second", "First").Replace(l.YAML), "return 2")
		if l.Title.En == "Second" {
			files[1].Text = "return 1\r\n"
		}
		if _, err := s.Save(l, lessons.Fingerprint(author.Reader{}.Files(l)), files); err != nil {
			t.Fatal(err)
		}
	}
}

func die(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	select {}
}

// withClient gives a lesson a client of its own.
func withClient(files []lessons.File, before string) []lessons.File {
	files[0].Text = strings.Replace(files[0].Text, before, "client: mine\n"+before, 1)
	return append(files, lessons.File{Name: "clients/mine.lua", Text: "x = 1\n"})
}

func storeOf(t *testing.T, dir string) *store {
	t.Helper()
	ws, err := openWorkspace(nil, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	return &store{workspace: ws, publish: func() {}}
}

func theOnly(t *testing.T, s *store) *lessons.Lesson {
	t.Helper()
	edition, wrong := s.workspace.read()
	if wrong != "" {
		t.Fatal(wrong)
	}
	return edition.Lessons[0]
}

// aLesson is a folder with one lesson.
func aLesson(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "01-tiny")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, folder, "lesson.yaml", strings.Replace(tinyLesson, "actors:", "scripts: {add: {file: add.lua}}\nactors:", 1))
	put(t, folder, "add.lua", "return 1\r\n")
	return dir
}

// child saves, and dies before it changes the disk so often; 0: it does not. It returns how often it has.
func child(t *testing.T, what, dir string, place int) (places int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, "-test.run=^TestChildThatSaves$")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", inChild, what, dir, place))
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said += lines.Text() + "\n"
		if _, err := fmt.Sscanf(lines.Text(), "places %d", &places); err == nil && what == "endless" {
			time.Sleep(rand.N(20 * time.Millisecond)) //nolint:forbidigo // it waits for nothing: any instant will do
			_ = c.Process.Kill()
		}
	}
	if err := c.Wait(); err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%s: %v: %s", what, err, said)
	}
	return places
}

// tree is all that is in a folder.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		text := ""
		if err == nil && !e.IsDir() {
			var read []byte
			read, err = os.ReadFile(filepath.Join(dir, name))
			text = string(read)
		}
		fmt.Fprintf(&all, "%s: %q\n", name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// Whenever a save is killed, the lesson is whole at the next start, and nothing else is there.
func TestASaveSurvivesAKill(t *testing.T) {
	type whole struct {
		as     []string
		places int
	}
	known := map[string]whole{}
	for _, seed := range killedSaves.Seeds(t) {
		what := []string{"save", "create", "refused", "endless"}[seed%4]
		if _, is := known[what]; !is {
			dir := aLesson(t)
			old := tree(t, dir)
			w := whole{[]string{old}, 1}
			if what == "endless" {
				w.as = append(w.as, strings.NewReplacer("First", "Second", `return 1\r\n`, "return 2").Replace(old))
			} else {
				w.places = child(t, what, dir, 0)
				w.as = append(w.as, tree(t, dir))
			}
			if what == "refused" { // and killed before it is undone
				dir = aLesson(t)
				child(t, "save", dir, 0)
				w.as = append(w.as, tree(t, dir))
			}
			known[what] = w
		}
		w := known[what]
		dir, place := aLesson(t), 0
		if what != "endless" {
			place = 1 + int(seed/4)%w.places
		}
		child(t, what, dir, place)
		child(t, "recover", dir, 1+int(seed)%5) // the next start is killed, too
		ws, err := openWorkspace(nil, []string{dir})
		if err != nil {
			t.Fatal(err)
		}
		_ = ws.roots[0].Close()
		if now := tree(t, dir); !slices.Contains(w.as, now) {
			t.Errorf("%s, killed at place %d of %d, leaves\n%s\nin place of one of %q", what, place, w.places, now, w.as)
		}
	}
}
