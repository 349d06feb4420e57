package ui

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
)

func TestOutcomes(t *testing.T) {
	lock, queue := "anyLock", "redisson_lock_queue:{anyLock}"
	asks := engine.Exec{Node: "redis", Op: engine.Op{Script: &engine.Script{Name: "lock"}, Keys: []string{lock, queue}}}
	frees := engine.Exec{Node: "redis", Op: engine.Op{Script: &engine.Script{Name: "unlock"}, Keys: []string{"other"}}}
	reads := engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"GET", lock}}}
	sets := engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"SET", lock, "A", "NX"}}}
	moved := []engine.Change{{Node: "redis", Key: queue, New: &engine.Key{Name: queue}}}
	note := func(kind engine.NoteKind) []engine.Note { return []engine.Note{{Actor: "A", Kind: kind, Text: lock}} }
	wants := []string{lock}
	for _, tt := range []struct {
		name    string
		request engine.Request
		reply   reply.Reply
		changes []engine.Change
		notes   []engine.Note
		wants   []string // of the actor, after the step
		want    outcome
	}{
		{"gets the lock", asks, reply.Reply{}, moved, note(engine.NoteEnter), nil, outOK},
		{"gets a lock whose script changes nothing", asks, reply.Reply{}, nil, note(engine.NoteEnter), nil, outOK},
		{"is refused", asks, reply.OfInt(20000), moved, note(engine.NoteWant), wants, outDenied},
		{"is refused again", asks, reply.OfInt(15000), nil, nil, wants, outDenied},
		{"is refused again and moves up in the queue", asks, reply.OfInt(15000), moved, nil, wants, outDenied},
		{"is refused again by a command", sets, reply.Reply{}, nil, nil, wants, outDenied},
		{"reads the lock that it waits for", reads, reply.OfBulk("B"), nil, nil, wants, outOK},
		{"frees another lock meanwhile", frees, reply.OfInt(1), moved, nil, wants, outOK},
		{"frees what is not there", frees, reply.Reply{}, nil, nil, nil, outDenied},
		{"gets an error", reads, reply.OfError("WRONGTYPE"), nil, nil, nil, outDenied},
		{"subscribes while it waits", engine.Subscribe{Node: "redis", Channel: channel}, reply.Reply{}, nil, nil, wants, outMessage},
	} {
		s := &engine.Step{
			Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Request: tt.request, Reply: &tt.reply,
			Changes: tt.changes, Notes: tt.notes,
			After: engine.Snapshot{Actors: []engine.ActorState{{Name: "A", Wants: tt.wants}}},
		}
		if got := outcomeOf(s); got != tt.want {
			t.Errorf("one that %s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
