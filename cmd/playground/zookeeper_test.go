package main

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/player"
)

// TestErrorsOnZooKeeper: the error is that of the server, with the place in the program, and
// somebody whose session is gone is told so.
func TestErrorsOnZooKeeper(t *testing.T) {
	zookeeper := pageEngine(t, "zookeeper", "", false)
	l := &lessons.Lesson{
		Name: "znodes", Hash: "05711e01", Title: lessons.Text{En: "Znodes", Zh: "znode"}, Chapter: "zookeeper", Level: lessons.Basic, Resolution: time.Minute,
		Nodes: []lessons.Node{{Name: "zk", Kind: lessons.ZooKeeper, Session: 6 * time.Second}},
		Actors: []lessons.Actor{
			{Name: "A", Process: "app-1", Program: "local zk = node('zk')\nzk.create('/a', 'one')\nzk.create('/a', 'two')\n"},
			{Name: "B", Process: "app-2", Program: "local zk = node('zk')\nzk.create('/b', me, {ephemeral = true})\nzk.get('/b')\n"},
		},
		Faults: []engine.Choice{{Kind: engine.Pause, Target: "app-2"}},
	}
	p := &player.Playground{Catalog: player.NewCatalog([]*lessons.Lesson{l}), Engines: []player.Engine{player.Embedded{}, zookeeper}}
	s := p.NewSession(t.Name())
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Load(t.Context(), player.Place{Lesson: l.Name, Engine: "zookeeper", Lang: lessons.En}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"run A", "run A", "run B", "pause app-2", "tick", "resume app-2", "run B"} {
		choose(t, s, c)
	}
	v := s.View()
	if v.Notice != nil || v.Engine != "zookeeper" || len(v.Trace.Steps) != 7 {
		t.Fatalf("on %s: %d steps, %+v", v.Engine, len(v.Trace.Steps), v.Notice)
	}
	for i, wants := range map[int][]string{1: {"NODEEXISTS for /a", "A:3"}, 4: {"/b", "expire"}, 6: {"SESSIONEXPIRED for /b", "B:3"}} {
		step := v.Trace.Steps[i].String()
		for _, want := range wants {
			if !strings.Contains(step, want) {
				t.Errorf("step %d is %s, want %q in it", i+1, step, want)
			}
		}
	}
}
