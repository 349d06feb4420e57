package redistest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// reply is what a server says to one connection during a step. It has a lock of its own,
// because servers speak while they are locked.
type reply struct {
	mu     sync.Mutex
	to     *wire
	said   []byte
	others []*wire // that were answered besides
	told   []*wire // the same, and those that were told something that is no answer, since it was last asked for
	holds  bool    // the step is not told yet
	asleep []*wire // whose readers look again once it is: what they do may end the program, and would come before it
}

func (p *reply) listen(w *wire) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to, p.said, p.others = w, nil, nil
}

// hold has readers look only once the step is told.
func (p *reply) hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holds, p.asleep = true, nil
}

// holdsBack tells whether the reader of a connection is to look again only later.
func (p *reply) holdsBack(w *wire) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.holds {
		p.asleep = append(p.asleep, w)
	}
	return p.holds
}

// letGo has the readers look that have been held back.
func (p *reply) letGo() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holds = false
	for _, w := range p.asleep {
		w.wakeUp()
	}
}

func (p *reply) heard(w *wire, b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w == p.to {
		p.said = append(p.said, b...)
		return
	}
	p.told = append(p.told, w)
	if !isPush(b) {
		p.others = append(p.others, w)
	}
}

// takeOthers returns the other connections that were answered since the last call.
func (p *reply) takeOthers() []*wire { return taken(&p.mu, &p.others) }

// hasTold returns the other connections that heard something since the last call of takeTold.
func (p *reply) hasTold() []*wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Compact(slices.Clone(p.told))
}

// takeTold returns the same, once.
func (p *reply) takeTold() []*wire { return taken(&p.mu, &p.told) }

func (p *reply) heardSoFar() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.said)
}

// Story is what happened in a run, one line for each event.
type Story []Event

// Event is one line of a story.
type Event struct {
	At   time.Duration // since the beginning
	Text string
}

// String has a line for each event.
func (s Story) String() string {
	var b strings.Builder
	for _, e := range s {
		b.WriteString(e.line())
	}
	return b.String()
}

func (e Event) line() string { return fmt.Sprintf("%10s  %s\n", e.At.Round(time.Millisecond), e.Text) }

// tell adds an event; r.mu is held.
func (r *run) tell(text string) {
	r.story = append(r.story, Event{r.now(), text})
	if text != "" {
		r.diary.add(r.story[len(r.story)-1].line())
	}
}

func (r *run) tellNow(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell(text)
}

// reserve adds an event whose text is not known yet.
func (r *run) reserve() (write func(text string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := len(r.story)
	r.tell("")
	return func(text string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.story[i].Text = text
		if i+1 < len(r.story) {
			r.diary.restart()
			i = 0
		}
		r.diary.add(r.story[i:].String())
	}
}

// loop says how a story ends that does not: the lines that it repeats, or else its last ones.
func (s Story) loop() string {
	const most = 24
	for period := 1; period <= most && 2*period <= len(s); period++ {
		last, before := s[len(s)-period:], s[len(s)-2*period:len(s)-period]
		if slices.EqualFunc(last, before, func(a, b Event) bool { return a.Text == b.Text }) {
			return fmt.Sprintf("it repeats:\n%s", last)
		}
	}
	return fmt.Sprintf("there is:\n%s", s[max(0, len(s)-most):])
}
