package keyspace

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"lockstep/engine/reply"
)

// streamID names a record of a stream; records are in the order of their ids.
type streamID struct{ ms, seq uint64 }

var (
	firstStreamID = streamID{}
	lastStreamID  = streamID{math.MaxUint64, math.MaxUint64}
)

func (a streamID) compare(b streamID) int {
	return cmp.Or(cmp.Compare(a.ms, b.ms), cmp.Compare(a.seq, b.seq))
}

func (a streamID) String() string {
	return strconv.FormatUint(a.ms, 10) + "-" + strconv.FormatUint(a.seq, 10)
}

// next is the id right after; ok is false for the last one.
func (a streamID) next() (b streamID, ok bool) {
	switch {
	case a == lastStreamID:
		return a, false
	case a.seq == math.MaxUint64:
		return streamID{a.ms + 1, 0}, true
	}
	return streamID{a.ms, a.seq + 1}, true
}

// previous is the id right before; ok is false for the first one.
func (a streamID) previous() (b streamID, ok bool) {
	switch {
	case a == firstStreamID:
		return a, false
	case a.seq == 0:
		return streamID{a.ms - 1, math.MaxUint64}, true
	}
	return streamID{a.ms, a.seq - 1}, true
}

// parseStreamID reads ms-seq, or ms alone, for which the given seq is used.
func parseStreamID(s string, seq uint64) (id streamID, ok bool) {
	if len(s) > 127 {
		return streamID{}, false
	}
	first, second, both := strings.Cut(s, "-")
	ms, ok := parseUint(first)
	if !ok {
		return streamID{}, false
	}
	if both {
		if seq, ok = parseUint(second); !ok {
			return streamID{}, false
		}
	}
	return streamID{ms, seq}, true
}

// parseUint accepts whatever C's strtoull accepts, except a minus sign.
func parseUint(s string) (uint64, bool) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimPrefix(strings.TrimLeft(s, " \t\n\v\f\r"), "+")
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

// parseStreamEnd reads one end of a range of ids: an id, - or +, or an id after a bracket,
// which is excluded.
func parseStreamEnd(s string, isStart bool) (id streamID, failed reply.Reply) {
	switch s {
	case "-":
		return firstStreamID, reply.Reply{}
	case "+":
		return lastStreamID, reply.Reply{}
	}
	seq := uint64(math.MaxUint64)
	if isStart {
		seq = 0
	}
	rest, open := s, len(s) > 1 && s[0] == '('
	if open {
		rest = s[1:]
	}
	id, ok := parseStreamID(rest, seq)
	switch {
	case !ok:
		return id, errStreamID
	case open && isStart:
		if id, ok = id.next(); !ok {
			return id, reply.OfError("ERR invalid start ID for the interval")
		}
	case open:
		if id, ok = id.previous(); !ok {
			return id, reply.OfError("ERR invalid end ID for the interval")
		}
	}
	return id, reply.Reply{}
}
