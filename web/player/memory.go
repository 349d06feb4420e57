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
	if s.searching.running() || s.proof.runs() {
		n += searchMemory
	}
	s.memory.Set(n)
}

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
