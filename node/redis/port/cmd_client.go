package port

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

var clientCommands = []command{
	{"client|caching", 0, clientCaching},
	{"client|getname", 0, clientGetName},
	{"client|getredir", 0, func(_ *Server, c *conn, _ []string) { c.reply(reply.OfInt(c.redirection())) }},
	{"client|help", 0, helpOn("client")},
	{"client|id", 0, func(_ *Server, c *conn, _ []string) { c.reply(reply.OfInt(c.id)) }},
	{"client|info", 0, clientInfo},
	{"client|kill", 0, clientKill},
	{"client|list", 0, clientList},
	{"client|pause", 0, clientPause},
	{"client|setinfo", 0, clientSetInfo},
	{"client|setname", 0, clientSetName},
	{"client|tracking", 0, clientTracking},
	{"client|trackinginfo", 0, clientTrackingInfo},
	{"client|unblock", 0, clientUnblock},
	{"client|unpause", 0, clientUnpause},
}

const (
	badClientName = "ERR Client names cannot contain spaces, newlines or special characters."
	syntaxError   = "ERR syntax error"
)

func isClientName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r > '~' })
}

func clientGetName(_ *Server, c *conn, _ []string) {
	if c.name == "" {
		c.reply(reply.Reply{})
		return
	}
	c.reply(reply.OfBulk(c.name))
}

func clientSetName(_ *Server, c *conn, args []string) {
	if !isClientName(args[2]) {
		c.error(badClientName)
		return
	}
	c.name = args[2]
	c.reply(reply.OK)
}

// clientSetInfo takes what Redis 7.2 does: clients send it unasked.
func clientSetInfo(_ *Server, c *conn, args []string) {
	attribute := strings.ToLower(args[2])
	switch {
	case attribute != "lib-name" && attribute != "lib-ver":
		c.error(fmt.Sprintf("ERR Unrecognized option '%s'", args[2]))
	case !isClientName(args[3]):
		c.error(fmt.Sprintf("ERR %s cannot contain spaces, newlines or special characters.", attribute))
	default:
		c.reply(reply.OK)
	}
}

func clientInfo(s *Server, c *conn, _ []string) {
	c.reply(reply.OfVerbatim("txt", s.describe(c)))
}

// kind is the type of client that CLIENT LIST and CLIENT KILL select by.
func (c *conn) kind() string {
	if c.subscriptions() > 0 {
		return "pubsub"
	}
	return "normal"
}

// isClientKind tells whether the name of a kind is known; there are no replicas here.
func isClientKind(kind string) bool {
	return slices.Contains([]string{"normal", "pubsub", "master", "replica", "slave"}, kind)
}

// ofKind means the clients of a kind; nil is an unknown one.
func ofKind(name string) filter {
	if kind := strings.ToLower(name); isClientKind(kind) {
		return func(c *conn) bool { return c.kind() == kind }
	}
	return nil
}

func clientList(s *Server, c *conn, args []string) {
	var chosen []*conn
	switch {
	case len(args) == 4 && strings.EqualFold(args[2], "type"):
		means := ofKind(args[3])
		if means == nil {
			c.error(fmt.Sprintf("ERR Unknown client type '%s'", args[3]))
			return
		}
		chosen = s.choose(means)
	case len(args) >= 4 && strings.EqualFold(args[2], "id"):
		for _, text := range args[3:] {
			id, ok := keyspace.ParseInt(text)
			if !ok {
				c.error("ERR Invalid client ID")
				return
			}
			if other := s.conns[id]; other != nil && !other.onlooker {
				chosen = append(chosen, other)
			}
		}
	case len(args) == 2:
		chosen = s.choose()
	default:
		c.error(syntaxError)
		return
	}
	var list strings.Builder
	for _, other := range chosen {
		list.WriteString(s.describe(other))
	}
	c.reply(reply.OfVerbatim("txt", list.String()))
}

// flagged is the name of something that may be so.
type flagged struct {
	on   bool
	name string
}

func namesOf(all ...flagged) (names []string) {
	for _, f := range all {
		if f.on {
			names = append(names, f.name)
		}
	}
	return names
}

// describe is a client as one line of CLIENT LIST.
func (s *Server) describe(c *conn) string {
	flags := strings.Join(namesOf(
		flagged{c.subscriptions() > 0, "P"}, flagged{c.multi != nil, "x"}, flagged{c.waiting != nil || s.isPostponed(c), "b"},
		flagged{s.mustFail(c), "d"}, flagged{c.ending, "c"}, flagged{c.tracking != nil, "t"},
		flagged{c.tracking != nil && c.tracking.broken, "R"}, flagged{c.tracking != nil && c.tracking.bcast, "B"},
	), "")
	queued := -1
	if c.multi != nil {
		queued = len(c.multi.queue)
	}
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=%d name=%s age=%d idle=%d flags=%s db=%d sub=%d psub=%d ssub=%d multi=%d"+
		" qbuf=%d qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem=%d tot-mem=0 events=r cmd=%s user=default redir=%d resp=%d\n",
		c.id, c.addr, c.laddr, c.id, c.name, seconds(s.clock.wall.Sub(c.created)), seconds(s.clock.wall.Sub(c.lastActive)), cmp.Or(flags, "N"), c.db,
		len(c.channels[plain]), len(c.channels[pattern]), len(c.channels[shard]), queued,
		len(c.in.buf)-c.in.at, c.unsent(), cmp.Or(c.lastCommand, "NULL"), c.redirection(), c.proto)
}

func clientUnblock(s *Server, c *conn, args []string) {
	asError := false
	switch {
	case len(args) > 4:
		c.error(syntaxError)
		return
	case len(args) == 4 && strings.EqualFold(args[3], "error"):
		asError = true
	case len(args) == 4 && !strings.EqualFold(args[3], "timeout"):
		c.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
		return
	}
	id, ok := keyspace.ParseInt(args[2])
	if !ok {
		c.error("ERR value is not an integer or out of range")
		return
	}
	other := s.conns[id]
	if other == nil || other.waiting == nil {
		c.reply(reply.OfInt(0))
		return
	}
	if asError {
		other.error("UNBLOCKED client unblocked via CLIENT UNBLOCK")
		s.unblock(other)
	} else {
		s.timeOut(other)
	}
	c.reply(reply.OfInt(1))
}
