package attach

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/redis/clients"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

// mostRules is how many rules there may be.
const mostRules = 20

// held is a request that waits to be let go.
type held struct {
	clients.Held

	done  port.Done
	going bool // it has been let go, and has not been performed yet
}

// Hold adds a rule.
func (r *Recorder) Hold(u clients.Rule) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.rules) == mostRules {
		return fact.Of("too-many-rules", mostRules)
	}
	r.lastRule++
	u.ID = r.lastRule
	u.Script = strings.ToLower(u.Script)
	r.rules = append(r.rules, u)
	r.ruled.Store(true)
	r.version++
	return nil
}

// Unhold removes a rule, and lets go what no other rule holds.
func (r *Recorder) Unhold(rule int) {
	r.mu.Lock()
	r.rules = slices.DeleteFunc(r.rules, func(u clients.Rule) bool { return u.ID == rule })
	r.ruled.Store(len(r.rules) > 0)
	r.version++
	going := r.going(func(h *held) bool { return r.ruleFor(h.Actor, h.done) == nil })
	r.mu.Unlock()
	r.letGo(going...)
}

// LetGo has the held request of a connection performed; 0: all, in the order in which they came.
func (r *Recorder) LetGo(connection int64) {
	r.mu.Lock()
	going := r.going(func(h *held) bool { return connection == 0 || h.Connection == connection })
	r.mu.Unlock()
	r.letGo(going...) // it tells of what it does, so r.mu is free
}

// going marks requests that are let go.
func (r *Recorder) going(which func(*held) bool) (connections []int64) {
	for _, h := range r.held {
		if !h.going && which(h) {
			h.going = true
			connections = append(connections, h.Connection)
		}
	}
	r.version++
	return connections
}

// Holding is which rules there are, and what they hold, in the order in which it came.
func (r *Recorder) Holding() (rules []clients.Rule, waiting []clients.Held) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range r.held {
		if !h.going {
			waiting = append(waiting, h.Held)
		}
	}
	return slices.Clone(r.rules), waiting
}

// MayHold tells whether there are rules. It waits for nobody.
func (r *Recorder) MayHold() bool { return r.ruled.Load() }

// Holds is asked about each request before it is performed.
func (r *Recorder) Holds(d port.Done) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.rules) == 0 || IsQuiet(d.Args) || isMulti(d.Args) {
		return false
	}
	p := r.peer(d.Client)
	rule := r.ruleFor(p.actor, d)
	if rule == nil {
		return false
	}
	rule.Times++
	r.passTo(d.At - r.begin)
	r.learn(d)
	r.place(p.actor)
	r.stale = true
	r.held = append(r.held, &held{Held: clients.Held{Connection: d.Client.ID, Actor: p.actor, Request: r.request(d), Since: r.now}, done: d})
	r.version++
	return true
}

// ruleFor is the first rule that holds a request; nil: none does.
func (r *Recorder) ruleFor(actor string, d port.Done) *clients.Rule {
	commands := d.Queue
	if commands == nil {
		commands = [][]string{d.Args}
	}
	i := slices.IndexFunc(r.rules, func(u clients.Rule) bool {
		return matches(u.Client, actor) && slices.ContainsFunc(commands, func(c []string) bool { return r.concerns(u, c) })
	})
	if i < 0 {
		return nil
	}
	return &r.rules[i]
}

func (r *Recorder) concerns(u clients.Rule, args []string) bool {
	if u.Command != "" && !strings.EqualFold(u.Command, args[0]) {
		return false
	}
	if u.Script != "" {
		if c := r.scriptOf(args); c == nil || !strings.HasPrefix(c.sha, u.Script) {
			return false
		}
	}
	return u.Key == "" || slices.ContainsFunc(keyspace.KeysOf(args), func(key string) bool { return matches(u.Key, key) })
}

func matches(pattern, text string) bool { return pattern == "" || keyspace.Match(pattern, text) }

// heldOf takes the held request of a connection from the list; nil: it has none.
func (r *Recorder) heldOf(connection int64) *held {
	i := slices.IndexFunc(r.held, func(h *held) bool { return h.Connection == connection })
	if i < 0 {
		return nil
	}
	h := r.held[i]
	r.stale = true
	r.held = slices.Delete(r.held, i, i+1)
	return h
}

// goingOf is heldOf for a request that was let go: what a connection sent before it may be told later.
func (r *Recorder) goingOf(connection int64) *held {
	if !slices.ContainsFunc(r.held, func(h *held) bool { return h.Connection == connection && h.going }) {
		return nil
	}
	return r.heldOf(connection)
}

// giveUp makes a step of a client's hanging up before its request was let go: it is never
// performed, so to the client it was lost.
func (r *Recorder) giveUp(p *peer, h *held) {
	r.push(step{Step: engine.Step{
		Choice: engine.Choice{Kind: engine.Run, Target: p.actor}, Process: p.actor,
		From: h.Since, At: r.now, Request: h.Request, NoReply: engine.RequestLost,
		Notes: []engine.Note{{Actor: p.actor, Kind: engine.NoteNoReply, Text: Node}},
	}})
}
