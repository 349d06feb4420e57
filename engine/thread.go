package engine

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// maxLocalRequests bounds what an actor does on its own between two requests: an endless
// loop ends with an error.
const maxLocalRequests = 10_000

// maxTasks bounds how many tasks of an actor run at a time.
const maxTasks = 32

// maxSaid bounds what an actor may say between two requests, and what it may say of
// its failure, in bytes.
const maxSaid = 16 << 10

type subscription struct{ Node, Channel string }

// thread is an actor with what the world knows of it.
type thread struct {
	name      string
	process   string
	task      bool
	actor     Actor
	next      Request
	sent      *sent          // the request whose reply has not been taken yet; nil: none
	wrote     map[string]int // by node, the number of its last write there, by World.writes; never changed, but replaced
	until     Instant        // the end of a Sleep or of the wait for a message or a reply, or NoDeadline
	stood     bool           // its process stood still during its Sleep: only words tell, and no key of a search has it
	inside    []string       // sections, one entry for each Enter
	listening []subscription
	failure   fact.Fact
	position  *Position // nil unless the actor is Positioned and the scenario asks for positions
}

func (t *thread) ended() bool {
	_, done := t.next.(Done)
	return done
}

// settle resumes a thread with an outcome. It grants the requests that are the actor's own business
// until one needs the scheduler or the clock.
func (w *World) settle(t *thread, out Outcome, step *Step) {
	placed, tells := t.actor.(Positioned)
	if !tells || !w.scenario.Positions {
		w.proceed(t, out, step)
		return
	}
	move := step.move(t)
	if w.watched(step) {
		placed.Watch(func(at *Position) bool {
			return step.ran(t.name, at)
		})
		defer placed.Watch(nil)
	}
	w.proceed(t, out, step)
	t.position = placed.Position()
	step.Moves[move].To = t.position
	if !t.ended() {
		step.Moves[move].Next = t.next
	}
}

// reread says anew where tasks and their actor stand when another of them has moved: they share variables.
func (w *World) reread(step *Step) {
	if len(step.Moves) == 0 {
		return // as in each step of a search
	}
	for _, t := range w.threads {
		shares := func(m Move) bool { return m.Actor != t.name && Root(m.Actor) == Root(t.name) }
		if t.position != nil && !t.ended() && slices.ContainsFunc(step.Moves, shares) {
			t.position = t.actor.(Positioned).Position()
		}
	}
}

// move is the index of the thread's move, made on the first call. Invariant: a step has at most one
// for each thread, from where it stood before the step, even if a long tick wakes it twice.
func (s *Step) move(t *thread) int {
	for i := range s.Moves {
		if s.Moves[i].Actor == t.name {
			return i
		}
	}
	s.Moves = append(s.Moves, Move{Actor: t.name, From: t.position})
	return len(s.Moves) - 1
}

func (w *World) proceed(t *thread, out Outcome, step *Step) {
	said := 0
	for range maxLocalRequests {
		t.next, t.until, t.stood = t.actor.Next(out), NoDeadline, false
		out = Outcome{Now: w.clockOf(t)}
		failure := w.invalid(t, t.next)
		if say, says := t.next.(Say); says {
			said += len(say.Text)
		}
		if said > maxSaid {
			failure = fact.Of("says-too-much", maxSaid>>10)
		}
		if failure.Code != "" {
			t.next = Done{Failure: failure}
		}
		switch req := t.next.(type) {
		case Exec, Subscribe, Unsubscribe, AwaitReplicas:
			return
		case Receive:
			if req.Timeout != 0 || w.letter(t.process, req) >= 0 {
				t.until = after(w.now, req.Timeout)
				return
			}
			out.TimedOut = true
		case Sleep:
			if req.For > 0 {
				t.until = after(w.now, req.For)
				return
			}
		case Await:
			if w.runsTask(t, req.Name) {
				return
			}
			out.Reply = w.endOf(t, req.Name)
		case Recall:
			out.Reply = w.process(t.process).recall(req.Name)
		case Done:
			w.end(t, req, step)
			return
		default:
			w.grant(t, req, step)
			if !slices.Contains(w.threads, t) { // cancelled by this, and another may have its name now
				t.next, t.inside = Done{}, nil
				return
			}
		}
	}
	t.next = Done{Failure: fact.Of("never-asks", maxLocalRequests)}
	w.end(t, t.next.(Done), step)
}

func after(now Instant, d Instant) Instant {
	if d < 0 {
		return NoDeadline
	}
	return now + min(d, MaxSpan)
}

func (w *World) note(step *Step, n Note) {
	n.At = w.now
	step.Notes = append(step.Notes, n)
}

// grant performs a request that needs neither a node nor time.
func (w *World) grant(t *thread, r Request, step *Step) {
	note := func(kind NoteKind, text string) {
		w.note(step, Note{Actor: t.name, Kind: kind, Text: text})
	}
	switch req := r.(type) {
	case Enter:
		kind := NoteEnter
		if slices.Contains(t.inside, req.Section) {
			kind = NoteReenter
		}
		w.unwant(t, req.Section)
		t.inside = append(t.inside, req.Section)
		note(kind, req.Section)
	case Leave:
		i := slices.Index(t.inside, req.Section)
		t.inside = slices.Delete(t.inside, i, i+1)
		kind := NoteLeave
		if slices.Contains(t.inside, req.Section) {
			kind = NoteStay
		}
		note(kind, req.Section)
	case Refused:
		note(NoteRefused, req.Section)
	case Want:
		if w.want(t, req.Section) {
			note(NoteWant, req.Section)
		}
	case Unwant:
		w.unwant(t, req.Section)
		note(NoteUnwant, req.Section)
	case Say:
		note(NoteSay, req.Text)
	case Remember:
		w.process(t.process).remember(req.Name, req.Text)
		note(NoteRemember, strings.TrimSuffix(req.Name+" = "+req.Text, " = "))
	case Spawn:
		note(NoteSpawn, req.Name)
		task := &thread{name: Root(t.name) + ":" + req.Name, process: t.process, task: true, actor: req.Actor}
		w.threads = slices.Insert(w.threads, w.afterTasksOf(Root(t.name)), task)
		w.settle(task, Outcome{Now: w.clockOf(task)}, step)
	case Cancel:
		if task := w.thread(Root(t.name) + ":" + req.Name); task != nil {
			w.remove(task)
			w.hangUps = append(w.hangUps, hangUp{actor: task.name})
			note(NoteCancel, req.Name)
		}
	}
}

// invalid says why a request cannot be granted at all: a mistake of the program.
func (w *World) invalid(t *thread, r Request) fact.Fact {
	if node, goes := toNode(r); goes && w.server(node) == nil {
		return w.noServer(node)
	}
	switch req := r.(type) {
	case Receive:
		s := w.server(req.Node)
		if s == nil {
			return w.noServer(req.Node)
		}
		_, subscribes := s.node.(Channels) // any other node sends its messages without a subscription
		if subscribes && !slices.ContainsFunc(w.threads, func(o *thread) bool {
			return o.process == t.process && slices.Contains(o.listening, subscription{req.Node, req.Channel})
		}) {
			return fact.Of("not-subscribed", req.Channel)
		}
	case Leave:
		if !slices.Contains(t.inside, req.Section) {
			return fact.Of("not-inside", req.Section)
		}
	case Spawn:
		if !Name.MatchString(req.Name) {
			return fact.Of("task-name", req.Name)
		}
		if w.thread(Root(t.name)+":"+req.Name) != nil {
			return fact.Of("task-runs", req.Name)
		}
		if w.tasks(Root(t.name)) >= maxTasks {
			return fact.Of("too-many-tasks", maxTasks)
		}
	}
	return fact.Fact{}
}

func (w *World) tasks(root string) int {
	n := 0
	for _, t := range w.threads {
		if t.task && Root(t.name) == root {
			n++
		}
	}
	return n
}

// end notes how a thread ended. A task that ended well is removed; actors and failed tasks stay visible.
func (w *World) end(t *thread, d Done, step *Step) {
	t.inside = nil
	w.unwant(t, "")
	w.hangUps = append(w.hangUps, hangUp{actor: t.name})
	if d.Failure.Code != "" {
		t.failure = d.Failure
		if text := d.Failure.Error(); len(text) > maxSaid {
			t.failure = fact.Text(strings.ToValidUTF8(text[:maxSaid], "") + "…")
		}
		w.note(step, Note{Actor: t.name, Kind: NoteFailed, Text: t.failure.Error(), Failure: t.failure})
		return
	}
	w.note(step, Note{Actor: t.name, Kind: NoteDone})
	if t.task {
		w.remove(t)
	}
}

func (w *World) remove(t *thread) {
	w.unwant(t, "")
	w.threads = slices.DeleteFunc(w.threads, func(o *thread) bool { return o == t })
}

// afterTasksOf is the index in threads for a new task. Invariant: an actor's tasks follow it,
// in the order of their starts.
func (w *World) afterTasksOf(root string) int {
	place := 0
	for i, t := range w.threads {
		if Root(t.name) == root {
			place = i + 1
		}
	}
	return place
}

// want puts a thread at the end of a section's queue; false: it was in it already.
func (w *World) want(t *thread, section string) bool {
	i := slices.IndexFunc(w.wanted, func(h Holding) bool { return h.Section == section })
	if i < 0 {
		w.wanted = append(w.wanted, Holding{Section: section, Actors: []string{t.name}})
		return true
	}
	if slices.Contains(w.wanted[i].Actors, t.name) {
		return false
	}
	w.wanted[i].Actors = append(slices.Clip(w.wanted[i].Actors), t.name)
	return true
}

// unwant takes a thread out of a section's queue, or out of all queues if section is empty.
func (w *World) unwant(t *thread, section string) {
	for i, h := range w.wanted {
		if section == "" || h.Section == section {
			w.wanted[i].Actors = slices.DeleteFunc(slices.Clone(h.Actors), func(a string) bool { return a == t.name })
		}
	}
	w.wanted = slices.DeleteFunc(w.wanted, func(h Holding) bool { return len(h.Actors) == 0 })
}

// runsTask tells whether a task of a thread's actor goes on.
func (w *World) runsTask(t *thread, name string) bool {
	task := w.thread(Root(t.name) + ":" + name)
	return task != nil && !task.ended()
}

// endOf is the outcome that a thread gets when the task it awaited has ended.
func (w *World) endOf(t *thread, name string) reply.Reply {
	if task := w.thread(Root(t.name) + ":" + name); task != nil {
		return reply.OfError(task.failure.Error())
	}
	return reply.Reply{}
}

// join resumes the threads that wait for a task that has ended. They may end, too, and others
// wait for them.
func (w *World) join(step *Step) {
	for {
		i := slices.IndexFunc(w.threads, func(t *thread) bool {
			req, awaits := t.next.(Await)
			return awaits && w.process(t.process).runs() && !w.runsTask(t, req.Name)
		})
		if i < 0 {
			return
		}
		t := w.threads[i]
		w.settle(t, Outcome{Now: w.clockOf(t), Reply: w.endOf(t, t.next.(Await).Name)}, step)
	}
}
