package class

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"lockstep/engine/fact"
)

// Bounds of a server; times are real.
const (
	mostRooms = 100                   // classes that are followed at once,
	mostFor   = 50                    // and of these, those that one address was the first to enter
	waits     = 4 * time.Second       // for the next event, before the store is asked whether there still is the class
	pause     = time.Second           // before another try after an error of the store
	gather    = 25 * time.Millisecond // after an event, for those of other learners: each wake draws all pages of the class
	unwatched = 30 * time.Second      // after the last look at a room that nobody watches, before it ends

	eventEvery = 300 * time.Millisecond // of one who takes part
	eventBurst = 20

	// Bytes that the store takes from one address: so many at once, and as many more in the time for which a class is
	// kept. Nobody fills an embedded store alone.
	addressBytes = 64 << 20
)

// Rooms are the classes that are followed on this server.
type Rooms struct {
	store *Store
	ctx   context.Context //nolint:containedctx // of the rooms, which outlive requests
	end   context.CancelFunc

	filled Pacer // the store, in bytes, by addresses

	mu     sync.Mutex
	byCode map[string]*Room
}

// NewRooms follows classes of a store until they are closed.
func NewRooms(s *Store) *Rooms {
	r := &Rooms{store: s, byCode: map[string]*Room{}, filled: Pacer{Every: kept / addressBytes, Burst: addressBytes}}
	r.ctx, r.end = context.WithCancel(context.Background())
	return r
}

// Close ends all rooms.
func (r *Rooms) Close() { r.end() }

// Reach is why the store takes no events; nil: it does.
func (r *Rooms) Reach(ctx context.Context) error { return r.store.takes(ctx) }

// Followed is how many classes this server follows, and how many pages of them are open.
func (r *Rooms) Followed() (classes, pages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, room := range r.byCode {
		room.mu.Lock()
		pages += room.watched
		room.mu.Unlock()
	}
	return len(r.byCode), pages
}

// Open makes a class about a lesson, and the token of its teacher.
func (r *Rooms) Open(ctx context.Context, lesson string) (code, token string, err error) {
	token = NewToken()
	code, err = r.store.open(ctx, Event{Kind: Opened, Who: Hash(token), Place: Place{Lesson: lesson}})
	return code, token, err
}

// Enter is the room of a class for somebody at an address, once it has all events of the store. The error is the fact
// class-none if there is no such class, and server-full if there is no room for one more.
func (r *Rooms) Enter(ctx context.Context, code, address string) (*Room, error) {
	room := r.Find(code)
	if room == nil { // codes that are guessed take no room
		if there, err := r.store.there(ctx, code); err != nil || !there {
			return nil, cmp.Or[error](err, fact.Of("class-none"))
		}
		var err error
		if room, err = r.open(code, address); err != nil {
			return nil, err
		}
	}
	return room, room.caughtUp(ctx)
}

// Find is the room of a class that is followed here, without asking the store; nil: it is not.
func (r *Rooms) Find(code string) *Room {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byCode[code]
}

// open is the room of a class that is there.
func (r *Rooms) open(code, address string) (*Room, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	room := r.byCode[code]
	if room == nil {
		brought := 0
		for _, other := range r.byCode {
			if other.address == address {
				brought++
			}
		}
		if len(r.byCode) >= mostRooms || brought >= mostFor {
			return nil, fact.Of("server-full")
		}
		room = &Room{code: code, address: address, store: r.store, filled: &r.filled, changed: make(chan struct{}), used: time.Now(), pacer: Pacer{Every: eventEvery, Burst: eventBurst}}
		r.byCode[code] = room
		go r.follow(room)
	}
	return room, nil
}

func (r *Rooms) follow(room *Room) {
	for r.ctx.Err() == nil && !room.over() {
		room.step(r.ctx)
	}
	r.mu.Lock()
	delete(r.byCode, room.code)
	r.mu.Unlock()
}

// History is all that happened in a class.
func (r *Rooms) History(ctx context.Context, code string) (all []Event, err error) {
	for after := "0"; ; after = all[len(all)-1].ID {
		events, err := r.store.read(ctx, code, after, -1)
		if err != nil || len(events) == 0 {
			return all, err
		}
		all = append(all, events...)
	}
}

// Room is a class as this server knows it.
type Room struct {
	code    string
	address string // of whoever came first
	store   *Store
	filled  *Pacer

	mu      sync.Mutex
	state   State
	read    bool          // the state has all events that the store had when the room was opened
	gone    bool          // the store has no such class any more
	failed  error         // the store's last error; nil: it answers
	changed chan struct{} // closed and replaced at each change of the fields above
	used    time.Time     // of the last look
	ahead   int64         // milliseconds by which this server's clock is ahead of the store's, as the last event that came told
	watched int           // pages that watch
	pacer   Pacer         // of events, by sender
}

// step takes the next events from the stream, or waits until there are some, wakes those who look, and rests.
func (room *Room) step(ctx context.Context) {
	room.mu.Lock()
	after, wait := room.state.Last, waits
	if !room.read {
		wait = -1 // not at all
	}
	room.mu.Unlock()
	events, err := room.store.read(ctx, room.code, cmp.Or(after, "0"), wait)
	there := len(events) > 0
	if err == nil && !there {
		there, err = room.store.there(ctx, room.code)
	}
	room.mu.Lock()
	wake := len(events) > 0 || !room.read || !there || (err == nil) != (room.failed == nil)
	for _, e := range events {
		room.state.Apply(e)
	}
	if len(events) > 0 && room.read {
		room.ahead = time.Now().UnixMilli() - events[len(events)-1].Time
	}
	room.failed = err
	if err == nil {
		room.read = len(events) == 0 || room.read
		room.gone = !there
	}
	if wake {
		close(room.changed)
		room.changed = make(chan struct{})
	}
	rest := time.Duration(0)
	switch {
	case err != nil:
		rest = pause
	case room.read:
		rest = gather
	}
	room.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-time.After(rest):
	}
}

// over tells whether nobody needs a room any more.
func (room *Room) over() bool {
	room.mu.Lock()
	defer room.mu.Unlock()
	return room.gone || room.watched == 0 && time.Since(room.used) > unwatched
}

// caughtUp waits until all that has happened is known.
func (room *Room) caughtUp(ctx context.Context) error {
	for {
		room.mu.Lock()
		room.used = time.Now()
		read, gone, failed, changed := room.read, room.gone, room.failed, room.changed
		room.mu.Unlock()
		switch {
		case gone:
			return fact.Of("class-none")
		case read:
			return nil
		case failed != nil:
			return failed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Look calls see with the class as it is now; see must not keep it. changed is closed at the next change. The error is the
// reason why there will be none.
func (room *Room) Look(see func(*State)) (changed <-chan struct{}, err error) {
	room.mu.Lock()
	defer room.mu.Unlock()
	room.used = time.Now()
	see(&room.state)
	if room.gone {
		return room.changed, fact.Of("class-none")
	}
	return room.changed, room.failed
}

// Now is the time by the clock of the store, by which events have theirs, in milliseconds since 1970.
func (room *Room) Now() int64 {
	room.mu.Lock()
	defer room.mu.Unlock()
	return time.Now().UnixMilli() - room.ahead
}

// Watch keeps the room from ending until leave is called, once.
func (room *Room) Watch() (leave func()) {
	room.mu.Lock()
	defer room.mu.Unlock()
	room.watched++
	return func() {
		room.mu.Lock()
		defer room.mu.Unlock()
		room.watched--
	}
}

// Send adds an event from an address to the stream. The error is a fact if its sender may not send it now, or the store
// does not take it. The state has it only when it comes back from the stream.
func (room *Room) Send(ctx context.Context, e Event, address string) error {
	var refused error
	if _, err := room.Look(func(s *State) { refused = s.Allow(e) }); err != nil {
		return err
	}
	if refused != nil {
		return refused
	}
	if !room.pacer.Takes(e.Who, time.Now()) {
		return fact.Of("class-slower")
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if !room.filled.TakesMany(address, len(text), time.Now()) {
		return fact.Of("class-network-slower")
	}
	return room.store.add(ctx, room.code, text)
}
