package real

import (
	"bytes"
	"errors"
	"strconv"

	"lockstep/engine/reply"
)

var errMalformed = errors.New("the server sent something that is not a Redis reply")

// Limits on a reply, which anybody's script may have made.
const (
	maxDepth  = 10_000  // of arrays within arrays: a server stops before
	maxValues = 1 << 18 // in all
)

// parseReply reads one RESP2 reply. The client library would do it, but it
// shows a status and a bulk string as the same thing.
func parseReply(raw []byte) (reply.Reply, error) {
	p := parser{rest: raw}
	r, err := p.next(0)
	if err == nil && len(p.rest) > 0 {
		err = errMalformed
	}
	if err != nil {
		return reply.Reply{}, err
	}
	return r, nil
}

// parser takes replies from the front of what a server sent.
type parser struct {
	rest   []byte
	values int
}

func (p *parser) next(depth int) (reply.Reply, error) {
	end := bytes.Index(p.rest, []byte("\r\n"))
	if end < 1 || depth > maxDepth {
		return reply.Reply{}, errMalformed
	}
	if p.values++; p.values > maxValues {
		return reply.Reply{}, errTooBig
	}
	kind, text := p.rest[0], string(p.rest[1:end])
	p.rest = p.rest[end+2:]
	switch kind {
	case '+':
		return reply.OfStatus(text), nil
	case '-':
		return reply.OfError(text), nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return reply.Reply{}, errMalformed
	case kind == ':':
		return reply.OfInt(n), nil
	case n < 0 && (kind == '$' || kind == '*'):
		return reply.Reply{}, nil
	case kind == '$':
		return p.bulk(n)
	case kind == '*':
		return p.array(n, depth)
	}
	return reply.Reply{}, errMalformed
}

func (p *parser) bulk(n int64) (reply.Reply, error) {
	if n > int64(len(p.rest))-2 || p.rest[n] != '\r' || p.rest[n+1] != '\n' {
		return reply.Reply{}, errMalformed
	}
	text := string(p.rest[:n])
	p.rest = p.rest[n+2:]
	return reply.OfBulk(text), nil
}

func (p *parser) array(n int64, depth int) (reply.Reply, error) {
	if n > maxValues {
		return reply.Reply{}, errTooBig
	}
	elems := make([]reply.Reply, 0, min(n, int64(len(p.rest))/3)) // of what can be there
	for range n {
		elem, err := p.next(depth + 1)
		if err != nil {
			return reply.Reply{}, err
		}
		elems = append(elems, elem)
	}
	return reply.OfArray(elems...), nil
}
