package class

import (
	"testing"
	"time"
)

// A class is followed as long as somebody looks at it, however long nothing happens there.
func TestARoomIsOverWhenNobodyLooks(t *testing.T) {
	room := &Room{used: time.Now().Add(-time.Hour)}
	leave := room.Watch()
	if room.over() {
		t.Error("a room that somebody looks at is over")
	}
	if leave(); !room.over() {
		t.Error("a room that nobody has looked at for an hour is not over")
	}
	if _, _ = room.Look(func(*State) {}); room.over() {
		t.Error("a room that somebody has just looked at is over")
	}
}
