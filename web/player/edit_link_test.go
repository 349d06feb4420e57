package player

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/ui"
)

func TestALinkCarriesTheEdits(t *testing.T) {
	d := openUnlock(t)
	d.ok(editing("script:unlock", plainDel))
	d.ok(editing("program:A", `trylock("lock1", 10000) -- 我 "<&>"`+"\r\n"))
	d.ok(`"op":"seek","pos":1`)
	again := openUnlock(t)
	again.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","schedule":%q,"pos":1,"edits":%q`, d.last.Schedule, d.last.Edits))
	if again.last.Edits != d.last.Edits || len(d.last.Edits) > 400 {
		t.Errorf("the link has %q, made again %q", d.last.Edits, again.last.Edits)
	}
	for id, html := range d.html {
		if id != "f-place" && id != "f-notice" && id != "f-ticks" && id != "f-branches" && again.html[id] != html { // they show the ghost
			t.Errorf("%s shows\n%s\nand after loading\n%s", id, html, again.html[id])
		}
	}
	again.shown()
	d.ok(`"op":"load","lesson":"compare-and-delete"`)
	if d.session.View().Edits != nil || d.last.Edits != "" {
		t.Error("the edits outlive their address")
	}
}

// An edit of a text that has changed since is offered, and neither lost nor applied.
func TestAnEditOfAnOlderVersionIsOffered(t *testing.T) {
	d := openUnlock(t)
	unlock, a := lessons.Part{Kind: lessons.ScriptPart, Name: "unlock"}, lessons.Part{Kind: lessons.ProgramPart, Name: "A"}
	code := pack([]edit{{unlock, "0ld0ld00", plainDel}, {a, fingerprint(d.source("program:A")), `sleep("1s")`}})
	d.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","edits":%q`, code))
	v := d.session.View()
	if len(v.Edits.Parts) != 1 || v.Edits.Parts[0] != a || len(v.Edits.Offered) != 1 || v.Edits.Offered[0] != unlock {
		t.Fatalf("edits %+v", v.Edits)
	}
	if !strings.Contains(d.html["f-edits"], "older version") {
		t.Errorf("the page says %s", d.html["f-edits"])
	}
	if _, offered, err := d.session.readEdits(d.last.Edits); err != nil || len(offered) != 1 || offered[0].Source != plainDel {
		t.Errorf("the frame keeps %v, %v", offered, err)
	}
	d.ok(`"op":"discard","part":"script:unlock"`)
	if v := d.session.View(); len(v.Edits.Offered) != 0 || len(v.Edits.Parts) != 1 {
		t.Errorf("edits %+v", v.Edits)
	}
	d.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","edits":%q`, code))
	d.ok(editing("script:unlock", plainDel)) // as the learner who sees it applies it
	if v := d.session.View(); len(v.Edits.Offered) != 0 || len(v.Edits.Parts) != 2 {
		t.Errorf("edits %+v", v.Edits)
	}
}

func deflated(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

var english = regexp.MustCompile(`[a-z]+ [a-z]+ [a-z]+`)

func TestALinkWithBadEditsOpensTheLessonAsItIs(t *testing.T) {
	entry := func(part, of, source string) string {
		return fmt.Sprintf(`{"p":%q,"o":%q,"s":%s}`, part, of, quoted(source))
	}
	good := deflated("[" + entry("script:unlock", "x", plainDel) + "]")
	for name, code := range map[string]string{
		"no base64":          "?",
		"nothing compressed": "aGVsbG8",
		"cut off":            good[:len(good)-8],
		"no JSON":            deflated("hello"),
		"no list":            deflated(`{"p":"script:unlock"}`),
		"two lists":          deflated(`[][]`),
		"other fields":       deflated(`[{"p":"script:unlock","o":"x","s":"return 1","more":1}]`),
		"no part":            deflated("[" + entry("unlock", "x", "return 1") + "]"),
		"an unknown part":    deflated("[" + entry("script:lock", "x", "return 1") + "]"),
		"an unknown kind":    deflated("[" + entry("lesson:unlock", "x", "return 1") + "]"),
		"twice":              deflated("[" + entry("script:unlock", "x", "return 1") + "," + entry("script:unlock", "y", "return 2") + "]"),
		"no Lua":             deflated("[" + entry("script:unlock", "x", "return return") + "]"),
		"too long":           deflated("[" + entry("script:unlock", "x", "return 1"+strings.Repeat(" ", MaxSource)) + "]"),
		"too much":           deflated("[" + entry("script:unlock", "x", strings.Repeat(" ", maxUnpacked)) + "]"),
		"no text":            deflated("\xff\xfe"),
	} {
		t.Run(name, func(t *testing.T) {
			d := openUnlock(t)
			d.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","schedule":%q,"edits":%q`, d.last.Schedule, code))
			d.notice(ui.NoticeError, 0, "edits cannot be used")
			if v := d.session.View(); v.Edits != nil || d.last.Len != 14 || d.last.Edits != "" {
				t.Errorf("edits %+v, %d steps", v.Edits, d.last.Len)
			}
			d.ok(fmt.Sprintf(`"op":"load","lesson":"compare-and-delete","lang":"zh","edits":%q`, code))
			if text := d.session.notice.Text; english.MatchString(text) && name != "no Lua" { // Lua speaks English
				t.Errorf("in Chinese it is said %q", text)
			}
		})
	}
}

func FuzzEditsOfALink(f *testing.F) {
	l, err := decode.Lesson(lessons.FS, "010-compare-and-delete")
	if err != nil {
		f.Fatal(err)
	}
	s := (&Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}}).NewSession("test")
	if err := s.Load(f.Context(), Place{Lesson: l.Name}); err != nil {
		f.Fatal(err)
	}
	unlock := lessons.Part{Kind: lessons.ScriptPart, Name: "unlock"}
	f.Add([]byte(`[{"p":"script:unlock","o":"x","s":"return 1"}]`), "")
	f.Add([]byte(`[]`), "AAAA")
	f.Add([]byte(`[{"p":"program:A","o":"","s":"\u0000"},{"p":"client:compare-and-delete","o":"1","s":"--"}]`), pack([]edit{{unlock, "x", "--[["}}))
	f.Fuzz(func(t *testing.T, text []byte, code string) {
		for _, c := range []string{code, deflated(string(text))} {
			apply, offer, err := s.readEdits(c)
			if err != nil {
				if len(apply)+len(offer) > 0 || err.Msg == "" {
					t.Fatalf("%q: %v, and yet %v, %v", c, err, apply, offer)
				}
				continue
			}
			for _, e := range append(apply, offer...) {
				if e.Part.Compiles(e.Source) != nil || len(e.Source) > MaxSource {
					t.Fatalf("%q gives %+v", c, e)
				}
			}
			again, _, err := s.readEdits(pack(apply))
			if err != nil || len(again) != len(apply) {
				t.Fatalf("%q: %v packed again gives %v, %v", c, apply, again, err)
			}
		}
	})
}
