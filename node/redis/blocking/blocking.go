package blocking

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// Waiters are the requests that wait in a node, longest first. A copy is independent.
type Waiters struct {
	list []waiter // Invariant: its elements are never changed in place, since copies share them
}

type waiter struct {
	from  engine.Client
	args  []string
	until engine.Instant // by the node's clock, or engine.NoDeadline
}

// Do sends the node a command that does not wait.
type Do func(args []string) (reply.Reply, error)

// Command is the blocking command of an op; false if the op is a script, another command or malformed.
func Command(op engine.Op) (*keyspace.Command, bool) {
	if op.Script != nil || len(op.Args) == 0 || attempts(op.Args) == nil {
		return nil, false
	}
	c, ok := keyspace.Lookup(strings.ToLower(op.Args[0]))
	return c, ok && c.Takes(op.Args)
}

// Exec performs a blocking command at an instant of the node's clock, or lets it wait.
func (w *Waiters) Exec(c *keyspace.Command, op engine.Op, now engine.Instant, do Do) (engine.Result, error) {
	// A client that sends a new request has given up on its last one.
	w.list = slices.DeleteFunc(slices.Clone(w.list), func(o waiter) bool { return o.from == op.From })
	limit, _, failed := c.Timeout(op.Args)
	if failed.IsError() {
		return engine.Result{Reply: failed}, nil
	}
	r, served, err := try(op.Args, do)
	if err != nil || served {
		return engine.Result{Reply: r}, err
	}
	until := engine.NoDeadline
	if limit > 0 {
		until = now + min(limit, engine.MaxSpan)
	}
	w.list = append(w.list, waiter{op.From, op.Args, until})
	return engine.Result{Waits: true}, nil
}

// Serve answers the requests that can be answered now, longest first. After each answer it begins again,
// because a moved item may be what an earlier one waits for.
func (w *Waiters) Serve(do Do) ([]engine.Answer, error) {
	var answers []engine.Answer
	for i := 0; i < len(w.list); {
		waits := w.list[i]
		r, served, err := serve(waits.args, do)
		if err != nil {
			return nil, err
		}
		if !served {
			i++
			continue
		}
		answers = append(answers, engine.Answer{Actor: waits.from.Actor, Reply: r})
		w.list = slices.Delete(slices.Clone(w.list), i, i+1)
		i = 0
	}
	return answers, nil
}

// Advance ends the waits whose time is over, with nil, in the order of their ends.
func (w *Waiters) Advance(now engine.Instant) []engine.Answer {
	var due, rest []waiter
	for _, o := range w.list {
		if o.until != engine.NoDeadline && o.until <= now {
			due = append(due, o)
		} else {
			rest = append(rest, o)
		}
	}
	w.list = rest
	slices.SortStableFunc(due, func(a, b waiter) int { return cmp.Compare(a.until, b.until) })
	var answers []engine.Answer
	for _, o := range due {
		answers = append(answers, engine.Answer{Actor: o.from.Actor})
	}
	return answers
}

// Due is the earliest end of a wait; false: no wait has one.
func (w *Waiters) Due() (first engine.Instant, found bool) {
	for _, o := range w.list {
		if o.until != engine.NoDeadline && (!found || o.until < first) {
			first, found = o.until, true
		}
	}
	return first, found
}

// Shift moves the ends of all waits.
func (w *Waiters) Shift(by time.Duration) {
	w.list = slices.Clone(w.list)
	for i := range w.list {
		if w.list[i].until != engine.NoDeadline {
			w.list[i].until += by
		}
	}
}

// Forget drops the waits of a process without an answer.
func (w *Waiters) Forget(process string) {
	w.list = slices.DeleteFunc(slices.Clone(w.list), func(o waiter) bool { return o.from.Process == process })
}

// End answers all waits of a node that becomes a replica.
func (w *Waiters) End() []engine.Answer {
	var answers []engine.Answer
	for _, o := range w.list {
		answers = append(answers, engine.Answer{
			Actor: o.from.Actor,
			Reply: reply.OfError("UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"),
		})
	}
	w.list = nil
	return answers
}

// View is the waits as snapshots show them.
func (w *Waiters) View() []engine.Wait {
	var waits []engine.Wait
	for _, o := range w.list {
		waits = append(waits, engine.Wait{Actor: o.from.Actor, Keys: keys(o.args), Until: o.until})
	}
	return waits
}

// Digest is a hash of all waits in their order; 0: there are none.
func (w *Waiters) Digest() uint64 {
	if len(w.list) == 0 {
		return 0
	}
	h := fnv.New64a()
	for _, o := range w.list {
		for _, text := range append([]string{o.from.Actor, engine.FormatSpan(o.until)}, o.args...) {
			h.Write([]byte(text))
			h.Write([]byte{0})
		}
	}
	return h.Sum64()
}

// Earlier is the earlier of two optional instants.
func Earlier(a engine.Instant, hasA bool, b engine.Instant, hasB bool) (engine.Instant, bool) {
	if !hasA || hasB && b < a {
		return b, hasB
	}
	return a, true
}

// attempt is a command that does without waiting what a blocking one does for one of its keys.
type attempt struct {
	args []string
	key  string // to be put before the reply; empty: the reply needs none
}

// attempts are the attempts of a blocking command in the order of its keys; nil for XREAD and any other command.
func attempts(args []string) []attempt {
	name := strings.ToLower(args[0])
	last := len(args) - 1
	switch Forms[name].shape {
	case each:
		all := []attempt{} // not nil, though there may be no key
		for _, key := range args[1:max(last, 1)] {
			all = append(all, attempt{[]string{name[1:], key}, key})
		}
		return all
	case moving:
		return []attempt{{args: append([]string{name[1:]}, args[1:max(last, 1)]...)}}
	case counted:
		listed, rest := listedKeys(args)
		if len(listed) == 0 { // a mistake: the command without waiting words the error
			return []attempt{{args: append([]string{name[1:]}, args[min(2, len(args)):]...)}}
		}
		var all []attempt
		for _, key := range listed {
			all = append(all, attempt{args: append([]string{name[1:], "1", key}, rest...)})
		}
		return all
	case streams: // lessons do not wait for streams
	}
	return nil
}

func keys(args []string) []string {
	switch Forms[strings.ToLower(args[0])].shape { //nolint:exhaustive // all others have keys before the timeout
	case moving:
		return args[1:2]
	case counted:
		listed, _ := listedKeys(args)
		return listed
	}
	return args[1 : len(args)-1]
}

// listedKeys splits the arguments behind timeout and number of keys; nil if the number is wrong.
func listedKeys(args []string) (keys, rest []string) {
	if len(args) < 5 {
		return nil, nil
	}
	n, err := strconv.Atoi(args[2])
	if err != nil || n < 1 || n > len(args)-4 {
		return nil, nil
	}
	return args[3 : 3+n], args[3+n:]
}

// try performs a new blocking command, if one of its keys has something. A key of the wrong type is an error.
func try(args []string, do Do) (r reply.Reply, served bool, err error) {
	for _, a := range attempts(args) {
		if r, served, err = a.try(do); served || err != nil {
			break
		}
	}
	return r, served, err
}

// serve performs a waiting command, if one of its keys has something. Unlike try it skips a key of the
// wrong type, which may have the right type again later. Only a move fails: from a list with items to a
// destination of the wrong type.
func serve(args []string, do Do) (reply.Reply, bool, error) {
	for _, a := range attempts(args) {
		r, served, err := a.try(do)
		if r.IsError() {
			var there reply.Reply
			there, err = do([]string{"llen", a.args[1]})
			served = Forms[strings.ToLower(args[0])].shape == moving && there.Int > 0
		}
		if served || err != nil {
			return r, served, err
		}
	}
	return reply.Reply{}, false, nil
}

func (a attempt) try(do Do) (r reply.Reply, served bool, err error) {
	r, err = do(a.args)
	switch {
	case err != nil, r.Kind == reply.Nil, r.Kind == reply.Array && len(r.Elems) == 0:
		return reply.Reply{}, false, err
	case r.IsError(), a.key == "":
		return r, true, nil
	case r.Kind == reply.Array:
		return reply.OfArray(append([]reply.Reply{reply.OfBulk(a.key)}, r.Elems...)...), true, nil
	}
	return reply.OfArray(reply.OfBulk(a.key), r), true, nil
}
