package redistest

import (
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/port"
)

// What clients must know to find the master.
const (
	masterName   = "mymaster"
	sentinelAddr = "10.0.2.1:26379" // not looked up
)

// replicated are servers of which one is the master, and those after it take over, in this order.
type replicated struct {
	names  []string
	master int            // of names
	before *port.Snapshot // what the master had before its last write; nil: it has written nothing
}

// Sentinel makes servers a master, which is the first, and its replicas, and has a sentinel tell clients
// who is the master. A replica refuses clients until it takes over, which Bounds.Failovers allows; then
// the server before it is gone for good. What invariants ask of any of them, the master answers.
func (w *World) Sentinel(servers ...string) {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replicated.names = servers
	for i, name := range servers {
		r.server(name).spare = i > 0
	}
	s := r.server("sentinel")
	s.sentinel = true
	s.redis.Monitor(masterName, r.replicated.addr(0))
}

// Sentinel is go-redis's client of the master that the sentinel of World.Sentinel names, as Redis is one of a
// server. Other clients find it as mymaster by the sentinel 10.0.2.1:26379.
func (p *Process) Sentinel() *redis.Client {
	o := options(p.dial, sentinelAddr)
	o.MasterName = masterName
	rdb := redis.NewFailoverClient(o.Failover())
	p.serves(rdb)
	return rdb
}

func (g *replicated) addr(i int) string { return fmt.Sprintf("10.0.1.%d:6379", i+1) }

func (g *replicated) isMaster(s *server) bool {
	return len(g.names) > 0 && s.name == g.names[g.master]
}

// called is the server with a name or an address; r.mu is held.
func (r *run) called(name string) *server {
	for i := range r.replicated.names {
		if name == r.replicated.addr(i) {
			name = r.replicated.names[i]
		}
	}
	if name == sentinelAddr {
		name = "sentinel"
	}
	return r.server(r.members.named(name))
}

// answering is the server that answers what an invariant asks of one.
func (r *run) answering(asked string, args []string) string {
	if g := &r.replicated; slices.Contains(g.names, asked) {
		return g.names[g.master]
	}
	return r.members.owner(asked, args)
}

// failovers are the choices that have a replica take over; r.mu is held.
func (r *run) failovers() (cs []step) {
	g := &r.replicated
	if r.spent[promotes] >= r.bounds.Failovers || g.master+1 >= len(g.names) {
		return nil
	}
	next := r.server(g.names[g.master+1])
	cs = append(cs, step{kind: promotes, server: next, mark: mark{Name: next.name + " takes over"}})
	if g.before != nil {
		cs = append(cs, step{kind: promotes, server: next, data: g.before, mark: mark{Name: next.name + " takes over, without the last write"}})
	}
	return cs
}

// copyFor is what a server has before a request, if a replica may come to lack what that writes. Who reads may only have a key
// be gone that has expired.
func (r *run) copyFor(q *request) *port.Snapshot {
	if r.bounds.Failovers == 0 || !r.replicated.isMaster(q.conn.server) || !q.mayChange() && !q.mayWait() {
		return nil
	}
	return q.conn.server.redis.Snapshot()
}

// promote has a replica take over.
func (r *run) promote(s step) {
	g := &r.replicated
	old, from, to := r.serverNow(g.names[g.master]), g.addr(g.master), g.addr(g.master+1)
	r.tellNow(fmt.Sprintf("%s is gone, and %s", old.name, s.Name))
	data := s.data
	if data == nil {
		data = old.redis.Snapshot()
	}
	s.server.redis.Restore(data)
	s.server.look(old.database)
	s.server.reads(old.file)
	sentinel := r.serverNow("sentinel")
	r.mu.Lock()
	old.spare, old.away, s.server.spare = true, false, false
	g.master, g.before = g.master+1, nil
	r.mu.Unlock()
	r.endSilence(old)
	sentinel.redis.Monitor(masterName, to)
	r.disconnect(old)
	sentinel.ask("PUBLISH", "+switch-master", port.Switched(masterName, from, to))
}
