package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// outcome is how a step went, in the few kinds that the page tells apart by shape
// and colour.
type outcome string

const (
	outAnswered outcome = "dot"     // • a reply whose meaning the page does not know
	outOK       outcome = "ok"      // ✓ the actor got into a critical section
	outDenied   outcome = "denied"  // ✗ it was refused, got an error, failed, or set nothing
	outTime     outcome = "time"    // ⏱
	outFault    outcome = "fault"   // ⚡
	outMessage  outcome = "message" // ✉ subscriptions and messages
	outOpen     outcome = "open"    // ○ there is no reply yet, or there never is one
	outBroken   outcome = "broken"  // ! an invariant broke, whatever else the step did
)

// outcomeOf is how a step went for the actor that made it. Only the client knows what a
// reply means, and says so: it entered a section, or it was refused. That a key was not set
// Redis itself says.
func outcomeOf(s *engine.Step) outcome {
	_, refused := refusedSection(s)
	switch {
	case s.Choice.Kind == engine.Tick:
		return outTime
	case s.Choice.Kind == engine.Replicate:
		return outMessage
	case s.Choice.Kind.IsFault():
		return outFault
	case s.NoReply != "":
		return outOpen
	case did(s, engine.NoteEnter, engine.NoteReenter):
		return outOK
	case refused && !granted(s), did(s, engine.NoteFailed), s.Reply != nil && s.Reply.IsError(), notSet(s):
		return outDenied
	}
	switch s.Request.(type) {
	case engine.Exec, engine.AwaitReplicas:
		return outAnswered
	}
	return outMessage
}

// granted tells whether the node itself did what it was asked: whatever the client refuses
// then is its own decision, such as one that its lease is over.
func granted(s *engine.Step) bool {
	return s.Reply != nil && s.Reply.Kind == reply.Status && s.Reply.Str == "OK"
}

// notSet tells whether a command that sets a key only when it is free, or only when it is
// there, has set nothing.
func notSet(s *engine.Step) bool {
	e, ok := s.Request.(engine.Exec)
	if !ok || s.Reply == nil || e.Op.Script != nil || len(e.Op.Args) == 0 {
		return false
	}
	switch strings.ToUpper(e.Op.Args[0]) {
	case "SET":
		returnsOld := slices.ContainsFunc(e.Op.Args[min(3, len(e.Op.Args)):], func(arg string) bool { return strings.EqualFold(arg, "GET") })
		return s.Reply.Kind == reply.Nil && !returnsOld
	case "SETNX":
		return s.Reply.Equal(reply.OfInt(0))
	}
	return false
}

// worstOf is the outcome to show where there is room for only one mark.
func worstOf(s *engine.Step) outcome {
	if len(s.Broken) > 0 {
		return outBroken
	}
	return outcomeOf(s)
}

// did tells whether the actor did one of these things with the reply.
func did(s *engine.Step, kinds ...engine.NoteKind) bool {
	return slices.ContainsFunc(s.Notes, func(n engine.Note) bool {
		return n.Actor == s.Choice.Target && slices.Contains(kinds, n.Kind)
	})
}

// refusedSection is the critical section that the actor was refused in this step.
func refusedSection(s *engine.Step) (section string, refused bool) {
	e, asked := s.Request.(engine.Exec)
	if !asked || ofZnodes(e.Op) && s.Reply != nil && !s.Reply.IsError() { // a ZooKeeper refuses with an error
		return "", false
	}
	for _, n := range s.Notes {
		if n.Actor == s.Choice.Target && (n.Kind == engine.NoteRefused || n.Kind == engine.NoteWant) {
			return n.Text, true
		}
	}
	return "", false
}

func icon(o outcome) string { return "i-" + string(o) }
