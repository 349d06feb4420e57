package browsertest

import (
	"strings"
	"testing"

	"lockstep/node/sample"
)

const searchSaid = `document.querySelector('#f-search .grade')?.textContent.trim()`

// findBreak searches for what the panel offers first.
func (b *tab) findBreak() {
	b.t.Helper()
	b.click(`#f-search button[type="submit"]`)
	b.until(searchSaid)
}

func TestABreakIsFoundAndPlayed(t *testing.T) {
	t.Parallel()
	for _, engine := range sample.Sample(t, []string{"", "?e=browser"}, sample.PlacesTried) {
		t.Run("engine"+engine, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.visit(serve(t).url + "/en/lessons/set-nx/" + engine)
			if !eval[bool](b, `document.querySelector('#f-search').hidden`) {
				t.Error("the story has not ended, and the page already tells how it could break")
			}
			b.toTheEnd()
			b.findBreak()
			if said := eval[string](b, searchSaid); said != "“mutual exclusion” breaks in 3 moves, and in no fewer." {
				t.Errorf("the page says %q", said)
			}
			b.at("3 / 3")
			if shown := b.text("#f-timeline"); !strings.Contains(shown, "Rule broken: mutual exclusion") {
				t.Errorf("the timeline does not tell that the lesson breaks: %s", shown)
			}
		})
	}
}

func TestARepairIsSearched(t *testing.T) {
	t.Parallel()
	for _, engine := range sample.Sample(t, []string{"", "?e=browser"}, sample.PlacesTried) {
		t.Run("engine"+engine, func(t *testing.T) {
			t.Parallel()
			b := onScreen(t)
			b.visit(serve(t).url + "/en/lessons/set-nx/" + engine)
			b.toTheEnd()
			b.click(`#f-challenge [data-op="hint"]`)
			b.click(`#f-challenge [data-op="solve"]`)
			b.click(`#f-challenge [data-op="next-challenge"]`)
			b.click(`#f-challenge [data-op="search"]`)
			b.until(`document.querySelector('#f-challenge .grade')?.textContent.includes('breaks in 3 moves')`)
			b.do(press(`#f-challenge [data-ui="edit"]`))
			b.until(inEditor)
			b.retype(`if trylock("lock", 15) then work("12s") unlock("lock") end`)
			b.apply()
			b.click(`#f-challenge [data-op="search"]`)
			b.until(`document.querySelector('#f-challenge .grade')?.textContent.includes('Repaired')`)
		})
	}
}

func TestTheSearchIsAccessible(t *testing.T) {
	t.Parallel()
	type page struct{ lang, lesson string }
	for _, p := range sample.Sample(t, []page{{"en", "compare-and-delete"}, {"zh", "redisson-lock"}}, 1) {
		t.Run(p.lang+"/"+p.lesson, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.emulate(looks[0])
			b.visit(serve(t).url + "/" + p.lang + "/lessons/" + p.lesson + "/")
			b.toTheEnd()
			b.do(fill("#search-for", "arrive,faults"))
			b.findBreak()
			b.isAccessible(p.lang, "search-"+p.lesson)
		})
	}
}

// What a search has found is told below its button, which stays where it was pressed, and what
// broke is in sight as well.
func TestASearchMovesNoButton(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.toTheEnd()
	const button = `document.querySelector('#search-go').getBoundingClientRect().top`
	eval[bool](b, `(document.querySelector('#f-search').scrollIntoView({ block: 'center' }), true)`)
	before := eval[float64](b, button)
	b.findBreak()
	if active := eval[string](b, `document.activeElement.id`); active != "search-go" {
		t.Errorf("the focus is at %q", active)
	}
	if after := eval[float64](b, button); max(after-before, before-after) > 1 { // columns are scrolled by whole pixels
		t.Errorf("the button was at %v and is at %v", before, after)
	}
	b.inSight("found", "#f-search .figures", ".slots")
}
