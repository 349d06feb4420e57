package player

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/ui"
)

const plainDel = `return redis.call('DEL', KEYS[1])`

// openUnlock opens the lesson that unlocks by comparing and deleting, at its end.
func openUnlock(t *testing.T) *testClient {
	t.Helper()
	l, err := decode.Lesson(lessons.FS, "010-compare-and-delete")
	if err != nil {
		t.Fatal(err)
	}
	redis := &fakeEngine{kind: ui.Redis}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}, redis}}
	d := &testClient{t: t, session: p.NewSession("test"), redis: redis, html: map[string]string{}}
	d.ok(`"op":"load","lesson":"compare-and-delete"`)
	d.ok(fmt.Sprintf(`"op":"seek","pos":%d`, len(l.Choices())))
	return d
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func editing(part, source string) string {
	return fmt.Sprintf(`"op":"edit","part":%q,"source":%s`, part, quoted(source))
}

// differs checks at which step the page says that the story differs, and in what words.
func (d *testClient) differs(step int, words string) {
	d.t.Helper()
	v := d.session.View()
	if v.Edits == nil || v.Edits.Differs != step {
		d.t.Fatalf("edits %+v, want a difference at step %d", v.Edits, step)
	}
	if !strings.Contains(d.html["f-edits"], words) {
		d.t.Fatalf("the page says %s, want %q", d.html["f-edits"], words)
	}
}

func TestAnEditedScriptMakesTheStoryDiffer(t *testing.T) {
	for _, kind := range []string{"embedded", "redis"} {
		t.Run(kind, func(t *testing.T) {
			d := openUnlock(t)
			d.ok(`"op":"engine","kind":"` + kind + `"`)
			before := d.last
			d.ok(editing("script:unlock", plainDel))
			if d.last.Schedule != before.Schedule || d.last.Pos != before.Pos {
				t.Fatalf("at %d of %s, was at %d of %s", d.last.Pos, d.last.Schedule, before.Pos, before.Schedule)
			}
			d.differs(10, "Differs from step 10: B got 1 instead of 0.")
			if !strings.Contains(d.last.Say, "step 10") {
				t.Errorf("the live region hears %q", d.last.Say)
			}
			if strings.Contains(d.html["f-diff"], "differs from here on") {
				t.Error("the last step says that the story differs from there on")
			}
			d.ok(`"op":"seek","pos":10`)
			for _, words := range []string{"differs from here on", "lock1", "not there", "string C, TTL 5 s"} {
				if !strings.Contains(d.html["f-diff"], words) {
					t.Errorf("no %q in %s", words, d.html["f-diff"])
				}
			}
			if !strings.Contains(d.html["f-story"], "With your edit, this is no longer as in the story") || !strings.Contains(d.html["f-story"], "reply: expected 0, here 1") {
				t.Errorf("the story says nothing of its expectation: %s", d.html["f-story"])
			}
			for _, id := range []string{"f-timeline", "f-ticks"} {
				if !strings.Contains(d.html[id], "i-differs") {
					t.Errorf("%s has no mark", id)
				}
			}
			d.ok(`"op":"seek","pos":9`)
			if d.html["f-diff"] != `<div id="f-diff" class="diff-slot"></div>` {
				t.Errorf("a step that is the same shows %s", d.html["f-diff"])
			}
			d.shown()
		})
	}
}

func TestAnEditCanBeTakenBack(t *testing.T) {
	for name, back := range map[string]string{
		"an empty text":     editing("script:unlock", " \n"),
		"the original text": `"op":"edit","part":"script:unlock","source":""`,
		"all edits":         `"op":"unedit"`,
		"the ghost":         `"op":"ghost"`,
	} {
		t.Run(name, func(t *testing.T) {
			d := openUnlock(t)
			was := d.last.Schedule
			log := d.html["f-log"]
			d.ok(editing("script:unlock", plainDel))
			if g := leftLast(d); g == nil || !g.Edited {
				t.Fatalf("ghost %+v, want the timeline before the edit", g)
			}
			d.ok(back)
			if v := d.session.View(); v.Edits != nil || d.last.Edits != "" || d.last.Schedule != was || d.html["f-log"] != log {
				t.Fatalf("edits %+v, schedule %s", v.Edits, d.last.Schedule)
			}
			d.ok(`"op":"ghost"`) // and there again
			d.differs(10, "B got 1 instead of 0")
			d.ok(`"op":"step","n":-3`)
			d.ok(`"op":"choose","choice":"run C"`) // on nodes that must be of the edited lesson
			d.shown()
		})
	}
}

// Each of several edits can be undone alone.
func TestOneOfSeveralEditsCanBeTakenBack(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	d.ok(editing("program:C", `say("hello")`))
	for _, label := range []string{"Undo the script unlock", "Undo the program of C", "Undo all edits"} {
		if !strings.Contains(d.html["f-edits"], ">"+label+"<") {
			t.Errorf("nothing says %q: %s", label, d.html["f-edits"])
		}
	}
	d.ok(`"op":"unedit","part":"program:C"`)
	if v := d.session.View(); len(v.Edits.Parts) != 1 || v.Edits.Parts[0].String() != "script:unlock" {
		t.Errorf("what is left is %v", v.Edits.Parts)
	}
	if !strings.Contains(d.html["f-edits"], ">Undo the edit<") {
		t.Errorf("of one edit the page says %s", d.html["f-edits"])
	}
	d.refused(`"op":"unedit","part":"program:Z"`, CodeBadMessage)
	d.ok(`"op":"unedit"`)
	if v := d.session.View(); v.Edits != nil {
		t.Errorf("after all are undone there is %v", v.Edits.Parts)
	}
}

func TestTheOriginalIsFollowedAsTheLearnerGoesOn(t *testing.T) {
	d := openUnlock(t)
	d.ok(`"op":"seek","pos":5`)
	d.ok(`"op":"fork"`)
	d.ok(editing("script:unlock", plainDel))
	d.differs(0, "No difference up to step 5.")
	d.ok(`"op":"seek","pos":9`)
	d.differs(0, "No difference up to step 9.")
	d.ok(`"op":"step","n":1`)
	d.differs(10, "B got 1 instead of 0")
	d.ok(`"op":"step","n":-2`)
	d.differs(10, "Show step 10")
	d.ok(`"op":"choose","choice":"tick 1s"`) // another way
	d.differs(0, "No difference up to step 9.")
	d.ok(`"op":"ghost"`)
	d.differs(10, "Show step 10")
	d.ok(`"op":"reset"`)
	d.differs(0, "No difference yet; one may show as the story goes on.")
}

func TestAnEditedProgramAndClient(t *testing.T) {
	d := openUnlock(t)
	source, _ := d.session.original.Source(lessons.Part{Kind: lessons.ProgramPart, Name: "B"})
	d.ok(editing("program:B", strings.Replace(source, `trylock("lock1", 10000)`, `trylock("lock1", 20000)`, 1)))
	d.differs(5, "B asks for SET lock1 B NX PX 20000 instead of SET lock1 B NX PX 10000")
	source, _ = d.session.original.Source(lessons.Part{Kind: lessons.ClientPart, Name: "compare-and-delete"})
	d.ok(editing("client:compare-and-delete", strings.Replace(source, `redis.call("GET", name) == me`, `true`, 1)))
	d.differs(3, "A asks for DEL lock1 instead of GET lock1")
	if parts := d.session.View().Edits.Parts; len(parts) != 2 {
		t.Errorf("edited are %v", parts)
	}
	d.ok(editing("client:compare-and-delete", ""))
	d.differs(5, "B asks for")
}

// A program that ends early cannot do what the story says next.
func TestAnEditMayStopTheStory(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("program:C", `say("I go home")`))
	if n := d.session.View().Notice; n != nil {
		t.Errorf("it is said twice: %q", n.Text)
	}
	d.differs(7, `Differs from step 7: “run C” cannot happen here any more (its program has ended).`)
	if d.last.Len != 6 {
		t.Fatalf("%d steps were played", d.last.Len)
	}
	d.ok(`"op":"choose","choice":"run A"`)
	d.differs(0, "No difference up to step 7.") // C has not been asked
	d.ok(`"op":"ghost"`)
	if d.last.Len != 14 {
		t.Errorf("%d steps came back", d.last.Len)
	}
	d.ok(`"op":"seek","pos":0`)
	d.ok(`"op":"fork"`)
	d.ok(editing("program:A", `error("no")`)) // fails before its first request
	d.differs(1, `“run A” cannot happen here any more (its program failed:`)
	if lead := d.html["f-lead"]; !strings.Contains(lead, `data-op="unedit"`) || !strings.Contains(lead, "any more (its program failed:") {
		t.Errorf("it goes on with %s", lead)
	}
	d.ok(`"op":"unedit"`)
	if lead := d.html["f-lead"]; !strings.Contains(lead, `data-op="play"`) {
		t.Errorf("without the edit it goes on with %s", lead)
	}
}

// A story asks about the code that it tells of.
func TestAnEditThatChangesTheStoryIsNotAskedAbout(t *testing.T) {
	d := openCatalog(t, builtIn(t), "reentrant-lock")
	d.ok(`"op":"seek","pos":3`)
	for _, tt := range []struct {
		source string
		asks   bool
	}{
		{"return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2]) and 1 or 0", false},
		{"", true},
	} {
		d.ok(editing("script:lock", tt.source))
		if asks := d.session.View().Prediction != nil; asks != tt.asks {
			t.Errorf("with %q it asks: %t", tt.source, asks)
		}
	}
}

// What the original cannot do is a difference too.
func TestAnEditMayDoWhatTheOriginalCannot(t *testing.T) {
	d := openUnlock(t)
	source, _ := d.session.original.Source(lessons.Part{Kind: lessons.ProgramPart, Name: "A"})
	d.ok(editing("program:A", source+"\nredis.call('PING')"))
	d.differs(14, "then behaves differently")
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"choose","choice":"tick 1s"`)
	d.differs(14, "then behaves differently")
}

func TestAnEditMayBeginWhatTheOriginalDoesNot(t *testing.T) {
	l := fixture()
	l.Actors[1].Program = `say("B has nothing to do")`
	d := openCatalog(t, []*lessons.Lesson{l}, l.Name)
	d.ok(editing("program:B", `redis.call("PING") redis.call("PING")`))
	d.ok(`"op":"choose","choice":"run B"`)
	d.differs(1, "Differs from step 1: without the edit “run B” cannot happen here (its program has ended).")
	d.ok(`"op":"choose","choice":"run B"`)
	d.differs(1, "without the edit “run B” cannot happen here")
	d.ok(`"op":"seek","pos":0`)
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"step","n":-1`)
	d.ok(`"op":"fork"`)
	d.ok(editing("program:B", ""))
	if v := d.session.View(); v.Edits != nil {
		t.Errorf("without edits there are %+v", v.Edits)
	}
}

func TestATextThatIsNoLuaChangesNothing(t *testing.T) {
	d := openUnlock(t)
	was := d.last.Schedule
	for _, op := range []string{"check", "edit"} {
		err := d.send(fmt.Sprintf(`"op":%q,"part":"script:unlock","source":"local x = 1\n\n  retrun x"`, op))
		if err == nil || err.Code != CodeSyntax || err.Line != 3 || err.Col != 10 || !strings.Contains(err.Msg, "near 'x'") {
			t.Errorf("%s: %+v", op, err)
		}
	}
	if v := d.session.View(); v.Edits != nil || len(v.Branches) > 0 || d.last.Schedule != was {
		t.Errorf("edits %+v, branches %+v", v.Edits, v.Branches)
	}
	d.ok(`"op":"check","part":"script:unlock","source":"#!lua flags=no-writes\nreturn 1"`)
	d.ok(`"op":"check","part":"program:A","source":"sleep('1s')"`)
	d.ok(`"op":"check","part":"program:A","source":""`)
	d.refused(`"op":"check","part":"program:Z","source":""`, CodeBadMessage)
	d.refused(editing("program", "x = 1"), CodeBadMessage)
	d.refused(editing("script:unlock", strings.Repeat("-", MaxSource+1)), CodeTooLong)
	d.ok(editing("script:unlock", "return 1 --"+strings.Repeat("-", MaxSource-12)))
	d.ok(editing("program:A", "x = 1 --"+strings.Repeat("-", MaxSource-12)))
	d.refused(editing("program:B", "x = 1 --"+strings.Repeat("-", MaxSource-12)), CodeTooLong)
}

// check is asked while a learner types: it must leave the page as it is.
func TestACheckDrawsNothing(t *testing.T) {
	d := openUnlock(t)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"play"`)
	rev := d.rev
	d.ok(`"op":"check","part":"script:unlock","source":"return 2"`)
	d.refused(`"op":"check","part":"script:unlock","source":"return +"`, CodeSyntax)
	if d.rev != rev {
		t.Errorf("frame %d after %d", d.rev, rev)
	}
}

func TestSourcesAreTheTextsOfAllParts(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	var parts []PartText
	for _, m := range d.session.Handle(t.Context(), []byte(`{"v":1,"id":99,"op":"sources"}`)) {
		parts = m.Parts
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Part)
		if (p.Source != p.Original) != (p.Part == "script:unlock") || p.Original == "" {
			t.Errorf("%+v", p)
		}
	}
	if got := strings.Join(names, " "); got != "script:unlock client:compare-and-delete program:A program:B program:C" {
		t.Errorf("the parts are %s", got)
	}
}

func TestAnEngineMayRefuseEdits(t *testing.T) {
	d := openUnlock(t)
	d.redis.edits = "others use this server"
	d.ok(editing("script:unlock", plainDel))
	if msg := d.refused(`"op":"engine","kind":"redis"`, CodeNoEdits); !strings.Contains(msg, "others use this server") {
		t.Errorf("no reason in %q", msg)
	}
	d.notice(ui.NoticeError, 0, "others use this server")
	if d.last.Engine != ui.Embedded {
		t.Fatal("the edits run there")
	}
	d.ok(`"op":"unedit"`)
	d.ok(`"op":"engine","kind":"redis"`)
	was := d.last.Schedule
	for _, m := range d.session.Handle(t.Context(), []byte(`{"v":1,"id":99,"op":"sources"}`)) {
		if m.NoEdits != "others use this server" {
			t.Errorf("an editor hears %q", m.NoEdits)
		}
	}
	if msg := d.refused(editing("script:unlock", plainDel), CodeNoEdits); !strings.Contains(msg, "others use this server") {
		t.Errorf("no reason in %q", msg)
	}
	d.refused(`"op":"ghost"`, CodeNoEdits) // the edited timeline
	if v := d.session.View(); v.Edits != nil || d.last.Schedule != was || d.last.Engine != ui.Redis {
		t.Errorf("edits %+v on %s", v.Edits, d.last.Engine)
	}
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"choose","choice":"tick 2s"`) // the engine goes on
	code := pack([]edit{{lessons.Part{Kind: lessons.ScriptPart, Name: "unlock"}, fingerprint(d.source("script:unlock")), plainDel}})
	d.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","engine":"redis","edits":%q`, code))
	d.notice(ui.NoticeError, 0, "others use this server")
	if d.last.Engine != ui.Embedded || d.last.Edits != code {
		t.Errorf("on %s with %q", d.last.Engine, d.last.Edits)
	}
}

func (d *testClient) source(name string) string {
	p, _ := lessons.ParsePart(name)
	source, _ := d.session.original.Source(p)
	return source
}

func TestAnEditThatTheEngineCannotReplayIsNotApplied(t *testing.T) {
	d := openUnlock(t)
	d.ok(`"op":"engine","kind":"redis"`)
	d.redis.down = true
	if msg := d.refused(editing("script:unlock", plainDel), CodeEngine); !strings.Contains(msg, "The edit was not applied: connection reset") {
		t.Errorf("the editor is told %q", msg)
	}
	if n := d.session.View().Notice; n != nil { // the editor says it, and that is where the eye is
		t.Errorf("the page says it, too: %q", n.Text)
	}
	if v := d.session.View(); v.Edits != nil || d.last.Len != 14 {
		t.Errorf("edits %+v, %d steps", v.Edits, d.last.Len)
	}
	d.redis.down = false
	d.ok(editing("script:unlock", plainDel))
	d.differs(10, "B got 1 instead of 0")
}

func TestAnEditIsLookedInto(t *testing.T) {
	d := openUnlock(t)
	d.ok(`"op":"seek","pos":10`)
	d.ok(editing("script:unlock", "local n = redis.call('DEL', KEYS[1])\nreturn n"))
	d.ok(`"op":"line","n":1`)
	if in := d.session.shownStep().Inside; in == nil || !strings.Contains(in.Shown, "local n") {
		t.Fatalf("inside is %+v", in)
	}
	d.ok(`"op":"line","n":1`)
	d.differs(10, "B got 1 instead of 0") // that it was looked into is not a difference
	d.shown()
}

// A program that an edit made endless or greedy ends with an error in the trace.
func TestHostileEditsEnd(t *testing.T) {
	for name, source := range map[string]string{
		"endless":      `while true do end`,
		"chatty":       `while true do for i = 1, 900000 do end say("x") end`,
		"greedy":       `local t = {} while true do t[#t + 1] = string.rep("x", 10000000) end`,
		"many tasks":   `local function f() spawn("a", f) spawn("b", f) end f()`,
		"no sleeper":   `while true do sleep(0) end`,
		"short sleeps": `while true do sleep(1) end`,
		"large key":    `while true do redis.call("APPEND", "k", string.rep("x", 1000000)) end`,
		"deep":         `local function f() return 1 + f() end f()`,
		"long notes":   `while true do say(string.rep("x", 1000)) end`,
		"long errors":  `error(string.rep("x", 1000000))`,
		"many keys":    `for i = 1, 1000000 do redis.call("SET", "key" .. i, i) end`,
		"many items":   `for i = 1, 1000000 do redis.call("HSET", "k", i, i) redis.call("RPUSH", "l", i % 3) end`,
		"many calls":   `for i = 1, 1000000 do redis.call("GET", "key" .. i) end`,
		"much mail":    `for i = 1, 1000000 do redis.call("PUBLISH", "c", string.rep("x", 1000)) end`,
		"large reply":  `return string.rep("x", 1000000)`,
		"deep reply":   `local t = {} for i = 1, 100000 do t = {t} end return t`,
	} {
		t.Run(name, func(t *testing.T) {
			d := openUnlock(t)
			d.ok(`"op":"seek","pos":0`)
			d.ok(`"op":"fork"`)
			d.ok(editing("program:A", source))
			for range 4 {
				_ = d.send(`"op":"choose","choice":"run A"`) // may be refused
				_ = d.send(`"op":"choose","choice":"tick 30s"`)
			}
			d.ok(`"op":"unedit"`)
			d.ok(`"op":"reset"`)
			d.ok(`"op":"seek","pos":9`)
			_ = d.send(editing("script:unlock", source)) // may say that it cannot be replayed
			for range 4 {
				_ = d.send(`"op":"choose","choice":"run B"`)
			}
			_ = d.send(`"op":"line","n":1`)
			d.shown()
			size := 0
			for _, html := range d.html {
				size += len(html)
			}
			if size > 1<<20 {
				t.Errorf("the page has %d bytes", size)
			}
		})
	}
}

// In English the editor shows a script with comments in English, which are no edit.
func TestTheEditorsCommentsAreInTheReadersLanguage(t *testing.T) {
	s := onLesson(t, "fair-lock")
	tell(t, s, `"op":"load","lesson":"fair-lock","lang":"en"`)
	for _, p := range s.sources(1).Parts {
		for _, r := range p.Original {
			if r >= 0x4e00 && r <= 0x9fff {
				t.Fatalf("%s has comments in Chinese: %s", p.Part, p.Original)
			}
		}
		source, _ := json.Marshal(p.Original)
		tell(t, s, fmt.Sprintf(`"op":"edit","part":%q,"source":%s`, p.Part, source))
	}
	if len(s.edits) > 0 {
		t.Errorf("%d texts count as edited", len(s.edits))
	}
}
