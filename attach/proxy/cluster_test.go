package proxy

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/conversations"
)

// clusterOf starts three masters, each with a third of the slots, and returns where they are.
func clusterOf(t *testing.T) (addrs []string) {
	t.Helper()
	var all []*redis.Client
	for range 3 {
		addr, port := freePort(t)
		_, bus := freePort(t)
		conversations.StartServer(t, conversations.RedisServer(t), "--port", port, "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port", bus)
		rdb := redis.NewClient(&redis.Options{Addr: addr})
		t.Cleanup(func() { _ = rdb.Close() })
		first := len(all) * 16384 / 3
		must(t, rdb.Do(t.Context(), "CLUSTER", "ADDSLOTSRANGE", first, (len(all)+1)*16384/3-1).Err())
		must(t, rdb.Do(t.Context(), "CLUSTER", "SET-CONFIG-EPOCH", len(all)+1).Err())
		if len(all) > 0 {
			host, to, _ := net.SplitHostPort(addrs[0])
			info := all[0].Do(t.Context(), "CONFIG", "GET", "cluster-port").String()
			must(t, rdb.Do(t.Context(), "CLUSTER", "MEET", host, to, info[strings.LastIndexAny(info, ": ")+1:len(info)-1]).Err())
		}
		all, addrs = append(all, rdb), append(addrs, addr)
	}
	for _, rdb := range all {
		for {
			info := rdb.ClusterInfo(t.Context()).Val()
			if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3") {
				break
			}
			<-time.After(10 * time.Millisecond)
		}
	}
	return addrs
}

// A client of a cluster reaches every node through the proxy, and hears of no other addresses; locks are seen on whichever
// node they are, and read there.
func TestACluster(t *testing.T) {
	addrs := clusterOf(t)
	to, err := Parse("redis://" + addrs[0])
	must(t, err)
	p, through, _ := between(t, to)
	for _, protocol := range []int{2, 3} {
		rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{through}, ClientName: fmt.Sprint("orders-", protocol), Protocol: protocol})
		t.Cleanup(func() { _ = rdb.Close() })
		for _, key := range []string{"a", "b", "c"} { // each is another node's
			must(t, rdb.SetNX(t.Context(), fmt.Sprint("lock-", key, protocol), "token", time.Minute).Err())
		}
		if n := rdb.DBSize(t.Context()).Val(); int(n) != 3*(protocol-1) {
			t.Errorf("its nodes have %d keys", n)
		}
		shards, err := rdb.ClusterShards(t.Context()).Result()
		must(t, err)
		for _, s := range shards {
			for _, n := range s.Nodes {
				if slices.Contains(addrs, fmt.Sprint(n.IP, ":", n.Port)) || n.Port == 0 {
					t.Errorf("with RESP%d CLUSTER SHARDS has %v", protocol, n)
				}
			}
		}
		for line := range strings.SplitSeq(rdb.ClusterNodes(t.Context()).Val(), "\n") {
			for _, addr := range addrs {
				if strings.Contains(line, addr) {
					t.Errorf("with RESP%d CLUSTER NODES has %s", protocol, line)
				}
			}
		}
	}
	idle(p)
	trace, _, _ := p.Recorder().Trace()
	if held := trace.At(len(trace.Steps)).Held; len(held) != 6 || held[0].Actors[0] != "orders-2" {
		t.Errorf("held are %v:\n%s", held, strings.Join(told(p), "\n"))
	}
	for _, addr := range addrs {
		connect(t, addr).says(t, "DEL lock-a2 lock-a2\r\n", 1) // one of the nodes has it
	}
	until(p, "unseen: DEL lock-a2 → 1, orders-2 leave")
	by := connect(t, through)
	for _, key := range []string{"a2", "b2", "c2"} {
		answer := by.says(t, "GET lock-"+key+"\r\n", 1)
		for _, addr := range addrs {
			if strings.Contains(answer, addr) {
				t.Errorf("a node's own address is said: %s", answer)
			}
		}
	}
	if all := fmt.Sprint(p.Told()); !strings.Contains(all, "nodes so far: 3") || strings.Contains(all, "no port") {
		t.Errorf("told is %s", all)
	}
}
