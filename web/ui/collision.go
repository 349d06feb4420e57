package ui

import (
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

// Gallery has the home page's drawings of an edition's lessons, for every language.
type Gallery struct {
	Thumbnails map[string]string // by lesson
	Collision  *Collision        // nil: there is none to show
}

// Collision has every way in which a visitor can let two clients into one lock.
type Collision struct {
	Lesson string
	Goes   engine.Schedule // the lesson's story up to the collision
	Frames []CollisionFrame
}

// CollisionFrame is one moment, with the frames that can follow it, as places among all. 0 means none: the first frame
// follows nothing.
type CollisionFrame struct {
	Trace *engine.Trace
	Asks  int // after the second client asks
	Waits int // after the clock moves
	Then  int // when the visitor does nothing
}

// The measures of a frame: vertical ones in pixels, horizontal ones in percent.
const (
	stripTop    = 66 // the start of time
	stripSecond = 15
	stripAsk    = 27 // between two requests of the same instant
	stripServer = 85.0
)

var stripClients = []float64{15, 48}

// moment is the layout of a frame. Time goes down.
type moment struct {
	At          engine.Instant
	Now, Bottom int
	Ticks       int  // moves of the clock so far
	Moved       bool // the last step moved the clock
	Heads       []stripHead
	Bars        []stripBar
	Asks        []stripAsked
	Both        int    // y of the request that let the second client in; 0: only one is inside
	Left        string // of the lease
	Says        string
}

// stripHead is the head of a lane: whose it is, and in which state.
type stripHead struct {
	Name, Hue, State string
	X                float64
}

// stripBar is a stay in the section, or a lease.
type stripBar struct {
	Class    string
	X        float64
	Top, End int
}

// stripAsked is a request and its reply.
type stripAsked struct {
	Hue, Icon, Text, Reply string
	X                      float64
	Y                      int
}

func stripY(at engine.Instant) int { return stripTop + int(at*stripSecond/time.Second) }

func (f CollisionFrame) moment(lang lessons.Lang) moment {
	steps := f.Trace.Steps
	now := f.Trace.At(len(steps))
	m := moment{At: now.Now, Now: stripY(now.Now), Says: f.says(lang), Moved: steps[len(steps)-1].Choice.Kind == engine.Tick}
	entered := map[string]int{}
	for i := range steps {
		s := &steps[i]
		if s.Choice.Kind == engine.Tick {
			m.Ticks++
			continue
		}
		a := f.asked(s)
		if i > 0 && s.At == 0 {
			a.Y += stripAsk
		}
		m.Asks = append(m.Asks, a)
		if outcomeOf(s) != outOK {
			continue
		}
		entered[s.Choice.Target] = a.Y
		if key, held := soleKey(&s.After); held {
			m.Bars = append(m.Bars, stripBar{a.Hue + " lease", stripServer, a.Y, stripY(key.Deadline)})
		}
	}
	m.Bottom = stripY(now.Actors[0].Until)
	for i, a := range now.Actors[:len(stripClients)] {
		m.Heads = append(m.Heads, stripHead{a.Name, thumbHue(i), stripState(lang, a), stripClients[i]})
		if y, in := entered[a.Name]; in {
			m.Bars = append(m.Bars, stripBar{thumbHue(i) + " plan", stripClients[i], y, m.Bottom})
			m.Bars = append(m.Bars, stripBar{thumbHue(i) + " stay", stripClients[i], y, m.stays(y, len(entered) > 1)})
		}
	}
	for i := range m.Bars {
		m.Bars[i].End = min(m.Bars[i].End, m.Bottom)
	}
	m.server(lang, now)
	if len(entered) > 1 {
		m.Both = entered[steps[len(steps)-1].Choice.Target]
		m.Left = keyExpired.in(lang) // the first lease, although the second runs
	}
	return m
}

// stays is where a bar of somebody inside ends: at Now; at Bottom when both are inside.
func (m *moment) stays(from int, both bool) int {
	if both {
		return m.Bottom
	}
	return max(m.Now, from)
}

// server adds the server's head, and says what is left of the lease.
func (m *moment) server(lang lessons.Lang, now *engine.Snapshot) {
	state := stripNoKey.in(lang)
	if key, held := soleKey(now); held {
		state = key.Name + " = " + key.Text
		m.Left = keyLeft.in(lang, span(lang, key.Deadline-now.Now))
	} else {
		m.Left = keyExpired.in(lang)
	}
	m.Heads = append(m.Heads, stripHead{called(lang, lessons.Redis), "server", state, stripServer})
}

func (f CollisionFrame) asked(s *engine.Step) stripAsked {
	n := slices.IndexFunc(s.After.Actors, func(a engine.ActorState) bool { return a.Name == s.Choice.Target })
	a := stripAsked{Hue: thumbHue(n), Icon: icon(outcomeOf(s)), X: stripClients[n], Y: stripY(s.At)}
	a.Text = requestText(lessons.En, s.Request, span)
	if s.Reply != nil {
		a.Reply = strings.Trim(s.Reply.String(), `"`)
	}
	return a
}

// soleKey is the lock, the lesson's only key; false: nobody holds it.
func soleKey(s *engine.Snapshot) (engine.Key, bool) {
	if keys := s.Nodes[0].Keys; len(keys) > 0 {
		return keys[0], true
	}
	return engine.Key{}, false
}

func stripState(lang lessons.Lang, a engine.ActorState) string {
	switch {
	case len(a.Inside) > 0:
		return stripInside.in(lang)
	case a.Status == engine.Sleeping:
		return stripMustWait.in(lang)
	}
	return stripOutside.in(lang)
}

// says words the last step.
func (f CollisionFrame) says(lang lessons.Lang) string {
	s := &f.Trace.Steps[len(f.Trace.Steps)-1]
	first := s.After.Actors[0]
	key, held := soleKey(&s.After)
	switch {
	case len(s.Broken) > 0:
		return stripBothSays.in(lang, s.Choice.Target, first.Name)
	case s.Choice.Kind == engine.Tick && held:
		return stripTickSays.in(lang, span(lang, key.Deadline-s.At), first.Name, span(lang, first.Until-s.At))
	case s.Choice.Kind == engine.Tick:
		return stripGoneSays.in(lang, first.Name)
	case outcomeOf(s) == outDenied:
		actor, _ := s.After.Actor(s.Choice.Target)
		return stripRefusedSays.in(lang, actor.Name, span(lang, actor.Until-s.At))
	}
	return stripHeldSays.in(lang, first.Name, span(lang, key.Deadline-s.At), span(lang, first.Until-s.At))
}

// asks is the label of the button that lets the second client ask.
func (c *Collision) asks(lang lessons.Lang) string {
	return stripAsks.in(lang, c.Frames[0].Trace.Start.Actors[1].Name)
}

// waits is the label of the button that moves the clock.
func (c *Collision) waits(lang lessons.Lang) string {
	for _, f := range c.Frames {
		if s := f.Trace.Steps[len(f.Trace.Steps)-1]; s.Choice.Kind == engine.Tick {
			return "+" + span(lang, s.Choice.Span)
		}
	}
	return ""
}

// last is the frame in which the second client asks as late as it can.
func (c *Collision) last() int {
	n := 0
	for {
		switch f := c.Frames[n]; {
		case f.Waits > 0:
			n = f.Waits
		case f.Asks > 0:
			n = f.Asks
		default:
			return n
		}
	}
}

// spent is the elapsed part of the first lease.
func (m moment) spent() stripBar {
	for _, b := range m.Bars {
		if b.X == stripServer {
			return stripBar{X: b.X, Top: b.Top, End: min(b.End, m.Now)}
		}
	}
	return stripBar{}
}

// leftY is the place of Left: the middle of the first lease's remaining part, and always above its end.
func (m moment) leftY() int {
	for _, b := range m.Bars {
		if b.X == stripServer {
			return min((m.Now+b.End)/2, b.End-26)
		}
	}
	return m.Now
}

// asking tells whether a request has the same place as the present.
func (m moment) asking() bool {
	return slices.ContainsFunc(m.Asks, func(a stripAsked) bool { return a.Y == m.Now })
}
