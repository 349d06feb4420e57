package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
	"lockstep/node/sample"
)

// A mistake that a search finds in a planted bug happens on a real Redis, too, by the same schedule and
// with the same trace.
func TestPlantedBugsAreReal(t *testing.T) {
	onRedis := slices.DeleteFunc(slices.Clone(bugs), func(p planted) bool {
		return p.breaks == "" || slices.ContainsFunc(lesson(t, p.lesson).Nodes, func(n lessons.Node) bool { return n.Kind != lessons.Redis })
	})
	server, err := real.StartPrivate(t.Context(), conversations.RedisServer(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	for _, p := range sample.Sample(t, onRedis, sample.BreaksReplayed) {
		t.Run(p.lesson+"/"+p.name, func(t *testing.T) {
			b := p.bounds
			b.States = 60_000
			v, err := search.Explore(t.Context(), p.scenario(t, true), b, nil)
			if err != nil || v.Ending != search.Breaks {
				t.Fatal(v.Ending, err)
			}
			l := p.planted(t, true)
			want := traceOf(t, p.on(t, l, l.Open(lessons.Embedded)), v.Schedule)
			if got := traceOf(t, p.on(t, l, l.Open(servers(t, server))), v.Schedule); got != want {
				t.Errorf("after %v, %s shows\n%s\nand in memory it is\n%s", v.Schedule, server.Version(), got, want)
			}
		})
	}
}

// servers has the nodes of a lesson be servers, until the test ends.
func servers(t *testing.T, s *real.Server) lessons.Makers {
	t.Helper()
	return lessons.Makers{lessons.Redis: func(of lessons.Node) engine.Node {
		n := s.Node(t.Name(), of.Name)
		t.Cleanup(func() {
			if err := n.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		return n
	}}
}

// traceOf plays a schedule, until the server is quick enough to be believed.
func traceOf(t *testing.T, s engine.Scenario, schedule []engine.Choice) string {
	t.Helper()
	_, trace, err := engine.Replay(t.Context(), s, schedule)
	for errors.Is(err, engine.ErrSlow) {
		_, trace, err = engine.Replay(t.Context(), s, schedule)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
