package proxy

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"lockstep/engine/reply"
	"lockstep/node/redis/port"
)

// tap listens to one connection: it finds the reply of each request. What it cannot follow (MONITOR, a
// replica, a protocol that it does not know) it leaves alone from there on.
type tap struct {
	proxy *Proxy
	to    Upstream  // the node of the server
	peer  port.Peer // as the requests so far make it; the client's side alone writes it

	multi  [][]string // what MULTI has queued; the client's side alone uses it
	inside bool       // MULTI has begun; the same
	partly bool       // multi lacks some of what is queued; the same
	silent silence    // the same

	mu      sync.Mutex
	known   port.Peer // as peer was when the last request was sent
	pending []*entry  // without a reply yet, the oldest first; nil: one that is not kept
	subs    [3]map[string]struct{}
	blind   bool
	ahead   bool          // requests may have been sent that are not among pending yet
	caught  *sync.Cond    // ahead has become false
	letGo   chan struct{} // closed when its held request may go; nil: none is held
	ran     chan struct{} // closed when the request that was held has been answered

	close func()        // hangs up on the client and on the server; may be called again
	gone  chan struct{} // closed by close
}

// mostPending bounds the requests of a connection that wait for replies and are kept, mostAwaited all of them.
const (
	mostPending = 10_000
	mostAwaited = 1_000_000
)

// request takes in a command before its end is sent, and holds it if a rule says so. waits blocks until the command may go;
// nil: a part of it has been sent, so it cannot be held. False: a side has hung up, and the command must not be sent.
func (t *tap) request(q *request, waits func(letGo <-chan struct{}) bool) bool {
	e := t.entryOf(q)
	if waits != nil && t.proxy.recorder.MayHold() && !t.inside && !t.waitsHeld(e, waits) {
		return false
	}
	e.sent = time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = e.peer
	if t.blind {
		return true
	}
	switch q.verb() {
	case "monitor", "sync", "psync":
		t.lose()
		return true
	}
	if e.answers == 0 {
		t.finish(e)
		return true
	}
	switch kept := len(t.pending) < mostPending && t.proxy.queue.keeps(e); {
	case kept:
		e.kept = true
		t.pending = append(t.pending, e)
	case e.answers == 1:
		t.pending = append(t.pending, nil)
		return true
	default: // several replies are counted by an entry
		e.told = true
		t.pending = append(t.pending, e)
	}
	if len(t.pending) > mostAwaited {
		t.lose()
	}
	if e.blocks {
		t.proxy.blocking.Add(1)
	}
	return true
}

// received takes a reply, or a push.
func (t *tap) received(a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blind {
		return
	}
	kind, event := eventOf(a)
	for event != "" && event != "message" && len(t.pending) == 0 && t.ahead {
		t.caught.Wait()
	}
	if event != "" && (a.push || t.subscribed()) {
		t.heard(kind, event, a)
		return
	}
	if a.push {
		return
	}
	for len(t.pending) == 0 && t.ahead {
		t.caught.Wait()
	}
	if len(t.pending) == 0 {
		if !t.blind {
			t.lose()
		}
		return
	}
	e := t.pending[0]
	t.pending[0] = nil
	if t.pending = t.pending[1:]; len(t.pending) == 0 {
		t.pending = nil
	}
	if e != nil {
		e.answer = a
		t.finish(e)
	}
}

// finish hands an entry on, now that all its replies have come.
func (t *tap) finish(e *entry) {
	e.at = now()
	if e.ran != nil {
		close(e.ran)
	}
	if e.blocks {
		t.proxy.blocking.Add(-1)
	}
	if !e.kept && !t.proxy.queue.keeps(e) {
		return
	}
	if e.told {
		t.proxy.queue.leave(e)
		return
	}
	t.proxy.queue.put(e)
}

// lose ends the following of a connection. It goes on unseen.
func (t *tap) lose() {
	t.forgo(t.proxy.queue.drop)
	t.proxy.blind.Add(1)
}

// forgo gives up all requests that wait for replies and stops listening; t.mu is held.
func (t *tap) forgo(giveUp func(*entry)) {
	for _, e := range t.pending {
		if e != nil && e.blocks {
			t.proxy.blocking.Add(-1)
		}
		if e != nil && e.kept {
			giveUp(e)
		}
	}
	t.pending, t.blind = nil, true
}

// kinds are those of subscriptions, in the order of keyspace.SubscriptionKind.
var kinds = []string{"", "p", "s"}

// eventOf tells whether an answer is an event of pub/sub: which, and of which kind of subscription.
func eventOf(a answer) (kind int, event string) {
	if a.Kind != reply.Array || len(a.Elems) < 2 || len(a.Elems) > 4 {
		return 0, ""
	}
	for kind, prefix := range kinds {
		switch event, ok := strings.CutPrefix(a.Elems[0].Str, prefix); {
		case !ok:
		case event == "message", event == "subscribe", event == "unsubscribe":
			return kind, event
		}
	}
	return 0, ""
}

// subscribed tells whether a connection listens, or is about to: then arrays may be events.
func (t *tap) subscribed() bool {
	return len(t.subs[0])+len(t.subs[1])+len(t.subs[2]) > 0 || t.next().listens()
}

// next is the request whose reply comes next; nil: there is none, or it is not kept.
func (t *tap) next() *entry {
	if len(t.pending) == 0 {
		return nil
	}
	return t.pending[0]
}

func (e *entry) listens() bool {
	return e != nil && len(e.args) > 0 && strings.HasSuffix(strings.ToLower(e.args[0]), "subscribe")
}

// heard takes an event. The confirmations of a SUBSCRIBE are its replies.
func (t *tap) heard(kind int, event string, a answer) {
	if event == "message" {
		return
	}
	all, channel := len(t.subs[kind]), a.Elems[1].Str
	if event == "subscribe" {
		if t.subs[kind] == nil {
			t.subs[kind] = map[string]struct{}{}
		}
		t.subs[kind][channel] = struct{}{}
	} else {
		delete(t.subs[kind], channel)
	}
	e := t.next()
	if !e.listens() {
		return
	}
	if e.answers < 0 {
		e.answers = max(all, 1)
	}
	if e.answers--; e.answers <= 0 {
		t.pending = t.pending[1:]
		t.finish(e)
	}
}

// ended tells that a connection has gone.
func (t *tap) ended() {
	t.mu.Lock()
	t.forgo(t.proxy.queue.leave)
	t.mu.Unlock()
	t.proxy.queue.put(&entry{tap: t, kind: port.HungUp, peer: t.peer, at: now()})
}

// awaits tells whether a command that has been sent and not answered touches one of these keys.
func (t *tap) awaits(keys []string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ahead || slices.ContainsFunc(t.pending, func(e *entry) bool { return e != nil && !e.told && e.touches(keys) })
}

// blocked is the oldest request as an entry of the kind Waits, if it has waited for a key since before an instant. Each
// request is told once; nil: there is none.
func (t *tap) blocked(since time.Time) *entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.next()
	if e == nil || !e.blocks || e.waits || e.sent.After(since) {
		return nil
	}
	e.waits = true
	return &entry{tap: t, kind: port.Waits, peer: e.peer, args: e.args, cut: e.cut, at: now()}
}

// who is the client, as others see it.
func (t *tap) who() port.Peer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known
}

// channels are what it listens to, by kind.
func (t *tap) channels() (all [3][]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for kind := range t.subs {
		all[kind] = slices.Sorted(maps.Keys(t.subs[kind]))
	}
	return all
}

// isIdle tells whether no request waits for a reply, but for those that wait for a key.
func (t *tap) isIdle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.ahead && !slices.ContainsFunc(t.pending, func(e *entry) bool { return e == nil || !e.waits && !e.told })
}
