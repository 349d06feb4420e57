package proxy

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

// entry is a command of a client, with its reply once that has come.
type entry struct {
	tap  *tap
	kind port.DoneKind
	peer port.Peer // as it was when the command was sent
	args []string
	also [][]string // what EXEC runs
	cut  bool       // some of it is not kept
	size int        // bytes that are kept
	sent time.Time

	answers int           // replies still to come; below 0: unknown until the first comes
	kept    bool          // it has room in the queue
	told    bool          // it is not passed on to the page
	blocks  bool          // it may wait for a key
	waits   bool          // it waits for a key, as the page knows
	unheard bool          // it has no reply, because of CLIENT REPLY
	ran     chan struct{} // closed when it is answered; nil: it was not held

	at     engine.Instant // when the reply came
	answer answer

	again bool      // it has been in mirror.later
	until time.Time // when it leaves mirror.later at the latest
	keys  []string  // see keysOf
}

// doneOf is an entry as a recorder takes it.
func (e *entry) doneOf() port.Done {
	d := port.Done{Kind: e.kind, At: e.at, Client: e.peer, Args: e.args, Queue: e.also, Reply: e.answer.Reply}
	if e.answer.IsError() {
		d.Queue = nil // the transaction was not carried out
	}
	if e.waits && e.kind == port.Ran {
		d.Kind = port.Answered
	}
	return d
}

// mostNamed bounds the keys of a command that are looked at.
const mostNamed = 200

// keysOf are the keys that a command names, those of a transaction included.
func (e *entry) keysOf() []string {
	if e.keys == nil {
		e.keys = []string{}
		for _, args := range e.commands() {
			if len(e.keys) < mostNamed {
				e.keys = append(e.keys, keysIn(args)...)
			}
		}
	}
	return e.keys
}

// keysIn are the keys of a command. Of one that is not known they are its arguments, some of which may be keys.
func keysIn(args []string) []string {
	if isKnown(args) {
		return keyspace.KeysOf(args)
	}
	if n, err := strconv.Atoi(args[min(2, len(args)-1)]); isScript(args) && err == nil && n >= 0 && n <= len(args)-3 {
		return args[3 : 3+n] // FCALL
	}
	return args[1:min(len(args), 10)]
}

func isKnown(args []string) bool {
	_, unknown := keyspace.Find(args)
	return !unknown.IsError()
}

func (e *entry) commands() [][]string {
	if e.also != nil {
		return e.also
	}
	return [][]string{e.args}
}

// touches tells whether a command names one of these keys, or may touch any.
func (e *entry) touches(keys []string) bool {
	return len(e.args) > 0 && slices.Contains(everyKey, strings.ToLower(e.args[0])) ||
		slices.ContainsFunc(e.keysOf(), func(k string) bool { return slices.Contains(keys, k) })
}

// changes tells whether a command may change keys.
func changes(args []string) bool {
	c, unknown := keyspace.Find(args)
	return len(args) > 1 && unknown.IsError() || c != nil && c.Is(keyspace.Write) || isScript(args)
}

func isScript(args []string) bool {
	verb := strings.ToLower(args[0])
	return strings.HasPrefix(verb, "eval") || strings.HasPrefix(verb, "fcall")
}

// now is the time by the clock of the recorder.
func now() engine.Instant { return time.Since(time.UnixMilli(engine.Epoch)) }
