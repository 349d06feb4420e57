package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

var listMoveCommands = []Command{
	{"lmove", 5, Write | DenyOOM, twoKeys, lmove, "Move an item from one end of a list to an end of another"},
	{"rpoplpush", 3, Write | DenyOOM, twoKeys, rpoplpush, "Move an item from the back of a list to the front of another"},
}

func parseSide(s string) (front, ok bool) {
	front = strings.EqualFold(s, "left")
	return front, front || strings.EqualFold(s, "right")
}

func lmove(k *Keyspace, args []string) reply.Reply {
	from, ok1 := parseSide(args[3])
	to, ok2 := parseSide(args[4])
	if !ok1 || !ok2 {
		return errSyntax
	}
	return k.moveItem(args[1], args[2], from, to)
}

func rpoplpush(k *Keyspace, args []string) reply.Reply {
	return k.moveItem(args[1], args[2], false, true)
}

// moveItem moves an item from an end of a list to an end of a list, which may be the same. Nothing
// changes if the destination is no list.
func (k *Keyspace) moveItem(from, to string, offFront, toFront bool) reply.Reply {
	source, none := k.value(from, listType, reply.Reply{})
	if source == nil {
		return none
	}
	if _, ok := k.findAs(to, listType); !ok {
		return errWrongType
	}
	item := source.list.end(offFront)
	k.asEvent(sideLetter(toFront)+"push").editOrCreate(to, k.find(to), listType).list.push(item, toFront)
	source = k.asEvent(popEvent(offFront)).edit(from, k.find(from))
	source.list.pop(offFront)
	k.removeIfEmpty(from, source)
	return reply.OfBulk(item)
}

func popEvent(front bool) string { return sideLetter(front) + "pop" }

func sideLetter(front bool) string {
	if front {
		return "l"
	}
	return "r"
}
