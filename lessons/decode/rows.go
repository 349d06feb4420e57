package decode

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// rowForm is the columns of a row, or none.
type rowForm struct {
	mapOf[plainText]

	none plainText
}

func (r *rowForm) read(d *decoder, p at) {
	if _, text := scalar(p.node); text {
		p.form.is = "norow"
		r.none.read(d, p)
		r.at = p
		return
	}
	p.form.each, p.form.is = "the column", ""
	r.mapOf.read(d, p)
}

func (rowForm) shape(string) *schema {
	return &schema{AnyOf: []*schema{textShape("norow"), mapOf[plainText]{}.shape("")}}
}

// columns are those to compare; nil: the row must not exist.
func (r rowForm) columns() []engine.Item {
	if r.none.ok() {
		return nil
	}
	items := []engine.Item{}
	for _, c := range r.items {
		items = append(items, engine.Item{Name: c.name, Value: c.text})
	}
	return items
}

// row looks whether a name is that of a row of a table that the lesson has.
func (d *decoder) row(t *plainText) {
	table, key, ok := strings.Cut(t.text, "/")
	if ok && table != "" && key != "" {
		for _, g := range d.lesson.Given {
			if strings.HasPrefix(g.Statement, "CREATE TABLE "+table+" ") {
				return
			}
		}
	}
	d.absent(t.node, "nodes", t.text, lessons.CodeUnknownName, "no table of this lesson has a row "+t.text, "write TABLE/KEY, as in stock/10")
}

// lock looks whether a text is who has which lock, or waits for it.
func (d *decoder) lock(t *plainText) {
	words := strings.Fields(t.text)
	if len(words) == 3 && words[1] == "waits" {
		words = slices.Delete(words, 1, 2)
	}
	modes := []string{string(engine.HoldsAlone), string(engine.HoldsShared), string(engine.HoldsGap), string(engine.HoldsInsert)}
	if len(words) != 2 || !slices.Contains(modes, words[1]) {
		d.fail(t.node, lessons.CodeValue, t.text+" is no lock", "write an actor and one of "+strings.Join(modes, ", ")+", as in A X or B waits X")
		return
	}
	d.actor(t.node, words[0])
}
