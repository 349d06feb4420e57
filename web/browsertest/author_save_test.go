package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func (b *tab) save() { b.do(chromedp.KeyEvent("s", chromedp.KeyModifiers(chromedp.ModifierCtrl))) }

// With --edit the file of a lesson is written, and everybody sees it.
func TestALessonIsSavedWhereItLies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "01-queue", "lesson.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(newLesson)
	a := serve(t, "--lessons", dir, "--edit")
	learner := onScreen(t)
	learner.visit(a.url + "/en/lessons/queue/")
	learner.click(forward)
	b := onScreen(t)
	b.visit(a.url + "/en/lessons/queue/")
	b.openAuthor()
	b.typeTitle(`title: {en: "Saved", zh: "存好了"}`)
	b.until(authorSaid + `.startsWith('The page plays your draft')`)
	if learner.text("#f-title") != "A queue" {
		t.Errorf("another session sees the draft: %q", learner.text("#f-title"))
	}
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	learner.until(`document.querySelector('#f-title').textContent.trim() === 'Saved'`)
	learner.at("1 / 1")
	b.until(`document.querySelector('#f-title').textContent.trim() === 'Saved'`) // it is no longer a draft
	text, err := os.ReadFile(file)
	if shown := eval[string](b, authorText); err != nil || string(text) != shown || !strings.Contains(shown, "存好了") {
		t.Errorf("the file has %s (%v), the page\n%s", text, err, shown)
	}

	b.typeTitle(`title: {en: "Mine", zh: "我的"}`)
	b.until(`document.querySelector('#f-title').textContent.startsWith('Mine')`)
	write(strings.Replace(newLesson, "A queue", "Theirs", 1))
	learner.until(`document.querySelector('#f-title').textContent.trim() === 'Theirs'`)
	b.until(authorSaid + `.startsWith('The original has changed')`)
	b.save()
	b.until(authorSaid + `.startsWith('Nothing was saved: the files have changed on disk')`)
	if b.text("#f-title") != "Mine draft" {
		t.Errorf("the draft is gone: %q", b.text("#f-title"))
	}
	b.click("#author-reset")
	b.until(`document.querySelector('#f-title').textContent.trim() === 'Theirs'`)
	write(strings.Replace(newLesson, "A queue", "Again", 1))
	b.until(authorText + `.includes('"Again"')`) // what was not touched follows the file
}

// What has mistakes is not saved: everybody would see it. The mistakes are shown, and
// the draft stays.
func TestMistakesAreNotSaved(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "01-queue", "lesson.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(newLesson), 0o600); err != nil {
		t.Fatal(err)
	}
	a := serve(t, "--lessons", dir, "--edit")
	learner := onScreen(t)
	learner.visit(a.url + "/en/lessons/queue/")
	learner.click(forward)
	b := onScreen(t)
	b.visit(a.url + "/en/lessons/queue/")
	b.openAuthor()
	b.typeTitle(`titel: {en: "Mine", zh: "我的"}`)
	b.save()
	b.until(authorSaid + `.startsWith('Nothing was saved: the lesson has mistakes (1)')`)
	b.until(authorProblems + `.includes('did you mean "title"?')`)
	if text, err := os.ReadFile(file); err != nil || string(text) != newLesson {
		t.Errorf("the file has %s (%v)", text, err)
	}
	b.write("en-author-not-saved.png")
	b.visit(a.url + "/en/lessons/queue/")
	b.openAuthor()
	b.until(authorText + `.includes('titel')`) // as a draft
	b.typeTitle(`title: {en: "Mine", zh: "我的"}`)
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	learner.until(`document.querySelector('#f-title').textContent.trim() === 'Mine'`)
	learner.at("1 / 1")
}

// add adds a file to the lesson's.
func (b *tab) add(name string) {
	b.t.Helper()
	b.do(fill("#author-add-name", name), press("#author-adding button[type=submit]"))
}

// A lesson may get more files than it began with: scripts, a client of its own, or one
// that lies beside it.
func TestFilesAreAdded(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"01-queue/lesson.yaml": newLesson,
		"clients/theirs.lua":   "function push(q) return redis.eval(\"push\", {q}, {me}) end\r\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(name, want string) {
		t.Helper()
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s has %q (%v), want %q", name, text, err, want)
		}
	}
	a := serve(t, "--lessons", dir, "--edit")
	b := onScreen(t)
	b.visit(a.url + "/en/lessons/queue/")
	b.openAuthor()
	if offered := eval[string](b, `[...document.querySelectorAll('#author-offers option')].map(o => o.value).join(' ')`); !strings.Contains(offered, "clients/theirs.lua") || !strings.Contains(offered, "clients/redisson.lua") {
		t.Errorf("%s are offered", offered)
	}
	b.add("no such/file")
	b.until(authorSaid + `.startsWith('A file name looks like unlock.lua')`)
	b.add("push")
	b.until(authorFiles + ` === 'lesson.yaml push.lua' && ` + inAuthor)
	b.paste("return redis.call('RPUSH', KEYS[1], ARGV[1])\n")
	b.until(authorProblems + `.includes('push.lua: warning: the lesson does not use this file')`)
	b.write("en-author-files.png")
	b.checkAxe("the files of the Author view")
	b.do(press(`#author-files [data-file="lesson.yaml"]`))
	b.paste(strings.NewReplacer(
		`{source: "return redis.call('RPUSH', KEYS[1], ARGV[1])", `, `{file: push.lua, `, "scripts:", "client: theirs\nscripts:",
		`redis.eval("push", {"q"}, {me})`, `push("q")`).Replace(newLesson))
	b.until(authorFiles + ` === 'lesson.yaml push.lua clients/theirs.lua'`)
	b.until(authorSaid + ` === 'The page plays your draft. It is stored in this browser only.'`)
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	holds("01-queue/push.lua", "return redis.call('RPUSH', KEYS[1], ARGV[1])\n")
	holds("clients/theirs.lua", "function push(q) return redis.eval(\"push\", {q}, {me}) end\r\n")
	b.click(forward)
	b.at("1 / 1")

	b.add("clients/mine")
	b.paste("function push(q) return 0 end\n")
	if eval[bool](b, `document.querySelector('#author-remove').hidden`) {
		t.Error("a file that was added cannot be removed")
	}
	b.do(press("#author-remove"))
	b.until(authorFiles + ` === 'lesson.yaml push.lua clients/theirs.lua'`)
	b.do(press(`#author-files [data-file="push.lua"]`))
	if !eval[bool](b, `document.querySelector('#author-remove').hidden`) {
		t.Error("a file that is kept can be removed")
	}
	b.do(press(`#author-files [data-file="clients/theirs.lua"]`))
	b.paste("function push(q) redis.eval(\"push\", {q}, {me}) end\n")
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	holds("clients/theirs.lua", "function push(q) redis.eval(\"push\", {q}, {me}) end\r\n")
}

// With --edit a new lesson becomes a folder of its own, in the first of the folders,
// and who wrote it goes on at its address.
func TestANewLessonIsSavedAsAFolder(t *testing.T) {
	t.Parallel()
	dir, second := t.TempDir(), t.TempDir()
	write := func(dir, folder, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, folder, "lesson.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(dir, "04-first", newLesson)
	write(second, "01-taken", newLesson)
	a := serve(t, "--lessons", dir, "--lessons", second, "--edit")
	b := onScreen(t)
	b.visit(a.url + "/en/lessons/new-lesson/")
	b.until(inAuthor)
	name := func(name string) {
		b.do(fill("#author-name", name))
		eval[bool](b, `document.querySelector('#author-name').dispatchEvent(new Event('input'))`)
	}
	name("01-taken")
	b.do(press("#author-text"))
	b.paste(newLesson)
	b.until(`document.querySelector('#f-title').textContent.startsWith('A queue')`)
	for _, script := range []string{"lock.lua", "unlock.lua"} { // of the template, and of no use to this lesson
		b.until(authorProblems + `.includes('` + script + `: warning: the lesson does not use this file')`)
		b.do(press(`#author-files [data-file="` + script + `"]`))
		b.do(press("#author-remove"))
	}
	b.until(authorFiles + ` === 'lesson.yaml' && !` + authorProblems + `.includes('warning')`)
	eval[bool](b, `(navigator.clipboard.writeText = async (link) => { window.shared = link }, true)`)
	b.do(press("[data-ui=share]"))
	b.until(`document.querySelector('#failed p').textContent.startsWith('Link copied. It shows the lesson without your draft')`)
	if shared := eval[string](b, "shared"); !strings.HasPrefix(shared, a.url+"/en/lessons/new-lesson/") {
		t.Errorf("%s was shared", shared)
	}

	b.do(press("#author-save"))
	b.until(authorSaid + `.includes('01-taken is there already')`)
	b.until(inAuthor + " && " + authorText + `.includes('"A queue"')`) // to be gone on with
	b.write("en-author-new.png")
	name("01-mine")
	b.save()
	b.until(`location.pathname === '/en/lessons/mine/'`)
	b.until(revision + " > 0 && " + inAuthor)
	b.until(authorSaid + ` === 'This is the original text.'`)
	if title := b.text("#f-title"); title != "A queue" {
		t.Errorf("its title is %q", title)
	}
	if left := eval[string](b, `Object.keys(localStorage).filter(k => k.startsWith('lockstep-author:')).join()`); left != "" {
		t.Errorf("drafts are left: %s", left)
	}
	file := filepath.Join(dir, "05-mine", "lesson.yaml")
	if text, err := os.ReadFile(file); err != nil || string(text) != newLesson {
		t.Errorf("the file has %s, %v", text, err)
	}

	b.typeTitle(`title: {en: "Saved", zh: "存好了"}`)
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	b.until(`document.querySelector('#f-title').textContent.trim() === 'Saved'`)
	write(dir, "05-mine", strings.Replace(newLesson, "A queue", "Theirs", 1)) // the new folder is watched
	b.until(`document.querySelector('#f-title').textContent.trim() === 'Theirs'`)
	b.until(authorText + `.includes('Theirs')`)
	b.typeTitle(`title: {en: "Moved", zh: "挪了"}`)
	b.until(`document.querySelector('#f-title').textContent.startsWith('Moved')`)
	b.until(authorSaid + ` === 'The page plays your draft. It is stored in this browser only.'`)
	if err := os.Rename(filepath.Join(dir, "05-mine"), filepath.Join(dir, "07-mine")); err != nil {
		t.Fatal(err)
	}
	for folder := ""; folder != "07-mine"; { // until the server has seen it, which nothing on a page tells
		b.visit(a.url + "/en/lessons/mine/")
		b.openAuthor()
		b.until(authorText + `.includes('Moved')`) // the draft goes on in the folder as it is called now
		folder = eval[string](b, `document.querySelector('#author-name').value`)
	}
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	b.do(chromedp.Navigate(a.url + "/en/lessons/new-lesson/"))
	b.until(revision + " > 0 && " + inAuthor)
	b.until(authorText + `.includes('This is a whole lesson')`)
}
