package proxy

import (
	"strconv"

	"lockstep/engine/reply"
)

// What is kept of a reply.
const (
	mostReply = 16 << 10 // bytes of its texts
	mostElems = 256      // of all its arrays together
)

// answer is what a server has sent: a reply, or a push, which answers nothing.
type answer struct {
	reply.Reply

	push bool
	cut  bool // some of it is not kept
}

// replies cuts what a server sends into replies, of RESP2 and RESP3.
type replies struct {
	line   []byte
	text   []byte
	kind   byte // of the text that is being read
	body   int  // bytes of it still to come, the CR and LF after it included; 0: none is being read
	depth  []aggregate
	bytes  int // of texts kept of the current reply, at most about mostReply
	elems  int // kept of its arrays, at most mostElems
	cut    bool
	pushed bool
}

// aggregate is an array, a map, a set, a push or attributes whose elements are not all there.
type aggregate struct {
	kind byte
	left int
	of   reply.Reply
}

// mostDepth bounds arrays in arrays. Servers send a few.
const mostDepth = 64

// next takes bytes up to the end of a reply. ok is false when b ends before.
func (r *replies) next(b []byte) (n int, a answer, ok bool, err error) {
	for n < len(b) {
		var one reply.Reply
		var done bool
		if r.body > 0 {
			n += r.takeBody(b[n:])
			if r.body > 0 {
				return n, a, false, nil
			}
			one, done = r.ofText(), true
		} else {
			took, whole := takeLine(&r.line, b[n:], mostArg)
			n += took
			if !whole {
				return n, a, false, nil
			}
			one, done, err = r.takeLine()
			r.line = r.line[:0]
			if err != nil {
				return n, a, false, err
			}
		}
		if done && r.add(one, &a) {
			return n, a, true, nil
		}
	}
	return n, a, false, nil
}

// takeLine takes a line. done: it is a value by itself.
func (r *replies) takeLine() (one reply.Reply, done bool, err error) {
	if len(r.line) == 0 {
		return one, false, errProtocol
	}
	kind, text := r.line[0], string(r.line[1:])
	switch kind {
	case '+':
		return r.kept(reply.OfStatus(text)), true, nil
	case '-':
		return r.kept(reply.OfError(text)), true, nil
	case ',':
		return reply.OfDouble(text), true, nil
	case '(':
		return r.kept(reply.OfBigNumber(text)), true, nil
	case '_':
		return one, true, nil
	case '#':
		return reply.OfBool(text == "t"), true, nil
	}
	count, err := strconv.Atoi(text)
	if err != nil {
		return one, false, errProtocol
	}
	switch kind {
	case ':':
		return reply.OfInt(int64(count)), true, nil
	case '$', '=', '!':
		if count < 0 {
			return one, true, nil
		}
		r.kind, r.body, r.text = kind, count+2, nil
		return one, false, nil
	case '*', '%', '~', '>', '|':
		return r.begin(kind, count)
	}
	return one, false, errProtocol
}

// begin begins an array or the like.
func (r *replies) begin(kind byte, count int) (one reply.Reply, done bool, err error) {
	if count < 0 {
		return one, true, nil
	}
	if kind == '%' || kind == '|' {
		count *= 2
	}
	if len(r.depth) == 0 && kind == '>' {
		r.pushed = true
	}
	of := reply.Reply{Kind: reply.Array}
	switch kind {
	case '%':
		of.Kind = reply.Map
	case '~':
		of.Kind = reply.Set
	}
	if count == 0 {
		return of, kind != '|', nil
	}
	if len(r.depth) == mostDepth {
		return one, false, errProtocol
	}
	r.depth = append(r.depth, aggregate{kind, count, of})
	return one, false, nil
}

func (r *replies) takeBody(b []byte) int {
	n := min(r.body, len(b))
	if text := min(n, r.body-2); text > 0 {
		keep := min(text, max(0, mostArg-len(r.text)), max(0, mostReply-r.bytes))
		r.text = append(r.text, b[:keep]...)
		r.bytes += keep
		r.cut = r.cut || keep < text
	}
	r.body -= n
	return n
}

func (r *replies) ofText() reply.Reply {
	text := string(r.text)
	switch {
	case r.kind == '!':
		return reply.OfError(text)
	case r.kind == '=' && len(text) >= 4:
		return reply.Reply{Kind: reply.Verbatim, Str: text}
	}
	return reply.OfBulk(text)
}

func (r *replies) kept(one reply.Reply) reply.Reply {
	r.bytes += len(one.Str)
	return one
}

// add puts a value where it belongs; true: the reply is complete.
func (r *replies) add(one reply.Reply, a *answer) bool {
	for len(r.depth) > 0 {
		top := &r.depth[len(r.depth)-1]
		if r.elems < mostElems && r.bytes < mostReply {
			r.elems++
			top.of.Elems = append(top.of.Elems, one)
		} else {
			r.cut = true
		}
		if top.left--; top.left > 0 {
			return false
		}
		one = top.of
		attributes := top.kind == '|'
		r.depth = r.depth[:len(r.depth)-1]
		if attributes {
			return false // what they are of comes next
		}
	}
	*a = answer{Reply: one, push: r.pushed, cut: r.cut}
	r.bytes, r.elems, r.cut, r.pushed = 0, 0, false, false
	return true
}
