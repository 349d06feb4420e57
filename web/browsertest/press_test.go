package browsertest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// The page finds what is pressed, and where it is, in one go: chromedp's own actions find an element,
// and ask for it by its number, and between the two a frame may have replaced it.

// poll waits for a JavaScript expression to be truthy, also in the page that a navigation leads to,
// and gives what it is.
func poll[T any](ctx context.Context, target *chromedp.Target, js string, limit func() time.Duration) (T, error) {
	for {
		v, err := chromedp.Poll[T](js, chromedp.WithPollingInterval(15*time.Millisecond), chromedp.WithPollingTimeout(limit()))(ctx, target)
		if err == nil || !isOfAPageThatWasLeft(err) {
			return v, err
		}
	}
}

func isOfAPageThatWasLeft(err error) bool {
	for _, said := range []string{"context with specified id", "context was destroyed", "target navigated"} {
		if strings.Contains(err.Error(), said) {
			return true
		}
	}
	return false
}

func noLimit() time.Duration { return 0 } // but that of the tab's context

// press clicks with the mouse on an element, as soon as the page shows it.
func press(selector string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		at, err := poll[[]float64](ctx, target, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			if (!e?.getClientRects().length) return null;
			e.scrollIntoViewIfNeeded();
			const r = e.getClientRects()[0];
			return [r.left + r.width / 2, r.top + r.height / 2];
		})()`, selector), noLimit)
		if err != nil {
			return chromedp.Void{}, fmt.Errorf("pressing %s: %w", selector, err)
		}
		return chromedp.MouseClickXY(at[0], at[1])(ctx, target)
	}
}

// typeInto types into a field, as soon as the page shows it.
func typeInto(selector, text string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := poll[bool](ctx, target, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			if (!e?.getClientRects().length) return false;
			e.focus();
			return true;
		})()`, selector), noLimit)
		if err != nil {
			return chromedp.Void{}, fmt.Errorf("typing into %s: %w", selector, err)
		}
		return chromedp.KeyEvent(text)(ctx, target)
	}
}

// fill gives a field a value, as soon as the page has it.
func fill(selector, value string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := poll[bool](ctx, target, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			if (!e) return false;
			e.value = %q;
			for (const happens of ['input', 'change']) e.dispatchEvent(new Event(happens, { bubbles: true }));
			return true;
		})()`, selector, value), noLimit)
		if err != nil {
			return chromedp.Void{}, fmt.Errorf("filling %s: %w", selector, err)
		}
		return chromedp.Void{}, nil
	}
}
