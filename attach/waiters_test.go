package attach

import (
	"testing"
	"time"
)

// Who asks again waits for as long as one who has just come.
func TestWhoAsksAgainWaitsOn(t *testing.T) {
	l := newLocks()
	l.asks("lock", "b", 0)
	l.asks("lock", "b", 8*time.Second)
	if l.giveUp(15 * time.Second); len(l.wanted()) != 1 {
		t.Error("it has given up 7 s after it asked again")
	}
	if l.giveUp(19 * time.Second); len(l.wanted()) != 0 {
		t.Error("it waits 11 s after it asked last")
	}
}
