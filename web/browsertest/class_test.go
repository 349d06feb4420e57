package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// chosen says of the teacher's page how the class goes on.
func (b *tab) chosen(mode string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => { const m = document.querySelector('.class-mode'); m.value = %q; return m.dispatchEvent(new Event('change', { bubbles: true })); })()`, mode))
}

// A teacher leads learners who read two languages, asks them, and shows what one of them has done.
func TestAClassGoesThroughALesson(t *testing.T) {
	t.Parallel()
	home := serve(t).url
	teacher := open(t)
	teacher.visit(home + "/en/lessons/set-nx/")
	teacher.do(press(`[popovertarget="share-menu"]`), press(`#share-menu form button`))
	teacher.until(`document.querySelector('.class-code')`)
	code := teacher.text(".class-code")

	ann, lan := open(t), open(t)
	for _, who := range []struct {
		*tab
		lang, name, greeting string
	}{{ann, "en", "Ann", "You are Ann."}, {lan, "zh", "<b>小兰", "你是 <b>小兰。"}} {
		who.do(chromedp.Navigate(home + "/" + who.lang + "/class/" + code))
		who.until(`document.getElementById('name')`)
		eval[bool](who.tab, fmt.Sprintf(`(() => { document.getElementById('name').value = %q; document.querySelector('form').requestSubmit(); return true; })()`, who.name))
		who.until(fmt.Sprintf(`document.querySelector('.class-name')?.textContent === %q && location.pathname === %q`, who.greeting, "/"+who.lang+"/lessons/set-nx/"))
		who.until(revision + " > 0")
	}
	teacher.until(`document.querySelectorAll('#class-tiles > li').length === 2`)

	teacher.visit(home + "/en/lessons/set-nx/?class=" + code)
	teacher.until(`!document.querySelector('.class-tools').hidden`)
	teacher.chosen("lead")
	for !teacher.exists("form.predict") {
		teacher.click("#go")
	}
	at := eval[string](teacher, `location.search`)
	for _, learner := range []*tab{ann, lan} {
		learner.until(fmt.Sprintf(`location.search === %q && document.querySelector('form.predict')`, at))
	}

	teacher.until(`!document.querySelector('[data-class="ask"]').hidden`)
	teacher.do(press(`[data-class="ask"]`))
	for _, learner := range []*tab{ann, lan} {
		learner.until(`['The teacher asks: choose an answer.', '老师提问：请选择答案。'].includes(document.querySelector('#class p').textContent)`)
		learner.do(press("form.predict .option[value=yes]"))
	}
	teacher.until(`document.querySelector('#class p').textContent === '2 of 2 have answered'`)
	if !ann.exists("form.predict") {
		t.Error("a learner sees the answer before the teacher shows it")
	}
	teacher.do(press(`[data-class="reveal"]`))
	ann.until(`document.querySelector('.class-counts').textContent === 'yes2no0' && !document.querySelector('form.predict')`)
	lan.until(`document.querySelector('.class-counts').textContent === '是2否0'`)

	teacher.chosen("free")
	ann.until(`document.querySelector('#class p').textContent === 'Play as you like.'`)
	ann.click("#go")
	at = eval[string](ann, `location.search`)
	wall := home + "/zh/class/" + code
	teacher.do(chromedp.Navigate(wall))
	teacher.until(fmt.Sprintf(`document.querySelector('#class-tiles a')?.search === %q`, at))
	if names := eval[string](teacher, `[...document.querySelectorAll('#class-tiles strong')].map(e => e.textContent).join()`); names != "Ann,<b>小兰" {
		t.Errorf("the wall has %s", names)
	}
	teacher.do(press("#class-tiles button"))
	lan.until(`document.querySelector('.class-shown').textContent === '老师展示 Ann 的调度'`)
	lan.do(press(".class-shown"))
	lan.until(fmt.Sprintf(`location.search === %q`, at))
}
