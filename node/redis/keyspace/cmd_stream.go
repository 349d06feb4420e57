package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// Consumer groups are not part of this: their commands have no row and are unknown.
var streamCommands = []Command{
	{"xadd", -5, Write | DenyOOM, oneKey, xadd, "Add an entry to a stream"},
	{"xdel", -3, Write, oneKey, on(streamType, zero, xdel), "Delete entries of a stream"},
	{"xlen", 2, ReadOnly, oneKey, size(streamType), "Number of entries of a stream"},
	{"xtrim", -4, Write, oneKey, xtrim, "Delete the oldest entries of a stream"},
}

// xaddQuery is a parsed XADD or XTRIM.
type xaddQuery struct {
	trims    bool
	trim     streamTrim
	noCreate bool
	id       streamID
	idGiven  bool // otherwise *
	seqGiven bool // otherwise ms-*
	idAt     int  // where the id stands
}

// parse reads what stands before the fields of XADD, or all options of XTRIM.
func (q *xaddQuery) parse(args []string, adds bool) (failed reply.Reply) {
	i := 2
options:
	for ; i < len(args); i++ {
		opt, more := args[i], len(args)-1-i
		if more > 0 && strings.EqualFold(opt, "limit") { // there is none, but servers read its number first
			if _, ok := ParseInt(args[i+1]); !ok {
				return errNotInt
			}
		}
		switch {
		case adds && opt == "*":
			break options
		case more > 0 && strings.EqualFold(opt, "maxlen"):
			used, failed := q.parseTrim(args[i+1:])
			if failed.IsError() {
				return failed
			}
			i += used
		case adds && strings.EqualFold(opt, "nomkstream"):
			q.noCreate = true
		case adds:
			if failed := q.parseID(opt); failed.IsError() {
				return failed
			}
			break options
		default:
			return errSyntax
		}
	}
	q.idAt = i
	if !adds && !q.trims {
		return reply.OfError("ERR syntax error, XTRIM must be called with a trimming strategy")
	}
	return reply.Reply{}
}

// parseTrim reads what stands after MAXLEN; used is how many arguments that are.
func (q *xaddQuery) parseTrim(rest []string) (used int, failed reply.Reply) {
	if q.trims {
		return 0, reply.OfError("ERR syntax error, MAXLEN and MINID options at the same time are not compatible")
	}
	value := 0
	if len(rest) > 1 && (rest[0] == "~" || rest[0] == "=") {
		value = 1
	}
	var ok bool
	q.trims, q.trim.approx = true, rest[0] == "~" && value == 1
	if q.trim.maxLen, ok = ParseInt(rest[value]); !ok {
		return 0, errNotInt
	}
	if q.trim.maxLen < 0 {
		return 0, reply.OfError("ERR The MAXLEN argument must be >= 0.")
	}
	return value + 1, reply.Reply{}
}

func (q *xaddQuery) parseID(s string) (failed reply.Reply) {
	q.idGiven, q.seqGiven = true, true
	if ms, ok := strings.CutSuffix(s, "-*"); ok && !strings.Contains(ms, "-") {
		q.seqGiven = false
		s = ms
	}
	var ok bool
	if q.id, ok = parseStreamID(s, 0); !ok {
		return errStreamID
	}
	return reply.Reply{}
}

func xadd(k *Keyspace, args []string) reply.Reply {
	var q xaddQuery
	if failed := q.parse(args, true); failed.IsError() {
		return failed
	}
	fields := args[min(q.idAt+1, len(args)):]
	if len(fields) < 2 || len(fields)%2 == 1 {
		return wrongArity(args[0])
	}
	if q.idGiven && q.seqGiven && q.id == firstStreamID {
		return reply.OfError("ERR The ID specified in XADD must be greater than 0-0")
	}
	e, ok := k.findAs(args[1], streamType)
	switch {
	case !ok:
		return errWrongType
	case e == nil && q.noCreate:
		return reply.Reply{}
	}
	last := streamID{}
	if e != nil {
		last = e.stream.last
	}
	if last == lastStreamID {
		return reply.OfError("ERR The stream has exhausted the last possible ID, unable to add more items")
	}
	if !q.idGiven {
		k.clockReads++
	}
	id := q.nextID(last, uint64(engine.Epoch+k.nowMS()))
	switch {
	case id == last && !q.seqGiven:
		return reply.OfError("ERR Elements are too large to be stored") // misleading, but Redis's
	case id.compare(last) <= 0:
		return reply.OfError("ERR The ID specified in XADD is equal or smaller than the target stream top item")
	}
	e = k.editOrCreate(args[1], e, streamType)
	e.stream.add(id, slices.Clone(fields))
	if !q.trims {
		return reply.OfBulk(id.String())
	}
	if records, nodes := q.trim.count(e.stream); records > 0 {
		e.stream.trim(records, nodes)
		k.notify("t", "xtrim", args[1])
	}
	return reply.OfBulk(id.String())
}

// nextID is the id of the record that is added after last; one that is not
// greater than last is refused.
func (q *xaddQuery) nextID(last streamID, nowMS uint64) streamID {
	switch {
	case q.idGiven && q.seqGiven:
		return q.id
	case !q.idGiven && nowMS > last.ms:
		return streamID{ms: nowMS}
	case q.idGiven && q.id.ms != last.ms:
		return q.id
	}
	id, _ := last.next()
	if q.idGiven && id.ms != last.ms {
		return last // there is no further id in this millisecond
	}
	return id
}

func xtrim(k *Keyspace, args []string) reply.Reply {
	var q xaddQuery
	if failed := q.parse(args, false); failed.IsError() {
		return failed
	}
	e, none := k.value(args[1], streamType, reply.OfInt(0))
	if e == nil {
		return none
	}
	records, nodes := q.trim.count(e.stream)
	if records > 0 {
		k.edit(args[1], e).stream.trim(records, nodes)
	}
	return reply.OfInt(int64(records))
}

func xdel(k *Keyspace, e *entry, args []string) reply.Reply {
	ids := make([]streamID, len(args)-2)
	for i, arg := range args[2:] {
		var ok bool
		if ids[i], ok = parseStreamID(arg, 0); !ok {
			return errStreamID
		}
	}
	var removed int64
	for _, id := range ids {
		if len(e.stream.between(id, id)) == 0 {
			continue
		}
		if removed == 0 {
			e = k.edit(args[1], e)
		}
		e.stream.remove(id)
		removed++
	}
	return reply.OfInt(removed)
}
