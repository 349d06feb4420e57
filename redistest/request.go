package redistest

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// request is what one process wrote at once on one connection: a command, or a pipeline. What
// is not RESP has no commands: the server complains about it.
type request struct {
	conn     *wire
	data     []byte
	commands [][]string
	sent     time.Duration // when, since the beginning
}

// greetings are what a client's library sends by itself. They are answered at once: no lock
// depends on when.
var greetings = []string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING", "COMMAND", "QUIT"}

func isGreeting(commands [][]string) bool {
	for _, c := range commands {
		if len(c) == 0 || !slices.Contains(greetings, strings.ToUpper(c[0])) {
			return false
		}
	}
	return len(commands) > 0
}

// name is a request without what differs from run to run, such as random tokens.
func (q *request) name() string {
	var b strings.Builder
	b.WriteString(q.conn.process.Name + " " + q.conn.server.name)
	for _, c := range q.commands {
		b.WriteString(" " + strings.ToUpper(c[0]))
		for _, k := range keysOf(c) {
			b.WriteString(" " + k)
		}
	}
	return b.String()
}

// keyed are the commands that touch the keys of their first arguments and nothing else: how
// many arguments, with -1 for all.
var keyed = map[string]int{
	"GET": 1, "SET": 1, "SETNX": 1, "SETEX": 1, "PSETEX": 1, "GETDEL": 1, "GETEX": 1, "INCR": 1, "DECR": 1, "INCRBY": 1, "DECRBY": 1, "APPEND": 1,
	"DEL": -1, "UNLINK": -1, "EXISTS": -1, "EXPIRE": 1, "PEXPIRE": 1, "TTL": 1, "PTTL": 1, "PERSIST": 1, "TYPE": 1,
	"HSET": 1, "HGET": 1, "HDEL": 1, "HEXISTS": 1, "HINCRBY": 1, "HGETALL": 1, "ZADD": 1, "ZREM": 1, "ZSCORE": 1, "SADD": 1, "SREM": 1, "LPUSH": 1, "RPUSH": 1, "LPOP": 1, "RPOP": 1,
}

// keysOf are the keys of a command that is known to touch no others.
func keysOf(c []string) []string {
	n, ok := keyed[strings.ToUpper(c[0])]
	switch {
	case !ok || len(c) < 2:
		return nil
	case n < 0:
		return c[1:]
	}
	return c[1:2]
}

// commute tells whether two requests of different processes have the same effects in either
// order: they are for different servers, or touch different keys.
func commute(a, b *request) bool {
	if a.conn.server != b.conn.server {
		return true
	}
	for _, c := range a.commands {
		mine := keysOf(c)
		for _, d := range b.commands {
			others := keysOf(d)
			if len(mine) == 0 || len(others) == 0 || slices.ContainsFunc(mine, func(k string) bool { return slices.Contains(others, k) }) {
				return false
			}
		}
	}
	return len(a.commands) > 0 && len(b.commands) > 0
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

// shownReply is what a reply says in one line: its first element, if it has several.
func shownReply(data string) string {
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
		return shorten(rest[:min(n, len(rest))])
	case '_':
		return "nil"
	case '*', '~', '>', '%':
		if line == "*-1" {
			return "nil"
		}
		return "[" + line[1:] + "]"
	case '+', '-', ':', ',', '#':
		return shorten(strings.TrimPrefix(strings.TrimPrefix(line, "+"), ":"))
	}
	return shorten(line)
}
