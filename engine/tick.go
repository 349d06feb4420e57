package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// maxWakes bounds how many timers one move of the clock may pass.
const maxWakes = 10_000

// tick moves the clock by a span, or to the next due instant, stopping at each
// deadline and timer on the way: keys expire first, then threads wake in order.
func (w *World) tick(ctx context.Context, span time.Duration, step *Step) error {
	due, ok := w.nextDue()
	target := w.now + span
	if span == 0 {
		target = due
	}
	for range maxWakes {
		if !ok || due > target {
			return w.advance(ctx, target, step)
		}
		if err := w.advance(ctx, due, step); err != nil {
			return err
		}
		w.wake(step)
		w.join(step) // at this instant, not where the move ends
		if err := w.disconnect(ctx, step); err != nil {
			return err
		}
		due, ok = w.nextDue()
	}
	return fact.Of("too-many-timers", FormatSpan(target-step.From), maxWakes)
}

func (w *World) advance(ctx context.Context, to Instant, step *Step) error {
	known := len(step.Expired)
	w.now = to // whose wait ends in a node while the reply is lost begins to wait for its client's timeout then
	for _, s := range w.servers {
		if err := w.advanceNode(ctx, s, to, step); err != nil {
			return err
		}
	}
	slices.SortStableFunc(step.Expired[known:], func(a, b Expiry) int {
		return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.Key, b.Key))
	})
	w.hear()
	return nil
}

// wake resumes the threads whose sleep or patience has ended: with the clock, with
// a pause, or long ago, while a message was there that somebody else has taken now.
func (w *World) wake(step *Step) {
	for _, t := range slices.Clone(w.threads) {
		if at, due := w.timer(t); !due || at > w.now || w.thread(t.name) != t {
			continue
		}
		if w.giveUp(t, step) {
			continue
		}
		out := Outcome{Now: w.clockOf(t)}
		switch req := t.next.(type) {
		case Receive:
			out.TimedOut = true
			w.note(step, Note{Actor: t.name, Kind: NoteTimeout, Text: req.Channel})
		case Sleep:
			note := Note{Actor: t.name, Kind: NoteWoke, Text: req.Label, Span: req.For}
			if t.stood { // that was neither work nor sleep
				note.Span = 0
			}
			w.note(step, note)
		}
		w.settle(t, out, step)
	}
}

// giveUp ends the wait of a thread for a reply, if it has one. A node that was asked how
// many replicas have a write answers with those that have.
func (w *World) giveUp(t *thread, step *Step) bool {
	q := t.sent
	if q == nil {
		return false
	}
	if q.missing == InNode {
		w.answerLater(w.server(q.node), q, reply.OfInt(int64(w.reached(q.node, t.wrote[q.node]))), step)
		return true
	}
	w.note(step, Note{Actor: t.name, Kind: NoteNoReply, Text: q.node})
	t.sent = nil
	if q.onOwn() && q.missing != NodePaused { // else the node finds it closed once it has come to the request
		w.hangUps = append(w.hangUps, hangUp{t.name, q.node})
	}
	w.settle(t, Outcome{Now: w.clockOf(t), Reply: reply.OfError("TIMEOUT no reply from " + q.node)}, step)
	return true
}

// timer is when a thread's timer runs out. A thread for which a message has come is no longer waiting for its timer.
func (w *World) timer(t *thread) (Instant, bool) {
	if !w.keeper(t).runs() || t.ended() || t.until == NoDeadline {
		return 0, false
	}
	if r, receiving := t.next.(Receive); receiving && w.letter(t.process, r) >= 0 {
		return 0, false
	}
	return t.until, true
}

// keeper is whose standing still stops a thread's timer: the node in which its request waits, else its own process.
func (w *World) keeper(t *thread) *machine {
	if q := t.sent; q != nil && q.missing == InNode {
		return &w.server(q.node).machine
	}
	return &w.process(t.process).machine
}

// hasRivals tells whether another thread of its process could take the message that a thread waits for.
func (w *World) hasRivals(t *thread) bool {
	return slices.ContainsFunc(w.threads, func(o *thread) bool { return o != t && o.process == t.process && w.goesOn(o) })
}

// nextDue is the earliest instant at which a key expires or a thread wakes, never
// before now and never after the last one.
func (w *World) nextDue() (Instant, bool) {
	due, found := LastInstant, false
	consider := func(at Instant, ok bool) {
		if ok && at <= due {
			due, found = max(at, w.now), true
		}
	}
	for _, s := range w.servers {
		if !s.runs() {
			continue
		}
		if at, ok := s.node.NextDue(); ok {
			consider(at-s.clock, true)
		}
		consider(s.nextSilent())
	}
	for _, t := range w.threads {
		consider(w.timer(t))
	}
	return due, found
}
