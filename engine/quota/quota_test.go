package quota

import "testing"

func TestWhatOneHoldsOthersCannot(t *testing.T) {
	p := New(100, 10)
	greedy, modest := p.Share(), p.Share()
	for _, step := range []struct {
		s    *Share
		grow int
		ok   bool
	}{
		{greedy, 110, true},
		{greedy, 1, false},
		{modest, 10, true}, // its own
		{modest, 1, false},
		{greedy, -50, true},
		{modest, 51, false},
		{modest, 50, true},
		{greedy, 1, false},
	} {
		if ok := step.s.Grow(step.grow); ok != step.ok {
			t.Fatalf("growing by %d: %t; they hold %d and %d, of the shared %d", step.grow, ok, greedy.held, modest.held, p.used)
		}
	}
	modest.Set(0, false)
	if !greedy.Grow(50) {
		t.Error("what was given back cannot be had")
	}
	greedy.Set(500, false) // it was there before anybody asked
	if greedy.Grow(1) || modest.Grow(11) || !modest.Grow(10) {
		t.Errorf("they hold %d and %d, of the shared %d", greedy.held, modest.held, p.used)
	}
	greedy.Set(0, false)
	modest.Set(0, false)
	if p.used != 0 {
		t.Errorf("nobody holds anything, and %d are used", p.used)
	}
}

func TestWithoutAPoolThereAreNoBounds(t *testing.T) {
	var p *Pool
	s := p.Share()
	if !s.Grow(1 << 40) {
		t.Error("refused")
	}
	s.Set(0, true)
	if s.Wanted() {
		t.Error("somebody waits for what there is")
	}
}

func TestOthersSeeThatOneWaits(t *testing.T) {
	p := New(100, 10)
	one, other := p.Share(), p.Share()
	for _, waits := range []bool{true, true, false, false, true} {
		other.Set(1, waits)
		if one.Wanted() != waits {
			t.Errorf("that one waits is %t, and others are told %t", waits, !waits)
		}
	}
}
