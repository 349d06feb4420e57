package decode

import (
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/lessons"
)

func (d *decoder) ask(f askForm, choices []engine.Choice) *lessons.Ask {
	if !f.given() {
		return nil
	}
	if len(choices) == 0 {
		d.fail(f.key, lessons.CodeValue, "a question is about a move, but this beat makes none", "put it into the beat that makes the move")
	}
	return &lessons.Ask{Question: f.Question.both(), Answer: d.query(f.Answer, choices), Accept: texts(f.Accept, anything), Place: d.place(f.Answer.key)}
}

// query reads the one query of an answer.
func (d *decoder) query(f queryForm, choices []engine.Choice) lessons.Query {
	one := d.single(f.at, "the answer is one query")
	if one == nil {
		return lessons.Query{}
	}
	q := lessons.Query{Kind: lessons.QueryKind(one.stand().name)}
	switch {
	case !f.Node.given():
	case q.Kind == lessons.QueryReply || q.Kind == lessons.QueryHolder || q.Kind == lessons.QueryStatus:
		d.fail(f.Node.node, lessons.CodeValue, fmt.Sprintf("%s is not asked of a server", q.Kind), "delete node")
	default:
		q.Node = d.node(f.Node)
	}
	switch v := one.(type) {
	case *nothing:
		if len(choices) > 0 && choices[len(choices)-1].Kind != engine.Run {
			d.fail(f.node, lessons.CodeValue, "there is no reply, because the last move of this beat is not run", "ask for something else, or add run")
		}
	case *plainText:
		q.Key = v.text
		if q.Kind == lessons.QueryStatus && v.ok() {
			d.statusOf(v.node, v.text)
		}
	case *keyAndOf:
		if len(v.items) == 2 {
			q.Key, q.Item = v.items[0].text, v.items[1].text
		}
	}
	return q
}

// single is the only value of a mapping, but for node and without; nil when it has none or others.
func (d *decoder) single(p at, message string) anyForm {
	values := slices.DeleteFunc(p.values, func(v anyForm) bool {
		return slices.Contains([]string{"node", "without", "in", "still", "time", "faults"}, v.stand().name)
	})
	if len(values) == 1 || !p.ok() {
		return append(values, nil)[0]
	}
	n := p.node
	if len(values) > 1 {
		n = values[1].stand().key
	}
	d.fail(n, lessons.CodeValue, message, p.write)
	return nil
}
