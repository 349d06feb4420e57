package player

import (
	"errors"
	"slices"
	"testing"

	"lockstep/lessons"
)

// A browser has the list of lessons, and reads the one that is played.
func TestOnlyTheLessonThatIsPlayedIsRead(t *testing.T) {
	whole := []*lessons.Lesson{fixture(), {Name: "other", Title: lessons.Text{En: "Another one"}}}
	var read []string
	catalog := NewCatalog(nil)
	catalog.Publish(&Edition{
		Lessons: []*lessons.Lesson{{Name: whole[0].Name}, whole[1]},
		Read: func(name string) (*lessons.Lesson, error) {
			read = append(read, name)
			if name != whole[0].Name {
				return nil, errors.New("its file is damaged")
			}
			return whole[0], nil
		},
	})
	p := &Playground{Catalog: catalog, Engines: []Engine{Embedded{}}}
	s := p.NewSession("test")
	if err := s.Load(t.Context(), Place{Lesson: whole[0].Name}); err != nil {
		t.Fatal(err)
	}
	if v := s.View(); v.Lesson != whole[0] || v.Catalog[1] != whole[1] {
		t.Errorf("shown is %+v, among %+v", v.Lesson, v.Catalog)
	}
	for name, want := range map[string]Code{"other": CodeNoStart, "nothing": CodeNoLesson} {
		err := s.Load(t.Context(), Place{Lesson: name})
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != want {
			t.Errorf("%s is loaded with %v, want %s", name, err, want)
		}
	}
	if !slices.Equal(read, []string{whole[0].Name, "other"}) {
		t.Errorf("read are %q", read)
	}
}
