package web

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/web/player"
)

// visitors divides the server among its users, who are known by their addresses: it counts
// their sessions and their running commands.
type visitors struct {
	seats int // for sessions
	turns int // commands that run at a time
	now   func() time.Time
	ended atomic.Int64 // commands and sessions

	mu          sync.Mutex
	byAddress   map[string]*visitor
	seated      int
	running     int
	runningLong int // of those, that may take long
}

// visitor is everybody at one address. It is kept as long as it has a session or a turn.
type visitor struct {
	address string
	seats   []*seat
	running int
	waiting []*turn // in the order in which they came
	account account
	pages   account // of commands without a session
}

func newVisitors(seats, turns int) *visitors {
	return &visitors{seats: seats, turns: turns, now: time.Now, byAddress: map[string]*visitor{}}
}

// visitorAt finds a visitor, or makes one; v.mu is held.
func (v *visitors) visitorAt(address string) *visitor {
	who := v.byAddress[address]
	if who == nil {
		who = &visitor{address: address}
		v.byAddress[address] = who
	}
	return who
}

// forget removes a visitor that has neither sessions nor turns; v.mu is held.
func (v *visitors) forget(who *visitor) {
	if len(who.seats) == 0 && who.running == 0 && len(who.waiting) == 0 && v.byAddress[who.address] == who {
		delete(v.byAddress, who.address)
	}
}

// addressOf is where a request comes from.
func addressOf(r *http.Request) string { return networkOf(r.RemoteAddr) }

// networkOf is an address without its port; for IPv6 the network, since a machine can have
// any number of addresses in it.
func networkOf(remote string) string {
	ip, err := ipOf(remote)
	switch {
	case err != nil:
		return remote
	case ip.Is4():
		return ip.String()
	}
	network, _ := ip.Prefix(64) // an address of IPv6 has more bits
	return network.String()
}

// seat is one session's place.
type seat struct {
	visitor *visitor
	account account
	active  time.Time        // when its learner last did something
	lost    chan player.Code // why it was taken away
}

// idleAfter is how long a session must be idle before somebody else may take its seat.
const idleAfter = time.Minute

// takeSeat takes a seat for a session. When there is none left, one is taken away from a
// session that is idle, or else from a visitor who has more than this one would. nil:
// there is nobody whose seat it could be.
func (v *visitors) takeSeat(address string) *seat {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	who := v.visitorAt(address)
	if v.seated >= v.seats {
		taken, why := v.seatToTake(who, now)
		if taken == nil {
			v.forget(who)
			return nil
		}
		v.removeSeat(taken)
		taken.lost <- why
	}
	s := &seat{visitor: v.visitorAt(address), active: now, lost: make(chan player.Code, 1)}
	s.visitor.seats = append(s.visitor.seats, s)
	v.seated++
	return s
}

// seatToTake is the seat that a visitor may have; v.mu is held. Whoever has most seats gives
// first, and of theirs the one that has been idle for longest.
func (v *visitors) seatToTake(wants *visitor, now time.Time) (found *seat, why player.Code) {
	for _, fair := range []bool{false, true} {
		for _, who := range v.byAddress {
			if fair && len(who.seats) < len(wants.seats)+2 {
				continue
			}
			s := who.longestIdle()
			if s == nil || !fair && now.Sub(s.active) < idleAfter {
				continue
			}
			if found == nil || len(who.seats) > len(found.visitor.seats) || len(who.seats) == len(found.visitor.seats) && s.active.Before(found.active) {
				found = s
			}
		}
		if found != nil {
			if fair {
				return found, player.CodeFull
			}
			return found, player.CodeIdle
		}
	}
	return nil, ""
}

func (who *visitor) longestIdle() *seat {
	if len(who.seats) == 0 {
		return nil
	}
	return slices.MinFunc(who.seats, func(a, b *seat) int { return a.active.Compare(b.active) })
}

// touch records that a session's learner is active.
func (v *visitors) touch(s *seat) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s.active = v.now()
}

// freeSeat gives a seat back, unless it was taken away.
func (v *visitors) freeSeat(s *seat) {
	v.ended.Add(1)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.removeSeat(s)
}

// removeSeat ends a seat; v.mu is held.
func (v *visitors) removeSeat(s *seat) {
	who := s.visitor
	if i := slices.Index(who.seats, s); i >= 0 {
		who.seats = slices.Delete(who.seats, i, i+1)
		v.seated--
	}
	v.forget(who)
}
