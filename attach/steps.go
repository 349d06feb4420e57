package attach

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/port"
	"lockstep/recording"
)

// add makes a step of a command and of its reply, if that has come, and judges what it means for locks.
func (r *Recorder) add(p *peer, d port.Done) {
	r.place(p.actor)
	s := step{Step: engine.Step{
		Choice: engine.Choice{Kind: engine.Run, Target: p.actor}, Process: p.actor,
		From: r.now, At: r.now, Request: r.request(d), Taken: d.Kind == port.Answered,
	}}
	if waits := d.Kind == port.Waits; p.waits != waits {
		p.waits, r.stale = waits, true
	}
	if p.waits {
		s.NoReply = engine.InNode
	} else {
		answer := clippedReply(d.Reply)
		s.Reply = &answer
	}
	r.change(&s, d)
	r.keepFound(&s, d)
	for _, h := range d.Heard {
		s.Delivered = append(s.Delivered, engine.Delivery{Node: Node, Process: actorName(h.Peer), Channel: h.Channel, Payload: clipped(h.Payload)})
	}
	r.listen(p.actor, d.Args)
	sent := r.now
	if h := r.goingOf(p.id); h != nil {
		sent = h.Since
	}
	e := &recording.Event{At: r.now, Sent: sent, Actor: p.actor, Commands: r.commands(d), Failed: d.Reply.IsError()}
	if d.Kind == port.Answered {
		e = &recording.Event{At: r.now, Actor: p.actor, Kind: recording.Answered}
	}
	s.events = append(s.events, e)
	if d.Kind != port.Waits && d.Client.Database == 0 {
		a := r.actOf(p.actor, d)
		a.changes = s.Changes
		isPart := func(c engine.Change) bool { return r.locks.isPart(c.Key) }
		s.ofLock = slices.ContainsFunc(s.Changes, isPart)
		s.events = append(s.events, r.locks.judge(&s.Step, a)...)
		s.ofLock = s.ofLock || slices.ContainsFunc(s.Changes, isPart)
		if r.foldPoll(&s, a) {
			return
		}
	}
	r.push(s)
}

// actOf is a command as locks see it. Its changes are added when they are known.
func (r *Recorder) actOf(actor string, d port.Done) act {
	a := act{actor: actor, args: d.Args, script: r.scriptOf(d.Args), source: &source{}, failed: d.Reply.IsError()}
	if a.script != nil {
		a.source = cmp.Or(r.sources[a.script.sha], a.source)
	}
	return a
}

// listen follows subscriptions.
func (r *Recorder) listen(actor string, args []string) {
	verb := strings.ToUpper(args[0])
	if !strings.HasSuffix(verb, "SUBSCRIBE") {
		return
	}
	subs := slices.DeleteFunc(slices.Clone(r.subs), func(s engine.Subscription) bool {
		return s.Process == actor && (len(args) == 1 || slices.Contains(args[1:], s.Channel))
	})
	if !strings.Contains(verb, "UNSUB") {
		for _, channel := range args[1:] {
			subs = append(subs, engine.Subscription{Channel: channel, Process: actor})
		}
	}
	slices.SortFunc(subs, func(a, b engine.Subscription) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Process, b.Process))
	})
	r.subs = slices.Compact(subs)
}

// learn keeps the sources of scripts from EVAL and SCRIPT LOAD, for EVALSHA to be understood later, and notes scripts that run
// without their sources being known.
func (r *Recorder) learn(d port.Done) {
	all := append([][]string{d.Args}, d.Queue...)
	for _, c := range all {
		text := ""
		switch {
		case len(c) > 1 && strings.HasPrefix(strings.ToUpper(c[0]), "EVAL") && !strings.HasPrefix(strings.ToUpper(c[0]), "EVALSHA"):
			text = c[1]
		case len(c) == 3 && strings.EqualFold(c[0], "script") && strings.EqualFold(c[1], "load"):
			text = c[2]
		}
		if sha := engine.SHA1(text); text != "" && len(r.sources) < mostSources && r.sources[sha] == nil {
			r.sources[sha] = newSource(text)
			r.seen = append(r.seen, sha)
			delete(r.unknown, sha)
		}
	}
	if c := r.scriptOf(d.Args); c != nil && !d.Reply.IsError() && r.sources[c.sha] == nil && len(r.unknown) < mostSources {
		r.unknown[c.sha] = true
	}
}

// call is a call of a script, which its SHA1 names.
type call struct {
	sha          string
	keys, values []string
}

// scriptOf is the call that a command makes; nil: it makes none.
func (r *Recorder) scriptOf(args []string) *call {
	if len(args) < 3 || !strings.HasPrefix(strings.ToUpper(args[0]), "EVAL") {
		return nil
	}
	n, err := strconv.Atoi(args[2])
	if err != nil || n < 0 || n > len(args)-3 {
		return nil
	}
	c := call{sha: strings.ToLower(args[1]), keys: args[3 : 3+n], values: args[3+n:]}
	if !strings.HasPrefix(strings.ToUpper(args[0]), "EVALSHA") {
		c.sha = engine.SHA1(args[1])
	}
	return &c
}

// request is a command as the page shows it.
func (r *Recorder) request(d port.Done) engine.Request {
	switch verb := strings.ToUpper(d.Args[0]); {
	case verb == "SUBSCRIBE" || verb == "PSUBSCRIBE" || verb == "SSUBSCRIBE":
		return engine.Subscribe{Node: Node, Channel: strings.Join(d.Args[1:], " ")}
	case verb == "UNSUBSCRIBE" || verb == "PUNSUBSCRIBE" || verb == "SUNSUBSCRIBE":
		return engine.Unsubscribe{Node: Node, Channel: strings.Join(d.Args[1:], " ")}
	case verb == "EXEC" && d.Queue != nil:
		tx := &engine.Transaction{Commit: true}
		told := []string{"MULTI"}
		for _, c := range d.Queue {
			tx.Ops = append(tx.Ops, r.op(c))
			told = append(told, strings.Join(clippedAll(c), " "))
		}
		return engine.Exec{Node: Node, Op: engine.Op{Args: told}, Transaction: tx}
	}
	return engine.Exec{Node: Node, Op: r.op(d.Args)}
}

func (r *Recorder) op(args []string) engine.Op {
	c := r.scriptOf(args)
	if c == nil || r.sources[c.sha] == nil {
		return engine.Op{Args: clippedAll(args)}
	}
	script := &engine.Script{Name: r.sources[c.sha].name(c.sha), Source: r.sources[c.sha].text}
	return engine.Op{Script: script, Keys: clippedAll(c.keys), Args: clippedAll(c.values)}
}

// commands are the commands of a step as a lesson sends them. Those that a lesson cannot send
// (longer than mostSent, or of another database) become one command with a made-up name: the
// lesson leaves out commands with unknown names, and counts them.
func (r *Recorder) commands(d port.Done) [][]string {
	all := [][]string{d.Args}
	if c := r.scriptOf(d.Args); c != nil && r.sources[c.sha] != nil && !strings.HasPrefix(d.Reply.Str, "NOSCRIPT") {
		all[0] = append([]string{"EVAL", r.sources[c.sha].text}, d.Args[2:]...) // what loaded it may have left
	}
	if d.Queue != nil {
		all = append(append([][]string{{"MULTI"}}, d.Queue...), d.Args)
	}
	size := 0
	for _, c := range all {
		for _, a := range c {
			size += len(a)
		}
	}
	switch {
	case d.Client.Database != 0:
		return [][]string{{"SELECT-ANOTHER-DATABASE"}}
	case size > mostSent && !strings.HasPrefix(strings.ToUpper(d.Args[0]), "EVAL"):
		return [][]string{{strings.ToUpper(d.Args[0]) + "-TOO-LONG"}}
	}
	return all
}

// shownKey is a key of the server as it is kept; nil: there is none.
func (r *Recorder) shownKey(k *engine.Key) *engine.Key {
	if k == nil {
		return nil
	}
	clipped := r.clippedKey(*k)
	return &clipped
}

func (r *Recorder) clippedKey(k engine.Key) engine.Key {
	k.Text = clipped(k.Text)
	for i := range k.Items {
		k.Items[i].Name, k.Items[i].Value = clipped(k.Items[i].Name), clipped(k.Items[i].Value)
	}
	if k.Deadline != engine.NoDeadline {
		k.Deadline -= r.begin
	}
	return k
}

func clipped(text string) string {
	if len(text) <= mostText {
		return text
	}
	return strings.ToValidUTF8(text[:mostText], "") + "…"
}

func clippedAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = clipped(t)
	}
	return out
}

func clippedReply(r reply.Reply) reply.Reply {
	r.Str = clipped(r.Str)
	elems := r.Elems[:min(len(r.Elems), 50)]
	r.Elems = nil
	for _, e := range elems {
		r.Elems = append(r.Elems, clippedReply(e))
	}
	return r
}
