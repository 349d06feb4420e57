package keyspace

import (
	"math"
	"strconv"
	"strings"

	"lockstep/engine/reply"
)

// A scan answers with everything at once, and with the cursor 0, which says that it is over. Servers do
// so for what is small, and how many items a call answers with is theirs to choose.

var errCursor = reply.OfError("ERR invalid cursor")

// isCursor tells whether C's strtoul accepts a text; it takes an empty one for 0.
func isCursor(s string) bool {
	if s == "" {
		return true
	}
	rest, negative := strings.CutPrefix(s, "-")
	_, ok := parseUint(rest)
	return ok && !isSpace(s[0]) && !(negative && (rest[0] == '+' || isSpace(rest[0])))
}

func scanReply(items []reply.Reply) reply.Reply {
	return reply.OfArray(reply.OfBulk("0"), reply.OfArray(items...))
}

func scan(k *Keyspace, args []string) reply.Reply {
	if !isCursor(args[1]) {
		return errCursor
	}
	var o scanOptions
	if failed := o.parse(args[2:], true); failed.IsError() {
		return failed
	}
	var items []reply.Reply
	for _, name := range k.names() {
		if o.wants(name) && (o.kind == nil || *o.kind == k.keys[name].kind.String()) {
			items = append(items, reply.OfBulk(name))
		}
	}
	return scanReply(items)
}

// scans makes HSCAN, SSCAN or ZSCAN; items gets each item of a value by its name, with how the reply shows it.
func scans(t valueType, items func(e *entry, add func(name string, shown ...string))) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		if !isCursor(args[2]) {
			return errCursor
		}
		e, none := k.value(args[1], t, scanReply(nil))
		if e == nil {
			return none
		}
		var o scanOptions
		if failed := o.parse(args[3:], false); failed.IsError() {
			return failed
		}
		var found []reply.Reply
		items(e, func(name string, shown ...string) {
			if !o.wants(name) {
				return
			}
			found = append(found, reply.OfBulk(name))
			for _, s := range shown {
				found = append(found, reply.OfBulk(s))
			}
		})
		return scanReply(found)
	}
}

func fieldsOf(e *entry, add func(string, ...string)) {
	for _, p := range e.hash.pairs {
		add(p.name, p.value)
	}
}

func membersOf(e *entry, add func(string, ...string)) {
	for _, p := range e.set.fields.pairs {
		add(p.name)
	}
}

func scoredOf(e *entry, add func(string, ...string)) {
	for _, it := range e.zset.items {
		add(it.member, formatPackedScore(it.score))
	}
}

// formatPackedScore writes a score of a short zset, where Redis keeps whole
// numbers as such: 1e+17 is 100000000000000000.
func formatPackedScore(f float64) string {
	const limit = math.MaxInt64 / 2
	if f >= -limit && f <= limit && f == math.Trunc(f) {
		return strconv.FormatInt(int64(f), 10)
	}
	return formatScore(f)
}

type scanOptions struct {
	match    string
	matching bool
	kind     *string // of TYPE
}

// parse reads the options; only SCAN itself has TYPE.
func (o *scanOptions) parse(options []string, typed bool) (failed reply.Reply) {
	for ; len(options) > 0; options = options[2:] {
		if len(options) == 1 {
			return errSyntax
		}
		switch opt, value := options[0], options[1]; {
		case strings.EqualFold(opt, "count"):
			n, ok := ParseInt(value)
			switch {
			case !ok:
				return errNotInt
			case n < 1:
				return errSyntax
			}
		case strings.EqualFold(opt, "match"):
			o.match, o.matching = value, value != "*"
		case typed && strings.EqualFold(opt, "type"):
			kind := strings.ToLower(value)
			o.kind = &kind
		default:
			return errSyntax
		}
	}
	return reply.Reply{}
}

func (o *scanOptions) wants(name string) bool { return !o.matching || Match(o.match, name) }
