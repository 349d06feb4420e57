package proxy

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/reply"
)

// agrees tells whether the mirror has answered a command as the real Redis did.
func (e *entry) agrees(mirrored reply.Reply) bool {
	if e.also == nil {
		return isPublish(e.args) || alike(e.answer.Reply, mirrored, e.answer.cut)
	}
	if len(e.answer.Elems) != len(mirrored.Elems) {
		return e.answer.cut
	}
	for i, args := range e.also {
		if !isPublish(args) && !alike(e.answer.Elems[i], mirrored.Elems[i], e.answer.cut) {
			return false
		}
	}
	return true
}

// isPublish: how many have heard a message only the real one knows.
func isPublish(args []string) bool {
	return strings.EqualFold(args[0], "publish") || strings.EqualFold(args[0], "spublish")
}

// slack is by how much TTLs may differ, in ms: the mirror runs a command when the reply has come.
const slack = 1000

// alike compares replies whatever the protocol, and whatever passes by the clock. cut: not all of the first is kept.
func alike(a, b reply.Reply, cut bool) bool {
	a, b = plain(a), plain(b)
	if a.Kind == reply.Int && b.Kind == reply.Int {
		return a.Int == b.Int || a.Int > slack/10 && b.Int > slack/10 && max(a.Int-b.Int, b.Int-a.Int) <= slack
	}
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == reply.Error {
		return true
	}
	if a.Kind == reply.Array {
		if len(a.Elems) != len(b.Elems) {
			return cut
		}
		return slices.EqualFunc(a.Elems, b.Elems, func(a, b reply.Reply) bool { return alike(a, b, cut) })
	}
	return a.Str == b.Str || cut && strings.HasPrefix(b.Str, a.Str)
}

// plain is a reply with as few kinds as there can be.
func plain(r reply.Reply) reply.Reply {
	switch r.Kind {
	case reply.Nil, reply.Error, reply.Int, reply.Bulk, reply.Array:
	case reply.Status, reply.Verbatim, reply.BigNumber:
		r.Kind = reply.Bulk
	case reply.Double:
		if f, err := strconv.ParseFloat(r.Str, 64); err == nil {
			return reply.OfBulk(strconv.FormatFloat(f, 'g', -1, 64))
		}
	case reply.Bool:
		if r.Int == 0 {
			return reply.Reply{}
		}
		return reply.OfInt(1)
	case reply.Map, reply.Set:
		r.Kind = reply.Array
	}
	return r
}
