package port

import (
	"fmt"
	"net"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/cluster"
	"lockstep/node/redis/keyspace"
)

var clusterCommands = []command{
	{"cluster|keyslot", 0, inCluster(func(_ *Server, args []string) reply.Reply { return reply.OfInt(int64(cluster.Slot(args[2]))) })},
	{"cluster|shards", 0, inCluster(shards)},
	{"cluster|slots", 0, inCluster(slots)},
}

// Join makes the server a member of a cluster, where nodes are called by their addresses. It is for
// servers that do not serve yet. No slot moves while they do.
func (s *Server) Join(m cluster.Member) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.member = m
	s.data.node.Join(m) // for scripts
}

func (s *Server) isMember() bool { return len(s.member.Ranges) > 0 }

func inCluster(answer func(s *Server, args []string) reply.Reply) func(s *Server, c *conn, args []string) {
	return func(s *Server, c *conn, args []string) {
		if !s.isMember() {
			c.error("ERR This instance has cluster support disabled")
			return
		}
		c.reply(answer(s, args))
	}
}

// elsewhere refuses keys that the server does not have, and those of several slots.
func (s *Server) elsewhere(commands ...[]string) (refused reply.Reply) {
	if !s.isMember() {
		return reply.Reply{}
	}
	var keys []string
	for _, args := range commands {
		keys = append(keys, keyspace.KeysOf(args)...)
	}
	op := engine.Op{From: engine.Client{Actor: "client"}, Script: &engine.Script{}, Keys: keys}
	refused, _ = s.member.Refuse(op, func(string) bool { return true })
	return refused
}

// slots are the ranges of slots, each with its node.
func slots(s *Server, _ []string) reply.Reply {
	var all []reply.Reply
	for i, r := range s.member.Ranges {
		host, port := endpoint(r)
		node := reply.OfArray(reply.OfBulk(host), reply.OfInt(port), reply.OfBulk(nodeID(i)), reply.OfMap())
		all = append(all, reply.OfArray(reply.OfInt(int64(r.First)), reply.OfInt(int64(r.Last)), node))
	}
	return reply.OfArray(all...)
}

// shards are the nodes, each with its slots.
func shards(s *Server, _ []string) reply.Reply {
	var all []reply.Reply
	for i, r := range s.member.Ranges {
		host, port := endpoint(r)
		node := reply.OfMap(
			reply.OfBulk("id"), reply.OfBulk(nodeID(i)), reply.OfBulk("port"), reply.OfInt(port), reply.OfBulk("ip"), reply.OfBulk(host),
			reply.OfBulk("endpoint"), reply.OfBulk(host), reply.OfBulk("role"), reply.OfBulk("master"),
			reply.OfBulk("replication-offset"), reply.OfInt(0), reply.OfBulk("health"), reply.OfBulk("online"),
		)
		all = append(all, reply.OfMap(
			reply.OfBulk("slots"), reply.OfArray(reply.OfInt(int64(r.First)), reply.OfInt(int64(r.Last))),
			reply.OfBulk("nodes"), reply.OfArray(node),
		))
	}
	return reply.OfArray(all...)
}

func endpoint(r cluster.Range) (host string, port int64) {
	host, text, _ := net.SplitHostPort(r.Node)
	port, _ = keyspace.ParseInt(text)
	return host, port
}

// nodeID is the name that nodes have among each other.
func nodeID(i int) string { return fmt.Sprintf("%040x", i+1) }
