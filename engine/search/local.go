package search

import (
	"slices"

	"lockstep/engine"
)

// local is the memory of steps of single actors: a search meets the same step in many states that
// differ only in what the other actors are at. A step depends on the actor's own lane, on the nodes
// and on the rest. Besides these it changes only the mail of other actors and who wants what.
// Whether it breaks a rule depends also on who is inside which section and who wants one. All that
// makes up its cause, which is remembered with its effect; a step that broke a rule is not
// remembered, as the search has ended with it.
type local struct {
	alone bool // the above is true: each actor has its process to itself, nobody's lateness counts, and no rule looks at more

	judged      bool // there are rules that a step may break
	goesOn      bool // one of them asks whether anybody goes on
	idle        bool // one of them asks whether time passes while somebody wants a section
	looksAtKeys bool // one of them asks how long keys last
	around      bool // one of them may look at anything, such as how an actor ended

	connected bool // a node keeps connections, which end with their programs

	causes  tuples   // as localKey writes them
	effects []uint32 // of each cause stride numbers: the moment of each node, the actor's lane, the rest, the text of each actor's new messages, the text of the notes
	key     []uint64 // the last cause
	words   []uint64 // memory that is used again
}

func newLocal(s engine.Scenario, b Bounds) local {
	l := local{causes: newTuples(), alone: b.Time.Late == 0}
	processes := map[string]bool{}
	for _, a := range s.Actors {
		l.alone = l.alone && !processes[a.Process]
		processes[a.Process] = true
	}
	for _, r := range s.Invariants {
		l.judged = l.judged || r != engine.Invariant(NobodyStarves{})
		switch r := r.(type) {
		case engine.OwnRule:
			l.alone = l.alone && r.Looks != engine.LooksAround
			l.goesOn = l.goesOn || r.Looks == engine.LooksWhoRuns
			l.idle = l.idle || r.Looks == engine.LooksAtTime
		case KeysRule:
			l.looksAtKeys = true
			l.around = l.around || !r.LooksAtKeysOnly()
		case NobodyStarves:
		default:
			l.around = true
		}
	}
	l.alone = l.alone && !l.around
	l.connected = slices.ContainsFunc(s.Nodes, func(n engine.NodeSpec) bool {
		_, keeps := n.Node.(engine.Connected)
		return keeps
	})
	return l
}

// again makes a step from memory. known is false when it must be made in the world.
func (x *search) again(from []uint64, state uint32, c uint32) (to uint32, known bool) {
	if c == theTick {
		return x.tickAgain(from, state)
	}
	actor, ok := x.localKey(from, c)
	if !ok {
		return 0, false
	}
	step, _, _, known := x.local.causes.find(x.local.key)
	if !known {
		return 0, false
	}
	s := x.states
	words := append(x.local.words[:0], from...)
	effect := x.local.effects[int(step)*x.stride():]
	for i := range s.nodes {
		words[i] = uint64(effect[i])
	}
	words[len(s.nodes)+actor], words[s.restAt()] = uint64(effect[len(s.nodes)]), uint64(effect[len(s.nodes)+1])
	effect = effect[len(s.nodes)+2:]
	for i, letters := range effect[:len(s.actors)] {
		if letters == 0 {
			continue
		}
		lane := &words[len(s.nodes)+i]
		told, known := s.lanes[i][*lane].told[letters]
		if !known {
			return 0, false
		}
		*lane = uint64(told)
	}
	if notes := effect[len(s.actors)]; notes != 0 {
		wanted := &words[s.restAt()+1]
		noted, known := s.wanted[*wanted].noted[notes]
		if !known {
			return 0, false
		}
		*wanted = uint64(noted)
	}
	s.clearClock(words)
	x.local.words = words
	if x.local.goesOn && !s.somebodyRuns(words) {
		return 0, false
	}
	x.verdict.Transitions++
	return x.put(words, state, c), true
}

// stride is how many numbers an effect has.
func (x *search) stride() int { return x.states.restAt() + 3 }

// learn remembers a step that was made in the world, and led to the state that was saved last.
func (x *search) learn(from []uint64, c uint32) {
	if c == theTick {
		x.learnTick(from)
		return
	}
	actor, ok := x.localKey(from, c)
	if !ok {
		return
	}
	s, words := x.states, x.words
	_, fresh := x.local.causes.add(x.local.key)
	var effect []uint32
	for _, word := range words[:len(s.nodes)] {
		effect = append(effect, uint32(word))
	}
	effect = append(effect, uint32(words[len(s.nodes)+actor]), uint32(words[s.restAt()]))
	for i, lane := range s.lanesOf(from) {
		letters := uint32(0)
		if to := s.lanesOf(words)[i]; i != actor && to != lane {
			letters = s.tell(i, lane, to)
		}
		effect = append(effect, letters)
	}
	effect = append(effect, s.note(from[s.restAt()+1], words[s.restAt()+1], x.notes))
	if fresh {
		x.local.effects = append(x.local.effects, effect...)
	}
}

// tell remembers that new messages have made one lane of an actor of another. It returns the
// number of their text.
func (s *states) tell(actor int, from, to uint64) uint32 {
	lane := &s.lanes[actor][from]
	var key []byte
	for _, d := range s.lanes[actor][to].of.Mail[len(lane.of.Mail):] {
		key = appendText(appendText(appendText(key, d.Node), d.Channel), d.Payload)
		if d.Copy { // how many there are depends on who waits
			key = append(key, 'c')
		}
	}
	letters := s.text(key)
	if lane.told == nil {
		lane.told = map[uint32]uint32{}
	}
	lane.told[letters] = uint32(to)
	return letters
}

// note remembers that the notes of a step have changed who wants what. It returns the number of
// their text; 0: there are none.
func (s *states) note(from, to uint64, notes []byte) uint32 {
	if len(notes) == 0 {
		return 0
	}
	w, number := &s.wanted[from], s.text(notes)
	if w.noted == nil {
		w.noted = map[uint32]uint32{}
	}
	w.noted[number] = uint32(to)
	return number
}

func (s *states) text(text []byte) uint32 {
	number, _ := numberIn(s.texts, text)
	return number + 1
}

// localKey writes the cause of a step into x.local.key. ok is false for a step that may depend on
// more, or change more.
func (x *search) localKey(from []uint64, c uint32) (actor int, ok bool) {
	s := x.states
	if !x.local.alone || x.kinds[c].Kind != engine.Run {
		return 0, false
	}
	actor = x.actorOf[engine.Root(x.kinds[c].Target)]
	around := x.local.judged || !x.seen.contended // somebody asks who else is inside a section
	key := append(append(x.local.key[:0], uint64(c)), from[:len(s.nodes)]...)
	watched := uint64(0)
	for i, word := range s.lanesOf(from) {
		l := &s.lanes[i][word]
		if l.sent {
			return 0, false // a node may answer another actor in this step
		}
		if i != actor && l.clock {
			watched = 1
		}
		switch {
		case i == actor:
		case around:
			word = uint64(l.inside)
		default:
			word = 0
		}
		key = append(key, word)
	}
	x.local.key = append(key, from[s.restAt():]...) // the rest, who wants what, and the clock where it counts
	if !around {
		x.local.key[len(key)+1] = 0
	}
	if len(s.clocks) > 0 {
		x.local.key = append(x.local.key, watched) // else no idle moves are left in the rest that the step leads to
	}
	return actor, true
}

// somebodyRuns tells whether an actor can send a request now.
func (s *states) somebodyRuns(words []uint64) bool {
	r := &s.rests[words[s.restAt()]]
	for i, lane := range s.lanesOf(words) {
		if s.lanes[i][lane].sends && r.Runs(s.actors[i].spec.Process) {
			return true
		}
	}
	return false
}
