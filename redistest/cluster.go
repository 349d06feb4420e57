package redistest

import (
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/cluster"
	"lockstep/node/redis/keyspace"
)

// members are the names of the servers that are a cluster, in the order of their slots.
type members []string

// Cluster makes servers the masters of a cluster, in which each has as many slots. No slot moves, nobody
// takes the place of a server that is away, and a message is heard on the server where it is
// published. What invariants ask of a member, the one that has the key answers.
func (w *World) Cluster(servers ...string) {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members = servers
	for _, name := range servers {
		r.server(name).join(r)
	}
}

// Cluster is a go-redis client of the cluster that World.Cluster makes, as Redis is one of a server.
func (p *Process) Cluster() *redis.ClusterClient {
	rdb := redis.NewClusterClient(options(p.dial, p.run.members.addrs()...).Cluster())
	p.serves(rdb)
	return rdb
}

// addrs are the addresses of the members, which are no names, as go-redis would look those up.
func (m members) addrs() (all []string) {
	for i := range m {
		all = append(all, fmt.Sprintf("10.0.0.%d:6379", i+1))
	}
	return all
}

// named is the member with an address, or else whoever is called so.
func (m members) named(addr string) string {
	if i := slices.Index(m.addrs(), addr); i >= 0 {
		return m[i]
	}
	return addr
}

// owner is the member that has the keys of a command, if a member was asked.
func (m members) owner(asked string, args []string) string {
	keys := keyspace.KeysOf(args)
	if len(keys) == 0 || !slices.Contains(m, asked) {
		return asked
	}
	return cluster.Owner(cluster.Split(m), cluster.Slot(keys[0]))
}

// join tells a server of the cluster, if it is a member.
func (s *server) join(r *run) {
	if i := slices.Index(r.members, s.name); i >= 0 {
		addrs := r.members.addrs()
		s.redis.Join(cluster.Member{Name: addrs[i], Ranges: cluster.Split(addrs)})
	}
}
