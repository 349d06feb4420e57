package proxy

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/attach"
	"lockstep/node/redis/blocking"
	"lockstep/node/redis/port"
)

// silence is what CLIENT REPLY has asked for.
type silence uint8

const (
	answersAll silence = iota
	skipsNext
	skipsTwo // this request and the next one
	answersNone
)

// mostMulti bounds the commands of a transaction that are kept.
const mostMulti = 1000

// entryOf makes an entry of a request, and follows what it says of the connection.
func (t *tap) entryOf(q *request) *entry {
	verb := q.verb()
	e := &entry{tap: t, kind: port.Ran, peer: t.peer, args: q.args, cut: q.cut, size: q.bytes, answers: 1}
	if t.inside && !slices.Contains([]string{"exec", "discard", "reset"}, verb) {
		if len(t.multi) < mostMulti && !q.cut {
			t.multi = append(t.multi, q.args)
		} else {
			t.partly = true
		}
		e.told = true
		return t.answered(e)
	}
	switch verb {
	case "auth", "hello":
		t.named(q.args)
		e.args = []string{q.args[0]} // no password is kept
	case "client":
		e.told = t.client(q)
	case "select":
		if len(q.args) == 2 {
			if db, err := strconv.Atoi(q.args[1]); err == nil {
				t.peer.Database = db
			}
		}
	case "multi":
		t.inside, t.partly, t.multi = true, false, [][]string{}
		e.told = true
	case "exec":
		e.also, e.cut = t.multi, t.partly
		fallthrough
	case "discard":
		t.inside, t.multi = false, nil
	case "reset":
		t.inside, t.multi, t.peer.Name, t.peer.Database = false, nil, "", 0
	case "subscribe", "psubscribe", "ssubscribe":
		e.answers = max(len(q.args)-1, 1)
	case "unsubscribe", "punsubscribe", "sunsubscribe":
		if e.answers = len(q.args) - 1; e.answers == 0 {
			e.answers = -1
		}
	}
	e.told = e.told || attach.IsQuiet(e.args)
	_, waits := blocking.Forms[verb]
	e.blocks = waits || verb == "xreadgroup"
	return t.answered(e)
}

// answered takes away the replies that CLIENT REPLY has asked to be left out.
func (t *tap) answered(e *entry) *entry {
	switch t.silent {
	case skipsNext, skipsTwo:
		t.silent--
	case answersNone:
	case answersAll:
		return e
	}
	e.answers, e.unheard = 0, true
	return e
}

// client follows CLIENT SETNAME and CLIENT REPLY. A REPLY that silences is itself not answered.
func (t *tap) client(q *request) (quiet bool) {
	if len(q.args) != 3 {
		return false
	}
	switch what := strings.ToLower(q.args[2]); q.sub() {
	case "setname":
		t.peer.Name = q.args[2]
	case "reply":
		switch what {
		case "on":
			t.silent = answersAll
		case "off":
			t.silent = answersNone
		case "skip":
			t.silent = skipsTwo
		}
		return true
	}
	return false
}

// named follows HELLO … SETNAME.
func (t *tap) named(args []string) {
	for i, a := range args[:max(len(args)-1, 0)] {
		if i > 1 && strings.EqualFold(a, "setname") {
			t.peer.Name = args[i+1]
		}
	}
}
