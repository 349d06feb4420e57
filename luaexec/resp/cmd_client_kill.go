package resp

import (
	"fmt"
	"maps"
	"slices"

	"lockstep/engine/reply"
)

// killing is which clients CLIENT KILL means; the zero value of a field means any.
type killing struct {
	id                int64
	addr, laddr, kind string
	me                bool // the caller as well
}

func (k killing) means(c *conn) bool {
	return (k.id == 0 || k.id == c.id) && (k.addr == "" || k.addr == c.addr) && (k.laddr == "" || k.laddr == c.laddr) &&
		(k.kind == "" || k.kind == c.kind())
}

func clientKill(s *Server, c *conn, args []string) {
	old := len(args) == 3 // CLIENT KILL ip:port
	k := killing{me: old}
	if old {
		k.addr = args[2]
	} else if failed := k.parse(args[2:]); failed != "" {
		c.error(failed)
		return
	}
	killed := 0
	for _, id := range slices.Sorted(maps.Keys(s.conns)) {
		other := s.conns[id]
		if !k.means(other) || other == c && !k.me {
			continue
		}
		killed++
		if other != c {
			s.kill(other)
		}
	}
	switch {
	case old && killed == 0:
		c.error("ERR No such client")
		return
	case old:
		c.reply(reply.OK)
	default:
		c.reply(reply.OfInt(int64(killed)))
	}
	if k.me && k.means(c) {
		c.end()
	}
}

func (k *killing) parse(options []string) (failed string) {
	if len(options)%2 != 0 {
		return syntaxError
	}
	for i := 0; i < len(options); i += 2 {
		value := options[i+1]
		switch lower(options[i]) {
		case "id":
			id, ok := parseInt(value)
			if !ok || id < 1 {
				return "ERR client-id should be greater than 0"
			}
			k.id = id
		case "type":
			k.kind = lower(value)
			if !isClientKind(k.kind) {
				return fmt.Sprintf("ERR Unknown client type '%s'", value)
			}
		case "addr":
			k.addr = value
		case "laddr":
			k.laddr = value
		case "user":
			if value != "default" {
				return fmt.Sprintf("ERR No such user '%s'", value)
			}
		case "skipme":
			switch lower(value) {
			case "yes":
				k.me = false
			case "no":
				k.me = true
			default:
				return syntaxError
			}
		default:
			return syntaxError
		}
	}
	return ""
}

// kill closes another client's connection, whatever it has yet to read.
func (s *Server) kill(c *conn) {
	c.end()
	_ = c.net.Close()
}
