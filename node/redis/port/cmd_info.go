package port

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"strings"
	"time"

	"lockstep/engine/reply"
)

// stats are counted since the start or CONFIG RESETSTAT.
type stats struct {
	connections int64
	rejected    int64
	idleClosed  int64
	commands    int64
}

type section struct {
	name string
	text func(s *Server) string
}

var sections = []section{
	{"Server", infoServer},
	{"Clients", infoClients},
	{"Memory", infoMemory},
	{"Persistence", func(*Server) string {
		return lines("loading:0", "async_loading:0", "rdb_bgsave_in_progress:0", "aof_enabled:0")
	}},
	{"Stats", infoStats},
	{"Replication", func(*Server) string {
		return lines("role:master", "connected_slaves:0", "master_failover_state:no-failover")
	}},
	{"CPU", func(*Server) string { return "" }},
	{"Modules", func(*Server) string { return "" }},
	{"Cluster", func(s *Server) string {
		if s.isMember() {
			return lines("cluster_enabled:1")
		}
		return lines("cluster_enabled:0")
	}},
	{"Keyspace", infoKeyspace},
}

func lines(all ...string) string { return strings.Join(all, "\r\n") + "\r\n" }

func info(s *Server, c *conn, args []string) {
	wanted := map[string]bool{}
	for _, name := range args[1:] {
		wanted[strings.ToLower(name)] = true
	}
	all := len(wanted) == 0 || wanted["all"] || wanted["default"] || wanted["everything"]
	var parts []string
	for _, section := range sections {
		if all || wanted[strings.ToLower(section.name)] {
			parts = append(parts, "# "+section.name+"\r\n"+section.text(s))
		}
	}
	c.reply(reply.OfVerbatim("txt", strings.Join(parts, "\r\n")))
}

func infoServer(s *Server) string {
	up := seconds(s.clock.wall.Sub(s.started))
	if s.runID == "" {
		s.runID = newRunID()
	}
	return lines(
		"redis_version:"+version, "redis_mode:standalone", "os:lockstep", "arch_bits:64",
		"run_id:"+s.runID, "tcp_port:"+port(s.address()),
		fmt.Sprintf("server_time_usec:%d", s.clock.date().UnixMicro()),
		fmt.Sprintf("uptime_in_seconds:%d", up), fmt.Sprintf("uptime_in_days:%d", up/86400),
		"hz:10", "configured_hz:10", "executable:playground", "config_file:",
	)
}

func infoClients(s *Server) string {
	waiting := 0
	for _, c := range s.choose() {
		if c.waiting != nil || s.isPostponed(c) {
			waiting++
		}
	}
	return lines(
		fmt.Sprintf("connected_clients:%d", len(s.choose())), "cluster_connections:0",
		fmt.Sprintf("maxclients:%d", s.config.maxClients),
		fmt.Sprintf("blocked_clients:%d", waiting), fmt.Sprintf("tracking_clients:%d", s.tracking.clients),
	)
}

func infoMemory(s *Server) string {
	used := s.data.used()
	return lines(
		fmt.Sprintf("used_memory:%d", used), fmt.Sprintf("used_memory_human:%.2fK", float64(used)/1024),
		fmt.Sprintf("number_of_cached_scripts:%d", s.data.node.Scripts()),
		fmt.Sprintf("used_memory_rss:%d", used), fmt.Sprintf("used_memory_peak:%d", used),
		fmt.Sprintf("maxmemory:%d", s.config.maxMemory), "maxmemory_policy:noeviction", "mem_fragmentation_ratio:1.00",
	)
}

func infoStats(s *Server) string {
	return lines(
		fmt.Sprintf("total_connections_received:%d", s.stats.connections),
		fmt.Sprintf("total_commands_processed:%d", s.stats.commands),
		fmt.Sprintf("rejected_connections:%d", s.stats.rejected),
		"instantaneous_ops_per_sec:0", "expired_keys:0", "evicted_keys:0", "keyspace_hits:0", "keyspace_misses:0",
		fmt.Sprintf("pubsub_channels:%d", len(s.data.do(0, []string{"PUBSUB", "CHANNELS"}).Elems)),
		fmt.Sprintf("pubsub_patterns:%d", s.data.do(0, []string{"PUBSUB", "NUMPAT"}).Int),
		fmt.Sprintf("pubsubshard_channels:%d", len(s.data.do(0, []string{"PUBSUB", "SHARDCHANNELS"}).Elems)),
	)
}

func infoKeyspace(s *Server) string {
	var text strings.Builder
	for db := range maxDatabases {
		if k := s.data.at(db); k.Len() > 0 {
			fmt.Fprintf(&text, "db%d:keys=%d,expires=%d,avg_ttl=0\r\n", db, k.Len(), k.Timed())
		}
	}
	return text.String()
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// address is where the server listens; one that has only local clients says what Redis says where nothing is configured.
func (s *Server) address() net.Addr {
	if s.listener == nil {
		return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6379}
	}
	return s.listener.Addr()
}

func host(a net.Addr) string {
	h, _, _ := net.SplitHostPort(a.String())
	return h
}

func port(a net.Addr) string {
	_, p, _ := net.SplitHostPort(a.String())
	return p
}

// newRunID tells this server apart from others and from its former self. It is drawn for who asks: redistest tells who draws.
func newRunID() string {
	id := make([]byte, 20)
	_, _ = rand.Read(id)
	return hex.EncodeToString(id)
}
