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

// sure has the page take a yes for each of its questions.
func (b *tab) sure() { b.t.Helper(); eval[bool](b, `(window.confirm = () => true)()`) }

// says waits for what the class tells a page.
func (b *tab) says(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector('#class p').textContent === %q`, text))
}

// joins goes into a class by its code and a name.
func (b *tab) joins(home, lang, code, name, greeting string) {
	b.t.Helper()
	b.do(chromedp.Navigate(home + "/" + lang + "/class/" + code))
	b.until(`document.getElementById('name')`)
	eval[bool](b, fmt.Sprintf(`(() => { document.getElementById('name').value = %q; document.querySelector('form').requestSubmit(); return true; })()`, name))
	b.until(fmt.Sprintf(`document.querySelector('.class-name')?.textContent === %q && location.pathname === %q`, greeting, "/"+lang+"/lessons/set-nx/"))
	b.until(revision + " > 0")
}

// A teacher leads five learners, who read two languages and one of whom has a phone, asks them, shows what one of
// them has done, takes one out, and ends the class.
func TestAClassGoesThroughALesson(t *testing.T) {
	t.Parallel()
	home := serve(t).url
	teacher := open(t)
	teacher.visit(home + "/en/lessons/set-nx/")
	teacher.do(press(`[popovertarget="share-menu"]`), press(`#share-menu form button`))
	teacher.until(`document.querySelector('.class-code')`)
	code := teacher.text(".class-code")
	if how := teacher.text(".class-way div"); !eval[bool](teacher, fmt.Sprintf(`%q.includes(location.host + '/class/ and enter the code')`, how)) {
		t.Errorf("the wall does not tell where: %s", how)
	}
	teacher.checkAxe("the wall of nobody")

	ann, lan, cy, dee, eli := open(t), open(t), open(t), open(t), open(t)
	cy.emulate(looks[2])
	cy.do(chromedp.Navigate(home + "/class/"))
	cy.checkAxe("the entrance")
	cy.do(chromedp.Navigate(home + "/en/class/" + code))
	cy.checkAxe("the door")
	ann.joins(home, "en", code, "Ann", "You are Ann.")
	lan.joins(home, "zh", code, "<b>小兰", "你是 <b>小兰。")
	cy.joins(home, "en", code, "Cy", "You are Cy.")
	dee.joins(home, "en", code, "ann", "You are ann 2.")
	eli.joins(home, "zh", code, "Eli", "你是 Eli。")
	learners := []*tab{ann, lan, cy, dee, eli}
	teacher.until(`document.querySelectorAll('#class-tiles > li').length === 5`)

	teacher.visit(home + "/en/lessons/set-nx/?class=" + code)
	teacher.until(`!document.querySelector('.class-tools').hidden`)
	teacher.chosen("lead")
	for !teacher.exists("form.predict") {
		teacher.click("#go")
	}
	at := eval[string](teacher, `location.search`)
	for _, learner := range learners {
		learner.until(fmt.Sprintf(`location.search === %q && document.querySelector('form.predict')`, at))
	}

	teacher.until(`!document.querySelector('[data-class="ask"]').hidden`)
	teacher.do(press(`[data-class="ask"]`))
	for _, learner := range learners {
		learner.until(`['The teacher asks: choose an answer.', '老师提问：请选择答案。'].includes(document.querySelector('#class p').textContent)`)
	}
	cy.checkAxe("a question to a phone")
	for _, learner := range learners {
		learner.uncover("form.predict .option[value=yes]")
		learner.do(press("form.predict .option[value=yes]"))
	}
	teacher.says("5 of 5 have answered")
	teacher.checkAxe("the teacher asks")
	if !ann.exists("form.predict") {
		t.Error("a learner sees the answer before the teacher shows it")
	}
	teacher.do(press(`[data-class="reveal"]`))
	ann.until(`document.querySelector('.class-counts').textContent === 'yes5no0' && !document.querySelector('form.predict')`)
	lan.until(`document.querySelector('.class-counts').textContent === '是5否0'`)
	lan.checkAxe("the answers")

	teacher.chosen("free")
	ann.says("Play as you like.")
	ann.click("#go")
	ann.until(`document.querySelector('.class-counts').hidden`) // they are of the scene before
	at = eval[string](ann, `location.search`)
	teacher.do(chromedp.Navigate(home + "/zh/class/" + code))
	teacher.until(fmt.Sprintf(`document.querySelector('#class-tiles a')?.search === %q`, at))
	if names := teacher.texts("#class-tiles strong"); names != "Ann, <b>小兰, Cy, ann 2, Eli" {
		t.Errorf("the wall has %s", names)
	}
	teacher.until(`document.querySelector('#class-tiles span').textContent.includes('SET NX')`) // in words, and not set-nx
	teacher.isAccessible("zh", "wall")
	teacher.do(press("#class-tiles summary"), press("#class-tiles button"))
	lan.until(`document.querySelector('.class-shown').textContent === '老师展示 Ann 的调度'`)
	lan.do(press(".class-shown"))
	lan.until(fmt.Sprintf(`location.search === %q`, at))

	for _, learner := range learners { // where they last went, their pages may say when it is too late
		learner.expect(`status of (403|410) .*/class/` + code + `/events`)
	}
	teacher.sure()
	teacher.do(press("#class-tiles > li:last-child summary"), press("#class-tiles > li:last-child .class-remove"))
	eli.says("老师已把你移出这个课堂，你可以自己继续。")
	teacher.until(`document.querySelectorAll('#class-tiles > li').length === 4`)
	teacher.do(press("#class-shut"))
	late := open(t)
	late.expect(`status of 409`)
	late.do(chromedp.Navigate(home + "/zh/class/" + code))
	late.until(`document.getElementById('name')`)
	late.do(chromedp.SendKeys("#name", "Fay\n"))
	late.until(`document.querySelector('.notice-error')?.textContent.trim() === '老师已停止让新成员加入这个课堂。'`)
	teacher.do(press("#class-end"))
	cy.says("The teacher has ended this class. You can go on alone.")
	cy.checkAxe("the end on a phone")
	teacher.until(`document.querySelector('#class-end').disabled`)
	teacher.until(`document.getElementById('class-over').offsetParent && !document.getElementById('class-way').offsetParent && !document.querySelector('#class-tiles button').offsetParent`)
	teacher.checkAxe("the end on the wall")
}
