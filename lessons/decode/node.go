package decode

import (
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// fail notes a mistake at a node and goes on, so that one reading finds as many
// as possible.
func (d *decoder) fail(n ast.Node, code lessons.Code, message, advice fact.Fact) {
	d.note(d.file.fail(n, code, message, advice))
}

// must notes a mistake unless something is so, and tells whether it is.
func (d *decoder) must(so bool, n ast.Node, code lessons.Code, message, advice fact.Fact) bool {
	if !so {
		d.fail(n, code, message, advice)
	}
	return so
}

// warn notes at a node what does not keep the lesson from running.
func (d *decoder) warn(n ast.Node, code lessons.Code, message, advice fact.Fact) {
	p := d.file.fail(n, code, message, advice)
	p.Severity = lessons.Warning
	d.note(p)
}

// note keeps as many problems of each severity as anybody will read.
func (d *decoder) note(p *lessons.Problem) {
	if hidesNames(p) {
		d.doubt[d.part] = true
	}
	if len(d.found.Of(p.Severity)) < mostErrors {
		d.found = append(d.found, p)
	}
}

func (d *decoder) place(n ast.Node) lessons.Place { return d.file.place(n) }

// pairs reads any mapping in its order.
func (d *decoder) pairs(p at) (pairs []at, ok bool) {
	m, ok := p.node.(*ast.MappingNode)
	if !ok {
		d.misfit(p, aMapping)
		return nil, false
	}
	said := false
	first := map[string]int{}
	for _, v := range m.Values {
		key, ok := scalar(v.Key)
		before, twice := first[key]
		switch {
		case !ok || key == "" || isList(v.Key):
			d.fail(v.Key, lessons.CodeKind, fact.Of("lesson-key-no-text"), fact.Of("lesson-write-key"))
		case !twice:
			first[key] = d.place(v.Key).Line
			pairs = append(pairs, at{key: v.Key, node: v.Value, name: key, write: p.write})
		case !said: // of a - that was forgotten each key would be told
			said = true
			d.fail(v.Key, lessons.CodeDuplicateKey, fact.Of("lesson-key-twice", key), again(p.what, before))
		}
	}
	return pairs, true
}

// again is the advice for a key that a mapping has already.
func again(what string, line int) fact.Fact {
	if what == "a beat" {
		return fact.Of("lesson-first-on-line-beat", line)
	}
	return fact.Of("lesson-first-on-line", line)
}

// misfit reports a value that is of another kind than it must be.
func (d *decoder) misfit(p at, must fact.Fact) {
	d.fail(p.node, lessons.CodeKind, fact.Of("lesson-misfit", p.called(), must, describe(p.node)), p.toWrite())
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

// The kinds of values.
var (
	aText    = fact.Of("lesson-form-text")
	aList    = fact.Of("lesson-form-list")
	aMapping = fact.Of("lesson-form-mapping")
)

func describe(n ast.Node) fact.Fact {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return fact.Of("lesson-form-empty")
	case *ast.MappingNode:
		return aMapping
	case *ast.SequenceNode:
		return aList
	case *ast.StringNode, *ast.LiteralNode:
		return aText
	case *ast.IntegerNode, *ast.FloatNode:
		return fact.Of("lesson-form-number", n.GetToken().Value)
	}
	return fact.Of("lesson-form-other")
}

// name reads what actors, processes, nodes and scripts may be called.
func (d *decoder) name(n ast.Node, name string) bool {
	return d.must(engine.Name.MatchString(name) && len(name) <= mostName, n, lessons.CodeName, fact.Of("lesson-bad-name", name),
		fact.Of("lesson-name-form", mostName))
}

// span reads a duration that the lesson's clock can show.
func (d *decoder) span(t plainText) (time.Duration, bool) {
	if !t.ok() {
		return 0, false
	}
	span, err := engine.ParseSpan(t.text)
	if err != nil {
		d.fail(t.node, lessons.CodeValue, fact.Text(err), fact.Fact{})
		return 0, false
	}
	return span, d.onGrid(t.node, span)
}

func (d *decoder) onGrid(n ast.Node, span time.Duration) bool {
	message, advice := d.lesson.OffClock(span)
	return d.must(message.Code == "", n, lessons.CodeValue, message, advice)
}

// score reads a zset's score and writes it as every node shows it.
func score(text string) (string, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || f != f {
		return "", false
	}
	return engine.FormatScore(f), true
}
