package keyspace

import (
	"math"
	"strconv"

	"lockstep/engine/reply"
)

var stringCommands = []Command{
	{"append", 3, Write, oneKey, appendText},
	{"decr", 2, Write, oneKey, decr},
	{"decrby", 3, Write, oneKey, decrby},
	{"get", 2, ReadOnly, oneKey, get},
	{"getdel", 2, Write, oneKey, getdel},
	{"getrange", 4, ReadOnly, oneKey, getrange},
	{"getset", 3, Write, oneKey, getset},
	{"incr", 2, Write, oneKey, incr},
	{"incrby", 3, Write, oneKey, incrby},
	{"mget", -2, ReadOnly, allKeys, mget},
	{"mset", -3, Write, keyPairs, mset},
	{"msetnx", -3, Write, keyPairs, msetnx},
	{"psetex", 4, Write, oneKey, psetex},
	{"set", -3, Write, oneKey, setKey},
	{"setex", 4, Write, oneKey, setex},
	{"setnx", 3, Write, oneKey, setnx},
	{"strlen", 2, ReadOnly, oneKey, strlen},
	{"substr", 4, ReadOnly, oneKey, getrange},
}

func get(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], stringType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.Reply{}
	}
	return reply.OfBulk(e.text)
}

func getset(k *Keyspace, args []string) reply.Reply {
	old := get(k, args)
	if !old.IsError() {
		k.setText(args[1], args[2], false)
	}
	return old
}

func getdel(k *Keyspace, args []string) reply.Reply {
	old := get(k, args)
	if old.Kind == reply.Bulk {
		k.remove(args[1], k.keys[args[1]])
	}
	return old
}

func strlen(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], stringType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OfInt(0)
	}
	return reply.OfInt(int64(len(e.text)))
}

func getrange(k *Keyspace, args []string) reply.Reply {
	start, ok1 := parseInt(args[2])
	stop, ok2 := parseInt(args[3])
	if !ok1 || !ok2 {
		return errNotInt
	}
	e, ok := k.findAs(args[1], stringType)
	switch {
	case !ok:
		return errWrongType
	case e == nil || start < 0 && stop < 0 && start > stop:
		return reply.OfBulk("")
	}
	// Unlike a range of list items, a stop before the first byte is the first byte.
	if size := int64(len(e.text)); stop < -size {
		stop = -size
	}
	from, to := clampRange(start, stop, len(e.text))
	return reply.OfBulk(e.text[from:to])
}

// maxText is Redis's proto-max-bulk-len, in bytes.
const maxText = 512 << 20

func appendText(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], stringType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		k.setText(args[1], args[2], false)
		return reply.OfInt(int64(len(args[2])))
	case len(e.text)+len(args[2]) > maxText:
		return errTooLong
	}
	e = k.edit(args[1], e)
	e.text += args[2]
	return reply.OfInt(int64(len(e.text)))
}

func mget(k *Keyspace, args []string) reply.Reply {
	values := make([]reply.Reply, len(args)-1)
	for i, key := range args[1:] {
		if e, ok := k.findAs(key, stringType); ok && e != nil {
			values[i] = reply.OfBulk(e.text)
		}
	}
	return reply.OfArray(values...)
}

func mset(k *Keyspace, args []string) reply.Reply {
	if len(args)%2 == 0 {
		return wrongArity(args[0])
	}
	for i := 1; i < len(args); i += 2 {
		k.setText(args[i], args[i+1], false)
	}
	return reply.OK
}

func msetnx(k *Keyspace, args []string) reply.Reply {
	if len(args)%2 == 0 {
		return wrongArity(args[0])
	}
	for i := 1; i < len(args); i += 2 {
		if k.keys[args[i]] != nil {
			return reply.OfInt(0)
		}
	}
	mset(k, args)
	return reply.OfInt(1)
}

func setnx(k *Keyspace, args []string) reply.Reply {
	if k.keys[args[1]] != nil {
		return reply.OfInt(0)
	}
	k.setText(args[1], args[2], false)
	return reply.OfInt(1)
}

func incr(k *Keyspace, args []string) reply.Reply { return k.incrementBy(args[1], 1) }
func decr(k *Keyspace, args []string) reply.Reply { return k.incrementBy(args[1], -1) }

func incrby(k *Keyspace, args []string) reply.Reply {
	by, ok := parseInt(args[2])
	if !ok {
		return errNotInt
	}
	return k.incrementBy(args[1], by)
}

func decrby(k *Keyspace, args []string) reply.Reply {
	by, ok := parseInt(args[2])
	switch {
	case !ok:
		return errNotInt
	case by == math.MinInt64:
		return errDecrOverflow
	}
	return k.incrementBy(args[1], -by)
}

func (k *Keyspace) incrementBy(key string, by int64) reply.Reply {
	e, ok := k.findAs(key, stringType)
	if !ok {
		return errWrongType
	}
	n := int64(0)
	if e != nil {
		if n, ok = parseInt(e.text); !ok {
			return errNotInt
		}
	}
	if n, ok = add(n, by); !ok {
		return errOverflow
	}
	k.editOrCreate(key, e, stringType).text = strconv.FormatInt(n, 10)
	return reply.OfInt(n)
}
