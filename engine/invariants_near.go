package engine

import "slices"

// outsiderSends tells whether somebody sends a request while others, and not it, are
// inside a section.
func outsiderSends(before *Snapshot, s *Step) bool {
	return outsider(before, s, func(string) bool { return true })
}

// outsiderSendsToLock is the same of a section whose key exists.
func outsiderSendsToLock(before *Snapshot, s *Step) bool { return outsider(before, s, before.Exists) }

func outsider(before *Snapshot, s *Step, counts func(section string) bool) bool {
	_, sends := s.Request.(Exec)
	return sends && slices.ContainsFunc(before.Held, func(h Holding) bool {
		return !slices.Contains(h.Actors, Root(s.Choice.Target)) && counts(h.Section)
	})
}

func lockExists(_ *Snapshot, s *Step) bool {
	exists := func(h Holding) bool { return s.After.Exists(h.Section) }
	return slices.ContainsFunc(s.After.Held, exists) || slices.ContainsFunc(s.After.Wanted, exists)
}

func awaitedIsEntered(before *Snapshot, s *Step) bool {
	return slices.ContainsFunc(s.Notes, func(n Note) bool {
		return n.Kind == NoteEnter && slices.ContainsFunc(before.Wanted, func(h Holding) bool {
			return h.Section == n.Text && (len(h.Actors) > 1 || h.Actors[0] != n.Actor)
		})
	})
}

func somebodyWaits(_ *Snapshot, s *Step) bool {
	return slices.ContainsFunc(s.After.Actors, func(a ActorState) bool { return a.Status == Waiting || a.Status == Blocked })
}

func wantedInVain(before *Snapshot, s *Step) bool {
	return s.Choice.Kind == Tick && slices.ContainsFunc(before.Wanted, func(h Holding) bool {
		return slices.ContainsFunc(h.Actors, before.waits)
	})
}

func (s *Snapshot) waits(actor string) bool {
	a, ok := s.Actor(actor)
	return ok && a.Status == Waiting
}
