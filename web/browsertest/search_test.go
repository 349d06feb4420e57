package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/node/sample"
)

const searchSaid = `document.querySelector('#f-search .grade strong')?.textContent.trim()`

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
			if shown := b.text("#f-timeline"); !strings.Contains(shown, "both inside") {
				t.Errorf("the timeline does not tell that the lesson breaks: %s", shown)
			}
		})
	}
}

// A breach that is not the goal of a challenge is said not to be, where it is seen.
func TestAMissedGoalIsInSight(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{width: 1280, height: 720})
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.toTheEnd()
	b.findBreak()
	b.inSight("a missed goal", "#f-search .missed, #f-search .figures", ".slots")
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
			eval[bool](b, `document.querySelector('#challenge-check').focus() ?? true`)
			b.click(`#f-challenge [data-op="search"]`)
			b.until(`document.querySelector('#f-challenge .grade')?.textContent.includes('Repaired')`)
			if !b.exists("#f-challenge:is(:focus, :focus-within):not(:has(#challenge-next:focus))") {
				t.Error("who presses Enter again leaves the proof")
			}
			for _, l := range []look{{width: 1280, height: 800}, {width: 1440, height: 900}} {
				b.emulate(l)
				b.inSight("proven", "#f-challenge .grade, #challenge-next, #f-challenge .figures", ".slots")
			}
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

// What a search finds has the room below its button: that comes to the top as the search begins, and then nothing moves, least
// of all what goes on with the story; and where it was pressed there is no other button.
func TestASearchMovesNoButton(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.toTheEnd()
	const place = `(() => { const r = document.querySelector('%s').getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(Math.round).join(' ') })()`
	goOn := fmt.Sprintf(place, "#go")
	eval[bool](b, `(document.querySelector('#f-search').scrollIntoView({ block: 'center' }), true)`)
	before := eval[string](b, goOn)
	eval[bool](b, `(() => { const r = document.querySelector('#search-go').getBoundingClientRect(); window.pressed = [r.left + r.width / 2, r.top + r.height / 2]; return true })()`)
	b.findBreak()
	if active := eval[string](b, `document.activeElement.id`); active != "search-go" {
		t.Errorf("the focus is at %q", active)
	}
	if after := eval[string](b, goOn); strings.Fields(after)[1] != strings.Fields(before)[1] {
		t.Errorf("what goes on was at %v and is at %v", before, after)
	}
	if there := eval[string](b, `document.elementFromPoint(...window.pressed)?.closest('button, a, [data-step]')?.outerHTML ?? ''`); there != "" && !strings.Contains(there, "search-go") {
		t.Errorf("where it was pressed there is %s", there)
	}
	b.inSight("found", "#f-search .figures", ".slots")
}

// A search is a tree that grows, in which each choice of the way to the break leads to its step.
func TestTheTreeOfASearch(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/unlock-in-catch/") // it holds, and takes long
	b.toTheEnd()
	b.do(fill("#search-for", "any"))
	const situations = `Number(document.querySelector('.growing .figure .num')?.textContent.replace(',', '') ?? 0)`
	b.click(`#f-search button[type="submit"]`)
	b.until(situations + ` > 0 && document.querySelectorAll('.growing .crown').length > 0`)
	before := eval[float64](b, situations)
	b.until(fmt.Sprintf(`%s > %f`, situations, before))
	b.click(`#f-search [data-op="pause"]`)
	b.until(`document.querySelector('.tried.stops .tree') !== null`)

	b.visit(serve(t).url + "/en/lessons/compare-and-delete/")
	b.toTheEnd()
	b.do(fill("#search-for", "arrive,faults"))
	b.findBreak()
	b.until(`document.querySelector('.tree .doubted') && document.querySelector('.tree .spared')?.textContent === 'without this it holds'`)
	if on := eval[string](b, `(() => {
		const boxes = (selector) => [...document.querySelectorAll('.tree ' + selector)].map((e) => [e.textContent || e.getAttribute('class'), e.getBoundingClientRect()]);
		const names = boxes(':is(.choice, .spared)'), on = [];
		names.forEach(([name, r], i) => [...names.slice(i + 1), ...boxes('.dot')].forEach(([other, s]) => {
			if (r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 5 && s.top < r.bottom - 5) on.push(name + ' on ' + other);
		}));
		return on.join();
	})()`); on != "" {
		t.Errorf("in the tree lies %s", on)
	}
	if !eval[bool](b, `document.querySelector('.col-script').checkVisibility()`) {
		t.Error("the code cannot be seen beside the tree")
	}
	if way := eval[string](b, `[...document.querySelectorAll('.choices-made li')].map((li) => li.textContent.trim()).join(', ')`); way != "1 A, 2 pause jvm-1, 3 +10 s, 4 B, Rule broken: mutual exclusion" {
		t.Errorf("the way is %q", way)
	}
	b.click(`.choices-made [data-step="2"]`)
	b.until(`document.querySelector('.choices-made [aria-current]')?.dataset.step === '2'`)
	b.at("2 / 4")
	b.do(press(`.tree .stop[data-step="3"]`))
	b.until(`document.querySelector('.tree .stop.here')?.dataset.step === '3'`)
}
