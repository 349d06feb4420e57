package conversations_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/redis/cluster"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
	"lockstep/node/sample"
)

// cast is the nodes of random schedules, and how they hang together.
type cast struct {
	nodes     []string
	replicaOf string // of all nodes but this one; empty: of none
	slots     []cluster.Range
}

var casts = map[string]cast{
	"replicas": {nodes: []string{"m", "r", "s"}, replicaOf: "m"},
	"cluster":  {nodes: []string{"n1", "n2", "n3"}, slots: []cluster.Range{{Node: "n1", Last: 5460}, {Node: "n2", First: 5461, Last: 10922}, {Node: "n3", First: 10923, Last: cluster.Slots - 1}}},
}

// scheduleLength is how many choices a random schedule has, unless nothing may happen sooner.
const scheduleLength = 60

// TestRandomSchedules plays schedules that are drawn on embedded nodes, with all faults
// that there are, on real servers, and compares the traces.
func TestRandomSchedules(t *testing.T) {
	places := realPlaces(t)
	met := map[string]bool{}
	for name, c := range casts {
		t.Run(name, func(t *testing.T) {
			nodes := map[string]map[string]engine.Node{}
			for place, s := range places {
				nodes[place] = c.nodesOn(t, s)
			}
			for _, seed := range sample.Schedules.Seeds(t) {
				w := c.draw(t, seed)
				choices := engine.Schedule{Lesson: "l"}
				for _, s := range w.Trace().Steps {
					choices.Choices = append(choices.Choices, s.Choice)
					met[string(s.Choice.Kind)] = true
				}
				for place := range places {
					trace, err := c.replay(t, nodes[place], seed, choices.Choices)
					if err != nil {
						t.Fatalf("seed %d on %s: %v\n%s\n%s", seed, place, err, choices, trace)
					}
					compareTraces(t, fmt.Sprintf("seed %d on %s: %s", seed, place, choices), w.Trace(), trace)
				}
			}
		})
	}
	for _, row := range engine.ChoiceKinds {
		if sample.Everything() && !met[string(row.Kind)] {
			t.Errorf("no schedule has a choice of the kind %q", row.Kind)
		}
	}
}

// realPlaces are where real nodes live: servers of their own, and a shared one.
func realPlaces(t *testing.T) map[string]*real.Server {
	places := map[string]*real.Server{}
	add := func(place string, s *real.Server, err error) {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		places[place] = s
	}
	for name, find := range map[string]func(testing.TB) string{
		"redis": conversations.RedisServer, "valkey": conversations.ValkeyServer,
	} {
		s, err := real.StartPrivate(t.Context(), find(t))
		add("private "+name, s, err)
		s, err = real.Dial(t.Context(), conversations.StartServer(t, find(t)))
		add("shared "+name, s, err)
	}
	return places
}

// draw plays a random schedule on embedded nodes.
func (c cast) draw(t *testing.T, seed uint64) *engine.World {
	t.Helper()
	nodes := map[string]engine.Node{}
	for _, name := range c.nodes {
		nodes[name] = redis.NewNode()
	}
	w, err := engine.NewWorld(t.Context(), c.scenario(seed, nodes))
	if err != nil {
		t.Fatal(err)
	}
	if err := sample.RandomRun(t.Context(), w, seed, scheduleLength); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, w.Trace())
	}
	return w
}

// nodesOn are nodes on a real server, which all schedules use one after the other.
func (c cast) nodesOn(t *testing.T, s *real.Server) map[string]engine.Node {
	t.Helper()
	nodes := map[string]engine.Node{}
	for _, name := range c.nodes {
		n := s.Node(t.Name(), name)
		t.Cleanup(func() {
			if err := n.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		nodes[name] = n
	}
	return nodes
}

// replay plays a schedule on real nodes, until they are quick enough to be believed.
func (c cast) replay(t *testing.T, nodes map[string]engine.Node, seed uint64, choices []engine.Choice) (*engine.Trace, error) {
	t.Helper()
	for {
		_, trace, err := engine.Replay(t.Context(), c.scenario(seed, nodes), choices)
		if !errors.Is(err, engine.ErrSlow) {
			return trace, err
		}
	}
}

func compareTraces(t *testing.T, what string, want, got *engine.Trace) {
	t.Helper()
	alike := []cmp.Option{
		cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(engine.Step{}),
		cmp.Comparer(func(a, b []engine.Option) bool { return reflect.DeepEqual(a, b) }), // much faster
	}
	for i := range want.Steps {
		if d := cmp.Diff(want.Steps[i], got.Steps[i], alike...); d != "" {
			t.Fatalf("%s\nstep %d differs (- embedded, + real):\n%s\n%s", what, i+1, d, got)
		}
	}
	if want.String() != got.String() {
		t.Errorf("%s\nthe traces differ:\n%s\n%s", what, want, got)
	}
}

func (c cast) scenario(seed uint64, nodes map[string]engine.Node) engine.Scenario {
	s := engine.Scenario{Resolution: 100 * time.Millisecond, Faults: c.faults()}
	for _, name := range c.nodes {
		spec := engine.NodeSpec{Name: name, Node: nodes[name]}
		if c.replicaOf != name {
			spec.ReplicaOf = c.replicaOf
		}
		s.Nodes = append(s.Nodes, spec)
		nodes[name].(cluster.Joiner).Join(cluster.Member{Name: name, Ranges: c.slots})
	}
	for i, name := range []string{"A", "B", "C", "D"} {
		s.Actors = append(s.Actors, engine.ActorSpec{
			Name: name, Process: []string{"p1", "p2"}[i/2],
			New: func() engine.Actor {
				return &randomClient{cast: c, chance: rand.New(rand.NewPCG(seed, uint64(i)+2)), node: c.nodes[0]}
			},
		})
	}
	return s
}

// faults are all that the cast allows.
func (c cast) faults() []engine.Choice {
	var texts []string
	for _, p := range []string{"p1", "p2"} {
		texts = append(texts, "pause "+p, "drop "+p, "clock "+p+" +1500ms", "clock "+p+" -2s")
		for _, n := range c.nodes {
			texts = append(texts, "cut "+p+" "+n, "cut "+n+" "+p)
		}
	}
	texts = append(texts, "crash p2")
	for _, n := range c.nodes {
		texts = append(texts, "crash "+n, "save "+n, "pause "+n, "clock "+n+" +1s", "clock "+n+" -500ms")
		if c.replicaOf == "" {
			continue
		}
		texts = append(texts, "promote "+n)
		for _, o := range c.nodes {
			if o != n {
				texts = append(texts, "cut "+n+" "+o)
			}
		}
	}
	var faults []engine.Choice
	for _, text := range texts {
		choice, err := engine.ParseChoice(text)
		if err != nil {
			panic(err)
		}
		faults = append(faults, choice)
	}
	return faults
}
