package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/node/redis"
	"lockstep/web/player"
)

// compared is all that is recorded of lessons. Beside the digests stands which of them are alike, since
// some have the names of Go's types in them, which may change.
var compared = []string{"trace", "options", "digests", "alike", "lines", "search", "wire"}

func playBlock(t *testing.T, l *lessons.Lesson, block uint64, to map[string]io.Writer) {
	t.Helper()
	playSchedules(t, l, block, to)
	playLines(t, l, block, to["lines"])
	playSearch(t, l, block, to["search"])
	playWire(t, l, block, to["wire"])
}

// recordedLength is how many choices the schedule of a seed has, unless nothing may happen sooner: one
// in ten is long, since all of them would take many minutes.
func recordedLength(seed uint64) int {
	if seed%10 == 0 {
		return 40
	}
	return 8
}

// recordedWeights is how much more likely than others some choices are. They are the test's own:
// with those of another test, or of a table of the engine, a change there would give other schedules,
// and say that everything goes otherwise.
var recordedWeights = map[string]int{"run": 30, "tick": 6, "replicate": 8, "promote": 3, "restart": 8, "resume": 6, "heal": 6}

// recordedDraw is a choice that may be made now. The order of the options is compared, too.
func recordedDraw(r *rand.Rand, options []engine.Option) (engine.Choice, bool) {
	var enabled []engine.Choice
	for _, o := range options {
		if o.Enabled() {
			for range max(recordedWeights[string(o.Choice.Kind)], 1) {
				enabled = append(enabled, o.Choice)
			}
		}
	}
	if len(enabled) == 0 {
		return engine.Choice{}, false
	}
	choice := enabled[r.IntN(len(enabled))]
	if string(choice.Kind) == "tick" && r.IntN(3) > 0 {
		choice.Span = time.Duration(1+r.IntN(20)) * 100 * time.Millisecond
	}
	return choice, true
}

// recordedRun plays the schedule of a seed, and shows each moment, the start and the end included.
func recordedRun(t *testing.T, s engine.Scenario, seed uint64, see func(*engine.World)) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for range recordedLength(seed) {
		see(w)
		choice, ok := recordedDraw(r, w.Enabled())
		if !ok {
			return w
		}
		if _, err := w.Apply(t.Context(), choice); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, w.Trace())
		}
	}
	see(w)
	return w
}

func recordedScenario(t *testing.T, l *lessons.Lesson) engine.Scenario {
	t.Helper()
	s, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func writeTrace(t *testing.T, to io.Writer, seed uint64, trace *engine.Trace) {
	t.Helper()
	text, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(to, "seed %d\n%s\n%s\n", seed, text, trace)
}

// playSchedules writes the trace of each schedule; of each moment, what may happen, why other things
// may not, and the nodes' digests; and the actors' digests at the end.
func playSchedules(t *testing.T, l *lessons.Lesson, block uint64, to map[string]io.Writer) {
	t.Helper()
	s := recordedScenario(t, l)
	actors := map[string]engine.Actor{}
	for i, a := range s.Actors {
		s.Actors[i].New = func() engine.Actor {
			actors[a.Name] = a.New()
			return actors[a.Name]
		}
	}
	first := map[string]int{}
	digest := func(of string, digest any) {
		is := fmt.Sprintf("%s %x", of, digest)
		if _, met := first[is]; !met {
			first[is] = len(first)
		}
		fmt.Fprintln(to["digests"], is)
		fmt.Fprintln(to["alike"], of, first[is])
	}
	for seed := block * seedsInBlock; seed < (block+1)*seedsInBlock; seed++ {
		w := recordedRun(t, s, seed, func(w *engine.World) {
			writeOptions(to["options"], seed, w)
			for _, n := range s.Nodes {
				digest(n.Name, n.Node.(engine.Forker).Digest())
			}
		})
		for _, a := range s.Actors {
			digest(a.Name, actors[a.Name].(engine.Digester).Digest())
		}
		writeTrace(t, to["trace"], seed, w.Trace())
	}
}

func writeOptions(to io.Writer, seed uint64, w *engine.World) {
	fmt.Fprintf(to, "seed %d, step %d:", seed, len(w.Trace().Steps))
	for _, o := range w.Enabled() {
		fmt.Fprintf(to, " [%s]", o.Choice)
		if !o.Enabled() {
			fmt.Fprintf(to, " %s: %s;", o.Reason.Code, o.Reason.Error())
		}
	}
	fmt.Fprintln(to)
}

// playLines writes the lines that scripts and programs run in the block's first schedule, too.
func playLines(t *testing.T, l *lessons.Lesson, block uint64, to io.Writer) {
	t.Helper()
	s := recordedScenario(t, l)
	s.Positions = true
	s.Watch = func(int) bool { return true }
	s.Look = redis.Look
	seed := block * seedsInBlock
	writeTrace(t, to, seed, recordedRun(t, s, seed, func(*engine.World) {}).Trace())
}

// playSearch writes what the first states of a search are, one assumption about time after another.
func playSearch(t *testing.T, l *lessons.Lesson, block uint64, to io.Writer) {
	t.Helper()
	assumptions := []string{"prompt", "arrive", "late=2s", "any"}
	bound, err := search.ParseTimeBound(assumptions[block%uint64(len(assumptions))])
	if err != nil {
		t.Fatal(err)
	}
	q := lessons.Question{Bounds: search.Bounds{Time: bound, States: 100 * (int(block) + 1)}}
	if block >= uint64(len(assumptions)) {
		q.Bounds.Faults = l.OneFault()
	}
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil {
		fmt.Fprintln(to, err)
		return
	}
	fmt.Fprintln(to, v.Ending, v.Stopped, v.Schedule, v.Loop, v.States, v.Transitions, v.Depth, v.Levels, v.Clocks)
	if v.Violation != nil {
		fmt.Fprintln(to, v.Violation.Invariant, v.Violation.Detail.Error())
	}
	for _, s := range v.Sometimes {
		fmt.Fprintf(to, "%+v\n", s)
	}
}

// playWire writes each message that a page gets while a schedule is played in it, and then all else that
// needs no words of the learner's own. Blocks take turns in English and Chinese; the first of each has
// a long schedule.
func playWire(t *testing.T, l *lessons.Lesson, block uint64, to io.Writer) {
	t.Helper()
	lang, seed := lessons.En, block*seedsInBlock
	if block%2 == 1 {
		lang = lessons.Zh
	}
	if block > 1 {
		seed++
	}
	w := recordedRun(t, recordedScenario(t, l), seed, func(*engine.World) {})
	p := &player.Playground{Catalog: player.NewCatalog([]*lessons.Lesson{l}), Engines: []player.Engine{player.Embedded{}}, Author: player.NewAuthor(author.Reader{}, nil)}
	page := &recordedPage{t: t, session: p.NewSession("recorded"), to: to}
	page.send(`"op":"load","lesson":%q,"lang":%q`, l.Name, lang)
	for _, s := range w.Trace().Steps {
		page.send(`"op":"choose","choice":%q`, s.Choice)
	}
	for _, o := range w.Enabled() {
		if !o.Enabled() {
			page.send(`"op":"choose","choice":%q`, o.Choice)
		}
	}
	for _, command := range []string{
		`"op":"export","text":"text"`, `"op":"export","text":"svg"`, `"op":"step","n":-3`, `"op":"line","n":1`, `"op":"line","n":1`,
		`"op":"seek","pos":7`, `"op":"seek","pos":8`, `"op":"fork"`, `"op":"beside"`, `"op":"ghost"`, `"op":"drop"`, `"op":"reset"`, `"op":"step","n":1`,
		`"op":"play","hz":1`, `"op":"pause"`, `"op":"seek","pos":999`, `"op":"story"`, `"op":"hint"`, `"op":"try"`, `"op":"solve"`, `"op":"next-challenge"`,
		`"op":"sources"`, `"op":"author"`, `"op":"engine","kind":"redis"`, `"op":"choose","choice":"dance"`, `"op":"dance"`,
	} {
		page.send("%s", command)
	}
}

// recordedPage is a client that draws each frame at once.
type recordedPage struct {
	t       *testing.T
	session *player.Session
	to      io.Writer
	id      int
}

func (p *recordedPage) send(format string, fields ...any) {
	p.t.Helper()
	p.id++
	command := fmt.Sprintf(`{"v":1,"id":%d,%s}`, p.id, fmt.Sprintf(format, fields...))
	fmt.Fprintln(p.to, command)
	for _, m := range p.session.Handle(p.t.Context(), []byte(command)) {
		fmt.Fprintf(p.to, "%s\n", m.Encode())
		if m.Frame != nil {
			p.session.Handle(p.t.Context(), fmt.Appendf(nil, `{"v":1,"op":"ack","rev":%d}`, m.Rev))
		}
	}
}
