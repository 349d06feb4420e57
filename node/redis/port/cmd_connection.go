package port

import (
	"crypto/subtle"
	"fmt"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

var connectionCommands = []command{
	{"auth", anyone | whileBusy, auth},
	{"hello", anyone | whileBusy, hello},
	{"host:", anyone | unlisted, refuseBrowser},
	{"ping", listen, ping},
	{"post", anyone | unlisted, refuseBrowser},
	{"reset", anyone | immediate | listen | whileBusy, reset},
	{"select", 0, selectDatabase},
}

// version is the Redis that the server answers like.
const version = "7.0.15"

const wrongPassword = "WRONGPASS invalid username-password pair or user is disabled."

func auth(s *Server, c *conn, args []string) {
	user, password := "default", args[1]
	switch {
	case len(args) > 3:
		c.error("ERR syntax error")
		return
	case len(args) == 3:
		user, password = args[1], args[2]
	case s.config.password == "":
		c.error("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")
		return
	}
	if !s.admits(user, password) {
		c.error(wrongPassword)
		return
	}
	c.authenticated = true
	c.reply(reply.OK)
}

// admits tells whether a user may come in. There is one user, default.
func (s *Server) admits(user, password string) bool {
	return user == "default" && (s.config.password == "" || subtle.ConstantTimeCompare([]byte(password), []byte(s.config.password)) == 1)
}

// hello changes all that it is asked to, or nothing.
func hello(s *Server, c *conn, args []string) {
	proto, name, named := c.proto, "", false
	authenticated := !s.mustAuthenticate(c)
	if len(args) > 1 {
		n, ok := keyspace.ParseInt(args[1])
		switch {
		case !ok:
			c.error("ERR Protocol version is not an integer or out of range")
			return
		case n != resp2 && n != resp3:
			c.error("NOPROTO unsupported protocol version")
			return
		}
		proto = int(n)
	}
	for i := 2; i < len(args); {
		switch more := len(args) - i - 1; {
		case strings.EqualFold(args[i], "auth") && more >= 2:
			if !s.admits(args[i+1], args[i+2]) {
				c.error(wrongPassword)
				return
			}
			authenticated = true
			i += 3
		case strings.EqualFold(args[i], "setname") && more >= 1:
			name, named = args[i+1], true
			if !isClientName(name) {
				c.error(badClientName)
				return
			}
			i += 2
		default:
			c.error(fmt.Sprintf("ERR Syntax error in HELLO option '%s'", args[i]))
			return
		}
	}
	if !authenticated {
		c.error("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time")
		return
	}
	c.authenticated, c.proto = true, proto
	mode := "standalone"
	if s.isMember() {
		mode = "cluster"
	}
	if named {
		c.name = name
	}
	about := []reply.Reply{
		reply.OfBulk("server"), reply.OfBulk("redis"), reply.OfBulk("version"), reply.OfBulk(version),
		reply.OfBulk("proto"), reply.OfInt(int64(proto)), reply.OfBulk("id"), reply.OfInt(c.id), reply.OfBulk("mode"),
	}
	if s.isSentinel() {
		about = append(about, reply.OfBulk("sentinel"))
	} else {
		about = append(about, reply.OfBulk(mode), reply.OfBulk("role"), reply.OfBulk("master"))
	}
	c.reply(reply.OfMap(append(about, reply.OfBulk("modules"), reply.OfArray([]reply.Reply{}...))...))
}

func ping(_ *Server, c *conn, args []string) {
	switch {
	case len(args) > 2:
		c.error("ERR wrong number of arguments for 'ping' command")
	case c.proto == resp2 && c.subscriptions() > 0:
		payload := ""
		if len(args) == 2 {
			payload = args[1]
		}
		c.reply(reply.OfArray(reply.OfBulk("pong"), reply.OfBulk(payload)))
	case len(args) == 2:
		c.reply(reply.OfBulk(args[1]))
	default:
		c.reply(reply.OfStatus("PONG"))
	}
}

// reset makes the connection as it was when it was opened.
func reset(s *Server, c *conn, _ []string) {
	c.multi = nil
	s.unwatch(c)
	s.unsubscribeAll(c)
	s.track(c, nil)
	c.proto, c.db, c.name = resp2, 0, ""
	c.authenticated = s.config.password == ""
	c.reply(reply.OfStatus("RESET"))
}

func selectDatabase(s *Server, c *conn, args []string) {
	n, ok := keyspace.ParseInt(args[1])
	switch {
	case !ok:
		c.error("ERR value is not an integer or out of range")
	case n < 0 || n >= maxDatabases:
		c.error("ERR DB index is out of range")
	case n > 0 && s.isMember():
		c.error("ERR SELECT is not allowed in cluster mode")
	default:
		c.db = int(n)
		c.reply(reply.OK)
	}
}

// refuseBrowser ends a connection on which a web page sends what it can make a
// browser send.
func refuseBrowser(s *Server, c *conn, _ []string) {
	s.log.Warn("a client speaks HTTP: it may be a web page that attacks this server", "addr", c.addr)
	c.end()
}
