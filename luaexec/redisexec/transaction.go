package redisexec

import (
	"context"
	_ "embed"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
)

//go:embed thaw.lua
var thawScript string

//go:embed freeze.lua
var freezeScript string

// outcome is what one transaction did.
type outcome struct {
	reply  reply.Reply
	ran    bool          // false: the server refused the command before the transaction
	killed bool          // the script was ended, having written nothing
	took   time.Duration // by the server's clock
	exact  bool          // no time passed between thaw and freeze
	keys   []found
}

// found is one key as the freezing script read it.
type found struct {
	name  string
	kind  string
	pttl  int64
	value reply.Reply
	dump  string
}

// transact sends one step: thaw, op, freeze.
func (n *Node) transact(ctx context.Context, c call, again bool) (outcome, *Error) {
	commands := [][]any{{"MULTI"}, n.thaw(again), c.args}
	if len(n.listeners) > 0 {
		n.barrier++
		commands = append(commands, []any{"PUBLISH", n.aside("barrier"), strconv.Itoa(n.barrier)})
	}
	commands = append(commands, n.freeze(c), []any{"EXEC"})
	replies, killed, problem := n.send(ctx, commands)
	if problem != nil {
		return outcome{}, n.lose(problem)
	}
	last := len(replies) - 1
	for i, r := range replies[:last] {
		if !r.IsError() {
			continue
		}
		if i == 0 { // without MULTI the rest ran by itself
			return outcome{}, n.lose(n.server.complaint(r.Str))
		}
		if e := n.server.refused(r.Str); e != nil && !(i == 2 && n.toldOff(e)) {
			return outcome{}, e // nothing ran
		}
		if i == 2 {
			return outcome{reply: n.plainReply(r)}, nil
		}
		return outcome{}, n.server.complaint(r.Str)
	}
	if len(replies[last].Elems) != last-1 {
		return outcome{}, n.lose(n.server.complaint(replies[last].Str))
	}
	out, err := n.read(replies[last].Elems)
	out.killed = killed && out.reply.IsError()
	return out, err
}

// thaw is the call that gives each key the time that it has left.
func (n *Node) thaw(again bool) []any {
	names := n.names()
	args := []any{"EVAL", thawScript, len(names)}
	for _, name := range names {
		args = append(args, name)
	}
	for _, name := range names {
		switch h, ok := n.keys[name]; {
		case !ok:
			args = append(args, "0")
		case h.key.Deadline == engine.NoDeadline:
			args = append(args, "-1")
		default:
			args = append(args, milliseconds(h.key.Deadline-n.now))
		}
	}
	edge := ""
	if again {
		edge = "edge"
	}
	return append(args, edge, n.counted(), milliseconds(safetyTTL))
}

// counted names the key that carries DBSIZE through a step on a shared server,
// where others have keys too.
func (n *Node) counted() string {
	if n.prefix == "" {
		return ""
	}
	return n.aside("dbsize")
}

// freeze is the call that reads the keys and puts the safety TTL on them.
func (n *Node) freeze(c call) []any {
	names := append(n.names(), c.keys...)
	args := []any{"EVAL", freezeScript, len(names)}
	for _, name := range names {
		args = append(args, name)
	}
	dump := ""
	if !n.server.timeStands {
		dump = "dump"
	}
	return append(args, n.pattern(), len(n.keys), n.counted(), dump, milliseconds(safetyTTL))
}

// toldOff tells that a refusal is the lesson's own matter: its user may not do
// this, or its own server has no room for more. Then it is the answer of the step.
func (n *Node) toldOff(e *Error) bool {
	return e.Problem == NoPermit && n.account != nil || e.Problem == NoMemory && n.process != nil
}

// unread is what an error means by which the node cannot know what a step did.
func (n *Node) unread(text string) *Error {
	if strings.Contains(text, "Script killed by user") || strings.Contains(text, "not enough memory") {
		return n.server.tooBig("what the step left in the keys could not be read ("+text+")", nil)
	}
	return n.server.complaint(text)
}

// read takes the replies of a transaction apart.
func (n *Node) read(elems []reply.Reply) (outcome, *Error) {
	thawed, frozen := elems[0], elems[len(elems)-1]
	out := outcome{reply: elems[1], ran: true}
	if e := n.server.refused(out.reply.Str); out.reply.IsError() && e != nil && !n.toldOff(e) {
		return out, n.lose(e)
	}
	for _, r := range []reply.Reply{thawed, frozen} {
		if r.IsError() {
			return out, n.lose(n.unread(r.Str))
		}
	}
	if missing := thawed.Elems[1].Int; missing > 0 {
		return out, n.lose(n.server.problem(Lost,
			strconv.FormatInt(missing, 10)+" of the session's keys are gone (somebody deleted them, or it was idle for an hour)",
			"reset and replay", nil))
	}
	if strays := frozen.Elems[1].Int; strays != 0 {
		return out, n.lose(n.server.problem(Outside,
			"the script wrote a key that is not named in KEYS nor made from one, and on a shared server that is somebody else's",
			"name the key in KEYS, or run the lesson on a server of its own (without --redis-url)", nil).
			inChinese("脚本写入了一个既不在 KEYS 中、也不是由 KEYS 拼出的键，而在共用的服务器上它可能属于别人：" +
				"请把它写进 KEYS，或让课程使用自己的服务器（不带 --redis-url）"))
	}
	out.took = time.Duration(frozen.Elems[0].Int-thawed.Elems[0].Int) * time.Millisecond
	out.exact = n.server.timeStands || out.took == 0
	for _, e := range frozen.Elems[2].Elems {
		out.keys = append(out.keys, found{
			name: e.Elems[0].Str, kind: e.Elems[1].Str, pttl: e.Elems[2].Int, value: e.Elems[3], dump: e.Elems[4].Str,
		})
	}
	return out, nil
}
