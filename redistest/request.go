package redistest

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

// request is what a server performs as a whole: a command, or a transaction. What is not RESP has no
// commands: the server complains about it.
type request struct {
	conn     *wire
	data     []byte
	commands [][]string
	rest     [][]string    // of the pipeline that it is the beginning of: others may come in between
	name     string        // without what differs from run to run, such as random tokens
	sent     time.Duration // when, since the beginning
	arrived  int           // in which round of the run
	number   int           // among those of its connection
	gone     bool          // it was sent before its process was paused
	hangsUp  bool          // it has no commands, and is the end of a connection on which somebody has waited
}

// newRequest is the first of what a process has written at once.
func newRequest(w *wire, data []byte, commands [][]string) *request {
	q := &request{conn: w, data: data, commands: commands}
	if n := undivided(commands); n < len(commands) && bytes.Equal(data, port.Encode(commands...)) {
		q.commands, q.rest = commands[:n:n], commands[n:]
		q.data = port.Encode(q.commands...)
	}
	q.name = nameOf(w, q.commands)
	return q
}

// next is what is left of a pipeline.
func (q *request) next() *request {
	n := newRequest(q.conn, port.Encode(q.rest...), q.rest)
	n.sent, n.arrived, n.number, n.gone = q.sent, q.arrived, q.number, q.gone
	return n
}

// undivided is how many of the commands nothing comes between: a transaction to its end, or one.
func undivided(commands [][]string) int {
	if len(commands) == 0 || !strings.EqualFold(commands[0][0], "MULTI") {
		return min(1, len(commands))
	}
	end := slices.IndexFunc(commands, func(c []string) bool {
		return strings.EqualFold(c[0], "EXEC") || strings.EqualFold(c[0], "DISCARD")
	})
	return max(1, end+1)
}

// greetings are what a client's library sends by itself. They are answered at once, also for programs that send
// them as their work: libraries ping every second, and each would be one more choice.
var greetings = []string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING", "COMMAND", "QUIT", "CLUSTER"}

// others are the words after CLIENT that make it concern other clients, as from TRACKING with BCAST on, what they write is
// told; and those that no library says by itself and the embedded Redis does not know, which is told only of a request.
var others = []string{"KILL", "PAUSE", "UNPAUSE", "UNBLOCK", "LIST", "BCAST", "NO-EVICT", "REPLY"}

// ofClusters are the words after CLUSTER with which libraries learn where keys are.
var ofClusters = []string{"SLOTS", "SHARDS", "KEYSLOT"}

// isGreeting tells whether all of the commands are greetings. What the embedded Redis does not know is none, as it is to be
// told; but of CLIENT, where libraries try what newer servers know.
func isGreeting(commands [][]string) bool {
	for _, c := range commands {
		_, failed := keyspace.Find(c)
		toOthers := func(word string) bool { return slices.Contains(others, strings.ToUpper(word)) }
		switch {
		case !slices.Contains(greetings, strings.ToUpper(c[0])):
			return false
		case strings.EqualFold(c[0], "CLUSTER") && len(c) > 1 && !slices.Contains(ofClusters, strings.ToUpper(c[1])):
			return false
		case strings.EqualFold(c[0], "CLIENT"):
			if slices.ContainsFunc(c[1:], toOthers) {
				return false
			}
		case failed.IsError():
			return false
		}
	}
	return len(commands) > 0
}

// tracks tells whether a command has its connection be told of what it has read, once others change that.
func tracks(c []string) bool {
	return len(c) > 1 && strings.EqualFold(c[0], "CLIENT") && strings.EqualFold(c[1], "TRACKING")
}

// mayWait tells whether the request may wait in its server for its reply.
func (q *request) mayWait() bool {
	if len(q.commands) != 1 {
		return false
	}
	row, failed := keyspace.Find(q.commands[0])
	return !failed.IsError() && row.Is(keyspace.Blocking)
}

// mayChange tells whether the request may change something as soon as it is performed.
func (q *request) mayChange() bool {
	return !q.mayWait() && slices.ContainsFunc(q.commands, func(c []string) bool {
		row, failed := keyspace.Find(c)
		return failed.IsError() || !row.Is(keyspace.ReadOnly)
	})
}

// mayTell are the connections of others who wait or listen, and may be told something once the request is performed.
func (q *request) mayTell() []*wire {
	if !q.mayChange() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(q.conn.server.conns), func(w *wire) bool { return w == q.conn || !w.stays && !w.waits || w.isClosed() })
}

// whoMayMissIt are those of them who may not hear it, though the others do: all, or any one.
func (q *request) whoMayMissIt() (deaf [][]*wire) {
	all := q.mayTell()
	if len(all) > 0 {
		deaf = append(deaf, all)
	}
	for i := range all {
		if len(all) > 1 {
			deaf = append(deaf, all[i:i+1])
		}
	}
	return deaf
}

// isAwaited tells whether its process sees when the reply comes.
func (q *request) isAwaited() bool { return !q.conn.process.paused && !q.conn.isClosed() }

// isHeld tells whether a request cannot be performed for now.
func (q *request) isHeld() bool {
	p := q.conn.process
	return p.paused && !q.gone || p.slow || q.conn.server.silent
}

// outlives tells whether the request may be performed long after the process that has sent it has crashed. Elsewhere it may as
// well be performed before.
func (q *request) outlives(p *Process) bool {
	return q.conn.process == p && q.conn.server.silent && !isGreeting(q.commands)
}

func compareRequests(a, b *request) int {
	return cmp.Or(
		cmp.Compare(a.conn.process.number, b.conn.process.number), cmp.Compare(a.conn.server.name, b.conn.server.name),
		cmp.Compare(a.name, b.name), cmp.Compare(a.conn.number, b.conn.number),
	)
}

// nameOf names a request on a connection by its commands and their keys.
func nameOf(w *wire, commands [][]string) string {
	var b strings.Builder
	b.WriteString(w.process.Name + " " + w.server.name)
	for _, c := range commands {
		b.WriteString(" " + strings.ToUpper(c[0]))
		for _, k := range keyspace.KeysOf(c) {
			b.WriteString(" " + k)
		}
	}
	return b.String()
}

// shown is a request for people, at most so many characters of each argument.
func (q *request) shown() string {
	if len(q.commands) == 0 {
		return "(not RESP)"
	}
	var parts []string
	for _, c := range q.commands {
		parts = append(parts, shown(c))
	}
	return strings.Join(parts, "; ")
}

func shown(command []string) string {
	var args []string
	for _, a := range command {
		args = append(args, shorten(strings.Join(strings.Fields(a), " ")))
	}
	return strings.Join(args, " ")
}

func shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	if text == "" {
		return `""`
	}
	return text
}

// answer is the part of what was said to a request that tells what came of it: of a transaction, the reply to its end. What
// was said before that has one line for each command. Empty: the request waits, as CLIENT PAUSE has a transaction do.
func (q *request) answer(said string) string {
	if len(q.commands) < 2 || !strings.EqualFold(q.commands[0][0], "MULTI") {
		return said
	}
	if lines := strings.SplitAfterN(said, "\r\n", len(q.commands)); len(lines) == len(q.commands) {
		return lines[len(lines)-1]
	}
	return ""
}

// shownReply is a reply for people, at most so many characters of it.
func shownReply(data string) string { return shorten(textOf(data)) }

// textOf is what a reply says; of several elements, how many there are.
func textOf(data string) string {
	line, rest, _ := strings.Cut(data, "\r\n")
	if line == "" {
		return "no reply"
	}
	switch line[0] {
	case '$', '=':
		if line == "$-1" {
			return "nil"
		}
		n, _ := strconv.Atoi(line[1:])
		return cmp.Or(rest[:min(n, len(rest))], `""`)
	case '_':
		return "nil"
	case '*', '~', '>', '%':
		if line == "*-1" {
			return "nil"
		}
		return "[" + line[1:] + "]"
	case '+', '-', ':', ',', '#':
		return strings.TrimPrefix(strings.TrimPrefix(line, "+"), ":")
	}
	return line
}
