package ui

import (
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// Where threads stand in the code of the storybook's lesson.

func at(frames ...engine.Frame) *engine.Position { return &engine.Position{Frames: frames} }

func inProgram(who string, line int) engine.Frame { return engine.Frame{Chunk: who, Line: line} }

func inLock(line int, ttl string) engine.Frame {
	f := engine.Frame{Chunk: "redisson.lua", First: 21, Last: 30, Line: line, Locals: []engine.Local{{Name: "name", Value: `"anyLock"`}}}
	if ttl != "" {
		f.Locals = append(f.Locals, engine.Local{Name: "ttl", Value: ttl})
	}
	return f
}

func inAcquire(who string) engine.Frame {
	return engine.Frame{
		Chunk: "redisson.lua", First: 5, Last: 11, Line: 6, Locals: []engine.Local{{Name: "name", Value: `"anyLock"`}},
		Outer: []engine.Local{{Name: "WATCHDOG", Value: "30000"}, {Name: "owner", Value: `"8743c9c0:` + who + `"`}},
	}
}

func inWatch(line int) engine.Frame {
	return engine.Frame{
		Chunk: "redisson.lua", First: 13, Last: 18, Line: line, Locals: []engine.Local{{Name: "name", Value: `"anyLock"`}},
		Outer: []engine.Local{{Name: "WATCHDOG", Value: "30000"}, {Name: "owner", Value: `"8743c9c0:A"`}},
	}
}

var inSpawned = engine.Frame{Chunk: "redisson.lua", First: 8, Last: 8, Line: 8, Outer: []engine.Local{{Name: "name", Value: `"anyLock"`}}}

const channel = "redisson_lock__channel:{anyLock}"

// world plays a scene by hand: each step says what it changes, and the rest
// stays as it was.
type world struct {
	trace engine.Trace
	snap  engine.Snapshot
}

func newWorld() *world {
	s := engine.Snapshot{
		Nodes: []engine.NodeView{{Node: "redis"}},
		Actors: []engine.ActorState{
			{Name: "A", Process: "jvm-1", Status: engine.Ready, Next: lockCall("A"), Until: engine.NoDeadline, Position: at(inAcquire("A"), inLock(22, ""), inProgram("A", 1))},
			{Name: "B", Process: "jvm-2", Status: engine.Ready, Next: lockCall("B"), Until: engine.NoDeadline, Position: at(inAcquire("B"), inLock(22, ""), inProgram("B", 1))},
		},
	}
	s.Options = optionsOf(s)
	return &world{trace: engine.Trace{Start: s}, snap: s}
}

func lockCall(who string) engine.Request {
	return engine.Exec{Node: "redis", Op: engine.Op{
		Script: &engine.Script{Name: "lock", Source: lockLua},
		Keys:   []string{"anyLock"}, Args: []string{"30000", "8743c9c0:" + who},
	}}
}

func unlockCall(who string) engine.Request {
	return engine.Exec{Node: "redis", Op: engine.Op{
		Script: &engine.Script{Name: "unlock", Source: unlockLua},
		Keys:   []string{"anyLock", channel}, Args: []string{"0", "30000", "8743c9c0:" + who},
	}}
}

func optionsOf(s engine.Snapshot) []engine.Option {
	var os []engine.Option
	for _, a := range s.Actors {
		o := engine.Option{Choice: engine.Choice{Kind: engine.Run, Target: a.Name}}
		switch a.Status {
		case engine.Sleeping:
			o.Reason = fact.Of("sleeping", engine.At(a.Until))
		case engine.Waiting:
			o.Reason = fact.Of("waiting-until", channel, engine.At(a.Until))
		case engine.Crashed:
			o.Reason = fact.Of("crashed", a.Process)
		case engine.Finished:
			o.Reason = fact.Of("done")
		case engine.Paused, engine.Failed, engine.Ready, engine.Blocked, engine.Unanswered:
		}
		os = append(os, o)
	}
	tick := engine.Option{Choice: engine.Choice{Kind: engine.Tick}}
	if len(s.Nodes[0].Keys) == 0 {
		tick.Reason = fact.Of("nothing-due")
	}
	crash := engine.Option{Choice: engine.Choice{Kind: engine.Crash, Target: "jvm-1"}}
	if s.Actors[0].Status == engine.Crashed {
		crash.Reason = fact.Of("crashed", "jvm-1")
	}
	drop := engine.Option{Choice: engine.Choice{Kind: engine.Drop, Target: "jvm-2"}, Reason: fact.Of("no-message", "jvm-2")}
	return append(os, tick, crash, drop)
}

// step makes one step; change edits a copy of the world and fills in the step.
func (w *world) step(choice string, change func(s *engine.Step, after *engine.Snapshot)) {
	c, err := engine.ParseChoice(choice)
	if err != nil {
		panic(err)
	}
	before := w.snap
	after := before
	after.Actors = slices.Clone(before.Actors)
	after.Nodes = slices.Clone(before.Nodes)
	after.Nodes[0].Keys = slices.Clone(before.Nodes[0].Keys)
	after.Held = slices.Clone(before.Held)
	after.Mail = slices.Clone(before.Mail)
	s := engine.Step{N: len(w.trace.Steps) + 1, Choice: c, From: before.Now}
	if a, ok := before.Actor(c.Target); ok {
		s.Process, s.Request = a.Process, a.Next
	}
	change(&s, &after)
	s.At = after.Now
	s.Changes = diff(before.Nodes[0].Keys, after.Nodes[0].Keys)
	s.Moves = movesBetween(before, after)
	after.Options = optionsOf(after)
	s.After = after
	w.trace.Steps = append(w.trace.Steps, s)
	w.snap = after
}

// movesBetween are of the actors that stand elsewhere.
func movesBetween(before, after engine.Snapshot) []engine.Move {
	var ms []engine.Move
	for _, a := range after.Actors {
		was, _ := before.Actor(a.Name)
		if was.Position != a.Position {
			ms = append(ms, engine.Move{Actor: a.Name, From: was.Position, To: a.Position, Next: a.Next})
		}
	}
	return ms
}

func diff(was, now []engine.Key) []engine.Change {
	names := map[string]bool{}
	old, cur := engine.NodeView{Keys: was}, engine.NodeView{Keys: now}
	var all []string
	for _, k := range slices.Concat(was, now) {
		if !names[k.Name] {
			names[k.Name] = true
			all = append(all, k.Name)
		}
	}
	slices.Sort(all)
	var cs []engine.Change
	for _, name := range all {
		c := engine.Change{Node: "redis", Key: name}
		if k, ok := old.Key(name); ok {
			c.Old = &k
		}
		if k, ok := cur.Key(name); ok {
			c.New = &k
		}
		if c.Old == nil || c.New == nil || !c.Old.Equal(*c.New) {
			cs = append(cs, c)
		}
	}
	return cs
}

func hash(name string, deadline time.Duration, pairs ...string) engine.Key {
	k := engine.Key{Name: name, Type: engine.HashKey, Deadline: deadline}
	for i := 0; i < len(pairs); i += 2 {
		k.Items = append(k.Items, engine.Item{Name: pairs[i], Value: pairs[i+1]})
	}
	return k
}

func actorOf(s *engine.Snapshot, name string) *engine.ActorState {
	i := slices.IndexFunc(s.Actors, func(a engine.ActorState) bool { return a.Name == name })
	return &s.Actors[i]
}

// The scenes' single steps.

func (w *world) aLocks() {
	w.step("run A", func(s *engine.Step, after *engine.Snapshot) {
		s.Reply = &reply.Reply{}
		s.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteEnter, Text: "anyLock"}, {Actor: "A", Kind: engine.NoteSpawn, Text: "watchdog"}}
		after.Nodes[0].Keys = []engine.Key{hash("anyLock", after.Now+30*time.Second, "8743c9c0:A", "1")}
		after.Held = []engine.Holding{{Section: "anyLock", Actors: []string{"A"}}}
		a := actorOf(after, "A")
		a.Status, a.Until, a.Inside = engine.Sleeping, after.Now+20*time.Second, []string{"anyLock"}
		a.Next, a.Position = engine.Sleep{For: 20 * time.Second, Label: "work"}, at(inProgram("A", 2))
		after.Actors = slices.Insert(after.Actors, 1, engine.ActorState{
			Name: "A:watchdog", Process: "jvm-1", Task: true, Status: engine.Sleeping, Until: after.Now + 10*time.Second,
			Next: engine.Sleep{For: 10 * time.Second}, Position: at(inWatch(15), inSpawned),
		})
	})
}

func (w *world) bIsRefused() {
	w.step("run B", func(s *engine.Step, after *engine.Snapshot) {
		left := after.Nodes[0].Keys[0].Deadline - after.Now
		s.Reply = new(reply.OfInt(left.Milliseconds()))
		s.Notes = []engine.Note{{Actor: "B", Kind: engine.NoteRefused, Text: "anyLock"}, {Actor: "B", Kind: engine.NoteWant, Text: "anyLock"}}
		b := actorOf(after, "B")
		b.Wants, b.Next = []string{"anyLock"}, engine.Subscribe{Node: "redis", Channel: channel}
		b.Position = at(inLock(24, "28000"), inProgram("B", 1))
	})
}

func (w *world) bSubscribes() {
	w.step("run B", func(_ *engine.Step, after *engine.Snapshot) {
		after.Nodes[0].Subscriptions = []engine.Subscription{{Channel: channel, Process: "jvm-2"}}
		b := actorOf(after, "B")
		b.Status, b.Until = engine.Waiting, after.Now+28*time.Second
		b.Next = engine.Receive{Node: "redis", Channel: channel, Timeout: 28 * time.Second}
		b.Position = at(inLock(26, "28000"), inProgram("B", 1))
	})
}

func (w *world) ticks(d time.Duration) {
	w.step("tick "+engine.FormatSpan(d), func(s *engine.Step, after *engine.Snapshot) {
		after.Now += d
		keys := after.Nodes[0].Keys[:0]
		for _, k := range after.Nodes[0].Keys {
			if k.Deadline != engine.NoDeadline && k.Deadline <= after.Now {
				s.Expired = append(s.Expired, engine.Expiry{Node: "redis", Key: k.Name, At: k.Deadline})
				continue
			}
			keys = append(keys, k)
		}
		after.Nodes[0].Keys = keys
		for i := range after.Actors {
			a := &after.Actors[i]
			if a.Status == engine.Sleeping && a.Until <= after.Now {
				s.Notes = append(s.Notes, engine.Note{Actor: a.Name, Kind: engine.NoteWoke, Text: a.Next.(engine.Sleep).Label, Span: a.Next.(engine.Sleep).For})
				a.Status, a.Until = engine.Ready, engine.NoDeadline
				a.Next, a.Position = unlockCall("A"), at(inProgram("A", 3))
				if a.Task {
					a.Next, a.Position = lockCall("A"), at(inWatch(16), inSpawned)
				}
			}
		}
	})
}

func (w *world) jvm1Crashes() {
	w.step("crash jvm-1", func(_ *engine.Step, after *engine.Snapshot) {
		for i := range after.Actors {
			if after.Actors[i].Process == "jvm-1" {
				after.Actors[i].Status, after.Actors[i].Until = engine.Crashed, engine.NoDeadline
			}
		}
	})
}

func (w *world) bBreaksIn() {
	w.step("run B", func(s *engine.Step, after *engine.Snapshot) {
		s.Request = lockCall("B")
		s.Reply = &reply.Reply{}
		s.Notes = []engine.Note{{Actor: "B", Kind: engine.NoteEnter, Text: "anyLock"}}
		s.Broken = []engine.Violation{{Invariant: "mutual-exclusion", Detail: fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "anyLock")}}
		after.Nodes[0].Keys = []engine.Key{hash("anyLock", after.Now+30*time.Second, "8743c9c0:B", "1")}
		after.Held = []engine.Holding{{Section: "anyLock", Actors: []string{"A", "B"}}}
		b := actorOf(after, "B")
		b.Status, b.Inside, b.Wants, b.Next = engine.Ready, []string{"anyLock"}, nil, unlockCall("B")
		b.Position = at(inProgram("B", 3))
	})
}

func (w *world) aReleases() {
	w.step("run A", func(s *engine.Step, after *engine.Snapshot) {
		s.Request = unlockCall("A")
		s.Reply = new(reply.OfInt(1))
		d := engine.Delivery{Node: "redis", Process: "jvm-2", Channel: channel, Payload: "0"}
		s.Delivered = []engine.Delivery{d}
		s.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteLeave, Text: "anyLock"}, {Actor: "A", Kind: engine.NoteDone}}
		after.Mail = []engine.Delivery{d}
		after.Nodes[0].Keys = nil
		after.Held = nil
		a := actorOf(after, "A")
		a.Status, a.Next, a.Inside, a.Position = engine.Finished, nil, nil, nil
		b := actorOf(after, "B")
		b.Status, b.Until = engine.Ready, engine.NoDeadline
	})
}
