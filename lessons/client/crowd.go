package client

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/redis/blocking"
)

// crowd is one actor that runs a program many times over, for clients that differ in nothing
// but their names. They take turns: each request is that of the next one, in a circle, until
// all have come to their end. So a hundred clients need one lane, one choice and one snapshot.
type crowd struct {
	program *Program
	process string
	turns   []*member // those that have not ended, the next one first
	reads   int       // of the clock, by those that have ended
	watch   func(*engine.Position) bool
}

// member is one client of a crowd.
type member struct {
	name    string
	actor   engine.Actor
	request engine.Request // that it will make when it is its turn; nil: it waits for an outcome, or has not begun
	acted   bool           // it was told the outcome of the request of its turn
	begun   bool           // it was told the outcome of a request
	digest  *[16]byte      // nil: the member has gone on since
}

var _ engine.Beginner = (*crowd)(nil)

// StartCrowd makes an actor that runs the program so many times, as name-1, name-2 and so on.
func (p *Program) StartCrowd(name, process string, count int) engine.Actor {
	c := &crowd{program: p, process: process}
	for i := range count {
		c.turns = append(c.turns, &member{name: fmt.Sprintf("%s-%d", name, i+1)})
	}
	return c
}

// Next implements engine.Actor. A member begins when its first turn comes.
func (c *crowd) Next(out engine.Outcome) engine.Request {
	if len(c.turns) > 0 && c.turns[0].request != nil {
		c.turns[0].request, c.turns[0].acted, c.turns[0].begun = nil, true, true
	}
	for len(c.turns) > 0 {
		m := c.turns[0]
		if m.request != nil {
			return m.request
		}
		switch r := c.tell(m, out).(type) {
		case engine.Say, engine.Refused:
			return r
		case engine.Done:
			if r.Failure.Code != "" {
				return r
			}
			c.reads += m.actor.(engine.Digester).ClockReads()
			c.turns = c.turns[1:]
		case engine.Exec:
			if _, waits := blocking.Command(r.Op); waits || r.Transaction != nil { // all would wait with it, and keys are watched for an actor
				return engine.Done{Failure: fact.Of("crowd-only-sends")}
			}
			m.request = r
			if m.acted {
				m.acted = false
				c.turns = append(c.turns[1:], m)
			}
		default:
			return engine.Done{Failure: fact.Of("crowd-only-sends")}
		}
		out = engine.Outcome{Now: out.Now}
	}
	return engine.Done{}
}

func (c *crowd) tell(m *member, out engine.Outcome) engine.Request {
	if m.actor == nil {
		m.actor = c.program.Start(m.name, c.process)
	}
	if p, ok := m.actor.(engine.Positioned); ok {
		p.Watch(c.watch)
		defer p.Watch(nil)
	}
	m.digest = nil
	return m.actor.Next(out)
}

// Position implements engine.Positioned: it is that of the member whose turn it is.
func (c *crowd) Position() *engine.Position {
	if len(c.turns) > 0 {
		if p, ok := c.turns[0].actor.(engine.Positioned); ok {
			return p.Position()
		}
	}
	return nil
}

// Watch implements engine.Positioned.
func (c *crowd) Watch(tell func(*engine.Position) bool) { c.watch = tell }

func (c *crowd) Digest() [16]byte {
	h := sha256.New()
	for _, m := range c.turns {
		fmt.Fprintf(h, "%s %t %t %t;", m.name, m.request != nil, m.acted, m.begun)
		if d, ok := m.actor.(engine.Digester); ok {
			if m.digest == nil {
				digest := d.Digest()
				m.digest = &digest
			}
			h.Write(m.digest[:])
		}
	}
	return [16]byte(h.Sum(nil))
}

// Begins implements engine.Beginner.
func (c *crowd) Begins() bool {
	return !slices.ContainsFunc(c.turns, func(m *member) bool { return m.begun })
}

func (c *crowd) ClockReads() int {
	n := c.reads
	for _, m := range c.turns {
		if d, ok := m.actor.(engine.Digester); ok {
			n += d.ClockReads()
		}
	}
	return n
}

func (c *crowd) Bytes() int {
	n := 0
	for _, m := range c.turns {
		if u, ok := m.actor.(engine.MemoryUser); ok {
			n += u.Bytes()
		}
	}
	return n
}
