package engine

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// known says where a search keeps each part of a world. If a part was kept nowhere, the search
// would take different worlds for one, and prove what is not so.
var known = map[reflect.Type]map[string]string{
	reflect.TypeFor[World](): {
		"scenario": "the same in the whole search", "now": "the clock of a state", "threads": "lanes", "processes": "rest", "servers": "rest", "cuts": "rest",
		"leaders": "rest", "writes": "renumber", "watches": "rest", "writers": "begins anew with each step", "hangUps": "begins anew with each step",
		"mail": "rest", "wanted": "rest", "standing": "the search ends with a breach", "trace": "the search keeps its own", "failed": "the search ends with it",
		"bytes": "the search counts its own", "actorBytes": "the search counts its own",
	},
	reflect.TypeFor[thread](): {
		"name": "lane", "process": "never changes", "task": "its name tells", "actor": "the moment of a lane", "next": "the moment of a lane decides it", "sent": "lane", "wrote": "lane, by renumber",
		"until": "the timers of a state", "inside": "lane", "listening": "lane", "failure": "the moment of a lane decides it", "position": "the search asks for none", "stood": "told to people",
	},
	reflect.TypeFor[process]():  {"machine": "rest", "memory": "rest"},
	reflect.TypeFor[server]():   {"machine": "rest", "node": "the moment of a node", "inbox": "rest", "goodbyes": "rest", "saved": "rest", "group": "never changes", "leader": "rest", "stale": "rest", "queue": "rest", "min": "never changes", "hears": "rest"},
	reflect.TypeFor[heard]():    {"replica": "rest", "silent": "rest"},
	reflect.TypeFor[goodbye]():  {"process": "rest", "actor": "rest", "arrived": "rest"},
	reflect.TypeFor[queued]():   {"Queued": "rest", "data": "rest", "number": "rest, by renumber"},
	reflect.TypeFor[Queued]():   {"Full": "rest", "Changes": "told to people; the data decides"},
	reflect.TypeFor[sent]():     {"from": "rest", "node": "that of its inbox", "request": "rest", "missing": "rest", "answer": "rest"},
	reflect.TypeFor[Delivery](): {"Node": "rest", "Process": "rest", "Channel": "rest", "Payload": "rest", "Copy": "rest"},
	reflect.TypeFor[Holding]():  {"Section": "rest", "Actors": "rest"},
	reflect.TypeFor[watch]():    {"actor": "rest", "node": "rest", "key": "rest", "changed": "rest"},
	reflect.TypeFor[Link]():     {"From": "rest", "To": "rest"},
}

func TestASearchKeepsEveryPartOfAWorld(t *testing.T) {
	for typ, kept := range known {
		for f := range typ.Fields() {
			if kept[f.Name] == "" {
				t.Errorf("%s.%s: a search does not know it. Keep it in rest or in lane (rest.go, lane.go), and say so here, or say why it need not", typ.Name(), f.Name)
			}
		}
		if len(kept) != typ.NumField() {
			t.Errorf("%s has %d fields, and %d are named here", typ.Name(), typ.NumField(), len(kept))
		}
	}
}

// Worlds that differ in one thing are two states.
func TestPartsTellWorldsApart(t *testing.T) {
	world := func() *World {
		return &World{
			scenario:  Scenario{Actors: []ActorSpec{{Name: "A", Process: "p"}, {Name: "B", Process: "x"}}},
			processes: []*process{{machine: machine{name: "p"}, memory: map[string]string{"a": "1"}}, {machine: machine{name: "x"}}},
			cuts:      []Link{{From: "a", To: "b"}},
			watches:   []watch{{actor: "A", node: "n", key: "k"}},
			mail:      []Delivery{{Node: "n", Process: "p", Channel: "c", Payload: "m"}},
			wanted:    []Holding{{Section: "s", Actors: []string{"A"}}},
			threads:   []*thread{{name: "A", process: "p"}, {name: "B", process: "x"}},
		}
	}
	state := func(w *World) string {
		var p Parts
		(&Model{world: w}).Parts(t.Context(), &p)
		return fmt.Sprintf("%q %q %q", p.Lanes, p.Rest, p.Wanted)
	}
	first := state(world())
	if again := state(world()); again != first {
		t.Fatalf("the same world is the states %s and %s", first, again)
	}
	for name, change := range map[string]func(w *World){
		"a memory has more":       func(w *World) { w.processes[0].memory["b"] = "2" },
		"a memory has another":    func(w *World) { w.processes[0].memory["a"] = "2" },
		"a link from elsewhere":   func(w *World) { w.cuts[0].From = "x" },
		"a link to elsewhere":     func(w *World) { w.cuts[0].To = "x" },
		"no link is cut":          func(w *World) { w.cuts = nil },
		"another actor watches":   func(w *World) { w.watches[0].actor = "B" },
		"a key of another node":   func(w *World) { w.watches[0].node = "x" },
		"another key is watched":  func(w *World) { w.watches[0].key = "x" },
		"the key has changed":     func(w *World) { w.watches[0].changed = true },
		"mail of another node":    func(w *World) { w.mail[0].Node = "x" },
		"mail to another process": func(w *World) { w.mail[0].Process = "x" },
		"mail on another channel": func(w *World) { w.mail[0].Channel = "x" },
		"another message":         func(w *World) { w.mail[0].Payload = "x" },
		"a copy of it":            func(w *World) { w.mail[0].Copy = true },
		"the message twice":       func(w *World) { w.mail = append(w.mail, w.mail[0]) },
		"another section":         func(w *World) { w.wanted[0].Section = "x" },
		"another waits":           func(w *World) { w.wanted[0].Actors = []string{"B"} },
		"another waits, too":      func(w *World) { w.wanted[0].Actors = []string{"A", "B"} },
	} {
		changed := world()
		change(changed)
		if state(changed) == first {
			t.Errorf("%s: taken for the same state", name)
		}
	}
}

// Whatever a fault leaves behind in a machine, a search tells apart.
func TestAKeyHasEveryFieldOfAMachine(t *testing.T) {
	for f := range reflect.TypeFor[machine]().Fields() {
		var m machine
		switch field := reflect.NewAt(f.Type, unsafe.Add(unsafe.Pointer(&m), f.Offset)).Elem(); field.Kind() {
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Int64:
			field.SetInt(1)
		case reflect.String: // the name, which never changes
			continue
		default:
			t.Fatalf("give %s another value here", f.Name)
		}
		if slices.Equal(m.key(nil), new(machine).key(nil)) {
			t.Errorf("a search takes machines for the same that differ in %s", f.Name)
		}
	}
}
