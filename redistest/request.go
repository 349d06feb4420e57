package redistest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/node/redis/keyspace"
)

// request is what one process wrote at once on one connection: a command, or a pipeline. What
// is not RESP has no commands: the server complains about it.
type request struct {
	conn     *wire
	data     []byte
	commands [][]string
	name     string        // without what differs from run to run, such as random tokens
	sent     time.Duration // when, since the beginning
	arrived  int           // in which round of the run
}

// greetings are what a client's library sends by itself. They are answered at once: no lock
// depends on when.
var greetings = []string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING", "COMMAND", "QUIT", "CLUSTER"}

// others are the subcommands of CLIENT that concern other clients.
var others = []string{"KILL", "PAUSE", "UNPAUSE", "UNBLOCK", "LIST"}

func isGreeting(commands [][]string) bool {
	for _, c := range commands {
		if !slices.Contains(greetings, strings.ToUpper(c[0])) || len(c) > 1 && strings.EqualFold(c[0], "CLIENT") && slices.Contains(others, strings.ToUpper(c[1])) {
			return false
		}
	}
	return len(commands) > 0
}

// isHeld tells whether a request cannot be performed for now.
func (q *request) isHeld() bool {
	p := q.conn.process
	return p.paused || p.slow || q.conn.server.silent
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
		var args []string
		for _, a := range c {
			args = append(args, shorten(strings.Join(strings.Fields(a), " ")))
		}
		parts = append(parts, strings.Join(args, " "))
	}
	return strings.Join(parts, "; ")
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
