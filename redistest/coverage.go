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

// Doubt is a reason why that nothing broke may mean nothing. A scenario that has it on purpose
// says so with World.Allow.
type Doubt uint8

// The doubts.
const (
	Endless     Doubt = iota // a schedule does not end
	Uncontested              // no two processes want a section at the same time in any schedule
	Missing                  // nothing is asked, or an invariant asks of a key or a server that is never there
	Idle                     // a process does nothing, only fails, or never gets into a section that others enter
	Chance                   // the code under test does not do the same each time
	Unknown                  // a server is asked for a command that it does not know, as the embedded Redis lacks some
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
	runs      int // to their ends
	processes []string
	sections  []string
	entered   map[[2]string]int  // process, section: in how many runs
	wanted    map[[2]string]bool // process, section: it asked for something while another was inside
	asked     map[string]bool    // processes with a request
	served    map[string]bool    // processes with a reply that was no error
	unknown   map[string]bool    // what servers did not know
	missing   map[string]bool    // what invariants look at: false once it was there
	pause     time.Duration      // the longest
	lease     time.Duration      // the longest TTL
	stay      time.Duration      // the longest inside a section
	late      bool               // a process asked when another had been inside for longer than the longest lease
	limits    map[string]int     // of sections, where it is not 1
	checks    int
	drawn     bool // random numbers
	slowest   time.Duration
	allowed   [doubts]bool
}

func newCoverage() coverage {
	return coverage{entered: map[[2]string]int{}, wanted: map[[2]string]bool{}, asked: map[string]bool{}, served: map[string]bool{}, unknown: map[string]bool{}, missing: map[string]bool{}}
}

// unknown is an error of a command or of a subcommand, also in a script or a transaction.
var unknown = regexp.MustCompile(`(?m)^-ERR (unknown|Unknown Redis) (sub)?command`)

func (c *coverage) enter(p *Process, section string) {
	c.entered[[2]string{p.Name, section}] = 1
	if !slices.Contains(c.sections, section) {
		c.sections = append(c.sections, section)
	}
}

func (c *coverage) replied(p *Process, q *request, said string) {
	c.asked[p.Name] = true
	if said == "" || !strings.HasPrefix(said, "-") {
		c.served[p.Name] = true
	}
	if unknown.MatchString(said) {
		c.unknown[q.shown()] = true
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
			if key := [2]string{p.Name, section}; r.seen.entered[key] == 0 {
				r.seen.wanted[key] = true
			}
			r.seen.late = r.seen.late || slices.ContainsFunc(in, func(v visit) bool { return time.Since(v.since) > r.seen.lease })
		}
	}
}

// isAsking tells whether a process has a request without a reply, or had one in the last step.
func (r *run) isAsking(p *Process) bool {
	if !p.lives() || r.performer == p.Name {
		return p.lives()
	}
	return slices.ContainsFunc(r.pending, func(q *request) bool { return q.conn.process == p }) ||
		slices.ContainsFunc(r.connsOf(p), func(w *wire) bool { return w.waits })
}

// add adds what a run has seen.
func (c *coverage) add(r *run) {
	if c.entered == nil {
		*c = newCoverage()
	}
	o := &r.seen
	if !r.blocked && !r.cut {
		c.runs++
		for key := range o.entered {
			c.entered[key]++
		}
	}
	if len(r.processes) > len(c.processes) {
		c.processes = nil
		for _, p := range r.processes {
			c.processes = append(c.processes, p.Name)
		}
	}
	for _, s := range o.sections {
		if !slices.Contains(c.sections, s) {
			c.sections = append(c.sections, s)
		}
	}
	maps.Copy(c.wanted, o.wanted)
	maps.Copy(c.asked, o.asked)
	maps.Copy(c.served, o.served)
	maps.Copy(c.unknown, o.unknown)
	for what, missing := range o.missing {
		was, known := c.missing[what]
		c.missing[what] = missing && (was || !known)
	}
	c.pause, c.lease, c.stay, c.late = max(c.pause, o.pause), max(c.lease, o.lease), max(c.stay, o.stay), c.late || o.late
	c.slowest = max(c.slowest, o.slowest)
	c.checks, c.drawn, c.allowed = max(c.checks, o.checks), c.drawn || o.drawn, o.allowed
	c.limits = r.limits
}

// parts say what was covered.
func (c *coverage) parts() (parts []string) {
	for _, section := range c.sections {
		var who []string
		for _, p := range c.processes {
			who = append(who, fmt.Sprintf("%s in %d", p, c.entered[[2]string{p, section}]))
		}
		parts = append(parts, fmt.Sprintf("%s was entered by %s, of %d schedules that ran to their ends", section, strings.Join(who, ", "), c.runs))
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%d schedules ran to their ends", c.runs))
	}
	if c.pause > 0 {
		parts = append(parts, fmt.Sprintf("longest pause %v", c.pause))
	}
	if c.pause > 0 && c.lease > 0 {
		parts = append(parts, fmt.Sprintf("longest lease %v", c.lease))
	}
	if c.lease > 0 && c.stay > c.lease && !c.late {
		parts = append(parts, fmt.Sprintf("longest stay inside %v, and nobody asked for anything after the lease of who was inside: Ticks and Slow let more time pass", c.stay))
	}
	return parts
}

// doubts finds out what makes the verdict meaningless.
func (c *coverage) doubts(v *Verdict) {
	v.doubt(c.checks == 0 && len(c.sections) == 0, Missing, "no process has entered a section, and there is no other invariant, so nothing was asked")
	for _, what := range slices.Sorted(maps.Keys(c.missing)) {
		v.doubt(c.missing[what], Missing, what+" was never there, and an invariant asks of it")
	}
	if unknown := slices.Sorted(maps.Keys(c.unknown)); len(unknown) > 0 {
		v.doubt(true, Unknown, "the embedded Redis does not know "+unknown[0]+", so that the code under test may not have done what it does elsewhere")
	}
	for _, p := range c.processes {
		switch {
		case !c.asked[p]:
			v.doubt(true, Idle, p+" never asked a server for anything")
		case !c.served[p]:
			v.doubt(true, Idle, "all that "+p+" ever got were errors")
		case len(c.sections) > 0 && !slices.ContainsFunc(c.sections, func(s string) bool { return c.entered[[2]string{p, s}] > 0 }):
			v.doubt(true, Idle, p+" never entered a section, and others did")
		}
	}
	for _, s := range c.sections {
		contested := slices.ContainsFunc(c.processes, func(p string) bool { k := [2]string{p, s}; return c.wanted[k] && c.entered[k] > 0 })
		var who int
		for _, p := range c.processes {
			who += min(1, c.entered[[2]string{p, s}])
		}
		if limit := c.limits[s]; limit > 1 && who > 1 {
			v.doubt(who <= limit, Uncontested, fmt.Sprintf("%d processes enter %s, and %d may be inside: let there be more processes", who, s, limit))
		}
		v.doubt(!contested, Uncontested, "no process that enters "+s+" asked for anything while another was inside: let there be work inside, a sleep or a request")
	}
}
