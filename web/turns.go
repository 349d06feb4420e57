package web

import (
	"context"
	"math"
	"runtime"
	"time"
)

// turnsOfAll is how many commands run at a time: as many as there are processors, since
// more would only share them and hold memory meanwhile, and one more, which nobody takes
// alone who runs code of their own.
func turnsOfAll() int { return min(runtime.GOMAXPROCS(0), 8) + 1 }

// turn is a command that waits to run, or runs.
type turn struct {
	visitor *visitor
	account *account // of the session, or of all the visitor's pages
	own     bool     // it may run what the learner has written
	granted chan struct{}
	began   time.Time
}

// account is how much time somebody's commands have taken lately.
type account struct {
	taken time.Duration
	at    time.Time
}

// half is the time in which half of what was taken is forgotten.
const half = 10 * time.Second

// lately is what was taken lately.
func (a *account) lately(now time.Time) time.Duration {
	return time.Duration(float64(a.taken) * math.Exp2(-now.Sub(a.at).Seconds()/half.Seconds()))
}

func (a *account) add(d time.Duration, now time.Time) { a.taken, a.at = a.lately(now)+d, now }

// wait takes a turn for a session, or for a page that has none, when it is its turn, or
// returns the context's cause. own says that code of the learner's own may run. done gives
// the turn back.
func (v *visitors) wait(ctx context.Context, address string, session *seat, own bool) (done func(), err error) {
	v.mu.Lock()
	who := v.of(address)
	t := &turn{visitor: who, account: &who.pages, own: own, granted: make(chan struct{})}
	if session != nil {
		t.account = &session.account
	}
	who.waiting = append(who.waiting, t)
	v.grant()
	v.mu.Unlock()
	select {
	case <-t.granted:
		return func() { v.done(t) }, nil
	case <-ctx.Done():
	}
	if !v.leave(t) { // its turn came at the same moment
		v.done(t)
	}
	return nil, context.Cause(ctx)
}

// leave stops waiting, and tells whether it still did.
func (v *visitors) leave(t *turn) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.remove(t)
}

// remove takes a turn out of those that wait; v.mu is held.
func (v *visitors) remove(t *turn) bool {
	who := t.visitor
	for i, other := range who.waiting {
		if other == t {
			who.waiting = append(who.waiting[:i:i], who.waiting[i+1:]...)
			v.forget(who)
			return true
		}
	}
	return false
}

func (v *visitors) done(t *turn) {
	v.ended.Add(1)
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	t.account.add(now.Sub(t.began), now)
	t.visitor.account.add(now.Sub(t.began), now)
	v.running--
	t.visitor.running--
	v.forget(t.visitor)
	v.grant()
}

// grant lets those run whose turn it is; v.mu is held.
func (v *visitors) grant() {
	for v.running < v.turns {
		now := v.now()
		t := v.next(now)
		if t == nil {
			return
		}
		v.running++
		t.visitor.running++
		v.remove(t)
		t.began = now
		close(t.granted)
	}
}

// next is the command that runs next: one that runs nobody's own code, if there is any,
// since those are short. Else one of a visitor who runs fewest at the moment and has taken
// least time lately, and among theirs one of a session that has. So who takes much waits
// for those who take little, and never the other way round.
func (v *visitors) next(now time.Time) *turn {
	var next *turn
	for _, who := range v.byAddress {
		for _, t := range who.waiting {
			if t.own && who.running >= v.turns-1 {
				continue
			}
			if next == nil || t.before(next, now) {
				next = t
			}
		}
	}
	return next
}

func (t *turn) before(o *turn, now time.Time) bool {
	switch {
	case t.own != o.own:
		return !t.own
	case t.visitor == o.visitor:
		return t.account.lately(now) < o.account.lately(now)
	case t.visitor.running != o.visitor.running:
		return t.visitor.running < o.visitor.running
	}
	return t.visitor.account.lately(now) < o.visitor.account.lately(now)
}
