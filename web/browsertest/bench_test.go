package browsertest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lockstep/engine"
)

// throttle makes the page's processor slower by a factor.
func (b *tab) throttle(factor float64) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: factor})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// clocked notes when there is something to read, and when the player is there.
const clocked = `
	new PerformanceObserver((list) => { window.readable ??= list.getEntries()[0].startTime }).observe({type: 'largest-contentful-paint', buffered: true});
	new MutationObserver(() => {
		if (document.documentElement.dataset.link === 'up') window.interactive ??= performance.now();
	}).observe(document, {attributes: true, subtree: true, attributeFilter: ['data-link']});`

// BenchmarkColdVisit opens a lesson of a site of files with an empty cache: the
// medians, in ms since the navigation began.
func BenchmarkColdVisit(b *testing.B) {
	for _, factor := range []float64{1, 4} {
		b.Run(fmt.Sprintf("processor ÷ %g", factor), func(b *testing.B) {
			h := exported(b, false)
			var readable, interactive []float64
			for b.Loop() {
				page := onScreen(b)
				page.first(clocked)
				page.throttle(factor)
				page.do(chromedp.Navigate(h.home + "en/lessons/redisson-lock/"))
				page.until("window.interactive && window.readable")
				readable = append(readable, eval[float64](page, "window.readable"))
				interactive = append(interactive, eval[float64](page, "window.interactive"))
			}
			b.ReportMetric(quantile(readable, 0.5), "ms-readable")
			b.ReportMetric(quantile(interactive, 0.5), "ms-interactive")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// searched asks for a break as soon as the page can, and notes when it shows one.
const searched = `
	const look = () => {
		if (document.documentElement.dataset.link !== 'up') return;
		if (document.querySelector('#f-search .grade.wrong')) { window.broken ??= performance.now(); return }
		if (window.asked) return;
		const form = document.querySelector('#f-search:not([hidden]) form');
		if (!form) return;
		window.asked = performance.now();
		if (%[1]q) form.elements.text.value = %[1]q;
		form.requestSubmit();
	};
	new MutationObserver(look).observe(document, {attributes: true, childList: true, subtree: true, attributeFilter: ['data-link', 'hidden']});`

// BenchmarkColdBreak opens a lesson of a site of files with an empty cache, beside its story, and has it
// searched at once: the medians, in ms since the navigation began and since the search did.
func BenchmarkColdBreak(b *testing.B) {
	for _, c := range []struct{ lesson, ask string }{{"set-nx", ""}, {"redisson-lock", "any"}, {"trylock-exits", "arrive"}, {"fair-lock", "any"}} {
		b.Run(c.lesson, func(b *testing.B) {
			h := exported(b, false)
			url := fmt.Sprintf("%sen/lessons/%s/?s=%s", h.home, c.lesson, besideStory(b, c.lesson))
			var broken, since []float64
			for b.Loop() {
				page := onScreen(b)
				page.first(fmt.Sprintf(searched, c.ask))
				page.do(chromedp.Navigate(url))
				page.until("window.broken")
				broken = append(broken, eval[float64](page, "window.broken"))
				since = append(since, eval[float64](page, "window.broken - window.asked"))
			}
			b.ReportMetric(quantile(broken, 0.5), "ms-broken")
			b.ReportMetric(quantile(since, 0.5), "ms-search")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// besideStory is a schedule with which no story begins: a search is offered at once.
func besideStory(b *testing.B, lesson string) string {
	b.Helper()
	for _, l := range catalog(b) {
		if l.Name == lesson {
			return engine.Schedule{Lesson: l.Hash, Choices: []engine.Choice{{Kind: engine.Tick, Span: time.Second}}}.String()
		}
	}
	b.Fatal("there is no lesson " + lesson)
	return ""
}

// BenchmarkStep makes ten steps after 20 and after 300 others, and goes back: ms from the
// click until the page has changed, and until the frame with the change is painted, which
// waits for the screen.
func BenchmarkStep(b *testing.B) {
	h := exported(b, false)
	a := serve(b)
	for _, place := range []struct{ name, home string }{
		{"in this browser", h.home},
		{"on the server", a.url + "/"},
	} {
		for _, steps := range []int{20, 300} {
			for _, factor := range []float64{1, 4} {
				b.Run(fmt.Sprintf("%s/%d steps/processor ÷ %g", place.name, steps, factor), func(b *testing.B) {
					benchmarkSteps(b, fmt.Sprintf("%sen/lessons/redisson-lock/?s=%s", place.home, longSchedule(b, steps)), factor)
				})
			}
		}
	}
}

func benchmarkSteps(b *testing.B, url string, factor float64) {
	b.Helper()
	page := onScreen(b)
	page.visit(url)
	page.throttle(factor)
	var drawn, painted []float64
	for b.Loop() {
		for _, button := range []string{moves, back} {
			for _, t := range eval[[][2]float64](page, fmt.Sprintf(stepping, button)) {
				drawn, painted = append(drawn, t[0]), append(painted, t[1])
			}
		}
	}
	b.ReportMetric(quantile(drawn, 0.5), "ms-drawn-p50")
	b.ReportMetric(quantile(drawn, 0.95), "ms-drawn-p95")
	b.ReportMetric(quantile(painted, 0.5), "ms-painted-p50")
	b.ReportMetric(quantile(painted, 0.95), "ms-painted-p95")
	b.ReportMetric(0, "ns/op")
}

// moves is a step that is always possible, and that leads to another branch in the past.
const moves = `#f-clock .row [data-op="choose"]:not(:disabled)`

const stepping = `(async () => {
	const times = [];
	for (const selector = %q; times.length < 10;) {
		const button = document.querySelector(selector);
		if (!button || button.disabled) break;
		await new Promise((again) => setTimeout(again, 20));
		const from = performance.now();
		const drawn = new Promise((done) => {
			const seen = new MutationObserver(() => { seen.disconnect(); done(performance.now()) });
			seen.observe(document.body, {attributes: true, attributeFilter: ['data-rev']});
		});
		button.click();
		const changed = await drawn;
		await new Promise((done) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0) }));
		times.push([changed - from, performance.now() - from]);
	}
	return times;
})()`

func quantile(all []float64, q float64) float64 {
	slices.Sort(all)
	return all[min(len(all)-1, int(q*float64(len(all))))]
}
