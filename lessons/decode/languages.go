package decode

import (
	"fmt"
	"strings"

	"lockstep/lessons"
)

const bothLanguages = `write both languages: {en: "…", zh: "…"}`

func (t *textForm) read(d *decoder, p at) {
	d.languages(t, p)
	for _, own := range []plainText{t.En, t.Zh} {
		if own.ok() && len(own.text) > mostText {
			d.fail(own.node, lessons.CodeLimit, fmt.Sprintf("%s may have at most %d bytes, but this has %d", p.what, mostText, len(own.text)), "make it shorter")
		}
	}
}

func (t textForm) both() lessons.Text { return lessons.Text{En: t.En.text, Zh: t.Zh.text} }

func (f *proseForm) read(d *decoder, p at) { d.languages((*textForm)(f), p) }

// languages reads what a text is in both languages. Where one is missing the other
// stands for it, and a warning says so.
func (d *decoder) languages(t *textForm, p at) {
	p.write = bothLanguages
	sound := d.keys(t, p)
	for _, own := range []plainText{t.En, t.Zh} {
		if own.ok() && strings.TrimSpace(own.text) == "" {
			d.fail(own.node, lessons.CodeValue, own.what+" is empty", bothLanguages)
		}
	}
	switch {
	case !sound: // and that was said
	case !t.En.given() && !t.Zh.given():
		d.fail(p.node, lessons.CodeMissingKey, p.what+" has neither en nor zh", bothLanguages)
	case !t.Zh.given():
		d.warn(t.En.key, lessons.CodeMissingLanguage, p.what+" has no Chinese text", `add zh: "…": until then the page shows the English one`)
		t.Zh.text = t.En.text
	case !t.En.given():
		d.warn(t.Zh.key, lessons.CodeMissingLanguage, p.what+" has no English text", `add en: "…": until then the page shows the Chinese one`)
		t.En.text = t.Zh.text
	}
}
