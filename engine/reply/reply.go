// Package reply is a Redis reply as a value: what a keyspace answers, what a
// script returns and what a trace records.
package reply

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Kind is the type of a reply, named as the protocol names it.
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

// The kinds that only RESP3 has.
const (
	Double    Kind = iota + Array + 1
	Map            // keys and values in turn
	Set            // elements in an order that means nothing
	Bool           // 1 is true
	BigNumber      // an integer of any length
	Verbatim       // a text for people, after its format of three letters and a colon
)

// Reply is one answer of a Redis server.
type Reply struct {
	Kind  Kind
	Int   int64   // of an Int or a Bool
	Str   string  // of all but these and those with Elems; an Error's begins with its code: "ERR …"
	Elems []Reply // of an Array, a Map or a Set
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

// OneLine is a text for an error or a status, which RESP would end at a line break.
func OneLine(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		return strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	}
	return text
}

// OfArray is an array reply.
func OfArray(elems ...Reply) Reply { return Reply{Kind: Array, Elems: elems} }

// OfBulks is an array of texts.
func OfBulks(texts []string) Reply {
	elems := make([]Reply, len(texts))
	for i, text := range texts {
		elems[i] = OfBulk(text)
	}
	return OfArray(elems...)
}

// Texts are those of an array; of another reply, its own.
func (r Reply) Texts() []string {
	if r.Kind != Array {
		return []string{r.Str}
	}
	texts := make([]string, len(r.Elems))
	for i, e := range r.Elems {
		texts[i] = e.Str
	}
	return texts
}

// OfDouble is a floating-point reply, as the server writes the number.
func OfDouble(text string) Reply { return Reply{Kind: Double, Str: text} }

// OfMap is a map of keys and values in turn.
func OfMap(elems ...Reply) Reply { return Reply{Kind: Map, Elems: elems} }

// OfSet is a set.
func OfSet(elems ...Reply) Reply { return Reply{Kind: Set, Elems: elems} }

// OfBool is a boolean reply.
func OfBool(b bool) Reply {
	if b {
		return Reply{Kind: Bool, Int: 1}
	}
	return Reply{Kind: Bool}
}

// OfBigNumber is an integer of any length, in decimal digits.
func OfBigNumber(digits string) Reply { return Reply{Kind: BigNumber, Str: digits} }

// OfVerbatim is a text for people in a format such as "txt", which is cut or
// filled up to three bytes.
func OfVerbatim(format, text string) Reply {
	return Reply{Kind: Verbatim, Str: (format + "   ")[:3] + ":" + text}
}

// Flat is the reply in a kind that RESP2 has. Its elements stay as they are.
func (r Reply) Flat() Reply {
	switch r.Kind {
	case Double, BigNumber:
		return OfBulk(r.Str)
	case Verbatim:
		return OfBulk(r.verbatimText())
	case Map, Set:
		return OfArray(r.Elems...)
	case Bool:
		return OfInt(r.Int)
	case Nil, Status, Error, Int, Bulk, Array:
	}
	return r
}

func (r Reply) verbatimText() string { return r.Str[4:] }

// IsError tells whether r is an error reply.
func (r Reply) IsError() bool { return r.Kind == Error }

// String is the reply as a person writes it: nil, 1, "text", OK,
// (error) ERR …, [1, "a"], 1.5, {"a": 1}, {"a", "b"}, true.
func (r Reply) String() string {
	switch r.Kind {
	case Nil:
		return "nil"
	case Int:
		return strconv.FormatInt(r.Int, 10)
	case Bulk:
		return strconv.Quote(r.Str)
	case Status, Double, BigNumber:
		return r.Str
	case Error:
		return "(error) " + r.Str
	case Bool:
		return strconv.FormatBool(r.Int != 0)
	case Verbatim:
		return strconv.Quote(r.verbatimText())
	case Array:
		return "[" + r.join() + "]"
	case Map, Set:
		return "{" + r.join() + "}"
	}
	return "(unknown reply)"
}

// join is the elements as a person writes them.
func (r Reply) join() string {
	var text strings.Builder
	for i, e := range r.Elems {
		switch {
		case i > 0 && r.Kind == Map && i%2 == 1:
			text.WriteString(": ")
		case i > 0:
			text.WriteString(", ")
		}
		text.WriteString(e.String())
	}
	return text.String()
}

// Equal tells whether two replies have the same kind and content.
func (r Reply) Equal(o Reply) bool {
	return r.Kind == o.Kind && r.Int == o.Int && r.Str == o.Str && slices.EqualFunc(r.Elems, o.Elems, Reply.Equal)
}

// AppendKey appends bytes in which two replies differ unless they are equal.
func (r Reply) AppendKey(b []byte) []byte {
	b = binary.AppendVarint(append(b, byte(r.Kind)), r.Int)
	b = append(binary.AppendUvarint(b, uint64(len(r.Str))), r.Str...)
	b = binary.AppendUvarint(b, uint64(len(r.Elems)))
	for _, e := range r.Elems {
		b = e.AppendKey(b)
	}
	return b
}

// MarshalJSON writes a reply as Redis's Lua shows it: null, 1, "text",
// {"ok": "OK"}, {"err": "ERR …"}, arrays. What only RESP3 has is an object too,
// such as {"double": "1.5"} and {"map": [["key", 1]]}.
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
	case Double:
		return json.Marshal(map[string]string{"double": r.Str})
	case BigNumber:
		return json.Marshal(map[string]string{"big_number": r.Str})
	case Verbatim:
		parts := map[string]string{"format": r.Str[:3], "string": r.verbatimText()}
		return json.Marshal(map[string]any{"verbatim_string": parts})
	case Bool:
		return json.Marshal(r.Int != 0)
	case Set:
		return json.Marshal(map[string]Reply{"set": OfArray(r.Elems...)})
	case Map:
		pairs := make([][2]Reply, len(r.Elems)/2)
		for i := range pairs {
			pairs[i] = [2]Reply{r.Elems[2*i], r.Elems[2*i+1]}
		}
		return json.Marshal(map[string]any{"map": pairs})
	case Nil:
	}
	return []byte("null"), nil
}
