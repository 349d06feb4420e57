package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// atTheEnd is the address of a lesson, in a language, after the last step of its story.
func atTheEnd(home, lang string, l *lessons.Lesson) string {
	schedule := engine.Schedule{Lesson: l.Hash, Choices: l.Choices()}
	return fmt.Sprintf("%s/%s/lessons/%s/?s=%s&p=%d", home, lang, l.Name, schedule, len(schedule.Choices))
}

// ending tells what of a lesson's end is seen: all of it or, where it has no room, its beginning
// with a button that leads to the rest.
const ending = `(() => {
	const told = document.querySelector('.told').getBoundingClientRect(), end = document.querySelector('.done').getBoundingClientRect();
	const column = document.querySelector('.told');
	if (end.height > 0 && (end.top < told.bottom - 20 && end.bottom > told.top || column.scrollHeight > column.clientHeight)) return ''; // the caption scrolls
	return 'of ' + end.height + ' pixels, the caption of ' + told.height + ' shows none';
})()`

// With its last sentence a story leaves the diagram and its button where they were, and as large.
func TestTheDiagramKeepsItsSizeAtTheEnd(t *testing.T) {
	t.Parallel()
	const size = `['.stage', '#go'].flatMap((s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].map(Math.round) })`
	b := onScreen(t)
	b.opensOn("story")
	for _, screen := range []look{{width: 1280, height: 720}, desk, {width: 2560, height: 1440}, {width: 768, height: 1024}, {width: 390, height: 844}} {
		b.emulate(screen)
		for _, path := range []string{"/en/lessons/oversell/", "/zh/lessons/no-ttl/", "/en/lessons/redisson-lock/"} {
			b.visit(serve(t).url + path)
			var was []int
			for b.exists(goesOn) {
				was = eval[[]int](b, size)
				b.click("#go")
			}
			if now := eval[[]int](b, size); !slices.Equal(now, was) {
				t.Errorf("%s at %dx%d: it goes from %v to %v", path, screen.width, screen.height, was, now)
			}
		}
	}
}

// Where the story's column goes on below its window, a button says so, and leads there.
func TestTheColumnSaysThatItGoesOnBelow(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	const more = `document.querySelector('.below').checkVisibility()`
	if eval[bool](b, more) {
		t.Error("at the start there is nothing below")
	}
	b.toTheEnd()
	for range 10 {
		if !eval[bool](b, more) {
			break
		}
		was := eval[float64](b, `document.querySelector('.slots').scrollTop`)
		b.do(press(".below"))
		b.until(fmt.Sprintf(`document.querySelector('.slots').scrollTop > %f && (document.querySelector('.slots').scrollTop + document.querySelector('.slots').clientHeight < document.querySelector('.slots').scrollHeight - 16) === %s`, was, more))
	}
	b.inSight("below", `#f-search > :last-child`, ".slots")
}

// At each station of the hour what to take away is in sight, in both languages, and paper shows no key as it was at the start.
func TestWhatToTakeAwayIsInSight(t *testing.T) {
	t.Parallel()
	all := catalog(t)
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}, {name: "phone", width: 390, height: 844}, {name: "small phone", width: 360, height: 740}, {name: "frame", width: 800, height: 500}} {
		for _, lang := range []string{"en", "zh"} {
			b := onScreen(t)
			b.opensOn("story")
			b.emulate(screen)
			for _, s := range lessons.Ways[0].Stations {
				at := atTheEnd(serve(t).url, lang, lessons.Find(all, s.Lesson))
				if screen.name == "frame" {
					at += "&view=embed"
				}
				b.visit(at)
				const hidden = `(() => {
					const last = document.querySelector('.done .prose:last-of-type') ?? document.querySelector('.story .prose:last-of-type'), told = document.querySelector('.told');
					return last.getBoundingClientRect().bottom - told.getBoundingClientRect().bottom;
				})()`
				if over := eval[float64](b, hidden); over > 1 {
					t.Errorf("%s, %s, %s: %.0f pixels of it are below the caption", screen.name, lang, s.Lesson, over)
				}
			}
			b.printed()
			if eval[bool](b, `document.querySelector('.col-keys').checkVisibility()`) {
				t.Error("paper shows keys that were not brought up to date")
			}
		}
	}
}

// Who leaves a round and comes back to the end of the story goes on from the place where they press; another round is beside it.
func TestOnePlaceLeadsOnAfterARoundThatWasLeft(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.opensOn("story")
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.toTheEnd()
	b.until(`!('rest' in document.body.dataset)`)
	b.click(`#go[data-op="try"]`)
	b.click(`#go[data-op="story"]`)
	if got := eval[string](b, `document.querySelector('a#go')?.pathname ?? ''`); !strings.HasSuffix(got, "/en/lessons/no-ttl/") {
		t.Errorf("it leads to %q", got)
	}
	b.inSight("another round", `.next [data-op="try"]`, ".caption")
	b.click(`.next [data-op="try"]`)
	b.at("0 / 0")
}
