package player

import (
	"slices"

	"lockstep/engine/fact"
)

// reserveMemory takes bytes from the memory that all sessions share. When they are not
// available it drops the branches first, those that were left first before others. The browser
// still keeps them.
func (s *Session) reserveMemory(bytes int) error {
	if s.memory.Grow(bytes) {
		return nil
	}
	for len(s.branches) > 0 {
		s.memory.Grow(-s.branches[0].trace.Bytes())
		s.unplayed = append(s.unplayed, s.branches[0].kept)
		s.branches = slices.Delete(s.branches, 0, 1)
		if s.memory.Grow(bytes) {
			return nil
		}
	}
	return fact.Of("memory-full")
}

// draftSize is about what a lesson takes that an author has written.
const draftSize = 512 << 10

// updateMemory records how much memory the session holds after a command.
func (s *Session) updateMemory() {
	n := s.now.trace.Bytes() + s.screen.size()
	for _, b := range s.branches {
		n += b.trace.Bytes()
	}
	if s.runner != nil && s.runner.world != nil {
		n += s.runner.world.Bytes()
	}
	if s.baseline != nil {
		n += s.baseline.bytes()
	}
	if s.follower != nil {
		n += s.follower.Bytes()
	}
	if s.comparison != nil {
		n += s.comparison.bytes()
	}
	if s.lesson != nil && s.isDraft() {
		n += draftSize
	}
	waits := s.waits()
	switch {
	case waits:
		n += waitingSize
	case s.Searches():
		n += searchMemory
	}
	s.memory.Set(n, waits)
}

// waitingSize is about what a search takes that has not looked at any state.
const waitingSize = 1 << 20

// room is the memory of a search or a proof.
type room struct {
	taken  bool
	slices int // that have run in it
}

// enter takes the memory for a search, and tells whether it is there. Otherwise the search waits: most take a second, and more
// at a time would be no quicker.
func (s *Session) enter() bool {
	if !s.room.taken && s.memory.Grow(searchMemory) {
		s.room.taken, s.screen.dirty = true, true
	}
	return s.room.taken
}

// waits tells whether a search has no memory yet.
func (s *Session) waits() bool { return s.Searches() && !s.room.taken }

// fairSlices is how long a search runs while others wait for its memory: five seconds.
const fairSlices = 250

// isFull tells whether a search has to leave its memory to others.
func (s *Session) isFull() bool { return s.room.slices > fairSlices && s.memory.Wanted() }

// size is how many bytes the fragments take. They count twice: as they were sent, and while
// they are under way.
func (c *screen) size() int {
	n := 0
	for _, html := range c.sent {
		n += 2 * len(html)
	}
	for _, html := range c.rows {
		n += 2 * len(html)
	}
	return n
}
