package player

// keep has the session hold so many bytes more, if all sessions together may. The
// ghost is the first to go.
func (s *Session) keep(bytes int) error {
	if s.memory.Grow(bytes) {
		return nil
	}
	if s.ghost != nil {
		s.memory.Grow(-s.ghost.trace.Held())
		s.ghost = nil
		if s.memory.Grow(bytes) {
			return nil
		}
	}
	return fullError{}
}

// fullError is a playground whose sessions hold all that they may.
type fullError struct{}

func (fullError) Error() string {
	return "all visitors together hold as much as this playground has memory for: go back, begin again, or try later"
}

// Zh is the error in Chinese.
func (fullError) Zh() string {
	return "所有访问者占用的内存已达到这个服务的上限：请后退、从头开始，或稍后再试"
}

// draftBytes is about what a lesson takes that an author has written.
const draftBytes = 512 << 10

// weigh says what the session holds, after a command has changed that.
func (s *Session) weigh() {
	n := s.now.trace.Held() + s.screen.held()
	if s.ghost != nil {
		n += s.ghost.trace.Held()
	}
	if s.stage != nil && s.stage.world != nil {
		n += s.stage.world.Held()
	}
	if w := s.beside.world; w != nil {
		n += w.Trace().Held() + w.Held()
	}
	if s.lesson != nil && s.drafted() {
		n += draftBytes
	}
	s.memory.Set(n)
}

// held is how many bytes the fragments have that a client shows. They are there twice:
// as they were sent, and on their way.
func (c *screen) held() int {
	n := 0
	for _, html := range c.sent {
		n += 2 * len(html)
	}
	return n
}
