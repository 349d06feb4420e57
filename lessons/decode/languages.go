package decode

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/lessons"
)

const bothLanguages = `write both languages: {en: "…", zh: "…"}`

// bilingual reads {en: …, zh: …}.
func (d *decoder) bilingual(n ast.Node, what string) lessons.Text {
	texts, t := d.languages(n, what)
	for _, lang := range []string{"en", "zh"} {
		text, _ := scalar(t.get(lang))
		if len(text) > mostText {
			d.fail(t.get(lang), lessons.CodeLimit, fmt.Sprintf("%s may have %d bytes, and this has %d", what, mostText, len(text)), "make it shorter")
		}
	}
	return texts
}

// languages reads what a text is in both languages. Where one is missing the other
// stands for it, and a warning says so.
func (d *decoder) languages(n ast.Node, what string) (lessons.Text, table) {
	t := d.table(n, what, bothLanguages, textKeys)
	texts := lessons.Text{En: d.language(t, "en"), Zh: d.language(t, "zh")}
	_, isMapping := n.(*ast.MappingNode)
	switch {
	case !isMapping || t.strange: // and that was said
	case !t.has("en") && !t.has("zh"):
		d.fail(n, lessons.CodeMissingKey, what+" has neither en nor zh", bothLanguages)
	case !t.has("zh"):
		d.warn(t.values["en"].at, lessons.CodeMissingLanguage, what+" has no Chinese text", `add zh: "…": until then the page shows the English one`)
		texts.Zh = texts.En
	case !t.has("en"):
		d.warn(t.values["zh"].at, lessons.CodeMissingLanguage, what+" has no English text", `add en: "…": until then the page shows the Chinese one`)
		texts.En = texts.Zh
	}
	return texts, t
}

func (d *decoder) language(t table, lang string) string {
	n := t.get(lang)
	if n == nil {
		return ""
	}
	text, ok := d.text(n, t.what+" in "+lang, bothLanguages)
	if ok && strings.TrimSpace(text) == "" {
		d.fail(n, lessons.CodeValue, t.what+" in "+lang+" is empty", bothLanguages)
	}
	return text
}
