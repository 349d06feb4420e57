package keyspace

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// Scans need a cursor that stays valid whatever is written meanwhile. Keys and members of sorted sets are scanned by
// a hash of their name; fields and members of sets by position, from the end to the front: see scanPlaces.

// scanBits is the size of a cursor in bits: clients that read numbers as floating point must not round it.
const scanBits = 48

// scanHash is the place of a name among 1<<scanBits.
func scanHash(name string) uint64 { return hashText(2, name) >> (64 - scanBits) }

// scanShare limits how many calls a scan needs, because each call looks at all n names.
const scanShare = 64

// scanNames returns the names of the next part of a scan, about count of n, and the cursor after them, 0 at the end.
func scanNames(all iter.Seq[string], n int, cursor uint64, count int64) (part []string, next uint64) {
	const end = uint64(1) << scanBits
	width := end
	if parts := uint64(n) / uint64(max(count, 1)); parts > 0 {
		width = end/min(parts, scanShare) + 1
	}
	upTo := min(cursor+width, end)
	type placed struct {
		at   uint64
		name string
	}
	var found []placed
	for name := range all {
		if at := scanHash(name); at >= cursor && at < upTo {
			found = append(found, placed{at, name})
		}
	}
	slices.SortStableFunc(found, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name))
	})
	for _, f := range found {
		part = append(part, f.name)
	}
	if upTo == end {
		return part, 0
	}
	return part, upTo
}

// scanPlaces is the next part of a scan of n items by position: a range of positions, and
// the cursor after it. It goes towards the front because a deleted item is replaced by the
// last one or the next one, which have both been seen, and new items are added at the end.
func scanPlaces(n int, cursor uint64, count int64) (from, to int, next uint64) {
	to = n
	if cursor > 0 && cursor < uint64(n) {
		to = int(cursor)
	}
	from = int(max(int64(to)-count, 0))
	return from, to, uint64(from)
}

type scanOptions struct {
	match    string
	matching bool
	count    int64
	kind     *string // of TYPE
}

// defaultScanCount is about how many items one call of a scan returns.
const defaultScanCount = 10

// parse reads the options; only SCAN itself has TYPE.
func (o *scanOptions) parse(options []string, typed bool) (failed reply.Reply) {
	o.count = defaultScanCount
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
			o.count = n
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

// maxPacked is Redis's hash-max-listpack-value and zset-max-listpack-value.
const maxPacked = 64

// isListpack tells whether Redis keeps a hash or a zset as a short list, whose
// order shows and which a scan answers as a whole.
func (e *entry) isListpack() bool {
	if e.kind == zsetType {
		isLong := func(it scored) bool { return len(it.member) > maxPacked }
		return e.zset.index == nil && !slices.ContainsFunc(e.zset.items, isLong)
	}
	isLong := func(p pair) bool { return len(p.name) > maxPacked || len(p.value) > maxPacked }
	return e.hash.index == nil && !slices.ContainsFunc(e.hash.pairs, isLong)
}
