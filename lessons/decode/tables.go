package decode

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/node/sql"
)

// tables reads what a node that speaks SQL has at the start, as the statements that make it.
func (d *decoder) tables(f nodeForm, node lessons.Node) {
	scratch := node.Kind.Row().New(node.Session)
	do := func(n ast.Node, statement string) {
		res, err := scratch.Exec(context.Background(), engine.Op{Args: []string{statement}})
		if err == nil && res.Reply.IsError() {
			d.fail(n, lessons.CodeValue, fact.Of("lesson-sql-answers", node.Name, res.Reply.Str, statement), fact.Of("lesson-write-types"))
		}
		d.lesson.Given = append(d.lesson.Given, lessons.Given{Node: node.Name, Statement: statement})
	}
	if f.Isolation.text != "" {
		do(f.Isolation.node, "SET GLOBAL TRANSACTION ISOLATION LEVEL "+f.Isolation.text)
	}
	timeout := func(text plainText, what, variable string) {
		switch span, ok := d.span(text); {
		case !ok:
		case span < time.Second || span%time.Second != 0:
			d.fail(text.node, lessons.CodeValue, fact.Of("lesson-whole-seconds", what), text.toWrite())
		default:
			do(text.node, "SET GLOBAL "+variable+" = "+strconv.Itoa(int(span/time.Second)))
		}
	}
	timeout(f.LockWait, "a lock wait", "innodb_lock_wait_timeout")
	timeout(f.IdleTime, "a wait for a client", "wait_timeout")
	for _, t := range f.Tables.items {
		if t.ok() && d.name(t.key, t.name) {
			d.table(t, do)
		}
	}
}

func (d *decoder) table(t tableForm, do func(ast.Node, string)) {
	var columns []string
	isText := map[int]bool{}
	for i, c := range t.Columns.items {
		if !c.ok() || !d.name(c.key, c.name) {
			return
		}
		kind := strings.ToUpper(c.text)
		isText[i] = strings.HasPrefix(kind, "VARCHAR")
		if bare, nullable := strings.CutSuffix(kind, " NULL"); nullable {
			kind = bare
		} else {
			kind += " NOT NULL"
		}
		columns = append(columns, c.name+" "+kind)
	}
	if len(columns) == 0 {
		return
	}
	do(t.key, fmt.Sprintf("CREATE TABLE %s (%s, PRIMARY KEY (%s))", t.name, strings.Join(columns, ", "), t.Columns.items[0].name))
	for _, r := range t.Rows.items {
		var values []string
		for i, v := range r.items {
			text := v.text
			if isText[i] {
				text = sql.Quote(text)
			}
			values = append(values, text)
		}
		if r.ok() {
			do(r.node, fmt.Sprintf("INSERT INTO %s VALUES (%s)", t.name, strings.Join(values, ", ")))
		}
	}
}

// keeps tells whether a node keeps keys, which can be given, copied and lost.
func (d *decoder) keeps(n ast.Node, name string) bool {
	node, there := d.lesson.Node(name)
	return d.must(!there || node.Kind.Row().Give != nil, n, lessons.CodeValue, fact.Of("lesson-sql-node-only", name, node.Kind), fact.Of("lesson-name-another-node"))
}

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
	d.absent(t.node, "nodes", t.text, lessons.CodeUnknownName, fact.Of("lesson-no-row", t.text), fact.Of("lesson-write-row"))
}

// lock looks whether a text is who has which lock, or waits for it.
func (d *decoder) lock(t *plainText) {
	words := strings.Fields(t.text)
	if len(words) == 3 && words[1] == "waits" {
		words = slices.Delete(words, 1, 2)
	}
	modes := []string{string(engine.HoldsAlone), string(engine.HoldsShared), string(engine.HoldsGap), string(engine.HoldsInsert)}
	if len(words) != 2 || !slices.Contains(modes, words[1]) {
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-no-lock", t.text), fact.Of("lesson-write-lock", strings.Join(modes, ", ")))
		return
	}
	d.actor(t.node, words[0])
}
