package real

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// outcome is what one transaction did.
type outcome struct {
	reply  reply.Reply
	ran    bool          // false: the server refused the command before the transaction
	killed bool          // the script was ended, having written nothing
	took   time.Duration // by the server's clock
	exact  bool          // no time passed between thaw and freeze
	shown  bool          // it is exact, or nothing in it shows that time has passed
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

// read splits the replies of a transaction into three: the reply of thaw, the step's own
// replies, and the report of freeze. The report begins with mark, a random text: no reply of
// a script can look like it.
func (n *Node) read(ran []byte, c call, mark string) (outcome, *Error) {
	p := parser{rest: ran}
	thawed, err := p.next(0)
	if err != nil {
		return outcome{}, n.markLost(n.unreadable(err))
	}
	answer, report, marked := cutAt(p.rest, fmt.Appendf(nil, "*5\r\n$%d\r\n%s\r\n", len(mark), mark))
	if thawed.IsError() {
		return outcome{}, n.markLost(n.reportError(thawed.Str))
	}
	if !marked {
		return outcome{}, n.markLost(n.reportError(lastLine(answer)))
	}
	out := outcome{ran: true}
	if out.reply, err = replyOf(answer); err != nil {
		return out, n.markLost(n.unreadable(err))
	}
	if !n.server.Private() && out.reply.IsError() && outsideName.MatchString(out.reply.Str) {
		return out, n.markLost(n.outsideKeys())
	}
	frozen, err := parseReply(report)
	if err != nil || len(frozen.Elems) != 5 {
		return out, n.markLost(n.unreadable(cmp.Or(err, errMalformed)))
	}
	if e := n.server.refusedWithin(out.reply); e != nil && !n.concernsLesson(e) && !(c.source != "" && n.server.forged(out.reply, frozen.Elems[4].Str)) {
		return out, n.markLost(e)
	}
	problem := n.report(&out, thawed.Elems, frozen.Elems)
	return out, problem
}

// cutAt is bytes.Cut that leaves the separator with what follows it.
func cutAt(sent, separator []byte) (before, after []byte, found bool) {
	i := bytes.Index(sent, separator)
	if i < 0 {
		return sent, nil, false
	}
	return sent[:i], sent[i:], true
}

// replyOf is the reply to the step. Only an error that a script has raised may be
// something else than one reply: Valkey 8.0 leaves the line breaks in it.
func replyOf(answer []byte) (reply.Reply, error) {
	r, err := parseReply(answer)
	if err == nil || err == errTooBig { //nolint:errorlint // it is not wrapped
		return r, err
	}
	if text, ok := brokenLines(answer); ok {
		return reply.OfError(text), nil
	}
	return r, err
}

// lastLine is the error with which freeze ended, if its report is not there.
func lastLine(sent []byte) string {
	lines := strings.Split(strings.TrimSuffix(string(sent), "\r\n"), "\r\n")
	return strings.TrimPrefix(lines[len(lines)-1], "-")
}

// report fills in what thaw and freeze tell.
func (n *Node) report(out *outcome, thawed, frozen []reply.Reply) *Error {
	if len(thawed) != 2 {
		return n.markLost(n.unreadable(errMalformed))
	}
	if missing := thawed[1].Int; missing > 0 {
		return n.markLost(n.server.problem(fact.Of("keys-gone", missing)))
	}
	if strays := frozen[2].Int; strays != 0 {
		return n.markLost(n.outsideKeys())
	}
	out.took = time.Duration(frozen[1].Int-thawed[0].Int) * time.Millisecond
	out.exact = n.server.timeStands || out.took == 0
	for _, e := range frozen[3].Elems {
		f, ok := foundIn(e)
		if !ok {
			return n.markLost(n.unreadable(errMalformed))
		}
		if !strings.Contains(f.name, n.prefix) {
			return n.markLost(n.outsideKeys())
		}
		out.keys = append(out.keys, f)
	}
	return nil
}

// foundIn is a key as freeze tells of it; ok is false for what could not be one.
func foundIn(e reply.Reply) (f found, ok bool) {
	if len(e.Elems) != 5 {
		return found{}, false
	}
	f = found{name: e.Elems[0].Str, kind: e.Elems[1].Str, pttl: e.Elems[2].Int, value: e.Elems[3], dump: e.Elems[4].Str}
	elems := f.value.Elems
	switch engine.KeyType(f.kind) {
	case engine.HashKey, engine.ZSetKey:
		return f, len(elems)%2 == 0
	case engine.StreamKey:
		for _, entry := range elems {
			if len(entry.Elems) != 2 {
				return f, false
			}
		}
	case engine.StringKey, engine.ListKey, engine.SetKey, engine.RowKey, engine.ZnodeKey:
	}
	return f, true
}

// outsideKeys is the problem of a script that used keys which are not the session's.
func (n *Node) outsideKeys() *Error {
	return n.server.problem(fact.Of("not-in-keys"))
}

// unreadable is the problem behind an answer that cannot be parsed.
func (n *Node) unreadable(err error) *Error {
	if err == errTooBig { //nolint:errorlint // it is not wrapped
		return n.server.tooMuchData()
	}
	return n.server.problem(fact.Of("garbled", err))
}

// reportError is the problem behind an error in place of the report on a step.
func (n *Node) reportError(text string) *Error {
	if strings.Contains(text, "Script killed by user") || strings.Contains(text, "not enough memory") {
		return n.server.tooMuchData()
	}
	return n.server.unexpected(text)
}
