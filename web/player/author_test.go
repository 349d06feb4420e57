package player

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
	"lockstep/web/ui"
)

const typed = `title: {en: "Typed", zh: "手写"}
summary: {en: "Two clients.", zh: "两个客户端。"}
chapter: more
level: basic
scripts:
  add: {file: add.lua, keys: [counter]}
actors:
  A: {program: 'redis.eval("add", {"n"}, {}) redis.call("GET", "n")'}
  B: {program: 'redis.eval("add", {"n"}, {})'}
story:
  - {run: A, expect: {reply: 1}}
  - {run: B, expect: {reply: 2}}
  - {run: A, expect: {reply: '"2"'}}
`

const addLua = "return redis.call('INCR', KEYS[1])\n"

// newAuthorClient is a session in a playground whose lessons can be written, with a lesson
// that was read from files.
func newAuthorClient(t *testing.T) *testClient {
	t.Helper()
	l, err := decode.Library{Texts: map[string]string{"01-typed/lesson.yaml": typed, "01-typed/add.lua": addLua}}.Lesson("01-typed")
	if err != nil {
		t.Fatal(err)
	}
	redis := &fakeEngine{kind: ui.Redis}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}, redis}, Author: NewAuthor(author.Reader{}, nil)}
	d := &testClient{t: t, session: p.NewSession("test"), redis: redis, html: map[string]string{}}
	d.ok(`"op":"load","lesson":"typed"`)
	d.ok(`"op":"step","n":2`)
	return d
}

// write sends files as an author types them.
func (d *testClient) write(yaml, lua string) Reply {
	d.t.Helper()
	return d.sendFiles(OpAuthor, "01-typed", typedFiles(yaml, lua))
}

func typedFiles(yaml, lua string) []lessons.File {
	return []lessons.File{{Name: "lesson.yaml", Text: yaml}, {Name: "add.lua", Text: lua}}
}

// sendFiles sends files, to be played or saved.
func (d *testClient) sendFiles(op Op, folder string, all []lessons.File) Reply {
	d.t.Helper()
	files, err := json.Marshal(all)
	if err != nil {
		d.t.Fatal(err)
	}
	d.id++
	var reply *Reply
	for _, m := range d.session.Handle(d.t.Context(), fmt.Appendf(nil, `{"v":1,"id":%d,"op":%q,"folder":%q,"files":%s}`, d.id, op, folder, files)) {
		d.take(m)
		if m.Reply != nil {
			reply = m.Reply
		}
	}
	return *reply
}

func (d *testClient) titled(want string, draft bool) {
	d.t.Helper()
	if title := d.html["f-title"]; !strings.Contains(title, want) || strings.Contains(title, "draft") != draft {
		d.t.Errorf("the page's title is %s, want %q", title, want)
	}
	d.shown()
}

func TestALessonIsPlayedInPlaceWhileItIsTyped(t *testing.T) {
	d := newAuthorClient(t)
	if r := d.write(strings.Replace(typed, "Typed", "Better", 1), strings.Replace(addLua, "'INCR', KEYS[1]", "'INCRBY', KEYS[1], 5", 1)); !r.OK || len(r.Problems) != 3 || r.Problems[1].Line != 12 || !strings.Contains(r.Problems[1].Text, "got:  10") {
		t.Fatalf("%+v", r) // the story expects other replies
	}
	d.titled("Better", true)
	if d.last.Pos != 2 || d.last.Len != 2 || !strings.HasSuffix(d.last.Schedule, ".A.B") {
		t.Errorf("at %d of %s", d.last.Pos, d.last.Schedule)
	}
	if got := d.session.now.trace.Steps[1].Reply.String(); got != "10" {
		t.Errorf("B got %s", got)
	}
	if n := d.session.View().Notice; n != nil {
		t.Errorf("the page says %+v", n)
	}
	rev := d.rev
	if r := d.write(strings.Replace(typed, "Typed", "Better", 1), strings.Replace(addLua, "'INCR', KEYS[1]", "'INCRBY', KEYS[1], 5", 1)); !r.OK || d.rev != rev {
		t.Errorf("the same text is played anew: %+v", r)
	}
	d.ok(`"op":"step","n":1`)
	if r := d.write(typed, addLua); !r.OK {
		t.Fatalf("%+v", r)
	}
	d.titled("Typed", false)
	if d.last.Pos != 3 {
		t.Errorf("at %d", d.last.Pos)
	}
}

func TestMistakesAreToldBesideTheLastGoodVersion(t *testing.T) {
	d := newAuthorClient(t)
	d.write(strings.Replace(typed, "Typed", "Better", 1), addLua)
	broken := strings.Replace(strings.Replace(typed, "Typed", "Worse", 1), "actors:", "axtors:", 1)
	brokenLua := "return redis.call('INCR', KEYS[1]\n"
	r := d.write(broken, brokenLua)
	if r.OK || r.Err.Code != CodeMistakes {
		t.Fatalf("%+v", r)
	}
	_, err := decode.Library{Texts: map[string]string{"01-typed/lesson.yaml": broken, "01-typed/add.lua": brokenLua}}.Lesson("01-typed")
	var texts []string
	places := map[string]bool{}
	for _, p := range r.Problems {
		texts = append(texts, p.Text)
		places[fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)] = true
	}
	if got := strings.Join(texts, "\n\n"); got != err.Error() {
		t.Errorf("the author is told\n%s\nplayground check says\n%s", got, err)
	}
	if !places["lesson.yaml:7:1"] || !places["add.lua:1:1"] {
		t.Errorf("the places are %v", places)
	}
	d.titled("Better", true)
	d.ok(`"op":"step","n":1`) // it stays usable
	if d.last.Pos != 3 {
		t.Errorf("at %d", d.last.Pos)
	}
}

func TestADraftIsSeenByNobodyElse(t *testing.T) {
	d := newAuthorClient(t)
	d.write(strings.Replace(typed, "Typed", "Mine", 1), addLua)
	other := &testClient{t: t, session: d.session.NewSession("other"), html: map[string]string{}}
	other.ok(`"op":"load","lesson":"typed"`)
	other.titled("Typed", false)
	if d.session.Catalog.Now().Lessons[0].Title.En != "Typed" {
		t.Error("the catalog has the draft")
	}
}

func TestADraftIsLoadedAgainAfterALostConnection(t *testing.T) {
	d := newAuthorClient(t)
	yaml := strings.Replace(typed, "Typed", "Mine", 1)
	d.write(yaml, addLua)
	files, _ := json.Marshal([]lessons.File{{Name: "lesson.yaml", Text: yaml}, {Name: "add.lua", Text: addLua}})
	again := &testClient{t: t, session: d.session.NewSession("again"), html: map[string]string{}}
	again.ok(fmt.Sprintf(`"op":"load","lesson":"typed","schedule":%q,"pos":1,"folder":"01-typed","files":%s`, d.last.Schedule, files))
	again.titled("Mine", true)
	if again.last.Pos != 1 || again.last.Len != 2 || again.session.View().Notice != nil {
		t.Errorf("at %d of %d with %+v", again.last.Pos, again.last.Len, again.session.View().Notice)
	}
	broken := &testClient{t: t, session: d.session.NewSession("broken"), html: map[string]string{}}
	broken.ok(`"op":"load","lesson":"typed","folder":"01-typed","files":[{"name":"lesson.yaml","text":"{"}]`)
	broken.titled("Typed", false)
}

// The files of a lesson that changes while it is written are told apart, and do not
// take the draft's place.
func TestADraftOutlivesAChangeOfTheFiles(t *testing.T) {
	d := newAuthorClient(t)
	d.ok(`"op":"author"`)
	d.write(strings.Replace(typed, "Typed", "Mine", 1), addLua)
	was := d.last.Original
	l, err := decode.Library{Texts: map[string]string{"01-typed/lesson.yaml": strings.Replace(typed, "Typed", "On disk", 1), "01-typed/add.lua": addLua}}.Lesson("01-typed")
	if err != nil {
		t.Fatal(err)
	}
	d.session.Catalog.Publish(&Edition{Lessons: []*lessons.Lesson{l}, Broken: map[string]string{"typed": "lesson.yaml:1:1: not the author's business"}})
	for _, m := range d.session.Refresh(t.Context()) {
		d.take(m)
	}
	d.titled("Mine", true)
	if was == "" || d.last.Original == was {
		t.Errorf("the frame says the files are %q, as before", d.last.Original)
	}
	if strings.Contains(d.html["f-notice"], "not the author") {
		t.Error("the mistakes of the files are shown beside the draft")
	}
	d.write(strings.Replace(typed, "Typed", "On disk", 1), addLua)
	d.titled("On disk", false)
}

func TestTheBlankLessonCanBeOpened(t *testing.T) {
	d := newAuthorClient(t)
	d.ok(`"op":"load","lesson":"new-lesson"`)
	d.ok(`"op":"step","n":9`)
	if d.last.Lesson != "new-lesson" || d.last.Len != 5 {
		t.Errorf("%s has %d steps", d.last.Lesson, d.last.Len)
	}
	for _, l := range d.session.View().Catalog {
		if l.Name == "new-lesson" {
			t.Error("the blank lesson is in the catalog")
		}
	}
}

// memoryStore keeps the one lesson, and remembers what was saved.
type memoryStore struct{ saved []lessons.File }

func (s *memoryStore) Keeps(*lessons.Lesson) bool { return true }

func (s *memoryStore) Save(_ *lessons.Lesson, _ string, files []lessons.File) (string, error) {
	s.saved = files
	return "new", nil
}

func (s *memoryStore) Create(string, []lessons.File) (string, error) {
	return "", errors.New("nothing is created")
}

// What everybody would see is never broken: the mistakes come back instead.
func TestMistakesAreNotSaved(t *testing.T) {
	d := newAuthorClient(t)
	kept := &memoryStore{}
	d.session.Author = NewAuthor(author.Reader{}, kept)
	r := d.sendFiles(OpSave, "01-typed", typedFiles(strings.Replace(typed, "actors:", "axtors:", 1), addLua))
	if r.OK || r.Err.Code != CodeMistakes || !strings.HasPrefix(r.Err.Msg, "Nothing was saved: the lesson has mistakes (1)") || kept.saved != nil {
		t.Errorf("%+v, and %v was saved", r.Err, kept.saved)
	}
	if len(r.Problems) != 1 || r.Problems[0].File != "lesson.yaml" || r.Problems[0].Line != 7 {
		t.Errorf("the mistakes are %+v", r.Problems)
	}
	r = d.sendFiles(OpSave, "01-typed", typedFiles(strings.Replace(typed, "reply: 1}", "reply: 7}", 1), addLua))
	if r.OK || r.Err.Code != CodeMistakes || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Text, "want: 7") || kept.saved != nil {
		t.Errorf("a story that goes otherwise: %+v, and %v was saved", r, kept.saved)
	}
	d.ok(`"op":"load","lesson":"typed","lang":"zh"`)
	if r := d.sendFiles(OpSave, "01-typed", typedFiles(typed, "return (")); !strings.HasPrefix(r.Err.Msg, "没有保存：有 1 处错误") {
		t.Errorf("it says %s", r.Err.Msg)
	}
	if r := d.sendFiles(OpSave, "01-typed", typedFiles(strings.Replace(typed, "Typed", "Better", 1), addLua)); !r.OK || r.Of != "new" || len(kept.saved) != 2 {
		t.Errorf("%+v, and %v was saved", r, kept.saved)
	}
}

// awayStore keeps no lesson.
type awayStore struct{ memoryStore }

func (awayStore) Keeps(*lessons.Lesson) bool { return false }

// Whoever cannot save is told why: the lesson's folder is elsewhere now, or was never kept here.
func TestALessonThatNobodyKeepsSaysWhy(t *testing.T) {
	d := newAuthorClient(t)
	d.session.Author = NewAuthor(author.Reader{}, &awayStore{})
	for _, want := range []string{"This lesson cannot be saved here", "the folder of this lesson was renamed or removed"} {
		if r := d.sendFiles(OpSave, "01-typed", typedFiles(typed, addLua)); r.OK || r.Err.Code != CodeNotSaved || !strings.Contains(r.Err.Msg, want) {
			t.Errorf("%+v, want %q", r.Err, want)
		}
		d.session.Catalog.Publish(&Edition{})
	}
}

// publishing is a store whose lessons are published when they are saved.
type publishing struct {
	memoryStore
	session *Session
}

func (p *publishing) Save(_ *lessons.Lesson, _ string, files []lessons.File) (string, error) {
	l, problems := author.Reader{}.Read("01-typed", files)
	if l == nil {
		return "", problems
	}
	p.session.Catalog.Publish(&Edition{Lessons: []*lessons.Lesson{l}})
	return p.session.Author.original(l), nil
}

// A draft ends when it is saved, and does not when something else was.
func TestASavedDraftIsTheLesson(t *testing.T) {
	d := newAuthorClient(t)
	d.session.Author = NewAuthor(author.Reader{}, &publishing{session: d.session})
	mine, better := strings.Replace(typed, "Typed", "Mine", 1), strings.Replace(typed, "Typed", "Better", 1)
	d.write(mine, addLua)
	if r := d.sendFiles(OpSave, "01-typed", typedFiles(better, addLua)); !r.OK || !d.session.isDraft() || d.session.original.Title.En != "Mine" {
		t.Errorf("%+v; %q is played, a draft: %t", r, d.session.original.Title.En, d.session.isDraft())
	}
	refresh := func() {
		for _, m := range d.session.Refresh(t.Context()) {
			d.take(m)
		}
	}
	refresh()
	if r := d.sendFiles(OpSave, "01-typed", typedFiles(mine, addLua)); !r.OK || d.session.isDraft() {
		t.Errorf("%+v; a draft: %t", r, d.session.isDraft())
	}
	refresh()
	d.ok(`"op":"step","n":1`)
	d.titled("Mine", false)
}

// A name may have its number or not while it is typed.
func TestANameNeedsNoNumber(t *testing.T) {
	d := newAuthorClient(t)
	for folder, good := range map[string]bool{"typed": true, "fencing-token": true, "07-fencing-token": true, "": false, "Typed": false, "07-": false, "a b": false, "a/b": false} {
		r := d.sendFiles(OpAuthor, folder, typedFiles(strings.Replace(typed, "Typed", "Mine", 1), addLua))
		if r.OK != good || good == (len(r.Problems) > 0) {
			t.Errorf("%q: %+v", folder, r)
		}
	}
}

func TestFilesCanBeAdded(t *testing.T) {
	d := newAuthorClient(t)
	d.ok(`"op":"author"`)
	yaml := strings.Replace(typed, "scripts:", "client: mine\nscripts:", 1)
	files := append(typedFiles(yaml, addLua), lessons.File{Name: "clients/mine.lua", Text: "function f() end"})
	if r := d.sendFiles(OpAuthor, "01-typed", files); !r.OK || len(r.Problems) > 0 || d.session.original.Client.Name != "mine" {
		t.Fatalf("%+v with the client %q", r, d.session.original.Client.Name)
	}
	r := d.sendFiles(OpAuthor, "01-typed", append(files, lessons.File{Name: "idle.lua"}))
	want := "01-typed/idle.lua: warning: the lesson does not use this file\n  write scripts: {idle: {file: idle.lua}} in lesson.yaml, or leave it out"
	if !r.OK || len(r.Problems) != 1 || r.Problems[0].File != "idle.lua" || r.Problems[0].Text != want {
		t.Errorf("%+v", r)
	}
	files[0].Text = typed
	if r := d.sendFiles(OpAuthor, "typed", files); r.Problems[0].File != "clients/mine.lua" || !strings.Contains(r.Problems[0].Text, "write client: mine in lesson.yaml") {
		t.Errorf("%+v", r.Problems)
	}
}

// The guide's other limits are looked at beside the guide.
func TestTheGuideTellsHowMuchADraftMayHave(t *testing.T) {
	text, err := os.ReadFile("../../lessons/README.md")
	if want := fmt.Sprintf("| all files in the Author view | %d KB |", MaxTexts>>10); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s is not in the guide, %v", want, err)
	}
}

// A server that runs no edits runs no drafts either.
func TestADraftRunsOnlyWhereEditsDo(t *testing.T) {
	d := newAuthorClient(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.write(strings.Replace(typed, "Typed", "More", 1), addLua)
	d.write(strings.Replace(typed, "Typed", "Most", 1), strings.Replace(addLua, "INCR", "incr", 1))
	if d.redis.opened != 1 || d.last.Engine != ui.Redis {
		t.Errorf("%d servers were started while two words were typed, and the lesson is on %s", d.redis.opened, d.last.Engine)
	}
	d.redis.edits = "this server runs nothing of yours"
	d.write(strings.Replace(typed, "Typed", "Mine", 1), addLua)
	d.titled("Mine", true)
	if d.last.Engine != ui.Embedded || !strings.Contains(d.session.View().Notice.Text, "this server runs nothing of yours") {
		t.Errorf("on %s with %+v", d.last.Engine, d.session.View().Notice)
	}
	d.refused(`"op":"engine","kind":"redis"`, CodeNoEdits)
}

func TestFilesThatAreNoneOfALessonAreRefused(t *testing.T) {
	d := newAuthorClient(t)
	d.refused(`"op":"author","folder":"01-typed","files":[{"name":"../../etc/passwd","text":"x"}]`, CodeMistakes)
	d.refused(`"op":"author","folder":"../typed","files":[{"name":"lesson.yaml","text":"x"}]`, CodeMistakes)
	d.refused(`"op":"author","folder":"01-typed","files":[{"name":"add.lua","text":"return 1"}]`, CodeMistakes)
	d.refused(fmt.Sprintf(`"op":"author","folder":"01-typed","files":[{"name":"lesson.yaml","text":%q}]`, strings.Repeat("x", MaxTexts)), CodeTooLong)
	d.titled("Typed", false)
	none := open(t) // a playground that reads no lessons
	none.refused(`"op":"author"`, CodeNoAuthor)
}
