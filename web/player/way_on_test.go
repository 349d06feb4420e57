package player

import (
	"strings"
	"testing"

	"lockstep/web/ui"
)

// Who has repaired a lesson is led on, also where its story cannot go on any more: no button at that place drops the repair.
func TestAProvenRepairIsNotOfferedToBeDropped(t *testing.T) {
	d := openCatalog(t, builtIn(t), "observed-lease")
	d.ok(`"op":"seek","pos":99`)
	d.ok(`"op":"solve"`)
	if lead := d.html["f-lead"]; !strings.Contains(lead, `data-op="unedit"`) {
		t.Errorf("before the repair is proven it goes on with %s", lead)
	}
	d.ok(`"op":"search","text":"repair"`)
	toTheEnd(t, d.session)
	var lead strings.Builder
	for _, f := range ui.Fragments(d.session.View()) {
		if f.ID == "f-lead" {
			if err := f.Component.Render(t.Context(), &lead); err != nil {
				t.Fatal(err)
			}
		}
	}
	if lead := lead.String(); strings.Contains(lead, `data-op="unedit"`) || !strings.Contains(lead, `id="go"`) {
		t.Errorf("once it is proven it goes on with %s", lead)
	}
}

// The fewest moves are told of all ways that are known: an assumption of the lesson's claims may need more than its solution.
func TestTheFewestMovesAreNoMoreThanTheSolutions(t *testing.T) {
	s := openCatalog(t, builtIn(t), "consul-lock-delay").session
	if got := s.shortest(&s.lesson.Challenges[0]); got != 4 {
		t.Errorf("the fewest moves are %d, and the solution takes 4", got)
	}
}

// The solution has its comments in the language of the page, as the code beside it has.
func TestASolutionsCommentsAreInTheLanguageOfThePage(t *testing.T) {
	d := openCatalog(t, builtIn(t), "async-lock")
	d.ok(`"op":"load","lesson":"async-lock","lang":"zh"`)
	d.ok(`"op":"seek","pos":99`)
	d.ok(`"op":"solve"`)
	var code strings.Builder
	for _, e := range d.session.edits {
		code.WriteString(e.Source)
	}
	if got := code.String(); !strings.Contains(got, "-- 同时先做别的") || strings.Contains(got, "-- meanwhile") {
		t.Errorf("the code is %s", got)
	}
}
