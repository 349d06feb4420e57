package redistest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Doubt is a reason to distrust a search that broke nothing. A scenario that has it on purpose says so with World.Allow.
type Doubt uint8

// The doubts.
const (
	Endless     Doubt = iota // a schedule does not end
	Uncontested              // no two processes want a section at the same time in any schedule
	Missing                  // nothing is asked, an invariant asks of a key or a server that is never there, or it or the scenario gets an error
	Idle                     // a process does nothing, only fails, or never gets into a section that others enter
	Chance                   // the code under test does not do the same each time
	Unknown                  // a server is asked for what it does not know, as the embedded Redis lacks some commands and options
	doubts
)

// Found is a doubt that a search has.
type Found struct {
	Doubt Doubt
	Text  string
}

// names is a set that servers may add to while they are locked.
type names struct {
	mu  sync.Mutex
	set map[string]bool
}

func (n *names) add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.set == nil {
		n.set = map[string]bool{}
	}
	n.set[name] = true
}

func (n *names) any() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.set) > 0
}

func (n *names) has(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.set[name]
}

func (n *names) take() map[string]bool { return taken(&n.mu, &n.set) }

// taken empties what others add to while they are locked, and returns what was in it.
func taken[T any](mu *sync.Mutex, from *T) (was T) {
	mu.Lock()
	defer mu.Unlock()
	was, *from = *from, was
	return was
}

// coverage is what has happened in one run, or in all of a search.
type coverage struct {
	Runs      int // to their ends
	Processes []string
	Sections  []string
	Entered   map[[2]string]int  // process, section: in how many runs
	Wanted    map[[2]string]bool // process, section: it asked for something while another was inside
	Asked     map[string]bool    // processes with a request
	Served    map[string]bool    // processes with a reply that was no error
	Unknown   map[string]bool    // what servers did not know
	Missing   map[string]bool    // what invariants look at: false once it was there
	Refused   map[string]bool    // what invariants and the scenario ask, with the error that they got
	Pause     time.Duration      // the longest
	Lease     time.Duration      // the longest TTL
	Stay      time.Duration      // the longest inside a section
	Late      bool               // a process asked while another had been inside for longer than the longest lease so far
	Limits    map[string]int     // of sections, where it is not 1
	Offered   [kinds]bool        // kinds of choices that there were
	Checks    int
	Drawn     draws           // random numbers
	Varied    bool            // what was sent was not the same each time
	Chosen    map[string]bool // what servers have chosen otherwise than others may
	Slowest   time.Duration
	Allowed   [doubts]bool
}

func newCoverage() coverage {
	return coverage{Entered: map[[2]string]int{}, Wanted: map[[2]string]bool{}, Asked: map[string]bool{}, Served: map[string]bool{}, Unknown: map[string]bool{}, Missing: map[string]bool{}, Refused: map[string]bool{}, Chosen: map[string]bool{}}
}

// unknown is an error of a command, a subcommand or an option, also in a script or a transaction, or of what a script calls.
var unknown = regexp.MustCompile(`(?m)^-ERR ((unknown|Unknown Redis) (sub)?command|Unknown option|syntax error|.*the embedded Redis|Invalid stream ID|.*nonexistent global variable|.*attempt to call field '.*' \(a nil value\)|internal error in)`)

// ofSockets are settings that change nothing for clients without sockets.
var ofSockets = []string{"timeout", "maxclients", "maxmemory-clients", "client-output-buffer-limit"}

// changesNothing tells whether a command is taken by the embedded Redis, and has no effect here.
func changesNothing(c []string) bool {
	return sets(c) && slices.ContainsFunc(c[2:], func(word string) bool { return slices.Contains(ofSockets, strings.ToLower(word)) })
}

func (c *coverage) enter(p *Process, section string) {
	c.Entered[[2]string{p.Name, section}] = 1
	if !slices.Contains(c.Sections, section) {
		c.Sections = append(c.Sections, section)
	}
}

func (c *coverage) replied(p *Process, q *request, said string) {
	c.Asked[p.Name] = true
	if said == "" || !strings.HasPrefix(said, "-") {
		c.Served[p.Name] = true
	}
	if unknown.MatchString(said) || slices.ContainsFunc(q.commands, changesNothing) {
		c.Unknown[q.shown()] = true
	}
	maps.Copy(c.Chosen, q.conn.server.chooses.take())
	for command := range q.conn.server.lacks.take() {
		c.Unknown[command+", which a script calls"] = true
	}
}

// want notes who asks for something while others are inside a section that it has not been in.
func (r *run) want() {
	for section, in := range r.inside {
		if in = slices.DeleteFunc(slices.Clone(in), func(v visit) bool { return !v.counts() }); len(in) == 0 {
			continue
		}
		for _, p := range r.processes {
			inside := slices.ContainsFunc(in, func(v visit) bool { return v.process == p })
			if inside || !r.isAsking(p) {
				continue
			}
			if key := [2]string{p.Name, section}; r.seen.Entered[key] == 0 {
				r.seen.Wanted[key] = true
			}
			r.seen.Late = r.seen.Late || slices.ContainsFunc(in, func(v visit) bool { return time.Since(v.since) > r.seen.Lease })
		}
	}
}

// isAsking tells whether a process has a request without a reply, or had one in the last step.
func (r *run) isAsking(p *Process) bool {
	if !p.lives() || r.performer == p.Name {
		return p.lives()
	}
	return slices.ContainsFunc(r.pending, func(q *request) bool { return q.conn.process == p && !q.hangsUp }) ||
		slices.ContainsFunc(r.connsOf(p), func(w *wire) bool { return w.waits && !w.isClosed() })
}

func (c *coverage) add(r *run) {
	o := r.seen
	if r.blocked || r.cut {
		o.Entered = nil
	} else {
		o.Runs = 1
	}
	for _, p := range r.processes {
		o.Processes = append(o.Processes, p.Name)
	}
	o.Limits = r.limits
	c.joins(&o)
}

// joins adds what other runs have seen.
func (c *coverage) joins(o *coverage) {
	if c.Entered == nil {
		*c = newCoverage()
	}
	c.Runs += o.Runs
	for key, n := range o.Entered {
		c.Entered[key] += n
	}
	if len(o.Processes) > len(c.Processes) {
		c.Processes = o.Processes
	}
	for _, s := range o.Sections {
		if !slices.Contains(c.Sections, s) {
			c.Sections = append(c.Sections, s)
		}
	}
	maps.Copy(c.Wanted, o.Wanted)
	maps.Copy(c.Asked, o.Asked)
	maps.Copy(c.Served, o.Served)
	maps.Copy(c.Unknown, o.Unknown)
	maps.Copy(c.Refused, o.Refused)
	maps.Copy(c.Chosen, o.Chosen)
	for what, missing := range o.Missing {
		was, known := c.Missing[what]
		c.Missing[what] = missing && (was || !known)
	}
	c.Pause, c.Lease, c.Stay, c.Late = max(c.Pause, o.Pause), max(c.Lease, o.Lease), max(c.Stay, o.Stay), c.Late || o.Late
	c.Slowest = max(c.Slowest, o.Slowest)
	c.Checks, c.Drawn = max(c.Checks, o.Checks), c.Drawn.union(o.Drawn)
	c.Varied = c.Varied || o.Varied
	for k, offered := range o.Offered {
		c.Offered[k] = c.Offered[k] || offered
	}
	for d, allowed := range o.Allowed { // a share that has counted no run has none
		c.Allowed[d] = c.Allowed[d] || allowed
	}
	if len(o.Limits) > 0 {
		c.Limits = o.Limits
	}
}

// parts say what was covered.
func (c *coverage) parts() (parts []string) {
	for _, section := range c.Sections {
		var who []string
		for _, p := range c.Processes {
			who = append(who, fmt.Sprintf("%s in %d", p, c.Entered[[2]string{p, section}]))
		}
		parts = append(parts, fmt.Sprintf("%s was entered by %s, of %d schedules that ran to their ends", section, strings.Join(who, ", "), c.Runs))
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%d schedules ran to their ends", c.Runs))
	}
	if c.Pause > 0 {
		parts = append(parts, fmt.Sprintf("longest pause %v", c.Pause))
	}
	if c.Pause > 0 && c.Lease > 0 {
		parts = append(parts, fmt.Sprintf("longest lease %v", c.Lease))
	}
	if c.Lease > 0 && c.Stay > c.Lease && !c.Late {
		parts = append(parts, fmt.Sprintf("longest stay inside %v, and nobody asked for anything after the lease of who was inside: Ticks and Slow let more time pass", c.Stay))
	}
	return parts
}

// doubts adds to a verdict the reasons to distrust it.
func (c *coverage) doubts(v *Verdict) {
	v.doubt(c.Checks == 0 && len(c.Sections) == 0, Missing, "no process has entered a section, and there is no other invariant, so nothing was asked")
	for _, what := range slices.Sorted(maps.Keys(c.Missing)) {
		v.doubt(c.Missing[what], Missing, what+" was never there, and an invariant asks of it")
	}
	for _, what := range slices.Sorted(maps.Keys(c.Refused)) {
		v.doubt(true, Missing, what)
	}
	if unknown := slices.Sorted(maps.Keys(c.Unknown)); len(unknown) > 0 {
		v.doubt(true, Unknown, "the embedded Redis does not know "+unknown[0]+", so that the code under test may not have done what it does elsewhere")
	}
	for _, p := range c.Processes {
		switch {
		case !c.Asked[p]:
			v.doubt(true, Idle, p+" never asked a server for anything")
		case !c.Served[p]:
			v.doubt(true, Idle, "all that "+p+" ever got were errors")
		case len(c.Sections) > 0 && !slices.ContainsFunc(c.Sections, func(s string) bool { return c.Entered[[2]string{p, s}] > 0 }):
			v.doubt(true, Idle, p+" never entered a section, and others did")
		}
	}
	for _, s := range c.Sections {
		contested := slices.ContainsFunc(c.Processes, func(p string) bool { k := [2]string{p, s}; return c.Wanted[k] && c.Entered[k] > 0 })
		var who int
		for _, p := range c.Processes {
			who += min(1, c.Entered[[2]string{p, s}])
		}
		if limit := c.Limits[s]; limit > 1 && who > 1 {
			v.doubt(who <= limit, Uncontested, fmt.Sprintf("%d processes enter %s, and %d may be inside: let there be more processes", who, s, limit))
		}
		v.doubt(!contested, Uncontested, "no process that enters "+s+" asked for anything while another was inside: let there be work inside, a sleep or a request")
	}
}
