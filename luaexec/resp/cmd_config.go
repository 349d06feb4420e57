package resp

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/reply"
	"lockstep/luaexec/keyspace"
)

var configCommands = []command{
	{"config|get", 0, configGet},
	{"config|help", 0, helpOn("config")},
	{"config|resetstat", 0, configResetStat},
	{"config|rewrite", 0, configRewrite},
	{"config|set", 0, configSet},
}

// config is what CONFIG SET can change.
type config struct {
	password   string // "" admits everybody
	maxMemory  int64  // bytes; 0 is no limit
	maxClients int
	timeout    int // seconds that a connection may be quiet; 0 is for ever
	busyAfter  int // milliseconds that a script may run before others are told; 0 is for ever
}

func newConfig() config { return config{maxClients: 10000, busyAfter: 5000} }

// setting is one parameter of CONFIG GET. What clients look at but cannot change
// here has no set.
type setting struct {
	get func(s *Server) string
	set func(s *Server, value string) (problem string)
}

func fixed(value string) setting { return setting{get: func(*Server) string { return value }} }

// settings are the parameters that clients are known to ask for.
var settings = map[string]setting{
	"appendonly":              fixed("no"),
	"bind":                    {get: func(s *Server) string { return host(s.listener.Addr()) }},
	"busy-reply-threshold":    busyReplyThreshold,
	"cluster-enabled":         fixed("no"),
	"databases":               fixed(strconv.Itoa(maxDatabases)),
	"dir":                     fixed("/"),
	"lua-time-limit":          busyReplyThreshold, // its old name
	"maxclients":              {get: func(s *Server) string { return strconv.Itoa(s.config.maxClients) }, set: setMaxClients},
	"maxmemory":               {get: func(s *Server) string { return strconv.FormatInt(s.config.maxMemory, 10) }, set: setMaxMemory},
	"maxmemory-policy":        {get: func(*Server) string { return "noeviction" }, set: setPolicy},
	"notify-keyspace-events":  {get: func(*Server) string { return "" }, set: setNotify},
	"port":                    {get: func(s *Server) string { return port(s.listener.Addr()) }},
	"proto-max-bulk-len":      fixed(strconv.Itoa(keyspace.MaxText)),
	"requirepass":             {get: func(s *Server) string { return s.config.password }, set: setPassword},
	"save":                    fixed(""),
	"slowlog-log-slower-than": fixed("-1"),
	"slowlog-max-len":         fixed("0"),
	"timeout":                 {get: func(s *Server) string { return strconv.Itoa(s.config.timeout) }, set: setTimeout},
}

var busyReplyThreshold = setting{
	get: func(s *Server) string { return strconv.Itoa(s.config.busyAfter) },
	set: func(s *Server, value string) string {
		return setNumber(&s.config.busyAfter, value, 0, math.MaxInt64)
	},
}

func setPassword(s *Server, value string) string {
	s.config.password = value
	return ""
}

// notANumber is Redis's complaint.
const notANumber = "argument couldn't be parsed into an integer"

func setNumber(field *int, value string, low, high int) string {
	n, ok := parseInt(value)
	switch {
	case !ok:
		return notANumber
	case n < int64(low) || n > int64(high):
		return fmt.Sprintf("argument must be between %d and %d inclusive", low, high)
	}
	*field = int(n)
	return ""
}

func setMaxClients(s *Server, value string) string {
	return setNumber(&s.config.maxClients, value, 1, 100_000)
}

func setTimeout(s *Server, value string) string {
	return setNumber(&s.config.timeout, value, 0, 1<<31-1)
}

func setMaxMemory(s *Server, value string) string {
	n, ok := parseMemory(value)
	if !ok {
		return "argument must be a memory value"
	}
	s.config.maxMemory = n
	s.data.setLimit(n)
	return ""
}

// parseMemory reads bytes, possibly with a unit.
func parseMemory(text string) (int64, bool) {
	digits := strings.TrimRight(strings.ToLower(text), "bkmg")
	units := map[string]int64{"": 1, "b": 1, "k": 1000, "kb": 1 << 10, "m": 1e6, "mb": 1 << 20, "g": 1e9, "gb": 1 << 30}
	unit, known := units[strings.ToLower(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || n < 0 || n > 1<<62/unit {
		return 0, false
	}
	return n * unit, true
}

func setPolicy(_ *Server, value string) string {
	if !strings.EqualFold(value, "noeviction") {
		return "the embedded Redis evicts nothing: noeviction is its only policy"
	}
	return ""
}

func setNotify(_ *Server, value string) string {
	if value != "" {
		return "the embedded Redis sends no keyspace events"
	}
	return ""
}

func configGet(s *Server, c *conn, args []string) {
	found := map[string]bool{}
	for _, pattern := range args[2:] {
		for name := range settings {
			if keyspace.Match(lower(pattern), name) {
				found[name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(found))
	c.answer(func(b []byte) []byte {
		b = appendMap(b, c.proto, len(names))
		for _, name := range names {
			b = appendBulk(appendBulk(b, name), settings[name].get(s))
		}
		return b
	})
}

// configSet changes all parameters, or none.
func configSet(s *Server, c *conn, args []string) {
	pairs := args[2:]
	if len(pairs)%2 != 0 {
		c.error(syntaxError)
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(pairs); i += 2 {
		name := lower(pairs[i])
		at, known := settings[name]
		switch {
		case !known:
			c.error(fmt.Sprintf("ERR Unknown option or number of arguments for CONFIG SET - '%s'", pairs[i]))
			return
		case seen[name]:
			c.error(configProblem(pairs[i], "duplicate parameter"))
			return
		case at.set == nil:
			c.error(configProblem(pairs[i], "can't set immutable config"))
			return
		}
		seen[name] = true
	}
	before := s.config
	for i := 0; i < len(pairs); i += 2 {
		if problem := settings[lower(pairs[i])].set(s, pairs[i+1]); problem != "" {
			s.config = before
			s.data.setLimit(before.maxMemory)
			c.error(configProblem(pairs[i], problem))
			return
		}
	}
	c.reply(reply.OK)
}

func configProblem(name, problem string) string {
	return fmt.Sprintf("ERR CONFIG SET failed (possibly related to argument '%s') - %s", name, problem)
}

func configResetStat(s *Server, c *conn, _ []string) {
	s.stats = stats{}
	c.reply(reply.OK)
}

func configRewrite(_ *Server, c *conn, _ []string) {
	c.error("ERR The server is running without a config file")
}
