package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// The story goes on before the player has come, and the player goes on with it.
func TestAStoryIsPlayedBeforeThePlayerHasCome(t *testing.T) {
	t.Parallel()
	h := exported(t, false)
	h.holds = make(chan struct{})
	b := open(t)
	b.do(chromedp.Navigate(h.home + "en/lessons/compare-and-delete/"))
	b.until(`document.documentElement.dataset.link === 'loading'`)
	b.click("#go")
	b.click("#go")
	b.at("2 / 2")
	was := b.shown()
	if b.exists(`html[data-link="up"]`) {
		t.Fatal("the player was not held back")
	}
	close(h.holds)
	b.until(`document.documentElement.dataset.link === 'up'`)
	b.at("2 / 2")
	b.same(was, "when the player has come")
	b.click(back)
	b.at("1 / 2")
}

// What the recording does not have waits for the player, and happens where the learner was.
func TestWhatIsNotRecordedWaitsForThePlayer(t *testing.T) {
	t.Parallel()
	h := exported(t, false)
	h.holds = make(chan struct{})
	b := open(t)
	b.do(chromedp.Navigate(h.home + "en/lessons/compare-and-delete/"))
	b.until(`document.documentElement.dataset.link === 'loading'`)
	b.click("#go")
	b.at("1 / 1")
	b.do(press(back))
	close(h.holds)
	b.at("0 / 1")
}
