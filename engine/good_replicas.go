package engine

import (
	"encoding/binary"
	"slices"
	"time"
)

// MinReplicas has a node that leads refuse writes while it hears too few replicas: min-replicas-to-write of Redis,
// and min-replicas-max-lag, of which Redis counts whole seconds.
type MinReplicas struct {
	ToWrite int           // 0: it takes writes whatever it hears
	MaxLag  time.Duration // how long a replica still counts of which nothing is heard
}

type heard struct {
	replica string
	silent  Instant // since when nothing of it is heard; NoDeadline: it is heard
}

// until is when a leader counts a replica no more.
func (h heard) until(m MinReplicas) Instant {
	if h.silent == NoDeadline {
		return NoDeadline
	}
	return h.silent + m.MaxLag + time.Second
}

// tooFew tells whether a node leads and hears too few replicas to take a write.
func (s *server) tooFew() bool {
	return s.leader == "" && len(s.hears) < s.min.ToWrite
}

// hear notes which replicas the leaders that count them hear. A replica that is paused or cut off falls silent, even if
// it has another leader meanwhile; the end of a connection is heard unless the way is cut.
func (w *World) hear() {
	for _, l := range w.servers {
		if l.min.ToWrite == 0 {
			continue
		}
		was := l.hears
		l.hears = nil
		if l.crashed || l.leader != "" {
			continue
		}
		for _, r := range w.servers {
			h := heard{r.name, NoDeadline}
			known := slices.IndexFunc(was, func(h heard) bool { return h.replica == r.name })
			follows, reaches := r.leader == l.name && !r.crashed && !r.stale && !r.isSentAll(), !w.isDown(r.name, l.name)
			switch {
			case follows && reaches && !r.paused:
			case known < 0 || reaches && !follows:
				continue
			default:
				if h.silent = was[known].silent; h.silent == NoDeadline {
					h.silent = w.now
				}
				if h.until(l.min) <= w.now {
					continue
				}
			}
			l.hears = append(l.hears, h)
		}
	}
}

// isSentAll tells whether a replica waits for all that its leader holds.
func (s *server) isSentAll() bool { return len(s.queue) > 0 && s.queue[0].Full }

// nextSilent is the earliest instant at which a leader counts a replica no more.
func (s *server) nextSilent() (at Instant, ok bool) {
	for _, h := range s.hears {
		if until := h.until(s.min); until != NoDeadline && (!ok || until < at) {
			at, ok = until, true
		}
	}
	return at, ok
}

// hearsKey appends what tells a search which replicas a leader hears, and since when it does not.
func (s *server) hearsKey(key []byte, now Instant) []byte {
	for _, h := range s.hears {
		key = appendText(append(key, 'h'), h.replica)
		if h.silent != NoDeadline {
			key = binary.AppendVarint(append(key, 's'), int64(now-h.silent))
		}
	}
	return key
}

// hearsLater is what a leader hears, with its instants moved by a span.
func (s *server) hearsLater(by Instant) []heard {
	all := slices.Clone(s.hears)
	for i := range all {
		if all[i].silent != NoDeadline {
			all[i].silent += by
		}
	}
	return all
}
