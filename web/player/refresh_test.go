package player

import (
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/web/ui"
)

// publish makes an edition with one lesson the newest, and draws it.
func (d *testClient) publish(l *lessons.Lesson, broken string) {
	d.t.Helper()
	e := &Edition{Lessons: []*lessons.Lesson{l}}
	if broken != "" {
		e.Broken = map[string]string{l.Name: broken}
	}
	d.session.Catalog.Publish(e)
	for _, m := range d.session.Refresh(d.t.Context()) {
		d.take(m)
	}
}

func TestAChangedLessonIsOpenedInPlace(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":3`)
	d.ok(`"op":"step","n":-1`)
	d.session.Catalog.Publish(&Edition{Lessons: []*lessons.Lesson{renamed(fixture())}})
	messages := d.session.Refresh(t.Context())
	if len(messages) != 1 || messages[0].Frame == nil || messages[0].Base != 0 {
		t.Fatalf("a refresh answers %+v, want one whole frame", messages)
	}
	d.take(messages[0])
	if d.last.Pos != 2 || d.last.Schedule != "v1.0ther000.A.B.@2s" {
		t.Errorf("at %d of %s, want 2 of the same choices", d.last.Pos, d.last.Schedule)
	}
	v := d.session.View()
	if v.Lesson.Title.En != "Renamed" || v.Notice == nil || v.Notice.Kind != ui.NoticeReloaded {
		t.Errorf("the page shows %q with the notice %+v", v.Lesson.Title.En, v.Notice)
	}
	if again := d.session.Refresh(t.Context()); again != nil {
		t.Errorf("the same edition is shown twice: %v", again)
	}
}

func renamed(l *lessons.Lesson) *lessons.Lesson {
	l.Title.En, l.Hash = "Renamed", "0ther000"
	return l
}

func TestAChangedLessonPlaysAsFarAsItCan(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":4`)
	l := renamed(fixture())
	l.Actors[1].Program = `say("nothing to do")`
	d.session.Catalog.Publish(&Edition{Lessons: []*lessons.Lesson{l}})
	for _, m := range d.session.Refresh(t.Context()) {
		d.take(m)
	}
	if d.last.Pos != 1 || d.last.Len != 1 {
		t.Errorf("at %d of %d, want 1 of 1", d.last.Pos, d.last.Len)
	}
	if n := d.session.View().Notice; n == nil || n.Kind != ui.NoticeDiffers || n.Step != 2 {
		t.Errorf("the notice is %+v, want one about step 2", n)
	}
}

func TestABrokenLessonStaysUsable(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	d.publish(d.session.original, "lesson.yaml:3:7: there is no key \"axtors\"")
	if !strings.Contains(d.html["f-notice"], "lesson.yaml:3:7: there is no key") {
		t.Errorf("the mistake is not shown: %s", d.html["f-notice"])
	}
	d.ok(`"op":"step","n":1`)
	d.at(2, "A.B")
	if !strings.Contains(d.html["f-notice"], "lesson.yaml:3:7") {
		t.Error("the mistake vanishes with the next step")
	}
	d.ok(`"op":"engine","kind":"redis"`)
	d.publish(d.session.original, "lesson.yaml:4:1: another mistake")
	d.notice(ui.NoticeSame, 0, "2 steps") // is of the learner's own command
	d.publish(renamed(fixture()), "")
	if strings.Contains(d.html["f-notice"], "lesson.yaml") {
		t.Error("a mistake that was mended is still shown")
	}
}

func TestOtherLessonsChangeWithoutANotice(t *testing.T) {
	d := open(t)
	d.ok(`"op":"step","n":1`)
	other := renamed(fixture())
	other.Name = "other"
	d.session.Catalog.Publish(&Edition{Lessons: []*lessons.Lesson{d.session.original, other}})
	for _, m := range d.session.Refresh(t.Context()) {
		d.take(m)
	}
	d.at(1, "A")
	if v := d.session.View(); v.Notice != nil || len(v.Catalog) != 2 {
		t.Errorf("the notice is %+v with %d lessons", v.Notice, len(v.Catalog))
	}
}
