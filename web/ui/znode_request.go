package ui

import (
	"cmp"
	"regexp"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// onPath tells whether a name is that of a znode: no key and no channel of another server
// begins with a slash.
func onPath(name string) bool { return strings.HasPrefix(name, "/") }

// ofEvents is what to say of a name: of a znode, whose events are told, or of a channel,
// on which messages are sent.
func ofEvents(name string, event, message msg) msg {
	if onPath(name) {
		return event
	}
	return message
}

// ofZnodes tells whether an op asks a ZooKeeper, which is asked by a verb about a path.
func ofZnodes(op engine.Op) bool {
	return op.Script == nil && len(op.Args) > 1 && onPath(op.Args[1])
}

// aboutZnodes tells whether a request is one that only a ZooKeeper gets.
func aboutZnodes(r engine.Request) bool {
	switch r := r.(type) {
	case engine.Exec:
		return ofZnodes(r.Op)
	case engine.Receive:
		return onPath(r.Channel)
	}
	return false
}

// znodeText is a request to a ZooKeeper as a client's code has it: zk.create(/lock, A, ephemeral).
func znodeText(e engine.Exec) string {
	words := joined(e.Op.Args[1:], ", ", func(word string) string { return cmp.Or(word, `""`) })
	return e.Node + "." + e.Op.Args[0] + "(" + words + ")"
}

// znodeAnswer is what a ZooKeeper says of znodes.
func znodeAnswer(lang lessons.Lang, op engine.Op, r reply.Reply) string {
	switch op.Args[0] {
	case "create":
		if len(r.Elems) == 2 {
			return r.Elems[0].Str + ", czxid " + r.Elems[1].String()
		}
	case "children":
		return childNames(lang, r)
	case "exists", "set":
		return statText(lang, r)
	case "get":
		if len(r.Elems) == 2 {
			return r.Elems[0].String() + ", " + statText(lang, r.Elems[1])
		}
	}
	return r.String()
}

// znodeAnswerShort is the one thing of it for which somebody asks.
func znodeAnswerShort(lang lessons.Lang, op engine.Op, r reply.Reply) string {
	switch op.Args[0] {
	case "create":
		if len(r.Elems) == 2 {
			return shortNumber(r.Elems[0].Str[strings.LastIndex(r.Elems[0].Str, "/")+1:])
		}
	case "children":
		return shortNumber(childNames(lang, r))
	case "exists":
		if r.Kind == reply.Map {
			return zkThere.in(lang)
		}
	case "get":
		if len(r.Elems) == 2 {
			return r.Elems[0].String()
		}
	case "set":
		return zkVersion.in(lang, statField(r, "version"))
	}
	return znodeAnswer(lang, op, r)
}

// sequence is the number of a sequential znode, in ten digits.
var sequence = regexp.MustCompile(`-0{4,9}(\d{1,6})\b`)

// shortNumber leaves the zeros out: lock-…7.
func shortNumber(names string) string { return sequence.ReplaceAllString(names, "-…$1") }

func childNames(lang lessons.Lang, r reply.Reply) string {
	if len(r.Elems) == 0 {
		return zkNoChildren.in(lang)
	}
	return joined(r.Elems, ", ", func(e reply.Reply) string { return e.Str })
}

// statText is what a ZooKeeper tells of a znode besides its data.
func statText(lang lessons.Lang, r reply.Reply) string {
	if r.Kind != reply.Map {
		return compareGone.in(lang)
	}
	parts := []string{"czxid " + statField(r, "czxid"), zkVersion.in(lang, statField(r, "version"))}
	if owner := statField(r, "owner"); owner != "" {
		parts = append(parts, zkOwner.in(lang, owner))
	}
	return strings.Join(parts, clauseComma.in(lang))
}

func statField(r reply.Reply, name string) string {
	for i := 0; i+1 < len(r.Elems); i += 2 {
		if r.Elems[i].Str == name {
			if r.Elems[i+1].Kind == reply.Int {
				return r.Elems[i+1].String()
			}
			return r.Elems[i+1].Str
		}
	}
	return ""
}

// sessionSentence says how long a znode's session still lasts, which hears nothing of its client.
func sessionSentence(lang lessons.Lang, s *engine.Step, znode *engine.Key) string {
	owner, _ := znode.Get("owner")
	if znode.Deadline == engine.NoDeadline {
		return zkSessionAlive.in(lang, owner)
	}
	return zkSessionLeft.in(lang, owner, span(lang, znode.Deadline-s.At))
}
