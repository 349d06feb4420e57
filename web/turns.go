package web

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"
)

// maxTurns is how many commands run at a time: one for each processor, since more would only share
// them and hold memory meanwhile, and the two that are kept for others (mayRun).
func maxTurns() int { return min(runtime.GOMAXPROCS(0), 8) + 2 }

// mayRun tells whether a turn is left that a command may have. Commands that may take long leave one to those that do not,
// and those of one visitor leave one more to the others; v.mu is held.
func (v *visitors) mayRun(t *turn) bool {
	return !t.long || v.runningLong < max(v.turns-1, 1) && t.visitor.running < max(v.turns-2, 1)
}

// turn is a command that waits to run, or runs.
type turn struct {
	visitor *visitor
	account *account // of the session, or of all the visitor's pages
	long    bool     // it may take long: it searches, or runs what the learner has written
	granted chan struct{}
	began   time.Time
}

// account is how much time the commands of a visitor or a session have taken recently.
type account struct {
	taken time.Duration
	at    time.Time
}

// halfLife is the time in which the recorded time decays to a half.
const halfLife = 10 * time.Second

// recent is the time taken recently.
func (a *account) recent(now time.Time) time.Duration {
	return time.Duration(float64(a.taken) * math.Exp2(-now.Sub(a.at).Seconds()/halfLife.Seconds()))
}

func (a *account) add(d time.Duration, now time.Time) { a.taken, a.at = a.recent(now)+d, now }

// waitForTurn takes a turn for a session, or for a page that has none, when it is its turn, or
// returns the context's cause. long says that it may take long. done gives the turn back.
func (v *visitors) waitForTurn(ctx context.Context, address string, session *seat, long bool) (done func(), err error) {
	v.mu.Lock()
	who := v.visitorAt(address)
	t := &turn{visitor: who, account: &who.pages, long: long, granted: make(chan struct{})}
	if session != nil {
		t.account = &session.account
	}
	who.waiting = append(who.waiting, t)
	v.grantTurns()
	v.mu.Unlock()
	select {
	case <-t.granted:
		return func() { v.endTurn(t) }, nil
	case <-ctx.Done():
	}
	v.mu.Lock()
	waits := v.remove(t)
	v.mu.Unlock()
	if !waits { // its turn came at the same moment
		v.endTurn(t)
	}
	return nil, context.Cause(ctx)
}

// remove takes a turn out of those that wait, if it is still among them; v.mu is held.
func (v *visitors) remove(t *turn) bool {
	who := t.visitor
	i := slices.Index(who.waiting, t)
	if i < 0 {
		return false
	}
	who.waiting = slices.Delete(who.waiting, i, i+1)
	v.forget(who)
	return true
}

func (v *visitors) endTurn(t *turn) {
	v.ended.Add(1)
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	t.account.add(now.Sub(t.began), now)
	t.visitor.account.add(now.Sub(t.began), now)
	v.running--
	if t.long {
		v.runningLong--
	}
	t.visitor.running--
	v.forget(t.visitor)
	v.grantTurns()
}

// grantTurns lets those run whose turn it is; v.mu is held.
func (v *visitors) grantTurns() {
	for v.running < v.turns {
		now := v.now()
		t := v.nextTurn(now)
		if t == nil {
			return
		}
		v.running++
		if t.long {
			v.runningLong++
		}
		t.visitor.running++
		v.remove(t)
		t.began = now
		close(t.granted)
	}
}

// nextTurn picks the command to run next. Commands that neither search nor run learners' code go first, since
// they are short. Then comes the visitor with the fewest running commands and the least
// recent time, and of their commands one of the session with the least recent time. So
// heavy users wait for light ones, never the other way round.
func (v *visitors) nextTurn(now time.Time) *turn {
	var next *turn
	for _, who := range v.byAddress {
		for _, t := range who.waiting {
			if v.mayRun(t) && (next == nil || t.before(next, now)) {
				next = t
			}
		}
	}
	return next
}

func (t *turn) before(o *turn, now time.Time) bool {
	switch {
	case t.long != o.long:
		return !t.long
	case t.visitor == o.visitor:
		return t.account.recent(now) < o.account.recent(now)
	case t.visitor.running != o.visitor.running:
		return t.visitor.running < o.visitor.running
	}
	return t.visitor.account.recent(now) < o.visitor.account.recent(now)
}
