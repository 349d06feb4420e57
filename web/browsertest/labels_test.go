package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/node/sample"
)

// covered are the texts of the diagram that lie on each other, on a mark, or below a line, and
// those that its edge cuts off.
const covered = `(() => {
	const svg = document.querySelector('#f-timeline .events');
	const seen = (selector) => [...svg.querySelectorAll(selector)].filter((e) => e.checkVisibility() && e.getClientRects().length).map((e) => ({ e, text: e.textContent.trim(), box: e.getBoundingClientRect() }));
	const both = (a, b, least) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > least && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > least + 2;
	const crosses = (line, text) => line.right > text.left + 1 && line.left < text.right - 1 && line.top > text.top + 3 && line.top < text.bottom - 3;
	const after = (line, text) => text.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
	const texts = seen('text').filter((t) => t.text), edge = svg.closest('.diagram').getBoundingClientRect(), all = [];
	texts.forEach((t, i) => {
		for (const o of texts.slice(i + 1)) if (both(t.box, o.box, 1)) all.push(t.text + ' lies on ' + o.text);
		for (const mark of seen('use.g')) if (both(mark.box, t.box, 2)) all.push(t.text + ' lies on ' + mark.e.getAttribute('href'));
		for (const line of seen('.call, .instant, .forked, .differs')) if (crosses(line.box, t.box) && after(line.e, t.e)) all.push(t.text + ' is crossed by ' + line.e.getAttribute('class'));
		if (t.box.right > edge.right + 1 || t.box.left < edge.left - 1) all.push(t.text + ' is cut off');
	});
	return all.join('; ');
})()`

// At the end of a lesson, whatever happened and however many lanes there are, each text of the
// timeline is read; on wide screens the end of the story is seen, and on a phone the button that goes on from there.
func TestTheEndOfEveryLessonIsSeenAndItsLabelsLieOnNothing(t *testing.T) {
	t.Parallel()
	all := sample.Lessons(t, catalog(t), sample.LessonsLaidOut, nameOf)
	for n, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}, {name: "phone", width: 360, height: 780}} {
		t.Run(screen.name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			if screen.name == "phone" {
				b.opensOn("story")
			}
			b.emulate(screen)
			for i, l := range all {
				lang := []string{"en", "zh"}[(i+n)%2]
				b.do(chromedp.Navigate(atTheEnd(serve(t).url, lang, l)))
				b.until(revision + " > 0")
				if screen.name == "phone" {
					b.inSight(l.Name+", "+lang, "#go[data-ends], #onward", ".caption")
				} else {
					if hidden := eval[string](b, ending); hidden != "" {
						t.Errorf("%s, %s: %s", l.Name, lang, hidden)
					}
				}
				eval[bool](b, `document.querySelector('.tabs [data-tab="timeline"]').click() ?? true`)
				if wrong := eval[string](b, covered); wrong != "" {
					t.Errorf("%s, %s: %s", l.Name, lang, wrong)
				}
			}
		})
	}
}

// Where another way was taken, a line says so, and crosses no text.
func TestAForkCrossesNoLabel(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/redisson-lock/")
	for range 8 {
		b.click("#go")
	}
	for range 4 {
		b.click(back)
		b.click(choice("tick 1s"))
		if !b.exists(".events .forked") {
			t.Fatal("the timeline does not tell where another way was taken")
		}
		if wrong := eval[string](b, covered); wrong != "" {
			t.Error(wrong)
		}
		b.click(back)
	}
}

// The way to leave what comes after a step lies on nothing of the diagram, and on no head.
func TestTheWayToBranchLiesOnNothing(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, lang := range []string{"en", "zh"} {
		b.emulate(desk)
		b.visit(serve(t).url + "/" + lang + "/lessons/no-ttl/")
		b.click("#go")
		b.click(first)
		for _, width := range []int64{1030, 1280, 1440, 2560} {
			b.emulate(look{width: width, height: 800})
			if over := eval[string](b, `(() => {
				const f = document.querySelector('.fork').getBoundingClientRect();
				return [...document.querySelectorAll('.events :is(.when, .marks, .lane), .actor, .lane-node, .cards .run')].filter((e) => {
					const r = e.getBoundingClientRect();
					return r.left < f.right && f.left < r.right && r.top < f.bottom && f.top < r.bottom;
				}).map((e) => e.outerHTML.slice(0, 80)).join();
			})()`); over != "" {
				t.Errorf("%s, %d pixels wide: it lies over %s", lang, width, over)
			}
			if eval[bool](b, `document.querySelector('.fork').scrollWidth > document.querySelector('.fork').clientWidth`) {
				t.Errorf("%s, %d pixels wide: its words are cut", lang, width)
			}
		}
	}
}

// A phone has room for all lanes: none is beyond its edge.
func TestAPhoneHasAllLanes(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"phone", 360, 740, "light", false})
	for _, name := range []string{"redlock-clock", "fair-lock", "three-servers"} {
		b.visit(serve(t).url + "/en/lessons/" + name + "/")
		if beyond := eval[string](b, `[...document.querySelectorAll('#f-timeline :is(.lane, .heads text)')].filter((e) => e.getBoundingClientRect().right > innerWidth || e.getBoundingClientRect().left < 0).map((e) => e.outerHTML).join()`); beyond != "" {
			t.Errorf("%s: %s", name, beyond)
		}
	}
}

// claimed are the texts that lie on a bar or on the dots of a server's lane.
const claimed = `(() => {
	const boxes = (selector) => [...document.querySelectorAll('#f-timeline .events ' + selector)].filter((e) => e.checkVisibility() && e.getClientRects().length).map((e) => [e, e.getBoundingClientRect()]);
	const marks = boxes(':is(.lease, .waits)').map(([e, r]) => [e, new DOMRect(r.x - (e.matches('line') ? 1 : 0), r.y, r.width + (e.matches('line') ? 2 : 0), r.height)]);
	const all = [];
	for (const [t, r] of boxes('.value'))
		for (const [m, s] of marks)
			if (t.textContent && r.left < s.right - 1 && s.left < r.right - 1 && r.top + 4 < s.bottom && s.top + 4 < r.bottom) all.push(t.textContent + ' lies on ' + m.getAttribute('class'));
	marks.forEach(([m, r], i) => {
		for (const [n, s] of marks.slice(i + 1))
			if (r.left < s.right - .5 && s.left < r.right - .5 && r.top + 1 < s.bottom && s.top + 1 < r.bottom) all.push(m.getAttribute('class') + ' lies on ' + n.getAttribute('class'));
	});
	return all.join('; ');
})()`

// Rows with their locks and znodes with their watches, and who waits for them, stand on the lanes of their servers after
// each sentence of a story, and lie on nothing. What a statement opens says the same of all of them.
func TestLocksAndWatchesStandOnTheirLanes(t *testing.T) {
	t.Parallel()
	var names []string
	for _, l := range catalog(t) {
		if strings.HasPrefix(l.Name, "sql-") || strings.HasPrefix(l.Name, "zk-") || l.Name == "curator-reentrant" || l.Name == "three-servers" {
			names = append(names, l.Name)
		}
	}
	for n, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}, {name: "phone", width: 390, height: 844}} {
		for i, name := range sample.Sample(t, names, 2) {
			t.Run(screen.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := open(t)
				b.emulate(screen)
				b.visit(serve(t).url + "/" + []string{"en", "zh"}[(i+n)%2] + "/lessons/" + name + "/")
				for click := 1; b.exists(goesOn); click++ {
					b.click(forward)
					for _, look := range []string{covered, claimed} {
						if wrong := eval[string](b, look); wrong != "" {
							t.Errorf("click %d: %s", click, wrong)
						}
					}
					if !b.exists(`.look[data-ui="unfold"]`) {
						continue
					}
					if wrong := eval[string](b, `(() => {
						document.querySelector('.look').dispatchEvent(new MouseEvent('click', {bubbles: true}));
						const r = document.querySelector('.unfold.data .unfolded').getBoundingClientRect();
						document.querySelector('.look').dispatchEvent(new MouseEvent('click', {bubbles: true}));
						return r.width > 100 && r.left >= 0 && r.right <= innerWidth ? '' : 'the statement opens ' + r.width + ' pixels at ' + r.left;
					})()`); wrong != "" {
						t.Errorf("click %d: %s", click, wrong)
					}
				}
			})
		}
	}
}
