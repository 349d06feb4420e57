package player

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/lessons"
)

// A recorded story adds up to what a client shows that has played it.
func TestARecordedStoryIsTheStory(t *testing.T) {
	d := open(t)
	data, err := d.session.Record(t.Context(), "two-clients", "en")
	if err != nil {
		t.Fatal(err)
	}
	var frames []Frame
	if err := json.Unmarshal(data, &frames); err != nil {
		t.Fatal(err)
	}
	if len(frames) != 6 || frames[0].Base != 0 || frames[5].Pos != 5 {
		t.Fatalf("%d frames", len(frames))
	}
	html, rows := map[string]string{}, map[string]string{}
	for i, f := range frames {
		if i > 0 && f.Base != frames[i-1].Rev {
			t.Errorf("frame %d builds on %d", i, f.Base)
		}
		for _, frag := range f.Frags {
			html[frag.ID] = frag.HTML
		}
		for _, row := range f.Rows {
			rows[row.ID] = row.HTML
		}
	}
	d.ok(`"op":"step","n":1`)
	d.ok(`"op":"answer","beat":2`)
	for range 3 {
		d.ok(`"op":"step","n":1`)
	}
	if diff := cmp.Diff(d.html, html); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(d.rows, rows); diff != "" {
		t.Error(diff)
	}
}

// A lesson may be replaced by one whose story does not go on.
func TestAStoryThatCannotBePlayedIsNotRecorded(t *testing.T) {
	l := fixture()
	l.Story[1].Choices = []engine.Choice{{Kind: engine.Run, Target: "nobody"}}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}}
	data, err := p.Record(t.Context(), l.Name, lessons.En)
	if err == nil || !strings.Contains(err.Error(), "of its story: ") {
		t.Errorf("%d bytes are recorded, and %v", len(data), err)
	}
}
