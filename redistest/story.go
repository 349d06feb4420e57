package redistest

import (
	"fmt"
	"strings"
	"time"
)

func (p *reply) listen(w *wire) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to, p.said, p.others = w, nil, nil
}

func (p *reply) heard(w *wire, b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w == p.to {
		p.said = append(p.said, b...)
	} else {
		p.others = append(p.others, w)
	}
}

// takeOthers returns the other connections that heard something since the last call.
func (p *reply) takeOthers() []*wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	others := p.others
	p.others = nil
	return others
}

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
		fmt.Fprintf(&b, "%10s  %s\n", e.At.Round(time.Millisecond), e.Text)
	}
	return b.String()
}

// tell adds an event; r.mu is held.
func (r *run) tell(text string) {
	r.story = append(r.story, Event{time.Since(r.begin), text})
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
	}
}
