package port

import (
	"strconv"

	"lockstep/engine/reply"
)

// The versions of the protocol.
const (
	resp2 = 2
	resp3 = 3
)

// appendReply writes a reply in a version of the protocol.
func appendReply(b []byte, proto int, r reply.Reply) []byte {
	if proto == resp2 {
		r = r.Flat()
	}
	switch r.Kind {
	case reply.Status:
		return appendLine(b, '+', r.Str)
	case reply.Error:
		return appendLine(b, '-', r.Str)
	case reply.Int:
		return appendHeader(b, ':', r.Int)
	case reply.Bulk:
		return appendBulk(b, r.Str)
	case reply.Array:
		return appendElems(appendHeader(b, '*', int64(len(r.Elems))), proto, r)
	case reply.Map:
		return appendElems(appendHeader(b, '%', int64(len(r.Elems)/2)), proto, r)
	case reply.Set:
		return appendElems(appendHeader(b, '~', int64(len(r.Elems))), proto, r)
	case reply.Double:
		return appendLine(b, ',', r.Str)
	case reply.BigNumber:
		return appendLine(b, '(', r.Str)
	case reply.Verbatim:
		b = appendHeader(b, '=', int64(len(r.Str)))
		return append(append(b, r.Str...), "\r\n"...)
	case reply.Bool:
		if r.Int != 0 {
			return append(b, "#t\r\n"...)
		}
		return append(b, "#f\r\n"...)
	case reply.Nil:
	}
	return appendNil(b, proto, '$')
}

func appendElems(b []byte, proto int, r reply.Reply) []byte {
	for _, e := range r.Elems {
		b = appendReply(b, proto, e)
	}
	return b
}

// appendNil is nothing, which RESP2 has two kinds of: '$' in place of a text, '*' in place of an array.
func appendNil(b []byte, proto int, kind byte) []byte {
	if proto == resp3 {
		return append(b, "_\r\n"...)
	}
	return append(append(b, kind), "-1\r\n"...)
}

// appendHeader begins an aggregate of n elements; an integer is written like one.
func appendHeader(b []byte, kind byte, n int64) []byte {
	b = strconv.AppendInt(append(b, kind), n, 10)
	return append(b, "\r\n"...)
}

// appendPush begins a message that no command has asked for.
func appendPush(b []byte, proto, n int) []byte {
	if proto == resp3 {
		return appendHeader(b, '>', int64(n))
	}
	return appendHeader(b, '*', int64(n))
}

func appendBulk(b []byte, text string) []byte {
	b = appendHeader(b, '$', int64(len(text)))
	b = append(b, text...)
	return append(b, "\r\n"...)
}

// appendLine writes a text as one line, whatever is in it.
func appendLine(b []byte, kind byte, text string) []byte {
	return append(append(append(b, kind), reply.OneLine(text)...), "\r\n"...)
}
