// Package reply is a Redis reply as a value: what a keyspace answers, what a
// script returns and what a trace records.
package reply

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Kind is the type of a reply, named as the RESP2 protocol names it.
type Kind uint8

// The kinds of RESP2. The zero Reply is Nil.
const (
	Nil Kind = iota
	Status
	Error
	Int
	Bulk
	Array
)

// Reply is one answer of a Redis server.
type Reply struct {
	Kind  Kind
	Int   int64   // of an Int
	Str   string  // of a Status, an Error (with its code: "ERR …") or a Bulk
	Elems []Reply // of an Array
}

// OK is the status that most writes answer.
var OK = Reply{Kind: Status, Str: "OK"}

// OfInt is an integer reply.
func OfInt(n int64) Reply { return Reply{Kind: Int, Int: n} }

// OfBulk is a bulk string reply.
func OfBulk(s string) Reply { return Reply{Kind: Bulk, Str: s} }

// OfStatus is a simple string reply.
func OfStatus(s string) Reply { return Reply{Kind: Status, Str: s} }

// OfError is an error reply; text begins with its code, as in "ERR syntax error".
func OfError(text string) Reply { return Reply{Kind: Error, Str: text} }

// OfArray is an array reply.
func OfArray(elems ...Reply) Reply { return Reply{Kind: Array, Elems: elems} }

// IsError tells whether r is an error reply.
func (r Reply) IsError() bool { return r.Kind == Error }

// String is the reply as a person writes it: nil, 1, "text", OK,
// (error) ERR …, [1, "a"].
func (r Reply) String() string {
	switch r.Kind {
	case Nil:
		return "nil"
	case Int:
		return strconv.FormatInt(r.Int, 10)
	case Bulk:
		return strconv.Quote(r.Str)
	case Status:
		return r.Str
	case Error:
		return "(error) " + r.Str
	case Array:
		parts := make([]string, len(r.Elems))
		for i, e := range r.Elems {
			parts[i] = e.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "(unknown reply)"
}

// Equal tells whether two replies have the same kind and content.
func (r Reply) Equal(o Reply) bool {
	if r.Kind != o.Kind || r.Int != o.Int || r.Str != o.Str || len(r.Elems) != len(o.Elems) {
		return false
	}
	for i := range r.Elems {
		if !r.Elems[i].Equal(o.Elems[i]) {
			return false
		}
	}
	return true
}

// MarshalJSON writes a reply as Redis's Lua shows it: null, 1, "text",
// {"ok": "OK"}, {"err": "ERR …"}, arrays.
func (r Reply) MarshalJSON() ([]byte, error) {
	switch r.Kind {
	case Int:
		return json.Marshal(r.Int)
	case Bulk:
		return json.Marshal(r.Str)
	case Status:
		return json.Marshal(map[string]string{"ok": r.Str})
	case Error:
		return json.Marshal(map[string]string{"err": r.Str})
	case Array:
		if r.Elems == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(r.Elems)
	case Nil:
	}
	return []byte("null"), nil
}
