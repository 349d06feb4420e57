package class

import (
	"sync"
	"time"
)

// Pacer bounds how often each of many people may do something: Burst times at once, and once more after each Every.
type Pacer struct {
	Every time.Duration
	Burst int

	mu   sync.Mutex
	paid map[string]time.Time // when all Burst times are free again; past or missing: they are
}

// Takes tells whether somebody may do it once now, and counts it if so.
func (p *Pacer) Takes(who string, now time.Time) bool { return p.TakesMany(who, 1, now) }

// Spent tells whether Takes would refuse somebody now. It counts nothing.
func (p *Pacer) Spent(who string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paid[who].Sub(now) > time.Duration(p.Burst-1)*p.Every
}

// TakesMany tells whether somebody may do it n times now, and counts them if so: all or none.
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
