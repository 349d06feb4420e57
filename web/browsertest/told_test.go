package browsertest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

// Everybody's screens: a large one, a laptop, a small one, a tablet and a phone.
var screens = []look{
	{"desk", 1440, 900, "light", false},
	{"laptop", 1280, 720, "light", false},
	{"small", 1024, 768, "light", false},
	{"tablet", 768, 1024, "light", false},
	{"phone", 390, 844, "light", false},
}

// amiss are what of a told story is out of sight, or lies over something else. Where a frame of the browser is
// drawn, the diagram has followed to the step that is told about.
const amiss = `(async () => {
	for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
	const wrong = [], one = (s) => document.querySelector(s), box = (e) => e.getBoundingClientRect();
	const shown = (s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility({ visibilityProperty: true }) && box(e).width > 1 && box(e).height > 1);
	const within = (e, area, what, least = Infinity) => {
		const r = box(e), a = box(one(area));
		const seen = Math.min(r.bottom, a.bottom, innerHeight) - Math.max(r.top, a.top, 0);
		if (seen < Math.min(r.height, least) - 1 || r.left < a.left - 1 || r.right > a.right + 1) wrong.push(what + ' is out of sight: ' + seen.toFixed() + ' of ' + r.height.toFixed() + ' pixels');
	};
	const apart = (...selectors) => {
		const all = selectors.flatMap((s) => shown(s).map((e) => [s, box(e)]));
		all.forEach(([a, r], i) => all.slice(i + 1).forEach(([b, s]) => {
			const x = Math.min(r.right, s.right) - Math.max(r.left, s.left), y = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
			if (x > 1 && y > 1) wrong.push(a + ' and ' + b + ' lie over each other');
		}));
	};
	const diagram = '.col-timeline > .scroll';
	const root = document.documentElement;
	if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) wrong.push('the page is larger than its window');
	apart('.topbar', '.cards', diagram, '.caption', '.aside');
	apart('.actor', '.lane-node');
	apart('.beats', '.told', '.asking', '.mode', '.transport .btn', '#go', '#onward', '.next p');
	for (const e of shown('.caption :is(.btn, #go, #onward)')) if (!e.closest('.told, .asking')) within(e, '.caption', e.id || e.className);
	const step = one('.current > .ev :is(.call, .g, .from, .hit)');
	if (step) within(step, diagram, 'the step');
	for (const e of shown('.broken strong')) within(e, '.told', 'the red sentence');
	if (one('.broken')) {
		const marks = [...document.querySelectorAll('.current :is(.overlap, [href="#i-broken"]), .breached .overlap')];
		if (!marks.length) wrong.push('nothing in the diagram says that a rule is broken');
		else within(marks.at(-1), diagram, 'the breach', 14);
		const clash = shown('.bar.clash');
		if (clash.length && Math.max(...clash.map((e) => box(e).height)) < 30) wrong.push('who is inside together has bars that are not seen');
	}
	return wrong;
})()`

// sentence is all that a learner reads of a step: what broke, the story's words, a question.
const sentence = `['f-broken', 'f-story', 'f-lead'].map((id) => document.getElementById(id).textContent.replace(/\s+/g, ' ').trim()).join(' | ')`

// A told story has something new to read after each click, and what it tells is in sight on every screen: the step, and
// what breaks. The button that goes on is never anywhere else.
func TestAToldStoryIsInSight(t *testing.T) {
	t.Parallel()
	forEachStory(t, func(t *testing.T, b *tab) {
		t.Helper()
		spots := make(map[string][]float64)
		read := ""
		for step := 0; ; step++ {
			if now := eval[string](b, sentence); now == read {
				t.Errorf("click %d says nothing new: %s", step, now)
			} else {
				read = now
			}
			for _, screen := range screens {
				b.emulate(screen)
				b.until(fmt.Sprintf(`innerWidth === %d`, screen.width))
				for _, wrong := range eval[[]string](b, amiss) {
					t.Errorf("%s, click %d: %s", screen.name, step, wrong)
				}
				spot := eval[[]float64](b, `(() => { const r = document.querySelector('#go').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] })()`)
				if was := spots[screen.name]; was != nil && !slices.Equal(was, spot) {
					t.Errorf("%s, click %d: the button goes from %v to %v", screen.name, step, was, spot)
				}
				spots[screen.name] = spot
			}
			if !b.exists(goesOn) {
				return
			}
			b.key(kb.Enter)
			b.goesOn(step + 1)
		}
	})
}

// On every screen the diagram is on the first one, what is told is not cut, and nothing is wider than the page, in the story and in the lab.
func TestTheDiagramIsOnTheFirstScreenAtEveryWidth(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"story", "lab"} {
		for _, path := range sample.Sample(t, []string{"/en/lessons/set-nx/", "/zh/lessons/redlock/", "/en/lessons/redisson-lock/", "/zh/lessons/sql-deadlock/"}, 1) {
			b := onScreen(t)
			b.opensOn(mode)
			b.visit(serve(t).url + path)
			steps(3)(b)
			all := []look{{"", 568, 320, "light", false}, {"", 640, 360, "light", false}, {"", 844, 390, "light", false}, {"", 360, 740, "light", false}} // phones that lie, and one that stands
			for width := int64(320); width <= 2560; width += 80 {
				all = append(all, look{"", width, max(640, min(width*3/4, 1440)), "light", false})
			}
			for _, screen := range all {
				b.emulate(screen)
				b.until(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, screen.width, screen.height))
				if wrong := eval[string](b, `(() => {
					const r = document.querySelector('.col-timeline > .scroll').getBoundingClientRect(), root = document.documentElement;
					const drawn = document.querySelector('#f-timeline .events').getBoundingClientRect();
					if (drawn.bottom < r.bottom - 80) return 'lanes and axis end ' + (r.bottom - drawn.bottom) + ' pixels above the caption';
					if (root.scrollWidth > innerWidth) return 'the page is ' + root.scrollWidth + ' pixels wide';
					if (root.scrollHeight > innerHeight) return 'the page is ' + root.scrollHeight + ' pixels high';
					const told = document.querySelector('.told');
					if (innerWidth >= 360 && !document.querySelector('.predict') && told.scrollHeight > told.clientHeight + 1) return 'of what is told, ' + (told.scrollHeight - told.clientHeight) + ' pixels are cut off';
					if (r.top < 0 || r.bottom > innerHeight || r.height < innerHeight * .19 || r.width < innerWidth * .5) return 'the diagram has ' + r.width + ' by ' + r.height + ' pixels at ' + r.top;
					return '';
				})()`); wrong != "" {
					t.Errorf("%s in the %s, %d by %d pixels: %s", path, mode, screen.width, screen.height, wrong)
				}
			}
		}
	}
}
