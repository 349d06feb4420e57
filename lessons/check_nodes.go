package lessons

import (
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// NoKey is the type of a key that is not there, as TYPE answers it.
const NoKey engine.KeyType = "none"

// ExpectAnswer is the reply to an earlier request, which a node gave in this beat.
type ExpectAnswer struct {
	Actor string
	Reply string // as in Expect.Reply; of an error, a part of it
	Place Place
}

// ExpectBehind is how many writes are on their way to a replica.
type ExpectBehind struct {
	Node   string
	Writes int // or LostLeader
	Place  Place
}

// LostLeader is how far a replica is behind that its leader sends nothing any more.
const LostLeader = -1

// whyNoReply words why a request has no reply yet.
var whyNoReply = map[engine.NoReply]fact.Fact{
	engine.RequestLost: fact.Of("request-lost"),
	engine.ReplyLost:   fact.Of("reply-lost"),
	engine.NodePaused:  fact.Of("reply-paused"),
	engine.InNode:      fact.Of("reply-in-node"),
}

// last is the last step, or one in which nothing happened.
func (c *comparison) last() *engine.Step {
	if len(c.steps) == 0 {
		return &engine.Step{}
	}
	return &c.steps[len(c.steps)-1]
}

// noReply compares why the last request has no reply.
func (c *comparison) noReply(want engine.NoReply) {
	last := c.last()
	if want == "" || last.NoReply == want {
		return
	}
	got := fact.Of("none")
	switch {
	case last.Reply != nil:
		got = fact.Text(last.Reply.String())
	case last.NoReply != "":
		got = whyNoReply[last.NoReply]
	}
	c.differs(fact.Of("reply"), whyNoReply[want], got)
}

// answer is what a node replied to an earlier request of an actor.
func (c *comparison) answer(actor string) (text string, isError, came bool) {
	for _, s := range c.steps {
		for _, a := range s.Answered {
			if a.Actor == actor {
				text, isError, came = a.Reply.String(), a.Reply.IsError(), true
			}
		}
	}
	return text, isError, came
}

func (c *comparison) answers(want ExpectAnswer) {
	c.place = want.Place
	text, isError, came := c.answer(want.Actor)
	got := fact.Of("none")
	if came {
		got = fact.Text(text)
	}
	if !came || text != want.Reply && (!isError || !strings.Contains(text, want.Reply)) {
		c.differs(fact.Of("answer-to", want.Actor), fact.Text(want.Reply), got)
	}
}

// lag is how many writes are on their way to a replica, or LostLeader. ok is false for a
// node that follows none.
func lag(v engine.NodeView) (writes int, ok bool) {
	switch {
	case v.Leader == "":
		return 0, false
	case v.Stale:
		return LostLeader, true
	}
	return len(v.Queue), true
}

// leads tells whether a node is there and takes writes.
func leads(v engine.NodeView) bool {
	return v.Node != "" && v.Leader == "" && v.Status != engine.Crashed
}

func (c *comparison) behind(want ExpectBehind) {
	c.place = want.Place
	view, _ := c.after.Node(want.Node)
	got := fact.Of("leads-itself")
	writes, follows := lag(view)
	if follows {
		got = lagFact(writes)
	}
	if !follows || writes != want.Writes {
		c.differs(fact.Of("behind", want.Node), lagFact(want.Writes), got)
	}
}

func lagFact(writes int) fact.Fact {
	if writes == LostLeader {
		return fact.Of("lost-leader")
	}
	return fact.Text(strconv.Itoa(writes))
}

func (c *comparison) leads(name string) {
	view, _ := c.after.Node(name)
	if leads(view) {
		return
	}
	got := fact.Of("node-crashed", name)
	if view.Leader != "" {
		got = fact.Of("follows", view.Leader)
	}
	c.differs(fact.Of("role-of", name), fact.Of("leads-itself"), got)
}

// statusOf is what an actor or a node does. A node that is neither paused nor down is ready.
func statusOf(s *engine.Snapshot, name string) (status engine.Status, ok bool) {
	if a, ok := s.Actor(name); ok {
		return a.Status, true
	}
	v, ok := s.Node(name)
	if ok && v.Status == "" {
		return engine.Ready, true
	}
	return v.Status, ok
}
