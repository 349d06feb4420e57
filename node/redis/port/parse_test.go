package port_test

import (
	"strconv"
	"strings"

	"lockstep/engine/reply"
)

// nilArray stands for the nil of RESP2 that is an array.
var nilArray = reply.OfStatus("(nil array)")

// parse reads a whole reply or push.
func parse(raw string) reply.Reply {
	r, _ := cutReply(raw)
	return r
}

func cutReply(raw string) (r reply.Reply, rest string) {
	line, rest, _ := strings.Cut(raw, "\r\n")
	kind, text := line[0], line[1:]
	switch kind {
	case '+':
		return reply.OfStatus(text), rest
	case '-':
		return reply.OfError(text), rest
	case ',':
		return reply.OfDouble(text), rest
	case '(':
		return reply.OfBigNumber(text), rest
	case '#':
		return reply.OfBool(text == "t"), rest
	case '_':
		return reply.Reply{}, rest
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return reply.OfStatus("no reply: " + raw), ""
	case kind == ':':
		return reply.OfInt(int64(n)), rest
	case n < 0 && kind == '*':
		return nilArray, rest
	case n < 0:
		return reply.Reply{}, rest
	case kind == '$':
		return reply.OfBulk(rest[:n]), rest[n+2:]
	case kind == '=':
		return reply.OfVerbatim(rest[:3], rest[4:n]), rest[n+2:]
	case kind == '%':
		n *= 2
	}
	elems := make([]reply.Reply, n)
	for i := range elems {
		elems[i], rest = cutReply(rest)
	}
	switch kind {
	case '%':
		return reply.OfMap(elems...), rest
	case '~':
		return reply.OfSet(elems...), rest
	}
	return reply.OfArray(elems...), rest
}
