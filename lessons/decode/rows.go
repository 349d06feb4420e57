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

// expectRows reads how rows must look, and who locks them.
func (d *decoder) expectRows(f expectForm, e *lessons.Expect) {
	for _, part := range []struct {
		rows    []rowForm
		pending bool
	}{{f.Rows.items, false}, {f.Pending.items, true}} {
		for _, r := range part.rows {
			row := lessons.ExpectRow{Name: r.name, Pending: part.pending, Place: d.place(r.key)}
			for _, c := range r.items {
				row.Items = append(row.Items, engine.Item{Name: c.name, Value: c.text})
			}
			if d.isRow(r.at) && (r.none.text != "" || len(row.Items) > 0) {
				e.Rows = append(e.Rows, row)
			}
		}
	}
	for _, l := range f.Locks.items {
		locks := texts(l, d.isLock)
		if d.isRow(l.at) && locks != nil {
			e.Locks = append(e.Locks, lessons.ExpectLocks{Name: l.name, Locks: locks, Place: d.place(l.key)})
		}
	}
}

// isRow tells whether a name is that of a row of a table that the lesson has.
func (d *decoder) isRow(p at) bool {
	table, key, ok := strings.Cut(p.name, "/")
	if ok && table != "" && key != "" {
		var names []string
		for _, g := range d.lesson.Given {
			if rest, creates := strings.CutPrefix(g.Statement, "CREATE TABLE "); creates {
				name, _, _ := strings.Cut(rest, " ")
				names = append(names, name)
			}
		}
		if slices.Contains(names, table) {
			return true
		}
	}
	d.absent(p.key, "nodes", p.name, lessons.CodeUnknownName, "no table of this lesson has a row "+p.name, "write TABLE/KEY, as in stock/10")
	return false
}

// isLock tells whether a text is who has which lock.
func (d *decoder) isLock(t plainText) bool {
	words := strings.Fields(t.text)
	if len(words) == 3 && words[1] == "waits" {
		words = slices.Delete(words, 1, 2)
	}
	modes := []string{string(engine.HoldsAlone), string(engine.HoldsShared), string(engine.HoldsGap), string(engine.HoldsInsert)}
	if len(words) != 2 || !slices.Contains(modes, words[1]) {
		d.fail(t.node, lessons.CodeValue, t.text+" is no lock", "write an actor and one of "+strings.Join(modes, ", ")+", as in A X or B waits X")
		return false
	}
	return d.isActor(plainText{at: t.at, text: words[0]})
}
