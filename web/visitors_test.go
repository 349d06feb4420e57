package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"lockstep/web/player"
)

// clocked is visitors with a clock that tests move.
func clocked(seats, turns int) (*visitors, *time.Time) {
	now := time.Unix(0, 0)
	v := newVisitors(seats, turns)
	v.now = func() time.Time { return now }
	return v, &now
}

func TestSeatsAreSharedByAddress(t *testing.T) {
	v, now := clocked(8, 2)
	var greedy []*seat
	for range 8 {
		greedy = append(greedy, v.takeSeat("greedy"))
		*now = now.Add(time.Second)
	}
	if v.takeSeat("greedy") != nil {
		t.Fatal("a visitor takes a ninth seat of eight")
	}
	for n := range 3 {
		if v.takeSeat("modest") == nil {
			t.Fatalf("after %d seats there is none left for somebody else", n)
		}
	}
	for i, s := range greedy[:3] {
		if why := <-s.lost; why != player.CodeFull {
			t.Errorf("seat %d is lost, %q: the first to be given are those where nothing happens for longest", i, why)
		}
	}
	third := v.takeSeat("third")
	if third == nil || len(greedy[3].lost) != 1 {
		t.Error("a third visitor has no seat")
	}
	if v.takeSeat("modest") != nil {
		t.Error("a visitor takes as many as the greediest has")
	}
	v.freeSeat(third)
	if s := v.takeSeat("greedy"); s == nil {
		t.Error("a seat that was given back cannot be had")
	}
	if v.seated != 8 {
		t.Errorf("%d are seated", v.seated)
	}
}

// Behind a proxy all visitors have one address.
func TestIdleSeatsAreGivenAway(t *testing.T) {
	v, now := clocked(3, 2)
	a, b, c := v.takeSeat("all"), v.takeSeat("all"), v.takeSeat("all")
	*now = now.Add(10 * time.Second)
	v.touch(c)
	*now = now.Add(40 * time.Second)
	v.touch(a)
	*now = now.Add(9 * time.Second)
	if v.takeSeat("all") != nil {
		t.Fatal("a seat is taken away before its time")
	}
	*now = now.Add(15 * time.Second)
	for _, loses := range []*seat{b, c} {
		if v.takeSeat("all") == nil {
			t.Fatal("nobody loses an idle seat")
		}
		if why := <-loses.lost; why != player.CodeIdle {
			t.Errorf("the reason is %q", why)
		}
	}
	if v.takeSeat("all") != nil || len(a.lost) != 0 {
		t.Error("a seat is taken away that is used")
	}
	v.freeSeat(b) // ends late, and takes nobody's place with it
	if v.seated != 3 {
		t.Errorf("%d are seated", v.seated)
	}
}

func TestNothingIsKeptOfVisitorsWhoHaveLeft(t *testing.T) {
	v, _ := clocked(3, 2)
	s := v.takeSeat("one")
	done, err := v.waitForTurn(t.Context(), "two", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	done()
	v.freeSeat(s)
	v.freeSeat(s)
	if len(v.byAddress) != 0 {
		t.Errorf("there are %d", len(v.byAddress))
	}
}

func TestAddresses(t *testing.T) {
	for remote, want := range map[string]string{
		"10.1.2.3:4567": "10.1.2.3", "[::ffff:10.1.2.3]:1": "10.1.2.3",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64", "[2001:db8:1:2:ffff::1]:80": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80": "fe80::/64", "@": "@",
	} {
		if got := addressOf(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s is %s, want %s", remote, got, want)
		}
	}
}

// ran has a command take some time.
func ran(t *testing.T, v *visitors, now *time.Time, address string, session *seat, takes time.Duration) {
	t.Helper()
	done, err := v.waitForTurn(t.Context(), address, session, true)
	if err != nil {
		t.Fatal(err)
	}
	*now = now.Add(takes)
	done()
}

// queued has commands wait for their turns, and tells in which order they have them.
func queued(t *testing.T, v *visitors, release func(), names []string, wait func(name string) (func(), error)) (order []string) {
	t.Helper()
	waiting := func() (n int) {
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, who := range v.byAddress {
			n += len(who.waiting)
		}
		return n
	}
	took := make(chan string)
	for i, name := range names {
		go func() {
			done, err := wait(name)
			if err != nil {
				t.Error(err)
			}
			took <- name
			done()
		}()
		for waiting() <= i {
			runtime.Gosched()
		}
	}
	release()
	for range names {
		order = append(order, <-took)
	}
	return order
}

func TestWhoTakesLittleGoesFirst(t *testing.T) {
	v, now := clocked(9, 4)
	ran(t, v, now, "greedy", v.takeSeat("greedy"), 4*time.Second)
	ran(t, v, now, "modest", v.takeSeat("modest"), time.Second)
	block := func() func() {
		var all []func()
		for _, address := range []string{"x", "x", "y"} {
			done, err := v.waitForTurn(t.Context(), address, nil, true)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, done)
		}
		return all[2] // one turn is left for the others
	}
	release := block()
	order := queued(t, v, release, []string{"greedy", "modest", "other"}, func(name string) (func(), error) { return v.waitForTurn(t.Context(), name, nil, true) })
	if want := []string{"other", "modest", "greedy"}; !slices.Equal(order, want) {
		t.Errorf("the turns go to %v, want %v", order, want)
	}
}

func TestASessionThatTakesMuchWaitsForOthersOfItsAddress(t *testing.T) {
	v, now := clocked(9, 2)
	slow, quick, was := v.takeSeat("all"), v.takeSeat("all"), v.takeSeat("all")
	ran(t, v, now, "all", was, 20*time.Second)
	*now = now.Add(5 * halfLife)
	ran(t, v, now, "all", slow, 2*time.Second)
	ran(t, v, now, "all", quick, time.Millisecond)
	seats := map[string]*seat{"slow": slow, "quick": quick, "was slow": was, "page": nil}
	release, err := v.waitForTurn(t.Context(), "all", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	order := queued(t, v, release, []string{"slow", "was slow", "page", "quick"}, func(name string) (func(), error) { return v.waitForTurn(t.Context(), "all", seats[name], true) })
	if want := []string{"page", "quick", "was slow", "slow"}; !slices.Equal(order, want) {
		t.Errorf("the turns go to %v, want %v", order, want)
	}
}

// Commands of lessons as they are take milliseconds, and need not wait for others.
func TestLessonsAsTheyAreGoBeforeEdits(t *testing.T) {
	v, now := clocked(9, 3)
	s := v.takeSeat("all")
	ran(t, v, now, "all", s, time.Second)
	for _, long := range []bool{true, false} {
		if _, err := v.waitForTurn(t.Context(), "all", nil, long); err != nil {
			t.Fatal(err)
		}
	}
	done, err := v.waitForTurn(t.Context(), "all", s, false) // the last turn is for such
	if err != nil {
		t.Fatal(err)
	}
	order := queued(t, v, done, []string{"edits of others", "as it is"}, func(name string) (func(), error) {
		if name == "as it is" {
			return v.waitForTurn(t.Context(), "all", s, false)
		}
		return v.waitForTurn(t.Context(), "others", nil, true)
	})
	if order[0] != "as it is" {
		t.Errorf("the turns go to %v", order)
	}
}

// One turn is for others, however many one visitor asks for, and one for what is short, however many visitors ask.
func TestNobodyTakesAllTurns(t *testing.T) {
	v, _ := clocked(1, 4)
	for range 2 {
		if _, err := v.waitForTurn(t.Context(), "greedy", nil, true); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := v.waitForTurn(ended, "greedy", nil, true); err == nil {
		t.Error("it has a third of four")
	}
	if _, err := v.waitForTurn(t.Context(), "modest", nil, true); err != nil {
		t.Error(err)
	}
	if _, err := v.waitForTurn(ended, "accomplice", nil, true); err == nil {
		t.Error("edits have all turns")
	}
	if _, err := v.waitForTurn(t.Context(), "as it is", nil, false); err != nil {
		t.Error(err)
	}
}

func TestWhoLeavesTakesNoTurn(t *testing.T) {
	v, _ := clocked(1, 2)
	done, err := v.waitForTurn(t.Context(), "one", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	leaving, leave := context.WithCancelCause(t.Context())
	left := errors.New("left")
	leave(left)
	if _, err := v.waitForTurn(leaving, "one", nil, true); !errors.Is(err, left) {
		t.Errorf("got %v", err)
	}
	done()
	if v.running != 0 || len(v.byAddress) != 0 {
		t.Errorf("%d run for %d visitors", v.running, len(v.byAddress))
	}
}

// A server that hangs is waited for by many, and all others go on.
func TestWhoWaitsForAServerKeepsNobodyElseWaiting(t *testing.T) {
	s, err := NewServer(&player.Playground{Catalog: player.NewCatalog(nil)}, 1, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range turnsOnServers {
		if _, err := s.takeTurn(t.Context(), fmt.Sprint(i), nil, false, true); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.takeTurn(ended, "late", nil, true, true); err == nil {
		t.Error("more wait for servers than may")
	}
	done, err := s.takeTurn(t.Context(), "embedded", s.visitors.takeSeat("embedded"), true, false)
	if err != nil {
		t.Fatal(err)
	}
	done()
}
