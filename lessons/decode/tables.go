package decode

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/sql"
)

// tables reads what a node that speaks SQL has at the start, as the statements that make it.
func (d *decoder) tables(f nodeForm, node lessons.Node) {
	scratch := node.Kind.Row().New(node.Session)
	do := func(n ast.Node, statement string) {
		res, err := scratch.Exec(context.Background(), engine.Op{Args: []string{statement}})
		if err == nil && res.Reply.IsError() {
			d.fail(n, lessons.CodeValue, fmt.Sprintf("%s answers %s to %s", node.Name, res.Reply.Str, statement), "write the types as in {id: INT, name: VARCHAR(20)}, and rows that fit them")
		}
		d.lesson.Given = append(d.lesson.Given, lessons.Given{Node: node.Name, Statement: statement})
	}
	if f.Isolation.text != "" {
		do(f.Isolation.node, "SET GLOBAL TRANSACTION ISOLATION LEVEL "+f.Isolation.text)
	}
	if span, ok := d.span(f.LockWait); ok {
		if span < time.Second || span%time.Second != 0 {
			d.fail(f.LockWait.node, lessons.CodeValue, "a lock wait is whole seconds, at least one", f.LockWait.write)
		} else {
			do(f.LockWait.node, "SET GLOBAL innodb_lock_wait_timeout = "+strconv.Itoa(int(span/time.Second)))
		}
	}
	for _, t := range f.Tables.items {
		if t.ok() && d.name(t.key, t.name, "a table") {
			d.table(t, do)
		}
	}
}

func (d *decoder) table(t tableForm, do func(ast.Node, string)) {
	var columns []string
	isText := map[int]bool{}
	for i, c := range t.Columns.items {
		if !c.ok() || !d.name(c.key, c.name, "a column") {
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
	for _, node := range d.lesson.Nodes {
		if node.Name == name && node.Kind.Row().Give == nil {
			d.fail(n, lessons.CodeValue, fmt.Sprintf("%s is a %s node, which is given no keys, has no replicas or snapshots, is in no cluster and never crashes", name, node.Kind), "name another node")
			return false
		}
	}
	return true
}
