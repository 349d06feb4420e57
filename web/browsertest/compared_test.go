package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/node/sample"
)

// stacked counts the rows whose cells stand below each other, and those that there are.
const stacked = `(() => {
	const rows = [...document.querySelectorAll('.compared tbody tr')];
	const below = (row) => [...row.children].every((cell, i, all) => i === 0 || cell.getBoundingClientRect().top >= all[i - 1].getBoundingClientRect().bottom);
	return [rows.filter(below).length, rows.length];
})()`

// On a phone the cells of the comparison stand below each other; on a wide screen they are a table.
func TestTheComparisonFitsAPhone(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.do(chromedp.EmulateViewport(360, 780), chromedp.Navigate(serve(t).url+"/en/compare/"))
	if n := eval[[]int](b, stacked); n[0] != n[1] || n[1] == 0 {
		t.Errorf("%d of %d rows are stacked", n[0], n[1])
	}
	if wide := eval[int](b, `Math.max(...[document.documentElement, document.querySelector('.compared')].map((e) => e.scrollWidth)) - innerWidth`); wide > 0 {
		t.Errorf("the page is %d pixels wider than its screen", wide)
	}
	if !eval[bool](b, `getComputedStyle(document.querySelector('.compared-lock')).display !== 'none'`) {
		t.Error("a cell does not say which lock it is about")
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	if n := eval[[]int](b, stacked); n[0] != 0 {
		t.Errorf("%d of %d rows are stacked on a wide screen", n[0], n[1])
	}
}

// The home page leads to the comparison, and a fact to the step that shows it.
func TestAFactLeadsToItsStep(t *testing.T) {
	t.Parallel()
	type place struct{ name, lang string }
	for _, tt := range sample.Sample(t, []place{{"served", "en"}, {"as files", "zh"}}, sample.PlacesTried) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := serve(t).url + "/"
			if tt.name == "as files" {
				home = exported(t, false).home
			}
			b := open(t)
			b.do(
				chromedp.EmulateViewport(1280, 900), chromedp.Navigate(home+tt.lang+"/"),
				press(`details:has(.to-compared) > summary`), press(`.to-compared a`), press(`.shown-by a[href*="failover"]`),
			)
			b.until(revision + ` > 0`)
			b.at("4 / 4")
			if !b.exists("#f-broken .violations, #f-broken *") {
				t.Error("the lesson does not stand where two are inside")
			}
		})
	}
}
