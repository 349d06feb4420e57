package attach

import (
	"cmp"
	"crypto/sha1" //nolint:gosec // is how EVALSHA names a script
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons/recording"
	"lockstep/luaexec/resp"
)

// add makes a step of what a client did.
func (r *Recorder) add(p *peer, d resp.Done) {
	s := engine.Step{
		Choice: engine.Choice{Kind: engine.Run, Target: p.actor}, Process: p.actor,
		From: r.now, At: r.now, Request: r.request(d), Taken: d.Kind == resp.Answered,
	}
	p.waits = d.Kind == resp.Waits
	if p.waits {
		s.NoReply = engine.InNode
	} else {
		answer := clippedReply(d.Reply)
		s.Reply = &answer
	}
	s.Changes = r.change(d)
	for _, h := range d.Heard {
		s.Delivered = append(s.Delivered, engine.Delivery{Node: Node, Process: actorName(h.Peer), Channel: h.Channel, Payload: clipped(h.Payload)})
	}
	r.listen(p.actor, d.Args)
	e := &recording.Event{At: r.now, Sent: r.now, Actor: p.actor, Commands: r.commands(d), Failed: d.Reply.IsError()}
	if d.Kind == resp.Answered {
		e = &recording.Event{At: r.now, Actor: p.actor, Kind: recording.Answered}
	}
	events := []*recording.Event{e}
	if d.Kind != resp.Waits && d.Client.Database == 0 {
		a := act{actor: p.actor, args: d.Args, script: r.scriptOf(d.Args), changes: s.Changes, failed: d.Reply.IsError()}
		if a.script != nil {
			a.source = r.sources[a.script.sha]
		}
		events = append(events, r.locks.judge(&s, a)...)
	}
	s.After = r.snapshot()
	r.push(s, events)
}

// passTo has the keys expire whose time has come.
func (r *Recorder) passTo(now engine.Instant) {
	for r.due <= now {
		next, found := engine.Key{}, false
		for _, k := range r.keys {
			if k.Deadline != engine.NoDeadline && (!found || k.Deadline < next.Deadline || k.Deadline == next.Deadline && k.Name < next.Name) {
				next, found = k, true
			}
		}
		if r.due = math.MaxInt64; found {
			r.due = next.Deadline
		}
		if r.due <= now {
			r.expire(next)
		}
	}
	r.now = max(r.now, now)
	r.locks.giveUp(r.now)
}

func (r *Recorder) expire(k engine.Key) {
	at := max(r.now, k.Deadline)
	s := engine.Step{
		Choice: engine.Choice{Kind: engine.Tick, Span: at - r.now}, From: r.now, At: at,
		Expired: []engine.Expiry{{Node: Node, Key: k.Name}},
		Changes: []engine.Change{{Node: Node, Key: k.Name, Old: &k}},
	}
	r.now = at
	r.forget(k.Name)
	events := r.locks.expired(k.Name, at)
	s.After = r.snapshot()
	r.push(s, events)
}

// change takes in what has become of keys.
func (r *Recorder) change(d resp.Done) (changes []engine.Change) {
	if d.Flushed {
		for _, k := range r.shown {
			changes = append(changes, engine.Change{Node: Node, Key: k.Name, Old: &k})
		}
		clear(r.keys)
		r.shown = nil
	}
	for _, k := range d.Keys {
		c := engine.Change{Node: Node, Key: k.Name}
		if old, was := r.keys[k.Name]; was {
			c.Old = &old
		}
		if k.Key == nil {
			r.forget(k.Name)
		} else {
			now := r.clippedKey(*k.Key)
			c.New = &now
			r.show(now)
		}
		if (c.Old != nil || c.New != nil) && (c.Old == nil || c.New == nil || !c.Old.Equal(*c.New)) {
			changes = append(changes, c)
		}
	}
	slices.SortStableFunc(changes, func(a, b engine.Change) int { return cmp.Compare(a.Key, b.Key) })
	return changes
}

// show has a key among those of the page, in place of the one that has not changed for longest.
func (r *Recorder) show(k engine.Key) {
	r.keys[k.Name] = k
	if k.Deadline != engine.NoDeadline {
		r.due = min(r.due, k.Deadline)
	}
	r.touches++
	r.touched[k.Name] = r.touches
	at, there := slices.BinarySearchFunc(r.shown, k.Name, byName)
	if !there && len(r.shown) == mostKeys {
		oldest := slices.MinFunc(r.shown, func(a, b engine.Key) int { return cmp.Compare(r.touched[a.Name], r.touched[b.Name]) })
		r.hide(oldest.Name)
		at, _ = slices.BinarySearchFunc(r.shown, k.Name, byName)
	}
	shown := make([]engine.Key, 0, len(r.shown)+1) // steps share what was shown before
	shown = append(append(shown, r.shown[:at]...), k)
	if there {
		at++
	}
	r.shown = append(shown, r.shown[at:]...)
}

func byName(k engine.Key, name string) int { return cmp.Compare(k.Name, name) }

// hide takes a key from the page.
func (r *Recorder) hide(name string) {
	delete(r.touched, name)
	if at, there := slices.BinarySearchFunc(r.shown, name, byName); there {
		r.shown = slices.Concat(r.shown[:at], r.shown[at+1:])
	}
}

func (r *Recorder) forget(name string) {
	delete(r.keys, name)
	r.hide(name)
}

// listen follows subscriptions.
func (r *Recorder) listen(actor string, args []string) {
	verb := strings.ToUpper(args[0])
	if !strings.HasSuffix(verb, "SUBSCRIBE") {
		return
	}
	subs := slices.Clone(r.subs)
	for _, channel := range args[1:] {
		subs = slices.DeleteFunc(subs, func(s engine.Subscription) bool { return s.Process == actor && s.Channel == channel })
		if !strings.Contains(verb, "UNSUB") {
			subs = append(subs, engine.Subscription{Channel: channel, Process: actor})
		}
	}
	if len(args) == 1 {
		subs = slices.DeleteFunc(subs, func(s engine.Subscription) bool { return s.Process == actor })
	}
	slices.SortFunc(subs, func(a, b engine.Subscription) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Process, b.Process))
	})
	r.subs = subs
}

// learn keeps the sources of scripts, which EVALSHA names.
func (r *Recorder) learn(d resp.Done) {
	all := append([][]string{d.Args}, d.Queue...)
	for _, c := range all {
		source := ""
		switch {
		case len(c) > 1 && strings.HasPrefix(strings.ToUpper(c[0]), "EVAL") && !strings.HasPrefix(strings.ToUpper(c[0]), "EVALSHA"):
			source = c[1]
		case len(c) == 3 && strings.EqualFold(c[0], "script") && strings.EqualFold(c[1], "load"):
			source = c[2]
		}
		if source != "" && len(r.sources) < mostSources {
			r.sources[shaOf(source)] = source
		}
	}
}

func shaOf(source string) string {
	sum := sha1.Sum([]byte(source)) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}

// call is a script with what it was given.
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
		c.sha = shaOf(args[1])
	}
	return &c
}

// request is a command as the page shows it.
func (r *Recorder) request(d resp.Done) engine.Request {
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
	if c == nil || r.sources[c.sha] == "" {
		return engine.Op{Args: clippedAll(args)}
	}
	script := &engine.Script{Name: c.sha[:8], Source: r.sources[c.sha]}
	return engine.Op{Script: script, Keys: clippedAll(c.keys), Args: clippedAll(c.values)}
}

// commands are what a lesson sends again. What is too long for one it says as a command that
// no lesson has, so that it is left out there, and counted.
func (r *Recorder) commands(d resp.Done) [][]string {
	all := [][]string{d.Args}
	if c := r.scriptOf(d.Args); c != nil && r.sources[c.sha] != "" && !strings.HasPrefix(d.Reply.Str, "NOSCRIPT") {
		all[0] = append([]string{"EVAL", r.sources[c.sha]}, d.Args[2:]...) // what loaded it may have left
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
