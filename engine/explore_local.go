package engine

import "slices"

// local remembers steps of single actors. What an actor does by itself depends on its own
// lane, on the nodes and on the rest. All else that it changes are the messages that others get, and where
// it stands among those who wait. Whether that breaks a rule depends on who is inside what and who waits
// besides. A search meets the same with the others in many other places.
type local struct {
	known  tuples   // what decides what a step does
	does   []uint32 // for each, what it makes of the nodes, the lane and the rest, the messages for each actor, and the notes
	judged bool     // there are rules that a step may break
	alone  bool     // each actor has a process of its own, and all rules are known
	goesOn bool     // a rule asks whether anything goes on
	idle   bool     // a rule asks whether time passes while somebody wants something
	key    []uint64
	words  []uint64

	looksAtKeys bool // a rule asks how long keys last
}

func newLocal(s Scenario, b Bounds) local {
	l := local{known: newTuples(), alone: b.Time.Late == 0}
	processes := map[string]bool{}
	for _, a := range s.Actors {
		l.alone = l.alone && !processes[a.Process]
		processes[a.Process] = true
	}
	for _, r := range s.Invariants {
		l.judged = l.judged || r != Invariant(NobodyStarves{})
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
func (x *search) again(from []uint64, state uint32, c uint16) (to uint32, known bool) {
	if c == theTick {
		return x.tickAgain(from, state)
	}
	actor, ok := x.localKey(from, c)
	if !ok {
		return 0, false
	}
	step, _, _, known := x.local.known.find(x.local.key)
	if !known {
		return 0, false
	}
	s := x.states
	words := append(x.local.words[:0], from...)
	does := x.local.does[int(step)*x.stride():]
	for i := range s.nodes {
		words[i] = uint64(does[i])
	}
	words[len(s.nodes)+actor], words[s.restAt()] = uint64(does[len(s.nodes)]), uint64(does[len(s.nodes)+1])
	does = does[len(s.nodes)+2:]
	for i, letters := range does[:len(s.actors)] {
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
	if notes := does[len(s.actors)]; notes != 0 {
		wanted := &words[s.restAt()+1]
		noted, known := s.wanted[*wanted].noted[notes]
		if !known {
			return 0, false
		}
		*wanted = uint64(noted)
	}
	s.clear(words)
	x.local.words = words
	if x.local.goesOn && !s.somebodyRuns(words) {
		return 0, false
	}
	x.verdict.Transitions++
	return x.put(words, state, c), true
}

// stride is how many numbers tell what a step does.
func (x *search) stride() int { return x.states.restAt() + 3 }

// learn remembers a step that led to the state that was saved last.
func (x *search) learn(from []uint64, c uint16) {
	if c == theTick {
		x.learnTick(from)
		return
	}
	actor, ok := x.localKey(from, c)
	if !ok {
		return
	}
	s, words := x.states, x.words
	_, fresh := x.local.known.add(x.local.key)
	var does []uint32
	for _, word := range words[:len(s.nodes)] {
		does = append(does, uint32(word))
	}
	does = append(does, uint32(words[len(s.nodes)+actor]), uint32(words[s.restAt()]))
	for i, lane := range s.lanesOf(from) {
		letters := uint32(0)
		if to := s.lanesOf(words)[i]; i != actor && to != lane {
			letters = s.tell(i, lane, to)
		}
		does = append(does, letters)
	}
	does = append(does, s.note(from[s.restAt()+1], words[s.restAt()+1], x.notes))
	if fresh {
		x.local.does = append(x.local.does, does...)
	}
}

// tell remembers what messages have made of a lane, and numbers them.
func (s *states) tell(actor int, from, to uint64) uint32 {
	lane := &s.lanes[actor][from]
	var key []byte
	for _, d := range s.lanes[actor][to].mail[len(lane.mail):] {
		key = appendText(appendText(appendText(key, d.Node), d.Channel), d.Payload)
	}
	letters := s.text(key)
	if lane.told == nil {
		lane.told = map[uint32]uint32{}
	}
	lane.told[letters] = uint32(to)
	return letters
}

// note remembers what notes have made of those who wait, and numbers the notes; 0 are none.
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
	number, known := s.texts[string(text)]
	if !known {
		number = uint32(len(s.texts)) + 1
		s.texts[string(text)] = number
	}
	return number
}

// localKey writes all that decides what a step of an actor does, and what rules say of it.
// ok is false for a step that may depend on more, or change more.
func (x *search) localKey(from []uint64, c uint16) (actor int, ok bool) {
	s := x.states
	if !x.local.alone || x.kinds[c].Kind != Run {
		return 0, false
	}
	actor = x.actorOf[Root(x.kinds[c].Target)]
	around := x.local.judged || !x.seen.contended // whether it matters what others are doing
	key := append(append(x.local.key[:0], uint64(c)), from[:len(s.nodes)]...)
	for i, word := range s.lanesOf(from) {
		l := &s.lanes[i][word]
		if l.sent {
			return 0, false // a node may answer it in this step
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
	x.local.key = append(key, from[s.restAt():]...) // and the clock, where it counts
	if !around {
		x.local.key[len(key)+1] = 0
	}
	return actor, true
}

// somebodyRuns tells whether an actor has a request that a node could be sent now.
func (s *states) somebodyRuns(words []uint64) bool {
	r := &s.rests[words[s.restAt()]]
	for i, lane := range s.lanesOf(words) {
		p := slices.IndexFunc(r.processes, func(p process) bool { return p.name == s.actors[i].spec.Process })
		if s.lanes[i][lane].sends && r.processes[p].runs() {
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
	l.outlook = s.look(l)
}
