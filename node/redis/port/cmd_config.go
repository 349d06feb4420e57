package port

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

var configCommands = []command{
	{"config|get", 0, configGet},
	{"config|help", 0, helpOn("config")},
	{"config|resetstat", 0, configResetStat},
	{"config|rewrite", 0, configRewrite},
	{"config|set", 0, configSet},
}

// config is the parameters that CONFIG SET can change.
type config struct {
	password      string // "" admits everybody
	maxMemory     int    // bytes; 0: no limit
	maxClients    int
	clientMemory  int            // bytes of all clients together; 0: no limit
	timeout       int            // seconds until a quiet connection is closed; 0: never
	busyAfter     int            // milliseconds until a script makes the server busy; 0: never
	notifications string         // the letters of notify-keyspace-events
	output        [2]outputLimit // of normal clients, of subscribers
}

func newConfig() config {
	return config{
		maxClients: 10000, clientMemory: 192 << 20, busyAfter: 5000,
		output: [2]outputLimit{{hard: 256 << 20}, {hard: 32 << 20, soft: 8 << 20, seconds: 60}},
	}
}

type setting struct {
	get func(s *Server) string
	set func(c *config, value string) (problem string) // nil: CONFIG SET refuses the parameter
}

func fixed(value string) setting { return setting{get: func(*Server) string { return value }} }

// only is a setting with one value. CONFIG SET refuses any other with the reason why.
func only(value, why string) setting {
	return setting{fixed(value).get, func(_ *config, other string) string {
		if !strings.EqualFold(value, other) {
			return why
		}
		return ""
	}}
}

// number is a setting from low to high. Memory may have a unit.
func number(field func(*config) *int, low, high int64, memory bool) setting {
	return setting{
		func(s *Server) string { return strconv.Itoa(*field(&s.config)) },
		func(c *config, value string) string {
			n, ok := keyspace.ParseInt(value)
			problem := "argument couldn't be parsed into an integer"
			if memory {
				n, ok = parseMemory(value)
				problem = "argument must be a memory value"
			}
			switch {
			case !ok:
				return problem
			case n < low || n > high:
				return fmt.Sprintf("argument must be between %d and %d inclusive", low, high)
			}
			*field(c) = int(n)
			return ""
		},
	}
}

// settings are the parameters that clients use when they connect, and the limits on clients.
var settings = map[string]setting{
	"appendonly":                 only("no", "the embedded Redis keeps nothing on disk"),
	"bind":                       {get: func(s *Server) string { return host(s.address()) }},
	"busy-reply-threshold":       busyReplyThreshold,
	"client-output-buffer-limit": {outputLimits, setOutputLimits},
	"cluster-enabled":            fixed("no"),
	"databases":                  fixed(strconv.Itoa(maxDatabases)),
	"dir":                        fixed("/"),
	"lua-time-limit":             busyReplyThreshold, // its old name
	"maxclients":                 number(func(c *config) *int { return &c.maxClients }, 1, 100_000, false),
	"maxmemory":                  number(func(c *config) *int { return &c.maxMemory }, 0, math.MaxInt64, true),
	"maxmemory-clients":          number(func(c *config) *int { return &c.clientMemory }, 0, math.MaxInt64, true),
	"maxmemory-policy":           only("noeviction", "the embedded Redis evicts nothing: noeviction is its only policy"),
	"notify-keyspace-events":     {func(s *Server) string { return s.config.notifications }, setNotifications},
	"port":                       {get: func(s *Server) string { return port(s.address()) }},
	"proto-max-bulk-len":         fixed(strconv.Itoa(keyspace.MaxText)),
	"requirepass":                {func(s *Server) string { return s.config.password }, setPassword},
	"save":                       only("", "the embedded Redis keeps nothing on disk"),
	"timeout":                    number(func(c *config) *int { return &c.timeout }, 0, 1<<31-1, false),
}

var busyReplyThreshold = number(func(c *config) *int { return &c.busyAfter }, 0, math.MaxInt64, false)

func setPassword(c *config, value string) string {
	c.password = value
	return ""
}

// parseMemory reads a number of bytes with an optional unit: k is 1000, kb is 1024.
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

// eventLetters are the classes of events in the order of Redis. A stands for the first allEvents of them.
const (
	eventLetters = "g$lshzxetdnKE"
	allEvents    = 10
)

func setNotifications(c *config, value string) string {
	value = strings.ReplaceAll(value, "A", eventLetters[:allEvents])
	var classes strings.Builder
	for _, letter := range eventLetters {
		if strings.ContainsRune(value, letter) {
			classes.WriteRune(letter)
		}
	}
	switch {
	case strings.Contains(value, "m"):
		return "the embedded Redis sends no event when a key is missed"
	case strings.Trim(value, eventLetters) != "":
		return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."
	}
	c.notifications = strings.Replace(classes.String(), eventLetters[:allEvents], "A", 1)
	return ""
}

// outputLimit: a client is disconnected above hard bytes, or above soft bytes for `seconds`. 0 means no limit.
type outputLimit struct{ hard, soft, seconds int64 }

// outputLimits are the limits by kind of client. Replicas do not exist here: theirs is Redis's default.
func outputLimits(s *Server) string {
	normal, pubsub := s.config.output[0], s.config.output[1]
	return fmt.Sprintf("normal %d %d %d slave 268435456 67108864 60 pubsub %d %d %d",
		normal.hard, normal.soft, normal.seconds, pubsub.hard, pubsub.soft, pubsub.seconds)
}

func setOutputLimits(c *config, value string) string {
	words := strings.Fields(value)
	if len(words)%4 != 0 {
		return "Wrong number of arguments in buffer limit configuration."
	}
	for ; len(words) > 0; words = words[4:] {
		hard, ok1 := parseMemory(words[1])
		soft, ok2 := parseMemory(words[2])
		seconds, ok3 := keyspace.ParseInt(words[3])
		kind := strings.ToLower(words[0])
		switch {
		case kind == "master" || !isClientKind(kind):
			return "Invalid client class specified in buffer limit configuration."
		case !ok1 || !ok2 || !ok3 || seconds < 0:
			return "Error in hard, soft or soft_seconds setting in buffer limit configuration."
		case kind == "normal":
			c.output[0] = outputLimit{hard, soft, seconds}
		case kind == "pubsub":
			c.output[1] = outputLimit{hard, soft, seconds}
		}
	}
	return ""
}

func configGet(s *Server, c *conn, args []string) {
	found := map[string]bool{}
	for _, pattern := range args[2:] {
		for name := range settings {
			if keyspace.Match(strings.ToLower(pattern), name) {
				found[name] = true
			}
		}
	}
	var pairs []reply.Reply
	for _, name := range slices.Sorted(maps.Keys(found)) {
		pairs = append(pairs, reply.OfBulk(name), reply.OfBulk(settings[name].get(s)))
	}
	c.reply(reply.OfMap(pairs...))
}

// configSet changes all given parameters or none.
func configSet(s *Server, c *conn, args []string) {
	pairs := args[2:]
	if len(pairs)%2 != 0 {
		c.error(syntaxError)
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(pairs); i += 2 {
		name := strings.ToLower(pairs[i])
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
	changed := s.config
	for i := 0; i < len(pairs); i += 2 {
		if problem := settings[strings.ToLower(pairs[i])].set(&changed, pairs[i+1]); problem != "" {
			c.error(configProblem(pairs[i], problem))
			return
		}
	}
	s.config = changed
	s.data.setLimit(int64(changed.maxMemory))
	s.data.setNotifications(changed.notifications)
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
