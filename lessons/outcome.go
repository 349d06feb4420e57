package lessons

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// outcome is the result of a beat. Its methods that take an Expected serve Expectations: they read which
// name to look at, and return what is there, whether it was expected or not.
type outcome struct {
	steps []engine.Step    // none: the beat has no moves
	after *engine.Snapshot // the state after the steps; never nil
}

func outcomeOf(before *engine.Snapshot, steps []engine.Step) outcome {
	if len(steps) == 0 {
		return outcome{after: before}
	}
	return outcome{steps, &steps[len(steps)-1].After}
}

// last is the last step; without steps, an empty one.
func (o outcome) last() *engine.Step {
	if len(o.steps) == 0 {
		return &engine.Step{}
	}
	return &o.steps[len(o.steps)-1]
}

// notes are the notes of one kind about an actor; no actor: about everybody.
func (o outcome) notes(kind engine.NoteKind, actor string) []engine.Note {
	var of []engine.Note
	for _, s := range o.steps {
		for _, n := range s.Notes {
			if n.Kind == kind && (actor == "" || n.Actor == actor) {
				of = append(of, n)
			}
		}
	}
	return of
}

// wording words the first text by a code.
func wording(code string) func([]string) fact.Fact {
	return func(texts []string) fact.Fact { return fact.Of(code, texts[0]) }
}

// reply finds the result of the last request. It is under exactly one of the keys reply, error and no-reply;
// under the other two, told has it and found is nil.
func (o outcome) reply(under Expected) (found []string, told fact.Fact) {
	found, key := replied(o.last().Reply)
	if found != nil {
		told = fact.Text(found[len(found)-1])
	} else if why := o.last().NoReply; why != "" {
		found, key = []string{string(why)}, "no-reply"
	}
	if key != under.Key {
		found = nil
	}
	return found, told
}

// replied is a reply as a lesson writes it, with its key. An error is two texts: the part before its place
// in a script, which survives edits of the script, and the whole.
func replied(r *reply.Reply) (text []string, key string) {
	switch {
	case r == nil:
		return nil, ""
	case !r.IsError():
		return []string{r.String()}, "reply"
	}
	part, _, _ := strings.Cut(strings.TrimPrefix(r.String(), "(error) "), " script: ")
	return []string{part, r.String()}, "error"
}

// answer finds the last reply to an earlier request of an actor. An error is two texts: its first
// word, and the whole.
func (o outcome) answer(to Expected) (found []string, told fact.Fact) {
	for _, s := range o.steps {
		for _, a := range s.Answered {
			if a.Actor == to.Name {
				found, _ = replied(&a.Reply)
				told = fact.Text(a.Reply.String())
			}
		}
	}
	if len(found) > 1 {
		found[0], _, _ = strings.Cut(found[0], " ")
	}
	return found, told
}

func reasonFact(why []string) fact.Fact {
	return map[engine.NoReply]fact.Fact{
		engine.RequestLost: fact.Of("request-lost"),
		engine.ReplyLost:   fact.Of("reply-lost"),
		engine.NodePaused:  fact.Of("reply-paused"),
		engine.InNode:      fact.Of("reply-in-node"),
	}[engine.NoReply(why[0])]
}

// sameOrPartOfError accepts a part of an answer only if it is an error.
func sameOrPartOfError(want, found []string) bool {
	return slices.Equal(want, found) || len(found) > 1 && partOf(want, found)
}

func partOf(want, found []string) bool {
	return slices.ContainsFunc(found, func(text string) bool { return strings.Contains(text, want[0]) })
}

// anything accepts whatever was found, but not nothing.
func anything(_, found []string) bool { return len(found) > 0 }

// locks finds the holders and the waiters of the locks on a row and on the gap before it.
func (o outcome) locks(on Expected) (found []string, _ fact.Fact) {
	for _, n := range o.after.Nodes {
		for _, h := range n.Holds {
			if h.Key == on.Name {
				found = append(found, lockText(h))
			}
		}
	}
	return found, fact.Fact{}
}

// lockText is a lock as lessons write it: A X, B waits X, C gap.
func lockText(h engine.Hold) string {
	if h.Waits {
		return h.Actor + " waits " + string(h.Mode)
	}
	return h.Actor + " " + string(h.Mode)
}

// inside finds the actors inside a section. told names expected ones whose programs have ended: authors
// easily forget that a program leaves its sections at its end.
func (o outcome) inside(section Expected) (found []string, told fact.Fact) {
	for _, h := range o.after.Held {
		if h.Section == section.Name {
			found = sorted(h.Actors)
		}
	}
	for _, name := range section.Texts {
		if a, ok := o.after.Actor(name); ok && a.Status == engine.Finished {
			if told.Code == "" {
				told = textsFact(found, "nobody")
			}
			told = fact.Of("has-left", told, name)
		}
	}
	return found, told
}

func (o outcome) status(of Expected) (found []string, _ fact.Fact) {
	if status, ok := statusOf(o.after, of.Name); ok {
		found = []string{string(status)}
	}
	return found, fact.Fact{}
}

func statusFact(status []string) fact.Fact {
	if status[0] == string(NoTask) {
		return fact.Of("no-such-task")
	}
	return fact.Text(engine.Status(status[0]))
}

// NoTask is the status of a task that is not there: it has not begun, or has ended well.
const NoTask engine.Status = "none"

// statusOf is the status of an actor, a task or a node. A node that is neither paused nor down is ready.
func statusOf(s *engine.Snapshot, name string) (status engine.Status, ok bool) {
	if a, ok := s.Actor(name); ok {
		return a.Status, true
	}
	if thread, _, isTask := strings.Cut(name, ":"); isTask {
		_, ok = s.Actor(thread)
		return NoTask, ok
	}
	v, ok := s.Node(name)
	if ok && v.Status == "" {
		return engine.Ready, true
	}
	return v.Status, ok
}

// failed finds the errors that ended an actor's program.
func (o outcome) failed(actor Expected) (found []string, told fact.Fact) {
	for _, n := range o.notes(engine.NoteFailed, actor.Name) {
		found, told = append(found, n.Failure.Error()), fact.Of("it-failed", n.Failure)
	}
	return found, told
}

func (o outcome) said(by Expected) (found []string, _ fact.Fact) {
	for _, n := range o.notes(engine.NoteSay, by.Name) {
		found = append(found, n.Text)
	}
	return found, fact.Fact{}
}

// Lost is the lag of a replica that has lost its leader.
const Lost = "lost"

// behind finds the number of writes on their way to a replica; nothing for a node that is none.
func (o outcome) behind(node Expected) (found []string, _ fact.Fact) {
	view, _ := o.after.Node(node.Name)
	switch {
	case view.Stale:
		found = []string{Lost}
	case view.Leader != "":
		found = []string{strconv.Itoa(len(view.Queue))}
	}
	return found, fact.Fact{}
}

func lagFact(writes []string) fact.Fact {
	if writes[0] == Lost {
		return fact.Of("lost-leader")
	}
	return fact.Text(writes[0])
}

// leads finds the node itself if it leads. told says why it does not.
func (o outcome) leads(node Expected) (found []string, told fact.Fact) {
	view, _ := o.after.Node(node.Name)
	switch {
	case leads(view):
		return []string{node.Name}, told
	case view.Leader != "":
		return nil, fact.Of("follows", view.Leader)
	}
	return nil, fact.Of("node-crashed", node.Name)
}

// leads tells whether a node takes writes: it is no replica and has not crashed. The zero view is no node.
func leads(v engine.NodeView) bool {
	return v.Node != "" && v.Leader == "" && v.Status != engine.Crashed
}

// messages finds the delivered payloads, in order. With a process, it finds only that one's, with channels.
func (o outcome) messages(to Expected) (found []string, _ fact.Fact) {
	for _, s := range o.steps {
		for _, d := range s.Delivered {
			switch to.Name {
			case "":
				found = append(found, d.Payload)
			case d.Process:
				found = append(found, d.Payload+" "+d.Channel)
			}
		}
	}
	return found, fact.Fact{}
}

// woken finds the actors woken by a timer: of a sleep, or of a wait for a message or a reply.
func (o outcome) woken(Expected) (found []string, _ fact.Fact) {
	for _, kind := range []engine.NoteKind{engine.NoteWoke, engine.NoteTimeout, engine.NoteNoReply} {
		for _, n := range o.notes(kind, "") {
			found = append(found, n.Actor)
		}
	}
	return sorted(found), fact.Fact{}
}

// RuleName is the name of an invariant as an argument of a fact. Pages have words for it.
type RuleName string

// broken finds the invariants that the beat broke. told has the details.
func (o outcome) broken(Expected) (found []string, told fact.Fact) {
	var how fact.List
	for _, s := range o.steps {
		for _, v := range s.Broken {
			found = append(found, v.Invariant)
			how = append(how, fact.Of("broken-how", RuleName(v.Invariant), v.Detail))
		}
	}
	if how != nil {
		told = fact.Text(how)
	}
	return sorted(found), told
}

func rulesFact(names []string) fact.Fact {
	var list fact.List
	for _, name := range names {
		list = append(list, fact.Text(RuleName(name)))
	}
	return fact.Text(list)
}

// textsFact lists texts; without texts, it is the fact of a code.
func textsFact(texts []string, none string) fact.Fact {
	if len(texts) == 0 {
		return fact.Of(none)
	}
	return fact.Text(strings.Join(texts, ", "))
}

// sorted is a copy in alphabetical order, with each name once.
func sorted(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
