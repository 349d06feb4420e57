package redistest

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	engine "lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// footprint is what a step has used, and of each whether the step has changed it. Two steps
// whose footprints do not conflict come to the same in either order.
type footprint map[string]bool

func (f footprint) add(object string, changed bool) { f[object] = f[object] || changed }

// has tells whether all that another footprint has is in this one.
func (f footprint) has(g footprint) bool {
	for object, changed := range g {
		if was, used := f[object]; !used || changed && !was {
			return false
		}
	}
	return true
}

func (f footprint) conflicts(g footprint) bool {
	for object, changed := range f {
		if also, used := g[object]; used && (changed || also) {
			return true
		}
	}
	return false
}

// everything is used by each step, and changed by those that change places with no other: time
// passes, or a server comes or goes.
const everything = "everything"

// lastWrite is what a failover may lose: of two writes, to whatever keys, the second.
const lastWrite = "last write"

func whole(s *server) string              { return "server " + s.name }
func keyOn(s *server, key string) string  { return "key " + s.name + "\x00" + key }
func scriptsOf(s *server) string          { return "scripts " + s.name }
func channelsOf(s *server) string         { return "channels " + s.name }
func (p *Process) object() string         { return "process " + p.Name }
func sectionObject(section string) string { return "section " + section }
func checkObject(i int) string            { return "check " + strconv.Itoa(i) }

// trail collects a footprint. It has a lock of its own, because servers leave it while they are
// locked.
type trail struct {
	mu   sync.Mutex
	foot footprint // nil: nobody asks for it
}

func (t *trail) begin(f footprint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.foot = f
}

// end is the footprint since begin; nil if there was none.
func (t *trail) end() footprint { return taken(&t.mu, &t.foot) }

func (t *trail) touch(object string, changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foot != nil {
		t.foot.add(object, changed)
	}
}

// observer notes what commands do to the keys of a server, those in scripts and of EXEC, too.
type observer struct {
	trail  *trail
	server *server
}

func (o observer) Ran(c *keyspace.Command, args []string) {
	o.trail.touchRow(o.server, c, args)
	for key := range o.server.changing.take() {
		for _, arg := range args {
			o.server.given.add(key + "\x00" + arg)
		}
	}
	if what, is := chosen[c.Name()]; is {
		o.server.chooses.add(what)
	}
}

func (o observer) Changed(key string) {
	o.trail.touch(keyOn(o.server, key), true)
	o.server.changed.add(key)
	o.server.changing.add(key)
}

func (o observer) Flushed() {
	o.trail.touch(whole(o.server), true)
	o.server.changed.add("") // a write, too, that a replica may lack
}

// Refused notes what a script cannot call, as its pcall may hide that.
func (o observer) Refused(args []string, failed engine.Reply) {
	if unknown.MatchString("-" + failed.Str) {
		o.server.lacks.add(shown(args))
	}
}

// chosen is what the embedded Redis chooses for itself, where another server may choose otherwise.
var chosen = map[string]string{
	"spop":     "SPOP took the same each time",
	"smembers": "SMEMBERS kept to one order", "keys": "KEYS kept to one order",
	"scan": "SCAN answered with everything at once", "sscan": "SSCAN answered with everything at once",
	"hscan": "HSCAN answered with everything at once", "zscan": "ZSCAN answered with everything at once",
}

// drawing are the commands whose result depends on how many random numbers the server has drawn.
var drawing = []string{"spop", "srandmember", "hrandfield", "zrandmember", "randomkey"}

// touchRow notes what a command uses, as far as its arguments tell. What it changes, the server
// says, but that one who blocks comes after others who do.
func (t *trail) touchRow(s *server, c *keyspace.Command, args []string) {
	t.touch(whole(s), s.bounded)
	at := c.KeyPositions(args)
	switch {
	case strings.HasPrefix(c.Name(), "eval"):
		t.touch(scriptsOf(s), false) // its commands tell the rest
	case c.Is(keyspace.PubSub):
		t.touch(channelsOf(s), true)
	case c.Is(keyspace.Global), len(at) == 0, slices.Contains(drawing, c.Name()):
		t.touch(whole(s), true)
	}
	for _, i := range at {
		t.touch(keyOn(s, args[i]), c.Is(keyspace.Blocking))
	}
}

// harmless are commands that depend on nothing and change nothing but their connection.
var harmless = []string{"hello", "auth", "select", "ping", "command", "quit", "echo", "multi"}

// touchRequest notes what a request uses. What depends on WATCH or is queued counts once more
// with EXEC.
func (r *run) touchRequest(q *request) {
	w, s := q.conn, q.conn.server
	if len(q.commands) == 0 {
		r.trail.touch(whole(s), true)
	}
	for _, c := range q.commands {
		own := &trail{foot: footprint{}}
		r.trail.touch(whole(s), false)
		name := strings.ToLower(c[0])
		switch {
		case name == "exec", name == "discard", name == "unwatch":
			own.foot = w.queued
			if own.foot[whole(s)] {
				clear(s.scripts) // SCRIPT FLUSH may have been queued
			}
			if w.queues == (name != "unwatch") { // else it is refused, or queued itself
				w.queued, w.queues = nil, false
			}
		case slices.Contains(harmless, name):
		default:
			r.touchCommand(own, w, c)
		}
		for object, changed := range own.foot {
			r.trail.touch(object, changed)
		}
		if name == "watch" || name == "multi" || w.queued != nil {
			if w.queued == nil {
				w.queued = footprint{}
			}
			w.queues = w.queues || name == "multi"
			for object, changed := range own.foot {
				w.queued.add(object, changed)
			}
		}
	}
}

// loads tells whether a command has the server know its script from then on.
func loads(name string) bool { return name == "eval" || name == "eval_ro" }

// hasRun notes that a server knows a script. Of a transaction it is not said: nothing of it may have been run.
func (q *request) hasRun(said string) {
	if c := q.commands; len(c) == 1 && loads(strings.ToLower(c[0][0])) && q.conn.queued == nil && said != "" && said[0] != '-' {
		q.conn.server.scripts[c[0][1]] = true
	}
}

func (r *run) touchCommand(t *trail, w *wire, c []string) {
	s := w.server
	row, failed := keyspace.Find(c)
	if failed.IsError() {
		if w.queued == nil && !strings.HasPrefix(failed.Str, "ERR wrong number") {
			t.touch(whole(s), true) // the server may have commands of its own
		}
		return
	}
	w.stays = w.stays || row.Is(keyspace.PubSub|keyspace.Blocking)
	s.heeds(c)
	s.learnt = s.learnt || sets(c)
	if row.Name() == "psubscribe" || row.Is(keyspace.PubSub) && strings.Contains(strings.Join(c[1:], " "), "__key") {
		t.touch(whole(s), true) // each change of a key may be a message
	}
	if row.Is(keyspace.PubSub) && strings.Contains(strings.Join(c[1:], " "), ":expired") {
		s.chooses.add("messages of keys that expire came at once")
	}
	if loads(row.Name()) && !s.scripts[c[1]] {
		t.touch(scriptsOf(s), true)
	}
	if row.Name() == "script" {
		clear(s.scripts)
	}
	t.touchRow(s, row, c)
}

func (r *run) startStep(s step) {
	r.reply.takeTold()
	for _, server := range r.servers {
		server.given.take()
	}
	f := footprint{everything: s.kind.isBarrier()}
	if s.process != nil {
		f.add(s.process.object(), true)
	}
	r.trail.begin(f)
	switch {
	case s.kind == crashes:
		r.touchCrash(s.process)
	case s.kind == drops:
		r.trail.touch(whole(s.request.conn.server), s.request.conn.stays)
	case s.request != nil:
		r.touchRequest(s.request)
	case s.kind == loses:
		r.trail.touch(whole(s.server), true)
	}
}

// touchCrash notes what a process leaves.
func (r *run) touchCrash(p *Process) {
	for section, in := range r.inside {
		if slices.ContainsFunc(in, func(v visit) bool { return v.process == p }) {
			r.trail.touch(sectionObject(section), true)
		}
	}
	for _, s := range r.servers {
		for _, w := range s.conns {
			if w.process == p {
				r.trail.touch(whole(s), w.stays) // CLIENT LIST no longer has it
			}
		}
	}
}

// settle ends the footprint of a step: who was told something has done with it what can be done
// at once. Steps that change what one check reads must not change places, as the check may
// remember what it has seen.
func (r *run) settle() {
	for _, w := range r.reply.takeTold() {
		r.trail.touch(w.process.object(), true)
	}
	f := r.trail.end()
	if f == nil {
		return
	}
	for i, c := range r.checks {
		if !c.end && c.reads.isChangedBy(f) {
			f.add(checkObject(i), true)
		}
	}
	r.leases()
	r.feet = append(r.feet, f)
	if len(r.steps) >= r.plan.from() {
		r.asleep = slices.DeleteFunc(slices.Clone(r.asleep), func(s sleeper) bool { return s.Foot.conflicts(f) })
	}
}

// isChangedBy tells whether a step has changed something that a check reads.
func (f footprint) isChangedBy(step footprint) bool {
	for object, changed := range step {
		if _, used := f[object]; changed && used {
			return true
		}
		rest, isKey := strings.CutPrefix(object, "key ")
		server, _, _ := strings.Cut(rest, "\x00")
		if changed && isKey && f["server "+server] {
			return true
		}
	}
	return false
}
