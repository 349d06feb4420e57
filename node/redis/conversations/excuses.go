package conversations

import (
	"regexp"
	"slices"
	"sync"
)

// Excuses holds the Differences of some topics and records which of them a test has met.
type Excuses struct {
	topics []Topic

	mu  sync.Mutex
	met map[string]bool
}

// ExcusesFor returns the Differences of the given topics, none of them met yet.
func ExcusesFor(topics ...Topic) *Excuses { return &Excuses{topics: topics, met: map[string]bool{}} }

// Exchange is a script or a command that was sent to a server and to the embedded
// Redis, with both answers. The words of a command are separated by one blank.
type Exchange struct{ Server, Sent, Theirs, Ours string }

// Excuse finds the Difference that explains why the answers are not the same; nil
// means that there is none.
func (e *Excuses) Excuse(x Exchange) *Difference {
	for i, d := range Differences {
		if slices.Contains(e.topics, d.Topic) && d.explains(compiled()[i], x) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.met[d.What] = true
			return &Differences[i]
		}
	}
	return nil
}

// Unmet returns the Differences of a topic that no exchange has shown and no test
// pins: they no longer exist and should be deleted.
func (e *Excuses) Unmet(topic Topic) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var unmet []string
	for _, d := range Differences {
		if d.Topic == topic && d.Test+d.Absent == "" && !e.met[d.What] {
			unmet = append(unmet, d.What)
		}
	}
	return unmet
}

// patterns are the compiled expressions of a Difference.
type patterns struct{ sent, theirs, ours *regexp.Regexp }

var compiled = sync.OnceValue(func() []patterns {
	all := make([]patterns, len(Differences))
	for i, d := range Differences {
		all[i] = patterns{regexp.MustCompile(d.Sent), regexp.MustCompile(d.Theirs), regexp.MustCompile(d.Ours)}
	}
	return all
})

func (d Difference) explains(p patterns, x Exchange) bool {
	return (d.Server == "" || d.Server == x.Server) &&
		p.sent.MatchString(x.Sent) && p.theirs.MatchString(x.Theirs) && p.ours.MatchString(x.Ours) &&
		(d.Common == nil || d.Common(x.Theirs) == d.Common(x.Ours)) &&
		(d.Sent+d.Theirs+d.Ours != "" || d.Common != nil) // else it does not show in answers at all
}
