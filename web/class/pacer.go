package class

import (
	"sync"
	"time"
)

// Pacer bounds how often somebody may do something: so many at once, and one more after each interval.
type Pacer struct {
	Every time.Duration
	Burst int

	mu   sync.Mutex
	paid map[string]time.Time // until when they have used up what they may do
}

// Takes tells whether somebody may do it now, and counts it.
func (p *Pacer) Takes(who string, now time.Time) bool { return p.TakesMany(who, 1, now) }

// Spent tells whether somebody may not do it now, and counts nothing.
func (p *Pacer) Spent(who string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paid[who].Sub(now) > time.Duration(p.Burst-1)*p.Every
}

// TakesMany tells whether somebody may do it n times now, and counts them.
func (p *Pacer) TakesMany(who string, n int, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paid == nil {
		p.paid = map[string]time.Time{}
	}
	from := p.paid[who]
	if from.Before(now) {
		from = now
	}
	if from.Sub(now) > time.Duration(p.Burst-n)*p.Every {
		return false
	}
	if len(p.paid) > 4*MostLearners {
		for other, until := range p.paid {
			if until.Before(now) {
				delete(p.paid, other)
			}
		}
	}
	p.paid[who] = from.Add(time.Duration(n) * p.Every)
	return true
}
