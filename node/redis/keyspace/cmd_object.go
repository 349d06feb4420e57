package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

// encoding is the encoding that Redis gives a value of this size when it is
// written at once. Redis's also depends on what the value was before.
func (e *entry) encoding() string {
	switch e.kind {
	case stringType:
		if _, isInt := parseInt(e.text); isInt {
			return "int"
		}
		if len(e.text) <= 44 {
			return "embstr"
		}
		return "raw"
	case hashType:
		if e.isListpack() {
			return "listpack"
		}
	case listType:
		return "quicklist"
	case setType:
		if e.set.ints {
			return "intset"
		}
	case zsetType:
		if e.isListpack() {
			return "listpack"
		}
		return "skiplist"
	case streamType:
		return "stream"
	}
	return "hashtable"
}

// maxPacked is Redis's hash-max-listpack-value and zset-max-listpack-value.
const maxPacked = 64

// isListpack tells whether Redis keeps a hash or a zset as a short list, whose
// order shows and which a scan answers as a whole.
func (e *entry) isListpack() bool {
	if e.kind == zsetType {
		if e.zset.index != nil {
			return false
		}
		for _, it := range e.zset.items {
			if len(it.member) > maxPacked {
				return false
			}
		}
		return true
	}
	if e.hash.index != nil {
		return false
	}
	for _, p := range e.hash.pairs {
		if len(p.name) > maxPacked || len(p.value) > maxPacked {
			return false
		}
	}
	return true
}

// sharedRefcount is what OBJECT REFCOUNT answers for small numbers, which all
// keys share in Redis.
const sharedRefcount = 1<<31 - 1

func object(k *Keyspace, args []string) reply.Reply {
	sub := strings.ToLower(args[1])
	if sub == "help" {
		return helpText(objectHelp)
	}
	e := k.find(args[2])
	if e == nil {
		return reply.Reply{}
	}
	switch sub {
	case "encoding":
		return reply.OfBulk(e.encoding())
	case "refcount":
		if n, isInt := parseInt(e.text); e.kind == stringType && isInt && n >= 0 && n < 10000 {
			return reply.OfInt(sharedRefcount)
		}
		return reply.OfInt(1)
	case "freq":
		return errNoLFU
	}
	return reply.OfInt(0) // a key is never idle, because accesses are not recorded
}

const objectHelp = `
OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:
ENCODING <key>
    Return the kind of internal representation used in order to store the value
    associated with a <key>.
FREQ <key>
    Return the access frequency index of the <key>. The returned integer is
    proportional to the logarithm of the recent access frequency of the key.
IDLETIME <key>
    Return the idle time of the <key>, that is the approximated number of
    seconds elapsed since the last access to the key.
REFCOUNT <key>
    Return the number of references of the value associated with the specified
    <key>.
HELP
    Prints this help.
`

var errNoLFU = reply.OfError("ERR An LFU maxmemory policy is not selected, access frequency not tracked. " +
	"Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.")
