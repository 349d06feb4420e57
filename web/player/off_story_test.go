package player

import (
	"fmt"
	"strings"
	"testing"
)

// Who moves the clock as the story does, in another form, is not told that the story does something else.
func TestAStoryIsNotToldAgainstWhatItDidAsWell(t *testing.T) {
	d := openCatalog(t, builtIn(t), "async-lock")
	for _, choice := range []string{"run A", "run A:future", "tick"} {
		d.ok(fmt.Sprintf(`"op":"choose","choice":%q`, choice))
	}
	if said := d.html["f-story"]; strings.Contains(said, "In the story") {
		t.Errorf("it is told %s", said)
	}
	if !d.session.View().Story.OnStory {
		t.Error("who moves the clock as the story does has left the story")
	}
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"choose","choice":"tick 10s"`)
	if said := d.html["f-story"]; !strings.Contains(said, "In the story, step 3 is: clock +1 s") {
		t.Errorf("of another move of the clock it is told %s", said)
	}
}

// Where all have ended nobody is told to choose.
func TestNobodyChoosesWhereNoClientGoesOn(t *testing.T) {
	d := openCatalog(t, builtIn(t), "oversell")
	d.ok(`"op":"try"`)
	for who := range strings.FieldsSeq("A B A B A A A A B B") {
		if said := d.html["f-lead"]; !strings.Contains(said, "You choose.") {
			t.Errorf("before %s moves it is told %s", who, said)
		}
		d.ok(fmt.Sprintf(`"op":"choose","choice":"run %s"`, who))
	}
	d.ok(`"op":"choose","choice":"run B"`)
	if said := d.html["f-lead"]; !strings.Contains(said, "No client goes on any more.") {
		t.Errorf("at the end it is told %s", said)
	}
}
