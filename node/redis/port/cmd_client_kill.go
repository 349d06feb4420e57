package port

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// filter tells whether CLIENT LIST or CLIENT KILL means a client.
type filter func(*conn) bool

// choose is the clients that all filters mean, onlookers aside, in the order in which they came.
func (s *Server) choose(filters ...filter) []*conn {
	var chosen []*conn
	for _, id := range slices.Sorted(maps.Keys(s.conns)) {
		if c := s.conns[id]; !c.onlooker && !slices.ContainsFunc(filters, func(means filter) bool { return !means(c) }) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

func clientKill(s *Server, c *conn, args []string) {
	if len(args) == 3 { // CLIENT KILL ip:port
		chosen := s.choose(func(other *conn) bool { return other.addr == args[2] })
		if len(chosen) == 0 {
			c.error("ERR No such client")
			return
		}
		c.reply(reply.OK)
		s.kill(c, chosen...)
		return
	}
	filters, failed := killed(c, args[2:])
	if failed != "" {
		c.error(failed)
		return
	}
	chosen := s.choose(filters...)
	c.reply(reply.OfInt(int64(len(chosen))))
	s.kill(c, chosen...)
}

// kill closes connections, whatever they have yet to read; only the one who asks
// still reads its reply.
func (s *Server) kill(by *conn, chosen ...*conn) {
	for _, c := range chosen {
		c.end()
		if c != by {
			_ = c.net.Close()
		}
	}
}

func killed(me *conn, options []string) (filters []filter, failed string) {
	skipMe := true
	last := map[string]filter{} // by option: the last one counts
	for i := 0; i < len(options); i += 2 {
		if i+1 == len(options) {
			return nil, syntaxError
		}
		value := options[i+1]
		option := strings.ToLower(options[i])
		means := filter(func(*conn) bool { return true })
		switch option {
		case "id":
			id, ok := keyspace.ParseInt(value)
			if !ok || id < 1 {
				return nil, "ERR client-id should be greater than 0"
			}
			means = func(c *conn) bool { return c.id == id }
		case "type":
			if means = ofKind(value); means == nil {
				return nil, fmt.Sprintf("ERR Unknown client type '%s'", value)
			}
		case "addr":
			means = func(c *conn) bool { return c.addr == value }
		case "laddr":
			means = func(c *conn) bool { return c.laddr == value }
		case "user":
			if value != "default" {
				return nil, fmt.Sprintf("ERR No such user '%s'", value)
			}
		case "skipme":
			skipMe = strings.ToLower(value) == "yes"
			if !skipMe && strings.ToLower(value) != "no" {
				return nil, syntaxError
			}
		default:
			return nil, syntaxError
		}
		last[option] = means
	}
	return append(slices.Collect(maps.Values(last)), func(c *conn) bool { return c != me || !skipMe }), ""
}
