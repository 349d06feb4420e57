package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// outcome is how a step went, in the few kinds that the page tells apart by
// shape and colour.
type outcome string

const (
	outOK      outcome = "ok"      // ✓
	outDenied  outcome = "denied"  // ✗ refused by a script, or an error
	outTime    outcome = "time"    // ⏱
	outFault   outcome = "fault"   // ⚡
	outMessage outcome = "message" // ✉ subscriptions and messages
	outBroken  outcome = "broken"  // ! an invariant broke
)

func outcomeOf(s *engine.Step) outcome {
	if len(s.Broken) > 0 {
		return outBroken
	}
	switch s.Choice.Kind {
	case engine.Tick:
		return outTime
	case engine.Crash, engine.Pause, engine.Resume, engine.Drop:
		return outFault
	case engine.Run:
	}
	if !entered(s) && denied(s) {
		return outDenied
	}
	if _, ok := s.Request.(engine.Exec); !ok {
		return outMessage
	}
	return outOK
}

// denied tells whether the actor did not get what it asked for: it says so
// itself, the server answers with an error, or a write changed nothing.
func denied(s *engine.Step) bool {
	if _, refused := refusedSection(s); refused {
		return true
	}
	for _, n := range s.Notes {
		if n.Actor == s.Choice.Target && n.Kind == engine.NoteFailed {
			return true
		}
	}
	exec, ok := s.Request.(engine.Exec)
	if !ok || s.Reply == nil {
		return false
	}
	if s.Reply.IsError() {
		return true
	}
	empty := s.Reply.Kind == reply.Nil || s.Reply.Kind == reply.Int && s.Reply.Int == 0
	return empty && len(s.Changes) == 0 && writes(exec.Op)
}

// refusedSection is the critical section that the actor asked for in this step
// and must go on waiting for.
func refusedSection(s *engine.Step) (section string, refused bool) {
	exec, ok := s.Request.(engine.Exec)
	if !ok {
		return "", false
	}
	for _, n := range s.Notes {
		if n.Kind == engine.NoteWant && n.Actor == s.Choice.Target {
			return n.Text, true
		}
	}
	// One that waits already says so only once. Its asking again may change
	// something, such as its place in a queue, and is a refusal all the same.
	a, _ := s.After.Actor(s.Choice.Target)
	for _, section := range a.Wants {
		if slices.Contains(exec.Op.Keys, section) {
			return section, true
		}
	}
	return "", false
}

// entered tells whether the actor got into a critical section in this step.
func entered(s *engine.Step) bool {
	return slices.ContainsFunc(s.Notes, func(n engine.Note) bool {
		return n.Kind == engine.NoteEnter && n.Actor == s.Choice.Target
	})
}

// writes tells whether an operation is there to change something, so that an
// empty answer is a refusal and not the value read.
func writes(op engine.Op) bool {
	if op.Script != nil {
		return true
	}
	if len(op.Args) == 0 {
		return false
	}
	switch strings.ToUpper(op.Args[0]) {
	case "SET", "SETNX", "DEL", "UNLINK", "HSETNX", "EXPIRE", "PEXPIRE", "PERSIST":
		return true
	}
	return false
}

func icon(o outcome) string { return "i-" + string(o) }

func outcomeText(o outcome) msg {
	switch o {
	case outOK:
		return wordOK
	case outDenied:
		return wordDenied
	case outTime:
		return wordTime
	case outFault:
		return wordFault
	case outMessage:
		return wordMessage
	case outBroken:
		return wordBroken
	}
	return wordOK
}
