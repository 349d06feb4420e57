package port

import (
	"fmt"
	"net"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

type monitored struct{ name, addr string }

var sentinelCommand = command{name: "sentinel", flags: unlisted, run: sentinel}

// Monitor makes the server the only sentinel of a master, or tells it who that is now. It is for servers
// that do not serve yet. All other commands it takes as before, though a sentinel knows no data.
func (s *Server) Monitor(name, addr string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.master = monitored{name, addr}
}

func (s *Server) isSentinel() bool { return s.master.name != "" }

// Switched is the message of +switch-master.
func Switched(name, from, to string) string {
	oldHost, oldPort, _ := net.SplitHostPort(from)
	host, port, _ := net.SplitHostPort(to)
	return fmt.Sprintf("%s %s %s %s %s", name, oldHost, oldPort, host, port)
}

// sentinel answers what clients ask who look for a master. Another name of one is no master.
func sentinel(s *Server, c *conn, args []string) {
	if len(args) < 2 {
		c.error("ERR wrong number of arguments for 'sentinel' command")
		return
	}
	sub := strings.ToLower(args[1])
	switch {
	case sub != "get-master-addr-by-name" && sub != "sentinels":
		c.error(fmt.Sprintf("ERR unknown subcommand '%s'. Try SENTINEL HELP.", args[1]))
	case len(args) != 3:
		c.error(fmt.Sprintf("ERR wrong number of arguments for 'sentinel|%s' command", sub))
	case sub == "sentinels" && args[2] != s.master.name:
		c.error("ERR No such master with that name")
	case sub == "sentinels":
		c.reply(reply.OfArray([]reply.Reply{}...))
	case args[2] != s.master.name:
		c.append(func(b []byte) []byte { return appendNil(b, c.proto, '*') })
	default:
		host, port, _ := net.SplitHostPort(s.master.addr)
		c.reply(reply.OfArray(reply.OfBulk(host), reply.OfBulk(port)))
	}
}

// Snapshot is all databases of a server as they were once.
type Snapshot [maxDatabases]*keyspace.Keyspace

// Snapshot is the databases as they are now.
func (s *Server) Snapshot() *Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.update()
	now := new(Snapshot)
	for db := range now {
		now[db] = s.data.at(db).Fork()
	}
	return now
}

// Restore has the databases be as a snapshot is, of which there may be several. It is for servers
// that have no clients yet.
func (s *Server) Restore(from *Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.data.channels()
	for db, was := range from {
		k := was.Fork()
		k.ShareChannels(own)
		k.SetObserver(observer{s, db})
		s.data.keys[db] = k
	}
}
