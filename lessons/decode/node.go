package decode

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
)

// fail notes a mistake at a node and goes on, so that one reading finds as many
// as possible.
func (d *decoder) fail(n ast.Node, message, hint string) {
	d.note(d.file.fail(n, message, hint))
}

func (d *decoder) note(e *Error) {
	if len(d.errs) < mostErrors {
		d.errs = append(d.errs, e)
	}
}

// pair is one key of a mapping with its value.
type pair struct {
	key   string
	at    ast.Node // the key's place
	value ast.Node
}

// pairs reads any mapping in its order. what names it in errors: "the actors".
func (d *decoder) pairs(n ast.Node, what, hint string) []pair {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fail(n, fmt.Sprintf("%s must be a mapping, and this is %s", what, describe(n)), hint)
		return nil
	}
	var out []pair
	first := map[string]int{}
	for _, v := range m.Values {
		key, ok := scalar(v.Key)
		if !ok || key == "" {
			d.fail(v.Key, "this key is no plain text", "write a name and a colon")
			continue
		}
		line, _ := place(v.Key)
		if before, twice := first[key]; twice {
			d.fail(v.Key, fmt.Sprintf("%q stands here for the second time", key), fmt.Sprintf("the first is on line %d: keep one", before))
			continue
		}
		first[key] = line
		out = append(out, pair{key: key, at: v.Key, value: v.Value})
	}
	return out
}

// table is a mapping whose keys are known.
type table struct {
	at     ast.Node
	what   string
	values map[string]pair
}

// table reads a mapping that may have these keys and no others.
func (d *decoder) table(n ast.Node, what, hint string, known ...string) table {
	t := table{at: n, what: what, values: map[string]pair{}}
	for _, p := range d.pairs(n, what, hint) {
		found := false
		for _, k := range known {
			found = found || k == p.key
		}
		if !found {
			d.fail(p.at, fmt.Sprintf("%s has no %q", what, p.key), meant(p.key, known))
			p.key = closest(p.key, known) // or the key that was meant would be missed as well
			if p.key == "" || t.has(p.key) {
				continue
			}
		}
		t.values[p.key] = p
	}
	return t
}

// get is the value of a key; nil when the key is absent.
func (t table) get(key string) ast.Node { return t.values[key].value }

func (t table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// require is the value of a key that must be there.
func (d *decoder) require(t table, key, hint string) ast.Node {
	if n := t.get(key); n != nil {
		return n
	}
	if _, ok := t.at.(*ast.MappingNode); ok { // else its type was reported already
		d.fail(t.at, fmt.Sprintf("%s lacks %q", t.what, key), "write "+hint)
	}
	return nil
}

// items reads a sequence.
func (d *decoder) items(n ast.Node, what, hint string) []ast.Node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(n, fmt.Sprintf("%s must be a list, and this is %s", what, describe(n)), hint)
		return nil
	}
	return s.Values
}

// text reads a scalar as the characters that stand there.
func (d *decoder) text(n ast.Node, what, hint string) (string, bool) {
	text, ok := scalar(n)
	if !ok {
		d.fail(n, fmt.Sprintf("%s must be text, and this is %s", what, describe(n)), hint)
	}
	return text, ok
}

// texts reads a list of scalars; it is never nil.
func (d *decoder) texts(n ast.Node, what, hint string) []string {
	out := []string{}
	for _, item := range d.items(n, what, hint) {
		if text, ok := d.text(item, "an item of "+what, hint); ok {
			out = append(out, text)
		}
	}
	return out
}

// scalar is the text of a scalar: 1.50 stays 1.50, and what is empty is no text.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func describe(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "empty"
	case *ast.MappingNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode:
		return "the number " + n.GetToken().Value
	}
	return "something else"
}

// name reads what actors, processes, nodes and scripts may be called.
func (d *decoder) name(p pair, what string) (string, bool) {
	if !engine.Name.MatchString(p.key) || len(p.key) > 40 {
		d.fail(p.at, fmt.Sprintf("%q cannot be the name of %s", p.key, what),
			"a name begins with a letter and has letters, digits, - and _, at most 40")
		return "", false
	}
	return p.key, true
}

// span reads a duration that the lesson's clock can show.
func (d *decoder) span(n ast.Node, what string) (time.Duration, bool) {
	text, ok := d.text(n, what, "write a duration such as 30s or 1500ms")
	if !ok {
		return 0, false
	}
	span, err := engine.ParseSpan(text)
	if err != nil {
		d.fail(n, err.Error(), "")
		return 0, false
	}
	return span, d.onGrid(n, span)
}

func (d *decoder) onGrid(n ast.Node, span time.Duration) bool {
	res := d.lesson.Resolution
	if res <= 0 || span%res == 0 {
		return true
	}
	below := span - span%res
	near := engine.FormatSpan(below + res)
	if below > 0 {
		near = engine.FormatSpan(below) + " or " + near
	}
	d.fail(n, fmt.Sprintf("the clock of this lesson moves in steps of %s, and %s is no multiple of it",
		engine.FormatSpan(res), engine.FormatSpan(span)), "write "+near+", or set resolution")
	return false
}

// score reads a zset's score and writes it as every node shows it.
func score(text string) (string, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || f != f {
		return "", false
	}
	return engine.FormatScore(f), true
}
