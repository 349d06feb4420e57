package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis/clients"
)

// Live is what real clients do, which is drawn as a lesson is.
type Live struct {
	View

	Whole   *engine.Trace   // the view has a part of it
	Now     int             // the shown step in it
	Numbers []int           // of its steps, among all
	Claims  []clients.Claim // at the shown step: who holds locks, by lock, then who waits
	Goes    bool            // the page follows the last step
	Addr    string          // that clients connect to
	To      string          // the real Redis behind it; empty: it is an embedded one
	Told    []error         // what is not seen, as facts

	Warnings []clients.Warning // that nobody has read, the newest first
	Unshown  int               // warnings that have left unread

	Rules   []clients.Rule
	Held    []clients.Held   // in the order in which they came
	Scripts []clients.Script // that clients have sent, likewise
}

// NewLive shows a trace, whose steps have these numbers, after the step with a number or the last one before it that
// is kept; below 0: after all. Clients have the colours of their places, which they keep when they come back.
func NewLive(lang lessons.Lang, t *engine.Trace, numbers []int, places map[string]int, at int, addr string) Live {
	l := Live{View: View{Lang: lang, Engine: Embedded, Places: places}, Whole: t, Numbers: numbers, Goes: at < 0, Addr: addr}
	l.Now = len(t.Steps)
	if !l.Goes {
		l.Now, _ = slices.BinarySearch(numbers, at+1)
	}
	l.window()
	l.Lesson = &lessons.Lesson{
		Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}},
		Rules: []lessons.Rule{{Name: "lease-outlived", Say: lessons.Text{
			En: liveOutlived.en, Zh: liveOutlived.zh,
		}}},
	}
	for _, name := range l.cast() {
		l.Lesson.Actors = append(l.Lesson.Actors, lessons.Actor{Name: name, Process: name})
	}
	return l
}

// A window has so many steps on both sides of the shown one, and begins at a multiple, so that rows are not drawn anew
// whenever a step comes.
const (
	around   = 60
	multiple = 100
)

// window narrows the trace of the view to the steps around the shown one. A page draws no others; with the whole trace, each
// drawing would cost as much as everything that has happened.
func (l *Live) window() {
	from := max(0, l.Now-around) / multiple * multiple
	to := min(len(l.Whole.Steps), l.Now+around)
	l.Trace = &engine.Trace{Start: *l.Whole.At(from), Steps: slices.Clone(l.Whole.Steps[from:to])}
	for i := range l.Trace.Steps {
		l.Trace.Steps[i].N = i + 1
	}
	l.Earlier, l.Later, l.Pos = from, len(l.Whole.Steps)-to, l.Now-from
}

// mostCast is how many lanes have room.
const mostCast = 9

// cast is who has a lane: those that did something in the steps that are drawn, those
// inside of a section or waiting, and those whose requests are held, in the order in which
// they came.
func (l *Live) cast() []string {
	steps := l.Trace.Steps
	to := min(len(steps), max(l.Pos+ahead, shown))
	now := l.Snapshot()
	var names []string
	for _, a := range now.Actors {
		if a.Status == engine.Unanswered {
			names = append(names, a.Name)
		}
	}
	candidates := now.Concerned()
	for i := to - 1; i >= max(0, to-shown); i-- {
		candidates = append(candidates, steps[i].Process)
	}
	for _, name := range candidates {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	names = names[:min(len(names), mostCast)]
	slices.SortStableFunc(names, func(a, b string) int { return l.Places[a] - l.Places[b] })
	return names
}

// liveLock is a lock as the page shows it.
type liveLock struct {
	Key     string
	Holders []liveSince // none when it is free
	Shared  bool        // others may hold it, too
	Renewed int
	TTL     *ttl
	Waiters []liveSince
}

// says words how a holder has the lock: shared, found to have it, or seen to take it.
func (k liveLock) says(h liveSince) msg {
	switch {
	case k.Shared:
		return liveReadBy
	case h.Found:
		return liveFoundBy
	}
	return liveHeldBy
}

// liveSince is who has or wants a lock, and for how long.
type liveSince struct {
	Actor string
	For   time.Duration
	Found bool // for this long, or longer
}

// locks are those that somebody has or waits for at the shown step.
func (l *Live) locks() (all []liveLock) {
	s := l.Snapshot()
	for _, c := range l.Claims {
		at := slices.IndexFunc(all, func(o liveLock) bool { return o.Key == c.Lock })
		if at < 0 {
			at, all = len(all), append(all, liveLock{Key: c.Lock})
		}
		k, since := &all[at], liveSince{c.Actor, s.Now - c.Since, c.Found}
		if c.Waits {
			k.Waiters = append(k.Waiters, since)
			continue
		}
		k.Holders = append(k.Holders, since)
		k.Renewed = max(k.Renewed, l.renewals(c.Lock, c.Since))
		if now, ok := s.Nodes[0].Key(c.Lock); ok {
			k.TTL = ttlOf(&l.View, s.Nodes[0].Node, now)
			mode, _ := now.Get("mode") // of Redisson's read-write lock
			k.Shared = mode == "read"
		}
	}
	return all
}

// renewals is how often a key has been given more time since then, by those who had it.
func (l *Live) renewals(key string, since engine.Instant) (n int) {
	for i := range l.Whole.Steps[:l.Now] {
		s := &l.Whole.Steps[i]
		if s.At < since || slices.ContainsFunc(s.Notes, func(o engine.Note) bool { return o.Kind == engine.NoteEnter && o.Text == key }) {
			continue
		}
		for _, c := range s.Changes {
			if c.Key == key && c.Old != nil && c.New != nil && c.New.Deadline > c.Old.Deadline {
				n++
			}
		}
	}
	return n
}

// mostWarnings is how many are told at once.
const mostWarnings = 12

// number is the number among all steps of the step n of the whole trace; of 0, the place before the first, it is 0.
func (l *Live) number(n int) int {
	if n == 0 {
		return 0
	}
	return l.Numbers[n-1]
}

func (l *Live) last() int { return l.number(len(l.Numbers)) }

// drawn are the numbers of the steps of the view, the first of which is 0: what is before them all.
func (l *Live) drawn() string {
	all := make([]string, len(l.Trace.Steps)+1)
	for n := range all {
		all[n] = strconv.Itoa(l.number(l.Earlier + n))
	}
	return strings.Join(all, " ")
}

// LiveFragments is every part of the page that can change.
func LiveFragments(l Live) []Fragment {
	v := &l.View
	d := layout(v)
	return []Fragment{
		{ID: "f-live", Component: liveState(&l)},
		{ID: "f-rules", Component: liveRules(&l)},
		{ID: "f-scripts", Component: liveScripts(&l)},
		{ID: "f-gaveup", Component: liveGaveUp(&l)},
		{ID: "f-held", Component: liveHeld(&l)},
		{ID: "f-locks", Component: liveLocks(&l)},
		{ID: "f-warnings", Component: liveWarnings(&l)},
		{ID: "f-timeline", Component: timeline(v, d), Rows: d.pictures(v)},
		{ID: "f-log", Component: eventLog(v, d), Rows: d.sentences(v)},
		{ID: "f-keys", Component: keyspace(v)},
		{ID: "f-channels", Component: channels(v)},
		{ID: "f-call", Component: liveCall(&l)},
		{ID: "f-script", Component: script(v)},
		{ID: "f-ran", Component: ran(v)},
	}
}

// inTenths rounds a span of a real clock to tenths of a second: the page would change with each look otherwise.
func inTenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
