package proxy

import (
	"slices"
	"sync"
	"sync/atomic"

	"lockstep/node/redis/port"
)

// The bounds of what waits to be told. Beyond them it is dropped, and counted: the stream goes on.
const (
	mostQueued = 8192
	mostHeld   = 32 << 20 // bytes of all requests and replies that are kept
)

// queue has what clients did and nobody has told the page yet, in the order in which replies came.
type queue struct {
	mu      sync.Mutex
	all     []*entry
	taken   bool // one of them is being told
	later   int  // that were taken and have not been told yet
	wake    chan struct{}
	bytes   atomic.Int64 // of all entries, those without a reply included
	dropped atomic.Int64
}

// keeps takes the room of an entry; false: there is none.
func (q *queue) keeps(e *entry) bool {
	e.size += 400 // what it costs besides its texts, as measured
	if q.bytes.Add(int64(e.size)) <= mostHeld {
		return true
	}
	q.drop(e)
	return false
}

// drop gives an entry's room back, and counts it.
func (q *queue) drop(e *entry) {
	q.leave(e)
	q.dropped.Add(1)
}

func (q *queue) leave(e *entry) { q.bytes.Add(-int64(e.size)) }

func (q *queue) put(e *entry) {
	q.mu.Lock()
	room := len(q.all) < mostQueued || e.kind == port.HungUp
	if room {
		q.all = append(q.all, e)
	}
	q.mu.Unlock()
	if !room {
		q.drop(e)
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take is the first one; nil: there is none.
func (q *queue) take() *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.taken = len(q.all) > 0; !q.taken {
		return nil
	}
	e := q.all[0]
	q.all[0] = nil
	if q.all = q.all[1:]; len(q.all) == 0 {
		q.all = nil
	}
	return e
}

// postpone counts those that wait for others.
func (q *queue) postpone(by int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.later += by
}

func (q *queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all) == 0 && !q.taken && q.later == 0
}

// touches tells whether one of those that wait touches one of these keys.
func (q *queue) touches(keys []string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.all, func(e *entry) bool { return e.kind != port.HungUp && e.touches(keys) })
}
