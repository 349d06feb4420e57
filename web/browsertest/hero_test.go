package browsertest

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hero is the first picture of README: on the home page B asks when A's lease has ended, and both are inside.
const hero = "../../docs/hero"

// What the loop shows, and how long each picture stands, in hundredths of a second.
const (
	heroStands = 130
	heroEnds   = 400
	heroBytes  = 400 << 10 // at most, with each visit of README
)

// heroSays is what one picture of the loop tells: who is where, what is asked and answered, and the sentence.
const heroSays = `[...document.querySelectorAll('.frame.shown :is(text, .says)')].map((e) => e.textContent.trim().replace(/\s+/g, ' ')).filter(Boolean).join(' | ')`

// The loop in README is what the home page plays; make screenshots writes it.
func TestTheHeroIsPictured(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.first(steady)
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(serve(t).url+"/en/"))
	b.until(`document.querySelector('#strip').dataset.live === 'on'`)
	var shape strings.Builder
	var loop gif.GIF
	take := func() {
		b.until(`document.getAnimations().every((a) => a.playState !== 'running')`)
		shape.WriteString(eval[string](b, heroSays) + "\n")
		if *screenshots != "" {
			loop.Image = append(loop.Image, b.framed(`.frame.shown`))
		}
	}
	take()
	for _, move := range []string{moveClock, letBAsk, moveClock, letBAsk} {
		b.do(press(move))
		take()
	}
	b.until(collided)
	if !strings.Contains(shape.String(), "both inside") {
		t.Errorf("the loop does not show both inside:\n%s", &shape)
	}
	b.isOutlined(hero, "gif", shape.String(), func(file string) {
		var out bytes.Buffer
		if err := gif.EncodeAll(&out, differences(&loop)); err != nil {
			t.Fatal(err)
		}
		if out.Len() > heroBytes {
			t.Errorf("the loop has %d bytes, at most %d", out.Len(), heroBytes)
		}
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

// framed is a picture of one element, in the colours that it has most of.
func (b *tab) framed(selector string) *image.Paletted {
	b.t.Helper()
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	page, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	r := eval[[]int](b, `(() => { const margin = 16, r = document.querySelector('`+selector+`').getBoundingClientRect(); return [r.left - margin, r.top - margin, r.right + margin, r.bottom + margin].map(Math.round) })()`)
	part := image.NewPaletted(image.Rect(0, 0, r[2]-r[0], r[3]-r[1]), nil)
	often := map[color.Color]int{}
	for y := r[1]; y < r[3]; y++ {
		for x := r[0]; x < r[2]; x++ {
			often[page.At(x, y)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(often), func(a, b color.Color) int { return cmp.Compare(often[b], often[a]) })
	part.Palette = color.Palette(most[:min(len(most), 256)])
	draw.Draw(part, part.Bounds(), page, image.Pt(r[0], r[1]), draw.Src)
	return part
}

// differences leaves of each picture of a loop what differs from the one before.
func differences(loop *gif.GIF) *gif.GIF {
	short := gif.GIF{Config: image.Config{Width: loop.Image[0].Rect.Dx(), Height: loop.Image[0].Rect.Dy()}}
	for i, whole := range loop.Image {
		part := whole.Rect
		if i > 0 {
			part = image.Rectangle{}
			for y := range whole.Rect.Dy() {
				for x := range whole.Rect.Dx() {
					if whole.At(x, y) != loop.Image[i-1].At(x, y) {
						part = part.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
		}
		stands := heroStands
		if i == len(loop.Image)-1 {
			stands = heroEnds
		}
		short.Image = append(short.Image, whole.SubImage(part).(*image.Paletted))
		short.Delay = append(short.Delay, stands)
	}
	return &short
}
