package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/sample"
)

// witnessedNode is a node with what it was told so far.
type witnessedNode struct {
	engine.Forker
	by      *witness
	now     engine.Instant
	history string
}

// moment tells nodes apart as a search does: by digest and view, with the clock at 0.
func (n *witnessedNode) moment(ctx context.Context) (string, error) {
	fork := n.Fork().(engine.Forker)
	fork.Shift(-n.now)
	view, err := fork.View(ctx)
	return fmt.Sprintf("%x %#v", fork.Digest(), view), err
}

// saw writes down what a node does at a moment, and complains when another history that led
// to the same moment had it do something else.
func (n *witnessedNode) saw(ctx context.Context, before, input string, result any) error {
	after, err := n.moment(ctx)
	if err != nil {
		return err
	}
	key, text := before+" "+input, fmt.Sprintf("%+v; %s", result, after)
	switch did, known := n.by.did[key]; {
	case !known:
		n.by.did[key], n.by.first[key] = text, n.history
	case n.by.first[key] != n.history:
		n.by.second[key] = true
		if did != text {
			n.by.Errorf("two histories have one digest, and then differ:\n%s\n%s\nat %s:\n%s\n%s", n.by.first[key], n.history, input, did, text)
		}
	}
	n.history += "; " + input
	return nil
}

func (n *witnessedNode) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	before, err := n.moment(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	result, err := n.Forker.Exec(ctx, op)
	if err != nil {
		return result, err
	}
	input := fmt.Sprint(op.From, op.Shared, op.Keys, op.Args)
	if op.Script != nil {
		input += op.Script.Name
	}
	return result, n.saw(ctx, before, input, result)
}

func (n *witnessedNode) Fault(ctx context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	before, err := n.moment(ctx)
	if err != nil {
		return engine.Effects{}, err
	}
	effects, err := n.Forker.Fault(ctx, process, kind)
	if err != nil {
		return effects, err
	}
	return effects, n.saw(ctx, before, fmt.Sprint(kind, process), effects)
}

func (n *witnessedNode) AdvanceTo(ctx context.Context, now engine.Instant) (engine.Effects, error) {
	before, err := n.moment(ctx)
	if err != nil {
		return engine.Effects{}, err
	}
	effects, err := n.Forker.AdvanceTo(ctx, now)
	if err != nil {
		return effects, err
	}
	span := now - n.now
	n.now = now
	told := effects
	told.Expired = nil
	for _, e := range effects.Expired {
		e.At -= now
		told.Expired = append(told.Expired, e)
	}
	return effects, n.saw(ctx, before, span.String(), told)
}

func (n *witnessedNode) Reset(ctx context.Context) error {
	n.now, n.history = 0, ""
	return n.Forker.Reset(ctx)
}

// witnessedConnected is the witnessedNode of a node that has a connection for each actor.
type witnessedConnected struct{ *witnessedNode }

func (n witnessedConnected) Disconnect(ctx context.Context, actor string) (engine.Effects, error) {
	before, err := n.moment(ctx)
	if err != nil {
		return engine.Effects{}, err
	}
	effects, err := n.Forker.(engine.Connected).Disconnect(ctx, actor)
	if err != nil {
		return effects, err
	}
	return effects, n.saw(ctx, before, "end of "+actor, effects)
}

// A server of SQL or a ZooKeeper that has the same digest does the same, whatever it was told
// before. Those of Redis have tests of their own (keyspace).
func TestOneDigestOfANodeIsOneFuture(t *testing.T) {
	const walks, steps = 40, 40
	all, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	onServers := slices.DeleteFunc(slices.Clone(all), func(l *lessons.Lesson) bool {
		return l.Chapter != "sql" && l.Chapter != "zookeeper"
	})
	for _, l := range sample.Lessons(t, onServers, sample.LessonsWitnessed, func(l *lessons.Lesson) string { return l.Name }) {
		t.Run(l.Name, func(t *testing.T) {
			s := scenarioOf(t, l)
			by := &witness{t, map[string]string{}, map[string]bool{}, map[string]string{}}
			for i, n := range s.Nodes {
				w := &witnessedNode{Forker: n.Node.(engine.Forker), by: by}
				s.Nodes[i].Node = w
				if _, ok := n.Node.(engine.Connected); ok {
					s.Nodes[i].Node = witnessedConnected{w}
				}
			}
			walk(t, s, walks, steps)
			if len(by.second) == 0 {
				t.Error("no digest was seen after two histories")
			}
			t.Logf("%d inputs, %d of them after a second history", len(by.did), len(by.second))
		})
	}
}

// walk plays schedules made at random.
func walk(t *testing.T, s engine.Scenario, walks, steps int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for range walks {
		w, err := engine.NewWorld(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for range steps {
			var cs []engine.Choice
			for _, o := range w.Enabled() {
				if o.Enabled() {
					cs = append(cs, o.Choice)
				}
			}
			if len(cs) == 0 {
				break
			}
			if _, err := w.Apply(t.Context(), cs[random.IntN(len(cs))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}
