package ui

import (
	"regexp"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// answered is the reply to a request as its reader would say it: a database's in rows, a
// ZooKeeper's by what it says of znodes, any other as it came.
func answered(lang lessons.Lang, to engine.Request, r *reply.Reply) string {
	if r == nil {
		return "–"
	}
	text := r.String()
	if e, asked := to.(engine.Exec); asked && !r.IsError() {
		switch {
		case ofZnodes(e.Op):
			text = znodeAnswer(lang, e.Op, *r)
		case e.Op.IsStatement():
			text = rowsAnswer(lang, *r)
		}
	}
	return clip(shortHashes(text), 80)
}

var hexadecimal = regexp.MustCompile(`[0-9a-f]+`)

// shortHashes leaves of each SHA-1 as much as is needed to tell it from others.
func shortHashes(text string) string {
	return hexadecimal.ReplaceAllStringFunc(text, func(digits string) string {
		if len(digits) == 40 {
			return digits[:8] + "…"
		}
		return digits
	})
}

// answeredShort is the same beside an arrow, where the names of znodes are shortened.
func answeredShort(lang lessons.Lang, to engine.Request, r *reply.Reply) string {
	if e, asked := to.(engine.Exec); asked && ofZnodes(e.Op) && !r.IsError() {
		return clip(znodeAnswerShort(lang, e.Op, *r), mostReply)
	}
	return clip(strings.TrimPrefix(answered(lang, to, r), "(error) "), mostReply)
}

func replyTo(lang lessons.Lang, s *engine.Step) string { return answered(lang, s.Request, s.Reply) }

// requestOf is what an actor asked with a request that a node answers later.
func requestOf(s *engine.Step, a engine.Answer) engine.Request {
	actor, _ := s.After.Actor(a.Actor)
	return actor.Next
}

// rowsAnswer is what a database answered: which rows it found, or how many it changed.
func rowsAnswer(lang lessons.Lang, r reply.Reply) string {
	switch {
	case r.Kind == reply.Int && r.Int == 1:
		return rowsOne.in(lang)
	case r.Kind == reply.Int:
		return rowsMany.in(lang, r.Int)
	case r.Kind == reply.Array && len(r.Elems) == 0:
		return rowsNone.in(lang)
	case r.Kind != reply.Array:
		return r.String()
	}
	return joined(r.Elems, "; ", func(row reply.Reply) string { return strings.Trim(row.String(), "{}") })
}
