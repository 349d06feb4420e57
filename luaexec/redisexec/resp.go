package redisexec

import (
	"bytes"
	"errors"
	"strconv"

	"lockstep/engine/reply"
)

var errMalformed = errors.New("the server sent something that is not a Redis reply")

// parseReply reads one RESP2 reply. The client library would do it, but it
// shows a status and a bulk string as the same thing.
func parseReply(raw []byte) (reply.Reply, error) {
	r, rest, err := parseNext(raw)
	if err != nil {
		return reply.Reply{}, err
	}
	if len(rest) > 0 {
		return reply.Reply{}, errMalformed
	}
	return r, nil
}

func parseNext(raw []byte) (reply.Reply, []byte, error) {
	end := bytes.Index(raw, []byte("\r\n"))
	if end < 1 {
		return reply.Reply{}, nil, errMalformed
	}
	text, rest := string(raw[1:end]), raw[end+2:]
	switch raw[0] {
	case '+':
		return reply.OfStatus(text), rest, nil
	case '-':
		return reply.OfError(text), rest, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return reply.Reply{}, nil, errMalformed
	}
	switch {
	case raw[0] == ':':
		return reply.OfInt(n), rest, nil
	case raw[0] == '$' && n < 0, raw[0] == '*' && n < 0:
		return reply.Reply{}, rest, nil
	case raw[0] == '$':
		if int64(len(rest)) < n+2 {
			return reply.Reply{}, nil, errMalformed
		}
		return reply.OfBulk(string(rest[:n])), rest[n+2:], nil
	case raw[0] == '*':
		return parseElems(n, rest)
	}
	return reply.Reply{}, nil, errMalformed
}

func parseElems(n int64, rest []byte) (reply.Reply, []byte, error) {
	if n > int64(len(rest)) {
		return reply.Reply{}, nil, errMalformed
	}
	elems := make([]reply.Reply, n)
	for i := range elems {
		var err error
		if elems[i], rest, err = parseNext(rest); err != nil {
			return reply.Reply{}, nil, err
		}
	}
	return reply.OfArray(elems...), rest, nil
}
