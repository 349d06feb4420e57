package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

// fail notes a mistake at a node and goes on, so that one reading finds as many
// as possible.
func (d *decoder) fail(n ast.Node, code lessons.Code, message, advice string) {
	d.note(d.file.fail(n, code, message, advice))
}

// warn notes at a node what does not keep the lesson from running.
func (d *decoder) warn(n ast.Node, code lessons.Code, message, advice string) {
	p := d.file.fail(n, code, message, advice)
	p.Severity = lessons.Warning
	d.note(p)
}

// note keeps as many problems of each severity as anybody will read.
func (d *decoder) note(p *lessons.Problem) {
	if len(d.found.Of(p.Severity)) < mostErrors {
		d.found = append(d.found, p)
	}
}

// place is where a node stands.
func (d *decoder) place(n ast.Node) lessons.Place { return d.file.place(n) }

// pair is one key of a mapping with its value.
type pair struct {
	key   string
	at    ast.Node // the key's place
	value ast.Node
}

// pairs reads any mapping in its order. what names it in errors: "the actors".
func (d *decoder) pairs(n ast.Node, what, advice string) []pair {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fail(n, lessons.CodeKind, fmt.Sprintf("%s must be a mapping, and this is %s", what, describe(n)), advice)
		return nil
	}
	var out []pair
	said := false
	first := map[string]int{}
	for _, v := range m.Values {
		key, ok := scalar(v.Key)
		if !ok || key == "" {
			d.fail(v.Key, lessons.CodeKind, "this key is no plain text", "write a name and a colon")
			continue
		}
		if before, twice := first[key]; twice {
			if !said { // of a - that was forgotten each key would be told
				d.fail(v.Key, lessons.CodeDuplicateKey, fmt.Sprintf("%q stands here for the second time", key), again(what, before))
			}
			said = true
			continue
		}
		first[key] = d.place(v.Key).Line
		out = append(out, pair{key: key, at: v.Key, value: v.Value})
	}
	return out
}

// again is the advice for a key that a mapping has already.
func again(what string, line int) string {
	advice := fmt.Sprintf("the first is on line %d: keep one", line)
	if what == aBeat {
		advice += ", or begin another beat with -"
	}
	return advice
}

// table is a mapping whose keys are known.
type table struct {
	at     ast.Node
	what   string
	form   form
	values map[string]pair

	strange bool // a key is not as it should be, which was said
}

// strange is the advice for a key that a form does not have. In { } a comma begins one.
func strange(p pair, f form) string {
	advice := lessons.DidYouMean(p.key, f.names())
	if _, empty := p.value.(*ast.NullNode); empty && lessons.Closest(p.key, f.names()) == "" {
		advice = "put text that has a comma into quotes; else " + advice
	}
	return advice
}

// table reads a mapping that may have the keys of a form and no others, and says
// which are missing.
func (d *decoder) table(n ast.Node, what, advice string, f form) table {
	t := table{at: n, what: what, form: f, values: map[string]pair{}}
	for _, p := range d.pairs(n, what, advice) {
		if !f.has(p.key) {
			t.strange = true
			d.fail(p.at, lessons.CodeUnknownKey, fmt.Sprintf("%s has no %q", what, p.key), strange(p, f))
			p.key = lessons.Closest(p.key, f.names()) // or the key that was meant would be missed as well
			if p.key == "" || t.has(p.key) {
				continue
			}
		}
		t.values[p.key] = p
	}
	m, ok := n.(*ast.MappingNode)
	if !ok {
		return t // and that was said
	}
	t.strange = t.strange || len(m.Values) > len(t.values) // one stands there twice
	for _, k := range f {
		if k.need != "" && d.missing(t, k.name) {
			d.fail(n, lessons.CodeMissingKey, fmt.Sprintf("%s lacks %q", what, k.name), "write "+k.need)
		}
	}
	return t
}

// get is the value of a key; nil when the key is absent.
func (t table) get(key string) ast.Node {
	t.form.must(key)
	return t.values[key].value
}

func (t table) has(key string) bool {
	t.form.must(key)
	_, ok := t.values[key]
	return ok
}

// items reads a sequence of at most so many items.
func (d *decoder) items(n ast.Node, what, advice string, most int) []ast.Node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(n, lessons.CodeKind, fmt.Sprintf("%s must be a list, and this is %s", what, describe(n)), advice)
		return nil
	}
	if len(s.Values) > most {
		d.fail(s.Values[most], lessons.CodeLimit, fmt.Sprintf("%s may have %d items, and this is one more", what, most), "")
		return s.Values[:most]
	}
	return s.Values
}

// text reads a scalar as the characters that stand there.
func (d *decoder) text(n ast.Node, what, advice string) (string, bool) {
	text, ok := scalar(n)
	if !ok {
		d.fail(n, lessons.CodeKind, fmt.Sprintf("%s must be text, and this is %s", what, describe(n)), advice)
	}
	return text, ok
}

// texts reads a list of scalars; it is never nil.
func (d *decoder) texts(n ast.Node, what, advice string, most int) []string {
	out := []string{}
	for _, item := range d.items(n, what, advice, most) {
		if text, ok := d.text(item, "an item of "+what, advice); ok {
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

// oneOf reads a scalar that is one of a few words; n may be nil.
func (d *decoder) oneOf(n ast.Node, what string, words []string) string {
	if n == nil {
		return ""
	}
	text, ok := d.text(n, what, "write one of: "+strings.Join(words, ", "))
	if ok && !slices.Contains(words, text) {
		d.unknown(n, fmt.Sprintf("there is no %s %q", what, text), text, words)
		return ""
	}
	return text
}

// name reads what actors, processes, nodes and scripts may be called.
func (d *decoder) name(p pair, what string) (string, bool) {
	if !engine.Name.MatchString(p.key) || len(p.key) > mostName {
		d.fail(p.at, lessons.CodeName, fmt.Sprintf("%q cannot be the name of %s", p.key, what),
			fmt.Sprintf("a name begins with a letter and has letters, digits, - and _, at most %d", mostName))
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
		d.fail(n, lessons.CodeValue, err.Error(), "")
		return 0, false
	}
	return span, d.onGrid(n, span)
}

func (d *decoder) onGrid(n ast.Node, span time.Duration) bool {
	if message, advice := d.lesson.OffClock(span); message != "" {
		d.fail(n, lessons.CodeValue, message, advice)
		return false
	}
	return true
}

// score reads a zset's score and writes it as every node shows it.
func score(text string) (string, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || f != f {
		return "", false
	}
	return engine.FormatScore(f), true
}
