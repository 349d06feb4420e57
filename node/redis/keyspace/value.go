package keyspace

import "lockstep/engine/reply"

// Replies of commands to a missing key.
var (
	zero    = reply.OfInt(0)
	nothing = reply.Reply{}
)

// value is the entry of a key. If there is none of this type, it is nil, and none is the
// reply: absent, or the error that the key holds another type.
func (k *Keyspace) value(name string, t valueType, absent reply.Reply) (e *entry, none reply.Reply) {
	e = k.find(name)
	switch {
	case e == nil:
		return nil, absent
	case e.kind != t:
		return nil, errWrongType
	}
	return e, absent
}

// on makes a command on the value of its first argument, for a key that must exist.
func on(t valueType, absent reply.Reply, run func(k *Keyspace, e *entry, args []string) reply.Reply) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		e, none := k.value(args[1], t, absent)
		if e == nil {
			return none
		}
		return run(k, e, args)
	}
}

// firstOf is the first of some keys that exists. If none does, or the first has another
// type, e is nil and none is the reply.
func (k *Keyspace) firstOf(keys []string, t valueType) (key string, e *entry, none reply.Reply) {
	for _, key = range keys {
		if e, none = k.value(key, t, nothing); e != nil || none.IsError() {
			break
		}
	}
	return key, e, none
}

// ofItem makes a command about an item of a value. The entry is nil if there is no key.
func ofItem(t valueType, answer func(e *entry, item string) reply.Reply) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		e, ok := k.findAs(args[1], t)
		if !ok {
			return errWrongType
		}
		return answer(e, args[2])
	}
}

// ofItems makes a command that answers about several items.
func ofItems(t valueType, answer func(e *entry, item string) reply.Reply) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		e, ok := k.findAs(args[1], t)
		if !ok {
			return errWrongType
		}
		answers := make([]reply.Reply, len(args)-2)
		for i, item := range args[2:] {
			answers[i] = answer(e, item)
		}
		return reply.OfArray(answers...)
	}
}

func has(e *entry, item string) reply.Reply {
	if e.find(item) < 0 {
		return zero
	}
	return reply.OfInt(1)
}

// size makes a command that counts the items of a value.
func size(t valueType) func(*Keyspace, []string) reply.Reply {
	return on(t, zero, func(_ *Keyspace, e *entry, _ []string) reply.Reply { return reply.OfInt(int64(e.len())) })
}

// takes makes a command that deletes the items that its arguments name.
func takes(t valueType) func(*Keyspace, []string) reply.Reply {
	return on(t, zero, func(k *Keyspace, e *entry, args []string) reply.Reply {
		removed := int64(0)
		for _, item := range args[2:] {
			at := e.find(item)
			if at < 0 {
				continue
			}
			if removed == 0 {
				e = k.edit(args[1], e)
			}
			e.remove(at)
			removed++
		}
		k.removeIfEmpty(args[1], e)
		return reply.OfInt(removed)
	})
}

// find is the position of a field or a member, or -1.
func (e *entry) find(item string) int {
	if e == nil {
		return -1
	}
	switch e.kind {
	case hashType:
		return e.hash.find(item)
	case setType:
		return e.set.fields.find(item)
	case zsetType:
		return e.zset.find(item)
	case stringType, listType, streamType:
	}
	return -1
}

// remove deletes the field or the member at a position.
func (e *entry) remove(at int) {
	switch e.kind {
	case hashType:
		e.hash.remove(at)
	case setType:
		e.set.fields.remove(at)
	case zsetType:
		e.zset.removeRange(at, at+1)
	case stringType, listType, streamType:
	}
}
