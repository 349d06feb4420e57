package port_test

import (
	"io"
	"log/slog"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/node/redis/cluster"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
)

// freePorts are ports on which nobody listens.
func freePorts(t *testing.T, n int) (ports []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		ports = append(ports, port)
	}
	return ports
}

// A member of a cluster of two answers what a real one does.
func TestAMemberAnswersAsARealOne(t *testing.T) {
	ports := freePorts(t, 4)
	addrs := []string{"127.0.0.1:" + ports[0], "127.0.0.1:" + ports[1]}
	ranges := cluster.Split(addrs)
	var real [2]*wire
	for i := range real {
		url := conversations.StartServer(t, conversations.RedisServer(t), "--port", ports[i], "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port", ports[2+i])
		real[i] = dial(t, address{"unix", strings.TrimPrefix(url, "unix://")})
		r := ranges[i]
		if got := real[i].do("CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(r.First), strconv.Itoa(r.Last)); got != "+OK\r\n" {
			t.Fatal(got)
		}
	}
	real[0].do("CLUSTER", "MEET", "127.0.0.1", ports[1], ports[3])
	eventually(t, "the cluster is there", func() bool {
		return strings.Contains(real[0].do("CLUSTER", "NODES"), " "+strconv.Itoa(ranges[1].First)+"-") && strings.Contains(real[0].do("CLUSTER", "INFO"), "cluster_state:ok")
	})
	server := port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil)))
	server.Join(cluster.Member{Name: addrs[0], Ranges: ranges})
	at, stop := start(t, server)
	defer func() { _ = stop() }()
	embedded := dial(t, at)
	ids := regexp.MustCompile(`[0-9a-f]{40}`)
	for line := range strings.SplitSeq("CLUSTER SLOTS|CLUSTER SHARDS|CLUSTER KEYSLOT {a}b|GET lock|GET bar|SET bar 1|MGET bar {bar}2|MGET bar lock|MGET bar 123456789|"+
		"EVAL 'return_1' 1 bar|EVALSHA 0000000000000000000000000000000000000000 1 foo|WATCH foo|WATCH bar|MULTI|GET bar|GET foo|EXEC|MULTI|GET bar|GET {bar}1|EXEC|MULTI|GET bar|GET b|EXEC|"+
		"EVAL return(redis.call('get','foo')) 0|EVAL return(redis.pcall('set',KEYS[1],ARGV[1])) 1 bar 1|EVAL return(redis.call('mget','bar',ARGV[1])) 1 bar b|GET bar|SELECT 0|SELECT 1|BLPOP foo 0|PUBLISH foo x|DBSIZE|DEL foo|DEL|HELLO 3|CLUSTER SHARDS|CLUSTER SLOTS", "|") {
		words := strings.Fields(line)
		if words[0] == "HELLO" {
			for _, w := range []*wire{real[0], embedded} {
				if got := w.do(words...); !strings.Contains(got, "$4\r\nmode\r\n$7\r\ncluster\r\n") {
					t.Errorf("%s: %q", line, got)
				}
			}
			continue
		}
		answer := func(w *wire) []string {
			parts := strings.SplitAfter(strings.TrimPrefix(ids.ReplaceAllString(w.do(words...), "ID"), "*2\r\n"), "online\r\n")
			slices.Sort(parts) // shards have no order
			return parts
		}
		if want, got := answer(real[0]), answer(embedded); !slices.Equal(got, want) {
			t.Errorf("%s:\n%q, not\n%q", line, got, want)
		}
	}
}
