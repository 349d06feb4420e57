package player

import (
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/web/ui"
)

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
