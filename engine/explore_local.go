package engine

import (
	"encoding/binary"
	"slices"
)

// local remembers steps of single actors. What an actor does by itself depends on its own
// lane, on the nodes and on the rest, and changes nothing else; whether that breaks a rule
// depends on who is inside what besides. A search meets the same with the others in many
// other places.
type local struct {
	known  map[string]localStep
	alone  bool // each actor has a process of its own, no node follows another, and all rules are known
	goesOn bool // a rule asks whether anything goes on
	idle   bool // a rule asks whether time passes while somebody wants something
	ticks  map[string]laneTick
	key    []byte
	words  []uint64

	looksAtKeys bool // a rule asks how long keys last
}

// localStep is what a step changes.
type localStep struct {
	lane, rest uint64
	nodes      []uint64
	timers     []uint64 // of the lane
}

func newLocal(s Scenario, b Bounds) local {
	l := local{known: map[string]localStep{}, ticks: map[string]laneTick{}, alone: b.Time.Late == 0}
	processes := map[string]bool{}
	for _, a := range s.Actors {
		l.alone = l.alone && !processes[a.Process]
		processes[a.Process] = true
	}
	for _, n := range s.Nodes {
		l.alone = l.alone && n.ReplicaOf == ""
	}
	for _, r := range s.Invariants {
		switch r := r.(type) {
		case OwnRule:
			l.alone = l.alone && r.looks != looksAround
			l.goesOn = l.goesOn || r.looks == looksWhoRuns
			l.idle = l.idle || r.looks == looksAtTime
		case KeysRule:
			l.looksAtKeys = true
			l.alone = l.alone && r.LooksAtKeysOnly()
		case NobodyStarves:
		default:
			l.alone = false
		}
	}
	return l
}

// again makes a step as it was made before.
func (x *search) again(from []uint64, state uint32, c Choice) (to uint32, known bool) {
	if c.Kind == Tick {
		return x.tickAgain(from, state)
	}
	actor, ok := x.localKey(from, c)
	if !ok {
		return 0, false
	}
	step, known := x.local.known[string(x.local.key)]
	if !known {
		return 0, false
	}
	s := x.states
	words := append(x.local.words[:0], from...)
	copy(words, step.nodes)
	first, count := s.timersOf(from, actor)
	words[len(s.nodes)+actor] = step.lane
	words[len(s.nodes)+len(s.actors)] = step.rest
	words = slices.Replace(words, first, first+count, step.timers...)
	s.clear(words)
	x.local.words = words
	if x.local.goesOn && !s.somebodyRuns(words) {
		return 0, false
	}
	x.verdict.Transitions++
	return x.put(words, state, x.number(c)), true
}

// learn remembers a step that led to the state that was saved last.
func (x *search) learn(from []uint64, c Choice) {
	if c.Kind == Tick {
		x.learnTick(from)
		return
	}
	actor, ok := x.localKey(from, c)
	if !ok {
		return
	}
	s, words := x.states, x.words
	first, count := s.timersOf(words, actor)
	x.local.known[string(x.local.key)] = localStep{
		lane: words[len(s.nodes)+actor], rest: words[len(s.nodes)+len(s.actors)],
		nodes: slices.Clone(words[:len(s.nodes)]), timers: slices.Clone(words[first : first+count]),
	}
}

// localKey writes all that decides what a step of an actor does, and what rules say of it.
// ok is false for a step that may depend on more, or change more.
func (x *search) localKey(from []uint64, c Choice) (actor int, ok bool) {
	s := x.states
	if !x.local.alone || c.Kind != Run {
		return 0, false
	}
	actor = x.actorOf[Root(c.Target)]
	key := append(x.local.key[:0], c.Target...)
	key = append(key, 0)
	for _, word := range from[:len(s.nodes)] {
		key = binary.AppendUvarint(key, word)
	}
	for i, word := range from[len(s.nodes) : len(s.nodes)+len(s.actors)] {
		l := &s.lanes[i][word]
		if l.sent {
			return 0, false // a node may answer it in this step
		}
		if i != actor {
			word = uint64(l.inside)
		}
		key = binary.AppendUvarint(key, word)
	}
	rest := len(s.nodes) + len(s.actors)
	for _, word := range from[rest:s.timersAt()] { // and the clock, where it counts
		key = binary.AppendUvarint(key, word)
	}
	first, count := s.timersOf(from, actor)
	for _, word := range from[first : first+count] {
		key = binary.AppendUvarint(key, word)
	}
	x.local.key = key
	return actor, true
}

// timersOf is where the timers of an actor are in a state.
func (s *states) timersOf(words []uint64, actor int) (first, count int) {
	first = s.timersAt()
	for i := range actor {
		first += s.lanes[i][words[len(s.nodes)+i]].timers
	}
	return first, s.lanes[actor][words[len(s.nodes)+actor]].timers
}

// somebodyRuns tells whether an actor has a request that a node could be sent now.
func (s *states) somebodyRuns(words []uint64) bool {
	r := &s.rests[words[len(s.nodes)+len(s.actors)]]
	for i := range s.actors {
		p := slices.IndexFunc(r.processes, func(p process) bool { return p.name == s.actors[i].spec.Process })
		if s.lanes[i][words[len(s.nodes)+i]].sends && r.processes[p].runs() {
			return true
		}
	}
	return false
}

// sum fills in what is known of a lane without looking at its threads.
func (s *states) sum(l *lane) {
	var inside []byte
	for _, t := range l.threads {
		l.sent = l.sent || t.sent != nil
		_, sends := toNode(t.next)
		l.sends = l.sends || sends && t.sent == nil
		if t.until != NoDeadline {
			l.timers++
		}
		l.clock = l.clock || !t.ended() && slices.ContainsFunc(s.clocks, func(name string) bool {
			return name == t.name || name != Root(name) && Root(name) == Root(t.name)
		})
		for _, section := range t.inside {
			inside = appendText(appendText(inside, t.name), section)
		}
	}
	number, known := s.insides[string(inside)]
	if !known {
		number = len(s.insides)
		s.insides[string(inside)] = number
	}
	l.inside = number
}
