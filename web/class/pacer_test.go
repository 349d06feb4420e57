package class

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"lockstep/engine/fact"
)

func TestAPacerLetsEachDoTheirShare(t *testing.T) {
	p := &Pacer{Every: time.Second, Burst: 10}
	now := time.Now()
	for _, c := range []struct {
		who   string
		n     int
		after time.Duration
		takes bool
	}{
		{"Ann", 11, 0, false},
		{"Ann", 8, 0, true},
		{"Ann", 3, 0, false},
		{"Bob", 10, 0, true},
		{"Ann", 3, time.Second, true},
		{"Ann", 1, time.Second, false},
		{"Ann", 1, time.Minute, true},
		{"Ann", 9, time.Minute, true},
	} {
		if c.n == 1 && p.Spent(c.who, now.Add(c.after)) == c.takes {
			t.Errorf("%s is told otherwise before", c.who)
		}
		if got := p.TakesMany(c.who, c.n, now.Add(c.after)); got != c.takes {
			t.Errorf("%s, %d after %v: %t", c.who, c.n, c.after, got)
		}
	}
}

// Who has used up their share gets the next part of it after a whole interval, whatever others do meanwhile.
func TestAPacerForgetsOnlyThoseWhoOweNothing(t *testing.T) {
	p := &Pacer{Every: time.Second, Burst: 3}
	now := time.Now()
	p.TakesMany("Ann", 3, now)
	for i := range 10 * MostLearners {
		p.Takes(strconv.Itoa(i), now.Add(time.Duration(i)*time.Microsecond))
	}
	if p.Takes("Ann", now.Add(999*time.Millisecond)) {
		t.Error("a part of the interval is enough")
	}
	if !p.Takes("Ann", now.Add(time.Second)) {
		t.Error("a whole interval is not enough")
	}
	if p.Takes("Bob", now.Add(time.Hour)); len(p.paid) != 1 {
		t.Errorf("%d are remembered, of whom one owes something", len(p.paid))
	}
}

// What one address may store is less than what a store has room for, however many classes and learners it has.
func TestOneAddressDoesNotFillTheStore(t *testing.T) {
	away, err := OpenStore("redis://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { away.Close() })
	rooms := NewRooms(away)
	t.Cleanup(rooms.Close)
	if all := rooms.filled.Burst + int(kept/rooms.filled.Every); all > 130<<20 {
		t.Errorf("%d bytes of one address are kept at a time", all)
	}
	rooms.filled.Every, rooms.filled.Burst = time.Hour, 200 // two events
	send := func(name, address string) string {
		room := &Room{store: away, filled: &rooms.filled, state: *folded(name), changed: make(chan struct{}), pacer: Pacer{Every: eventEvery, Burst: eventBurst}}
		err := room.Send(t.Context(), Event{Kind: At, Who: Hash(name), Place: Place{Lesson: "set-nx"}, Step: 1}, address)
		f, _ := errors.AsType[fact.Fact](err)
		return f.Code
	}
	for i, c := range []struct{ name, address, want string }{
		{"Ann", "192.0.2.1", "class-store"}, // it has come so far
		{"Bob", "192.0.2.1", "class-store"},
		{"Cem", "192.0.2.1", "class-network-slower"},
		{"Cem", "192.0.2.2", "class-store"},
	} {
		if got := send(c.name, c.address); got != c.want {
			t.Errorf("event %d, of %s from %s: %q", i, c.name, c.address, got)
		}
	}
}
