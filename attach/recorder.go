package attach

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/clients"
	"lockstep/node/redis/port"
	"lockstep/recording"
)

// The bounds of a recorder. Beyond them, the steps that matter least leave (keep.go), and the key unchanged for the
// longest time is hidden; keys of held locks are hidden last.
const (
	mostSteps   = 1000
	mostRecent  = 300 // the last ones, which all stay
	mostKeys    = 60
	mostText    = 300  // shown bytes of a value or an argument
	mostSources = 256  // scripts
	mostSent    = 4096 // bytes of a command in a recorded lesson
	mostPlaces  = 1000 // clients that get their place again when they come back
)

// Node is what the server is called in the trace.
const Node = "redis"

// Recorder follows one server, and holds requests back. The server waits while it tells of a command, so a
// step gets its keys only when somebody looks.
type Recorder struct {
	letGo   func(connections ...int64)
	mu      sync.Mutex     // taken inside the server's lock, so never call the server with it
	begin   engine.Instant // by the server's clock; all other instants count from it
	version int

	start  step // the state before steps[0]: only After and claims are set
	steps  []step
	drawn  int // the first so many steps have keys in their snapshots
	pushed int // steps so far, those that have left included

	now     engine.Instant // the clock as last looked at; never goes back
	due     engine.Instant // no key expires before
	late    time.Duration  // by how much keys may outlive their deadlines
	peers   []peer
	places  map[string]int    // by client, from 1, in the order of their first commands
	came    int               // the highest place so far
	keys    map[string]*known // the shown ones
	touches int
	hiding  []string           // keys to be hidden with the next step
	leaving []*recording.Event // the leaves of those who held them, for a lesson, with the next step
	scene   engine.Snapshot    // actors and sections; steps that do not change it share it
	claims  []clients.Claim    // likewise
	stale   bool               // the scene must be made anew
	subs    []engine.Subscription
	sources map[string]*source // scripts by SHA1
	seen    []string           // the keys of sources, the oldest first
	unknown map[string]bool    // scripts that have run and whose text nobody has sent, by SHA1
	locks   locks

	warnings []clients.Warning // that nobody has read, the oldest first
	warned   int               // warnings so far
	unshown  int               // those that have left unread

	rules    []clients.Rule
	lastRule int
	ruled    atomic.Bool // there are rules
	held     []*held     // the oldest first
}

// step is a step of the trace. Its snapshot has no keys until it is drawn.
type step struct {
	engine.Step
	number   int                // among all steps, from 1
	claims   []clients.Claim    // after it
	before   []engine.Change    // the sum of the steps that have left between the step before and this one
	ofLock   bool               // it is about a lock
	cause    bool               // in it, somebody took a lock that a warning is about
	events   []*recording.Event // for a lesson
	hidden   []string           // keys that exist on the server but left r.keys in this step
	found    []engine.Key       // the KEYS of its script, before it ran
	complete bool               // found and the arguments are whole, so that the script can be run again
}

// known is a shown key.
type known struct {
	engine.Key
	touched int // Recorder.touches at its last change
}

// peer is a connection. Connections with the same name are one actor.
type peer struct {
	id      int64
	actor   string
	waits   bool
	inMulti bool
}

// Follow makes a recorder of a server that does not serve yet.
func Follow(server *port.Server) *Recorder {
	r := New(server.LetGo, 0)
	server.Follow(r.Take, r.Holds)
	return r
}

// New makes a recorder that is told of everything by Take and asked by Holds. letGo has the held requests of
// connections performed, in this order. Keys may be found by clients for a moment, late, after the deadline that
// they are known to have.
func New(letGo func(connections ...int64), late time.Duration) *Recorder {
	return &Recorder{
		letGo:   letGo,
		late:    late,
		begin:   time.Since(time.UnixMilli(engine.Epoch)).Truncate(time.Millisecond), // as leases end by whole ones
		start:   step{Step: engine.Step{After: engine.Snapshot{Nodes: []engine.NodeView{{Node: Node}}}}},
		places:  map[string]int{},
		keys:    map[string]*known{},
		sources: map[string]*source{},
		unknown: map[string]bool{},
		locks:   newLocks(),
	}
}

// Version grows with every recorded step, hang-up, expiry, rule and held request. Equal versions mean equal
// traces, except for the time.
func (r *Recorder) Version() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passTo(r.clock())
	return r.version
}

// clock is the time since the recorder was made.
func (r *Recorder) clock() engine.Instant {
	return time.Since(time.UnixMilli(engine.Epoch)) - r.begin
}

// Trace is the trace so far, without the steps that have left, and the numbers of its steps among all. The claims are
// those before the first step and after each. The caller must not change them.
func (r *Recorder) Trace() (t *engine.Trace, numbers []int, claims [][]clients.Claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passTo(r.clock())
	r.draw()
	t = &engine.Trace{Start: r.start.After}
	claims = append(claims, r.start.claims)
	for i := range r.steps {
		t.Steps = append(t.Steps, r.steps[i].Step)
		numbers = append(numbers, r.steps[i].number)
		claims = append(claims, r.steps[i].claims)
	}
	now, is := t.At(len(t.Steps)), r.snapshot() // TTLs go on counting, and clients give up
	now.Now, now.Actors, now.Wanted = is.Now, is.Actors, is.Wanted
	claims[len(t.Steps)] = r.claims
	return t, numbers, claims
}

// Take hears what a client did: of an embedded server with its lock held.
func (r *Recorder) Take(d port.Done) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passTo(d.At - r.begin)
	r.endKeys(d)
	p := r.peer(d.Client)
	switch {
	case d.Kind == port.HungUp:
		if h := r.heldOf(p.id); h != nil {
			r.giveUp(p, h)
		}
		r.gone(p)
		r.version++
	case len(d.Args) > 0 && strings.EqualFold(d.Args[0], "reset"):
		p.inMulti = false
	case IsQuiet(d.Args), p.inMulti && !ends(d.Args):
	case isMulti(d.Args):
		p.inMulti = true
	default:
		p.inMulti = false
		r.learn(d)
		r.add(p, d)
	}
}

// quiet are commands that nobody else can notice, except for some of their subcommands.
var (
	quiet   = []string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING", "ECHO", "COMMAND", "QUIT", "RESET", "INFO", "CONFIG", "CLUSTER", "READONLY", "READWRITE", "ASKING"}
	noticed = []string{"CLIENT KILL", "CLIENT PAUSE", "CLIENT UNBLOCK", "CLIENT UNPAUSE", "CONFIG SET", "CLUSTER FAILOVER"}
)

// IsQuiet tells whether a command is no step.
func IsQuiet(args []string) bool {
	return len(args) == 0 || slices.Contains(quiet, strings.ToUpper(args[0])) &&
		!slices.Contains(noticed, strings.ToUpper(strings.Join(args[:min(len(args), 2)], " ")))
}

func isMulti(args []string) bool { return strings.EqualFold(args[0], "multi") }

// ends tells whether a command ends a transaction.
func ends(args []string) bool {
	return strings.EqualFold(args[0], "exec") || strings.EqualFold(args[0], "discard")
}

// peer finds a connection, or adds it.
func (r *Recorder) peer(c port.Peer) *peer {
	i := slices.IndexFunc(r.peers, func(p peer) bool { return p.id == c.ID })
	if i < 0 {
		i = len(r.peers)
		r.peers = append(r.peers, peer{id: c.ID})
	}
	p := &r.peers[i]
	if name := actorName(c); p.actor != name {
		p.actor, r.stale = name, true
	}
	return p
}

// actorName is a connection's name, else its address. It has no colon: A:watchdog is a task of the actor A.
func actorName(c port.Peer) string {
	name := c.Name
	if name == "" {
		name = strings.TrimPrefix(strings.TrimPrefix(c.Addr, "127.0.0.1"), "[::1]")
		name = "client" + name
	}
	return strings.ReplaceAll(name, ":", "-")
}

// Places are the places of clients, by name, from 1. A client that connects again has its old place.
func (r *Recorder) Places() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.places)
}

// place gives a client a place. Beyond mostPlaces, only connected clients keep theirs.
func (r *Recorder) place(actor string) {
	if r.places[actor] > 0 {
		return
	}
	if len(r.places) >= mostPlaces {
		maps.DeleteFunc(r.places, func(name string, _ int) bool {
			return !slices.ContainsFunc(r.peers, func(p peer) bool { return p.actor == name })
		})
	}
	r.came++
	r.places[actor] = r.came
}

// gone forgets a connection.
func (r *Recorder) gone(p *peer) {
	id, actor := p.id, p.actor
	r.stale = true
	r.peers = slices.DeleteFunc(r.peers, func(p peer) bool { return p.id == id })
	if slices.ContainsFunc(r.peers, func(p peer) bool { return p.actor == actor }) {
		return
	}
	r.subs = slices.DeleteFunc(slices.Clone(r.subs), func(s engine.Subscription) bool { return s.Process == actor })
	for key := range r.locks.waiting { // what it holds stays locked
		r.locks.stops(key, actor)
	}
}

// push adds a step.
func (r *Recorder) push(s step) {
	if len(r.steps) == mostSteps {
		r.thin()
	}
	for _, name := range r.hiding {
		if r.keys[name] == nil {
			s.hidden = append(s.hidden, name)
		}
	}
	s.events = append(r.leaving, s.events...)
	r.hiding, r.leaving = nil, nil
	r.version++
	r.pushed++
	s.N, s.number = len(r.steps)+1, r.pushed
	s.After = r.snapshot()
	s.claims = r.claims
	r.note(&s)
	r.steps = append(r.steps, s)
}

// snapshot is the world now, without its keys.
func (r *Recorder) snapshot() engine.Snapshot {
	if r.locks.changed {
		r.scene.Held, r.scene.Wanted = r.locks.held(), r.locks.wanted()
		r.claims = r.locks.claims(r.scene.Held, r.scene.Wanted)
	}
	if r.stale || r.locks.changed {
		r.scene.Actors = r.actors()
	}
	r.stale, r.locks.changed = false, false
	s := r.scene
	s.Now = r.now
	s.Nodes = []engine.NodeView{{Node: Node, Subscriptions: r.subs}}
	return s
}

func (r *Recorder) actors() (all []engine.ActorState) {
	at := map[string]int{}
	for _, p := range r.peers {
		i, there := at[p.actor]
		if !there {
			i = len(all)
			at[p.actor] = i
			all = append(all, engine.ActorState{
				Name: p.actor, Process: p.actor, Status: engine.Ready, Until: engine.NoDeadline,
				Inside: sections(r.scene.Held, p.actor), Wants: sections(r.scene.Wanted, p.actor),
			})
		}
		if p.waits {
			all[i].Status = engine.Blocked
		}
		if h := slices.IndexFunc(r.held, func(h *held) bool { return h.Connection == p.id }); h >= 0 {
			all[i].Status, all[i].Next = engine.Unanswered, r.held[h].Request
		}
	}
	return all
}

func sections(all []engine.Holding, actor string) (names []string) {
	for _, h := range all {
		if slices.Contains(h.Actors, actor) {
			names = append(names, h.Section)
		}
	}
	return names
}
