package search_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
)

// TestASearchOverlooksNothing plays small random lessons by hand: every choice that the world offers, with
// every move of the clock on a grid, or to where something is due, without a memory and without digests. A search of
// the same lesson must meet everything that a rule could see there, and after no more choices.
func TestASearchOverlooksNothing(t *testing.T) {
	for _, seed := range sample.Drawn.Seeds(t) {
		compareByHand(t, seed)
	}
}

func FuzzASearchOverlooksNothing(f *testing.F) {
	f.Fuzz(compareByHand)
}

// The clock of both where there is a grid: it stops every second, and four seconds after the last thing that is due.
const (
	handGrid   = time.Second
	handBeyond = 4 * time.Second
)

const (
	handPlays = 25 // choices made in one lesson to play all short schedules: those as long as can be
	handWalks = 60 // random schedules of any length, besides
	handSteps = 16 // choices of one
	handTicks = 8  // moves of the clock in a row
)

func compareByHand(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	text := drawLesson(r)
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
	if l == nil {
		t.Errorf("seed %d: %v\n%s", seed, err, text)
		return
	}
	scenario := func(rules ...engine.Invariant) engine.Scenario {
		s := scenarioOf(t, l)
		s.Invariants = rules
		return s
	}
	bounds := []search.TimeBound{search.Prompt, search.Arrive, {Late: time.Second}, search.AnyLate}
	b := search.Bounds{Time: bounds[r.IntN(len(bounds))], Beyond: handBeyond, Faults: l.OneFault(), States: 3_000}
	if r.IntN(4) > 0 {
		b.Grid = handGrid
	}
	if r.IntN(4) == 0 {
		for kind := range b.Faults {
			b.Faults[kind] = 2
		}
	}
	hand := deepest(scenario(), b)
	for range handWalks {
		if err := hand.walk(r); err != nil {
			t.Fatal(seed, err)
		}
	}
	complain := func(format string, args ...any) {
		t.Errorf("seed %d, time %v, grid %v, faults %v: %s\n%s", seed, b.Time, b.Grid, b.Faults, fmt.Sprintf(format, args...), text)
	}
	explore := func(rule engine.Invariant) (search.Verdict, bool) {
		v, err := search.Explore(t.Context(), scenario(rule), b, nil)
		if err != nil {
			complain("%s: %v", rule.Name(), err)
		}
		if err == nil && v.Ending == search.Breaks {
			if i, allowed := hand.allows(v.Schedule, crowdsOf(l)); !allowed {
				complain("%s breaks after %v, of which choice %d is against the assumption", rule.Name(), v.Schedule, i+1)
			}
		}
		return v, err == nil && v.Stopped != search.StatesBound
	}
	for _, around := range []bool{false, true} {
		met := &looker{around: around, seen: map[string]bool{}}
		if _, ended := explore(met); !ended {
			return
		}
		all := hand.sights[around]
		for _, s := range slices.Sorted(maps.Keys(all)) {
			if !met.seen[s] {
				complain("the search never sees %q, as after %v", s, all[s].schedule)
				return
			}
		}
		sights := slices.Sorted(maps.Keys(all))
		if len(sights) == 0 {
			continue
		}
		one := sights[r.IntN(len(sights))]
		if v, ended := explore(&looker{around: around, target: one}); ended && (v.Ending != search.Breaks || v.Moves() > all[one].cost) {
			complain("%q is seen after %d, %v; the search %s in %d, %v", one, all[one].cost, all[one].schedule, v.Ending, v.Moves(), v.Schedule)
		}
	}
	for name, f := range hand.broken {
		rule, _ := engine.Rule(name)
		if v, ended := explore(rule); ended && (v.Ending != search.Breaks || v.Moves() > f.cost) {
			complain("%s breaks in %d, %v; the search %s in %d, %v", name, f.cost, f.schedule, v.Ending, v.Moves(), v.Schedule)
		}
	}
}

// looker is a rule that notes all that it is shown, or breaks at one sight.
type looker struct {
	around bool
	target string
	seen   map[string]bool
}

func (*looker) Name() string            { return "looker" }
func (l *looker) LooksAtKeysOnly() bool { return !l.around }

func (l *looker) Check(_ *engine.Snapshot, step *engine.Step) ([]engine.Violation, error) {
	s := sightOf(&step.After, l.around)
	if l.seen != nil {
		l.seen[s] = true
	} else if s == l.target {
		return []engine.Violation{{Invariant: "looker", Detail: fact.Text("seen")}}, nil
	}
	return nil, nil
}

// sightOf is what a rule can see: the keys and who is inside; around, all the rest too.
func sightOf(s *engine.Snapshot, around bool) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		if around || n.Status == engine.Crashed {
			fmt.Fprintf(&b, "[%s]", n.Status)
		}
		if around {
			fmt.Fprintf(&b, "%d %t %q %d %d %d %v ", len(n.Queue), n.Stale, n.Leader, n.Deadlock.N, len(n.Waits), len(n.Sessions), n.Holds)
		}
		for _, k := range n.Keys {
			left := time.Duration(-1)
			if k.Deadline != engine.NoDeadline {
				left = max(k.Deadline-s.Now, 0)
			}
			fmt.Fprintf(&b, "%s=%s%v %v;", k.Name, k.Text, k.Items, left)
		}
	}
	for _, h := range s.Held {
		fmt.Fprintf(&b, "|%s %d", h.Section, len(h.Actors))
	}
	if !around {
		return b.String()
	}
	for _, a := range s.Actors {
		fmt.Fprintf(&b, "|%s %s", a.Name, a.Status)
	}
	for _, h := range s.Wanted {
		fmt.Fprintf(&b, "|w %s %d", h.Section, len(h.Actors))
	}
	return b.String()
}

// found is how something was met first, with the fewest choices.
type found struct {
	cost     int
	schedule []engine.Choice
}

// byHand plays a lesson, and notes what it meets.
type byHand struct {
	scenario engine.Scenario
	bounds   search.Bounds
	crowds   map[string]int // how many clients are one actor; nil: nobody asks when the last of them begins
	depth    int            // choices that a schedule may have
	plays    int
	sights   map[bool]map[string]found // by whether a rule looks around
	broken   map[string]found          // by rule
}

var errTooMany = errors.New("more plays than are made for one lesson")

// deepest plays all schedules that are as long as they can be.
func deepest(s engine.Scenario, b search.Bounds) *byHand {
	var last *byHand
	for depth := 1; ; depth++ {
		h := &byHand{scenario: s, bounds: b, depth: depth, sights: map[bool]map[string]found{false: {}, true: {}}, broken: map[string]found{}}
		err := h.visit(nil, h.begin())
		if err != nil && !errors.Is(err, errTooMany) {
			panic(err)
		}
		if last != nil && (err != nil || last.plays == h.plays) {
			return last
		}
		last = h
	}
}

// play is a schedule with what its assumption counts.
type play struct {
	schedule []engine.Choice
	cost     int // moves of the clock in a row are one choice
	ticks    int // that end the schedule
	idle     time.Duration
	late     map[string]time.Duration // how long each thread has been ready
	began    map[string]int           // clients of each actor
	faults   map[engine.ChoiceKind]int
}

func (h *byHand) begin() play {
	return play{late: map[string]time.Duration{}, began: map[string]int{}, faults: h.bounds.Faults}
}

func (h *byHand) world(schedule []engine.Choice) *engine.World {
	w, _, err := engine.Replay(context.Background(), h.scenario, schedule)
	if err != nil {
		panic(fmt.Sprint(schedule, err))
	}
	return w
}

// walk plays a random schedule.
func (h *byHand) walk(r *rand.Rand) error {
	h.depth = handSteps
	w, at := h.world(nil), h.begin()
	for {
		before := w.Snapshot()
		cs := h.choices(before, at)
		if len(cs) == 0 {
			return nil
		}
		next, err := h.make(w, before, at, cs[r.IntN(len(cs))])
		if err != nil || next == nil {
			return err
		}
		at = *next
	}
}

// allows tells which choice of a schedule, if any, the assumption forbids, also to crowds of so many clients.
func (h *byHand) allows(schedule []engine.Choice, crowds map[string]int) (at int, allowed bool) {
	long := byHand{scenario: h.scenario, bounds: h.bounds, crowds: crowds, depth: math.MaxInt, broken: map[string]found{}}
	w, now := long.world(nil), long.begin()
	for i, c := range schedule {
		now.ticks = 0 // in a row there may be as many as one likes
		next, err := long.make(w, w.Snapshot(), now, c)
		if err != nil || next == nil {
			return i, false
		}
		now = *next
	}
	return 0, true
}

// visit makes each choice after a play. It may use the world up that is there.
func (h *byHand) visit(w *engine.World, at play) error {
	if w == nil {
		w = h.world(at.schedule)
	}
	before := w.Snapshot()
	for _, c := range h.choices(before, at) {
		if w == nil {
			w = h.world(at.schedule)
		}
		next, err := h.make(w, before, at, c)
		if err == nil && next != nil {
			if h.plays++; h.plays > handPlays {
				return errTooMany
			}
			err = h.visit(w, *next)
		}
		if err != nil {
			return err
		}
		w = nil
	}
	return nil
}

// choices are those that may be made, by the assumption too; whether the clock may move to what is due is
// known only when it has.
func (h *byHand) choices(s *engine.Snapshot, at play) (cs []engine.Choice) {
	room, due := h.room(s, at), false
	for _, o := range s.Options {
		switch {
		case !o.Enabled() || o.Choice.Kind.Costs() && at.faults[o.Choice.Kind] == 0:
		default:
			due = due || o.Choice.Kind == engine.Tick
			cs = append(cs, o.Choice)
		}
	}
	if grid := h.bounds.Grid; grid > 0 && (due || at.idle+grid <= handBeyond) && (room < 0 || grid <= room) {
		cs = append(cs, engine.Choice{Kind: engine.Tick, Span: grid})
	}
	return cs
}

// room is how far the clock may move; below 0: as far as it likes.
func (h *byHand) room(s *engine.Snapshot, at play) time.Duration {
	room := time.Duration(-1)
	if h.bounds.Time.Any {
		return room
	}
	for _, a := range s.Actors {
		if a.Status == engine.Ready && (h.bounds.Time.Sync || h.begun(at, a.Name)) {
			left := h.bounds.Time.Late - at.late[a.Name]
			if room < 0 || left < room {
				room = left
			}
		}
	}
	return room
}

// make makes a choice, and notes what it shows. The play is nil when the assumption forbids it, or it is too long.
func (h *byHand) make(w *engine.World, before *engine.Snapshot, from play, c engine.Choice) (*play, error) {
	step, err := w.Apply(context.Background(), c)
	if err != nil {
		return nil, fmt.Errorf("%v %v: %w", from.schedule, c, err)
	}
	at := play{
		schedule: append(slices.Clone(from.schedule), c), cost: from.cost + 1, idle: from.idle,
		late: map[string]time.Duration{}, began: map[string]int{}, faults: map[engine.ChoiceKind]int{},
	}
	if c.Kind == engine.Tick {
		if room := h.room(before, from); room >= 0 && step.At-step.From > room {
			return nil, nil
		}
		at.ticks = from.ticks + 1
		if from.ticks > 0 {
			at.cost = from.cost
		}
		if c.Span > 0 && !slices.ContainsFunc(before.Options, func(o engine.Option) bool { return o.Choice.Kind == engine.Tick && o.Enabled() }) {
			at.idle += c.Span
		}
	}
	if at.cost > h.depth || at.ticks > handTicks {
		return nil, nil
	}
	for kind, n := range from.faults {
		if at.faults[kind] = n; kind == c.Kind {
			at.faults[kind]--
		}
	}
	h.follow(before, &step, from, &at)
	note := func(m map[string]found, what string) {
		if f, known := m[what]; !known || at.cost < f.cost {
			m[what] = found{at.cost, at.schedule}
		}
	}
	for around, sights := range h.sights {
		note(sights, sightOf(&step.After, around))
	}
	for _, name := range engine.RuleNames() {
		rule, _ := engine.Rule(name)
		vs, err := rule.Check(before, &step)
		if err != nil {
			return nil, err
		}
		if len(vs) > 0 {
			note(h.broken, name)
		}
	}
	return &at, nil
}

// begun tells whether a thread's client has begun. Of a crowd, it does not know whether all that have begun have ended: then
// time may pass before the next one begins.
func (h *byHand) begun(at play, thread string) bool {
	actor := engine.Root(thread)
	return at.began[actor] >= max(1, h.crowds[actor])
}

func crowdsOf(l *lessons.Lesson) map[string]int {
	crowds := map[string]int{}
	for _, a := range l.Actors {
		crowds[a.Name] = a.Count
	}
	return crowds
}

// follow counts who has begun, and how late who is.
func (h *byHand) follow(before *engine.Snapshot, step *engine.Step, from play, at *play) {
	maps.Copy(at.began, from.began)
	if step.Choice.Kind == engine.Run { // the clients of a crowd take turns
		at.began[engine.Root(step.Choice.Target)]++
	}
	for _, n := range step.Notes {
		if n.Kind == engine.NoteWoke || n.Kind == engine.NoteTimeout || n.Kind == engine.NoteNoReply {
			at.began[engine.Root(n.Actor)]++
		}
	}
	for _, a := range before.Actors {
		now, there := step.After.Actor(a.Name)
		counts := h.bounds.Time.Sync || h.begun(from, a.Name)
		if there && counts && a.Status == engine.Ready && now.Status == engine.Ready && step.Choice.Target != a.Name {
			at.late[a.Name] = from.late[a.Name] + step.At - step.From
		}
	}
}
