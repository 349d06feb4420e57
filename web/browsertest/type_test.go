package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// otherSizes are the texts that have none of the six sizes of type. The first screen's headline and the figure of a proof
// are larger.
const otherSizes = `[...document.querySelectorAll('body *')].filter((e) => {
	const says = e.matches('input, select, textarea') || [...e.childNodes].some((c) => c.nodeType === Node.TEXT_NODE && c.textContent.trim());
	return says && e.checkVisibility() && e.getClientRects().length && !e.closest('.stake h1, .figure:first-child strong')
		&& ![0, 12, 13, 14, 16, 19, 22].includes(parseFloat(getComputedStyle(e).fontSize));
}).map((e) => getComputedStyle(e).fontSize + ' ' + e.textContent.trim().slice(0, 30)).slice(0, 5).join('; ')`

// Type has six sizes, wherever one looks and on whatever screen.
func TestTypeHasSixSizes(t *testing.T) {
	t.Parallel()
	home := serve(t).url + "/en/"
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}, {name: "phone", width: 390, height: 844}} {
		b := open(t)
		b.opensOn("story")
		b.emulate(screen)
		look := func(at string) {
			if got := eval[string](b, otherSizes); got != "" {
				t.Errorf("%s, %s: %s", screen.name, at, got)
			}
		}
		b.do(chromedp.Navigate(home))
		look("home")
		for _, view := range []string{"embed", "present"} {
			b.visit(home + "lessons/set-nx/?view=" + view)
			look(view)
		}
		b.visit(home + "lessons/set-nx/")
		for b.exists(goesOn) {
			b.key(kb.Enter)
		}
		look("the story's end")
		b.do(press(".mode"))
		look("the lab")
		eval[bool](b, `document.querySelector('[data-ui="author"]').click() ?? true`)
		b.until(`document.querySelector('#author-text').shadowRoot?.querySelector('.cm-content')`)
		look("the Author view")
	}
}
