package player

import (
	"context"
	"strings"
	"testing"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// A server may be slow to start, or to answer: the lesson is there in the time that it has.
func TestALessonBeginsWithoutASlowServer(t *testing.T) {
	for _, redis := range []*fakeEngine{{kind: ui.Redis, waits: true}, {kind: ui.Redis, hangs: true}} {
		p := &Playground{
			Catalog: NewCatalog([]*lessons.Lesson{fixture()}), Engines: []Engine{Embedded{}, redis},
			WithStartTimeout: func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeoutCause(ctx, time.Millisecond, fact.Of("started-too-late", 6.0))
			},
		}
		d := inPool(t, p)
		d.ok(`"op":"load","lesson":"two-clients","engine":"redis","schedule":"v1.f1c5e000.A.B"`)
		d.notice(ui.NoticeError, 0, "so the embedded one is used: the server was not ready within 6 s")
		d.at(2, "A.B")
		d.ok(`"op":"step","n":1`)
		if v := d.session.View(); v.Engine != ui.Embedded || redis.opened != redis.closed {
			t.Errorf("it is on %s, and %d of %d nodes are left", v.Engine, redis.opened-redis.closed, redis.opened)
		}
	}
}

func TestASiteWithoutAServerSaysWhatWouldBringTheOtherEngines(t *testing.T) {
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{fixture()}), Engines: WithoutServer()}
	for _, lang := range []lessons.Lang{lessons.En, lessons.Zh} {
		s := p.NewSession("test")
		if err := s.Load(t.Context(), Place{Lesson: "two-clients", Lang: lang}); err != nil {
			t.Fatal(err)
		}
		v := s.View()
		if v.Engine != ui.Browser || len(v.Engines) != 5 || v.Engines[0].Reason != "" {
			t.Fatalf("it begins on %s with %+v", v.Engine, v.Engines)
		}
		for _, e := range v.Engines[1:] {
			if !strings.Contains(e.Reason, "playground serve") {
				t.Errorf("%s in %s: %q names no command", e.Kind, lang, e.Reason)
			}
		}
		// A link that asks for one of them opens all the same.
		if err := s.Load(t.Context(), Place{Lesson: "two-clients", Lang: lang, Engine: ui.Redis, Schedule: "v1.00000000.A"}); err != nil {
			t.Fatal(err)
		}
		if v := s.View(); v.Engine != ui.Browser || v.Pos != 1 || v.Notice == nil || !strings.Contains(v.Notice.Text, "--redis-url") {
			t.Errorf("a link to Redis opens %s at %d with the notice %+v", v.Engine, v.Pos, v.Notice)
		}
	}
}
