package decode

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
)

func (d *decoder) ask(n ast.Node, choices []engine.Choice) *lessons.Ask {
	const advice = `write ask: {question: {en: "…", zh: "…"}, answer: {hget: [anyLock, A]}}`
	t := d.table(n, "a question", advice, askKeys)
	a := &lessons.Ask{}
	if q := t.get("question"); q != nil {
		a.Question = d.bilingual(q, "the question")
	}
	if answer := t.get("answer"); answer != nil {
		a.Place = d.place(t.values["answer"].at)
		a.Answer = d.query(answer, choices)
	}
	return a
}

// queryArgs is how many names each query takes: none, a key, or a key and an item.
var queryArgs = map[lessons.QueryKind]int{
	lessons.QueryReply: 0,
	lessons.QueryGet:   1, lessons.QueryTTL: 1, lessons.QueryExists: 1, lessons.QueryHolder: 1,
	lessons.QueryHGet: 2, lessons.QueryLIndex: 2, lessons.QueryZScore: 2,
}

// query reads the one query of an answer.
func (d *decoder) query(n ast.Node, choices []engine.Choice) lessons.Query {
	const advice = "write answer: {hget: [anyLock, A]}, {get: stock}, {ttl: anyLock}, {holder: anyLock} or {reply: }"
	t := d.table(n, "the answer", advice, queryKeys)
	node := t.get("node")
	delete(t.values, "node")
	p, ok := d.single(t, "the answer is one query", advice)
	if !ok {
		return lessons.Query{}
	}
	q := lessons.Query{Kind: lessons.QueryKind(p.key)}
	switch {
	case node == nil:
	case q.Kind == lessons.QueryReply || q.Kind == lessons.QueryHolder:
		d.fail(node, lessons.CodeValue, fmt.Sprintf("%s is asked of no server", q.Kind), "delete node")
	default:
		q.Node = d.node(node)
	}
	switch queryArgs[q.Kind] {
	case 0:
		if len(choices) > 0 && choices[len(choices)-1].Kind != engine.Run {
			d.fail(n, lessons.CodeValue, "there is no reply, since no actor runs last in this beat", "ask for something else, or add run")
		}
	case 1:
		q.Key, _ = d.text(p.value, p.key, fmt.Sprintf("write {%s: key}", q.Kind))
	default:
		q.Key, q.Item = d.keyAndItem(p)
	}
	return q
}

// single is the only key of a mapping that has one.
func (d *decoder) single(t table, message, advice string) (pair, bool) {
	var found []pair
	for _, k := range t.form {
		if p, ok := t.values[k.name]; ok {
			found = append(found, p)
		}
	}
	_, isMapping := t.at.(*ast.MappingNode)
	if len(found) != 1 && isMapping {
		at := t.at
		if len(found) > 1 {
			at = found[1].at
		}
		d.fail(at, lessons.CodeValue, message, advice)
	}
	return append(found, pair{})[0], len(found) == 1
}

func (d *decoder) keyAndItem(p pair) (key, item string) {
	advice := fmt.Sprintf("write {%s: [key, item]}", p.key)
	args := d.texts(p.value, p.key, advice, 2)
	if len(args) != 2 {
		if _, list := p.value.(*ast.SequenceNode); list { // else that was said
			d.fail(p.value, lessons.CodeValue, p.key+" needs a key and an item", advice)
		}
		return "", ""
	}
	return args[0], args[1]
}
