package ui

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
)

func TestOutcomes(t *testing.T) {
	asks := engine.Exec{Node: "redis", Op: engine.Op{Script: &engine.Script{Name: "lock"}, Keys: []string{"anyLock"}}}
	sets := engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"SET", "anyLock", "A", "NX"}}}
	setnx := engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"setnx", "anyLock", "A"}}}
	swaps := engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"SET", "anyLock", "A", "GET"}}}
	frees := engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"DEL", "anyLock"}}}
	queues := engine.Exec{Node: "zk", Op: engine.Op{Args: []string{"create", "/lock/lock-", "A", "ephemeral", "sequential"}}}
	receives := engine.Receive{Node: "redis", Channel: channel}
	ofA := func(kinds ...engine.NoteKind) (notes []engine.Note) {
		for _, k := range kinds {
			notes = append(notes, engine.Note{Actor: "A", Kind: k, Text: "anyLock"})
		}
		return notes
	}
	for _, tt := range []struct {
		name    string
		request engine.Request
		reply   reply.Reply
		notes   []engine.Note
		want    outcome
	}{
		{"enters", asks, reply.Reply{}, ofA(engine.NoteEnter), outOK},
		{"enters again", asks, reply.OfInt(1), ofA(engine.NoteReenter), outOK},
		{"enters after a message", receives, reply.Reply{}, ofA(engine.NoteEnter), outOK},
		{"was refused by one server and enters all the same", asks, reply.Reply{}, ofA(engine.NoteRefused, engine.NoteEnter), outOK},
		{"is refused with a TTL", asks, reply.OfInt(20000), ofA(engine.NoteRefused), outDenied},
		{"is refused with its rival", asks, reply.OfBulk("B"), ofA(engine.NoteRefused), outDenied},
		{"is refused and waits", asks, reply.OfInt(20000), ofA(engine.NoteRefused, engine.NoteWant), outDenied},
		{"waits, and does not say that it was refused", sets, reply.Reply{}, ofA(engine.NoteWant), outDenied},
		{"makes a znode, and waits for its turn", queues, reply.OfArray(reply.OfBulk("/lock/lock-0000000000"), reply.OfInt(3)), ofA(engine.NoteWant), outAnswered},
		{"finds a znode there, and waits", queues, reply.OfError("NODEEXISTS for /lock"), ofA(engine.NoteWant), outDenied},
		{"is granted by the node, and counts it as refused", sets, reply.OfStatus("OK"), ofA(engine.NoteRefused), outAnswered},
		{"gets an error", frees, reply.OfError("WRONGTYPE"), nil, outDenied},
		{"fails", frees, reply.OfInt(1), ofA(engine.NoteFailed), outDenied},
		{"gets a TTL and says nothing", asks, reply.OfInt(20000), nil, outAnswered},
		{"gets a rival and says nothing", asks, reply.OfBulk("B"), nil, outAnswered},
		{"gets OK and says nothing", sets, reply.OK, nil, outAnswered},
		{"sets nothing, as somebody else has the key", sets, reply.Reply{}, nil, outDenied},
		{"sets nothing, with SETNX", setnx, reply.OfInt(0), nil, outDenied},
		{"sets a key with SETNX", setnx, reply.OfInt(1), nil, outAnswered},
		{"sets nothing, and the key is called get", engine.Exec{Op: engine.Op{Args: []string{"SET", "get", "A", "NX"}}}, reply.Reply{}, nil, outDenied},
		{"sets a key that was not there, and is told so", swaps, reply.Reply{}, nil, outAnswered},
		{"deletes", frees, reply.OfInt(1), ofA(engine.NoteLeave), outAnswered},
		{"lets another fail", frees, reply.OfInt(1), []engine.Note{{Actor: "B", Kind: engine.NoteFailed}}, outAnswered},
		{"subscribes", engine.Subscribe{Node: "redis", Channel: channel}, reply.Reply{}, nil, outMessage},
	} {
		s := &engine.Step{
			Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Request: tt.request, Reply: &tt.reply, Notes: tt.notes,
		}
		if got := outcomeOf(s); got != tt.want {
			t.Errorf("one that %s: %s, want %s", tt.name, got, tt.want)
		}
		s.Broken = []engine.Violation{{Invariant: "mutual-exclusion"}}
		if got := outcomeOf(s); got != tt.want || worstOf(s) != outBroken {
			t.Errorf("one that %s and breaks a rule: %s, and %s on the strip", tt.name, got, worstOf(s))
		}
	}
}
