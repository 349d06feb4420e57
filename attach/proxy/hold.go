package proxy

import (
	"time"

	"lockstep/node/redis/port"
)

// oneByOne is for how long a request that is let go is given time to be answered before the next one goes:
// on connections of their own they would overtake each other. One that blocks takes longer.
const oneByOne = 50 * time.Millisecond

// waitsHeld has a request wait on the page if a rule holds it. False: the client has gone meanwhile.
func (t *tap) waitsHeld(e *entry, waits func(letGo <-chan struct{}) bool) bool {
	letGo, ran := make(chan struct{}), make(chan struct{})
	t.mu.Lock()
	t.letGo, t.ran = letGo, ran
	t.mu.Unlock()
	if !t.proxy.recorder.Holds(port.Done{At: now(), Client: e.peer, Args: e.args, Queue: e.also}) {
		t.mu.Lock()
		t.letGo, t.ran = nil, nil
		t.mu.Unlock()
		return true
	}
	e.ran = ran
	return waits(letGo)
}

// letGo has held requests sent on, in this order.
func (p *Proxy) letGo(connections ...int64) {
	for _, id := range connections {
		t := p.tap(id)
		if t == nil {
			continue
		}
		t.mu.Lock()
		letGo, ran := t.letGo, t.ran
		t.letGo, t.ran = nil, nil
		t.mu.Unlock()
		if letGo == nil {
			continue
		}
		close(letGo)
		select {
		case <-ran:
		case <-t.gone:
		case <-time.After(oneByOne):
		}
	}
}
