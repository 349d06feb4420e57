package redistest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"lockstep/node/redis/keyspace"
	"lockstep/recording"
)

// check is an invariant.
type check struct {
	name  string
	holds func() error
	end   bool      // it is asked when all processes have ended
	held  bool      // that was so once, in the end
	reads footprint // what it has looked at, in this run and those before
}

// Check adds an invariant: a test of its own that is asked after each step, of which error
// says what is wrong. It may look at data with Do, and remember what it has seen of it.
//
// Requests that have nothing to do with each other are tried in one order only. A check that
// calls Do and also remembers what processes have put into Go variables, one after the other,
// needs Bounds.AllOrders to see all orders.
func (w *World) Check(name string, holds func() error) { w.add(name, holds, false) }

// Eventually adds what must be so once, at the latest when all processes have ended and all leases with
// them. Of a process that has crashed nothing more comes.
func (w *World) Eventually(name string, holds func() error) { w.add(name, holds, true) }

func (w *World) add(name string, holds func() error, end bool) {
	r := w.run
	r.checks = append(r.checks, &check{name: name, holds: holds, end: end, reads: cloned(r.reads, len(r.checks))})
	r.seen.Checks++
}

// examine asks the invariants.
func (r *run) examine(end bool) {
	r.mu.Lock()
	broken := r.broken
	r.mu.Unlock()
	if broken != nil {
		return
	}
	for _, c := range r.checks {
		if c.end != end || c.held {
			continue
		}
		r.trail.begin(c.reads)
		r.set(&r.examined, true)
		err := c.holds()
		r.set(&r.examined, false)
		r.trail.end()
		c.held = end && err == nil
		if err != nil && r.broken == nil {
			r.broken = fmt.Errorf("%s: %w", c.name, err)
		}
		if r.broken != nil && !end { // of those in the end, each has a moment of its own
			return
		}
	}
}

// inTheEnd asks what must be so at the latest when nothing happens any more.
func (r *run) inTheEnd() {
	r.mu.Lock()
	for _, p := range r.processes {
		p.paused = false // a goroutine that has outlived its process, whose longest pause bounds nothing any more
	}
	for _, s := range r.servers {
		s.owes = nil // nor does how long it may hang
	}
	r.mu.Unlock()
	for {
		r.examine(true)
		if _, due := r.untilDue(); r.broken == nil || !due || r.timeStands() {
			return
		}
		r.broken = nil
		r.letTimePass(false, nil)
	}
}

// Do runs a command on a server, outside of any schedule, and returns what it replies: the text, nil, or how
// many elements there are, as in [2].
func (w *World) Do(server string, args ...string) string {
	said := w.ask(server, args...)
	w.run.distrust(said, args)
	return textOf(said)
}

// ask is Do for who expects errors.
func (w *World) ask(server string, args ...string) string {
	s := w.run.serverNow(w.run.answering(server, args))
	said := s.ask(args...)
	if sets(args) {
		s.isSet(args, w.run.prepared)
	}
	if w.run.isExamined() {
		w.run.looks(s, args)
	}
	return said
}

// distrust notes what was said to Do that has it mean nothing. What a program gets, it sees.
func (r *run) distrust(said string, args []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	what, who := strings.Join(args, " "), "an invariant"
	if !r.prepared {
		who = "the scenario"
	}
	switch {
	case changesNothing(args), unknown.MatchString(said):
		r.seen.Unknown[what] = true
	case (said == "" || strings.HasPrefix(said, "-")) && (r.examined || !r.prepared):
		r.seen.Refused[who+" asks "+what+" and gets "+textOf(said)] = true
	}
}

func (r *run) isExamined() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.examined
}

// looks notes whether what an invariant looks at is there.
func (r *run) looks(s *server, args []string) {
	r.seen.Missing["the server "+s.name] = !s.dialed
	for _, key := range keyspace.KeysOf(args) {
		what := "the key " + key + " on " + s.name
		if missing, known := r.seen.Missing[what]; missing || !known {
			r.seen.Missing[what] = !s.had[key] && s.ask("EXISTS", key) == ":0\r\n"
		}
	}
}

// gone is the ttl of a key that is not there.
const gone = -2 * time.Millisecond

// ttl is how long a key stays.
func (s *server) ttl(key string) time.Duration {
	left, err := strconv.Atoi(shownReply(s.ask("PTTL", key)))
	if err != nil {
		return 0
	}
	return time.Duration(left) * time.Millisecond
}

// HasTTL is the invariant that a key, if there, expires some time.
func (w *World) HasTTL(server, key string) {
	r := w.run
	w.Check("no lock without TTL", func() error {
		if w.Do(server, "PTTL", key) == "-1" {
			r.breaks(recording.Expires, server, key, "", 0, "")
			return fmt.Errorf("%s has no TTL", key)
		}
		return nil
	})
}

// breaks notes the rule of a lesson that shows what broke: about the process who from the event number mark on, or about
// nobody in particular. A lesson has no rule for the value of a hash.
func (r *run) breaks(k recording.RuleKind, server, key, value string, mark int, who string) {
	if strings.HasPrefix(value, "*") { // a hash, which a lesson's rule cannot compare
		return
	}
	r.rule = &recording.Rule{Kind: k, Server: r.answering(server, []string{"GET", key}), Key: key, Value: value}
	r.markAt, r.markOf = mark, who
}

// somebody is the holder of a key that no process has made, but the scenario.
const somebody = "somebody who had it before the first step"

// notes notes who has made the value of a key, nobody if it was there before the first step. Of what CLIENT PAUSE had held up
// that may not be known.
func (r *run) notes(holders map[string]string, value, by string) {
	if value != "nil" && (by != "" || len(r.steps) == 0) {
		holders[value] = by
	}
}

// token is what tells whose a key is: its text, or a hash as a whole.
func (w *World) token(server, key string) (string, error) {
	is := w.ask(server, "GET", key)
	if !strings.HasPrefix(is, "-WRONGTYPE") {
		return textOf(is), nil
	}
	fields := w.run.serverNow(w.run.answering(server, []string{"GET", key})).ask("HGETALL", key)
	if strings.HasPrefix(fields, "-") {
		return "", fmt.Errorf("%s is neither a string nor a hash, and does not tell whose it is", key)
	}
	return fields, nil
}

// ReleasedByItsHolder is the invariant that a key is deleted or replaced, before it expires,
// only by the process that has made it. Its value is the holder's token, or a hash that nobody else
// changes: of a counter, each INCR would count as a replacement.
func (w *World) ReleasedByItsHolder(server, key string) {
	r := w.run
	holders, value, since := map[string]string{}, "nil", 0
	w.Check("released by its holder", func() error {
		is, err := w.token(server, key)
		again := is == value && r.serverNow(r.answering(server, []string{"GET", key})).given.has(key+"\x00"+is)
		if err != nil || is == value && !again {
			return err
		}
		was, by := value, r.performer // nobody, when time has passed or a replica has taken over
		value = is
		if holder, known := holders[was]; known && by != "" && by != holder {
			if !again { // else a lesson would see no difference
				r.breaks(recording.Released, server, key, was, since, holder)
			}
			return fmt.Errorf("%s took away the %s of %s", by, key, cmp.Or(holder, somebody))
		}
		r.notes(holders, is, by)
		since = r.afterRequest()
		return nil
	})
}

// RenewedByItsHolder is the invariant that a key, whose value is its holder's token, gets a longer lease
// only from the process that has made it.
func (w *World) RenewedByItsHolder(server, key string) {
	r := w.run
	holders, value, lease := map[string]string{}, "nil", 0
	w.Check("renewed by its holder", func() error {
		is, err := w.token(server, key)
		if err != nil {
			return err
		}
		left, err := strconv.Atoi(w.Do(server, "PTTL", key))
		if err != nil {
			return errors.New("PTTL gives no number")
		}
		if left == -1 {
			left = math.MaxInt
		}
		by := r.performer // nobody, when time has passed or a replica has taken over
		renewed := is == value && left > lease
		if is != value {
			r.notes(holders, is, by)
		}
		value, lease = is, left
		if holder, known := holders[is]; known && renewed && by != "" && by != holder {
			r.breaks(recording.Renewed, server, key, "", r.afterRequest(), by)
			return fmt.Errorf("%s renewed the %s of %s", by, key, cmp.Or(holder, somebody))
		}
		return nil
	})
}
