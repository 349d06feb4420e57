package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// hearing notes what a node is told of processes.
type hearing struct {
	*fakeNode
	heard *[]string
}

func (h hearing) Fault(ctx context.Context, process string, kind ChoiceKind) (Effects, error) {
	*h.heard = append(*h.heard, fmt.Sprint(kind, " ", process))
	return h.fakeNode.Fault(ctx, process, kind)
}

// A server that keeps sessions or transactions learns that a connection is gone, whichever way is cut.
func TestANodeHearsOfALostConnection(t *testing.T) {
	for _, cut := range []Choice{{Kind: Cut, Target: "p1", Other: "redis"}, {Kind: Cut, Target: "redis", Other: "p1"}} {
		var heard []string
		w, err := NewWorld(t.Context(), Scenario{
			Nodes:  []NodeSpec{{Name: "redis", Node: hearing{&fakeNode{}, &heard}}},
			Actors: []ActorSpec{actor("A", "p1", Exec{Node: "redis", Op: Op{Args: []string{"GET", "k"}}})},
			Faults: []Choice{cut}, Resolution: time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Apply(t.Context(), cut); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(heard, []string{"cut p1"}) {
			t.Errorf("%v: it hears %v", cut, heard)
		}
	}
}

func TestAReplicaFollowsOnlyALeader(t *testing.T) {
	for _, of := range []string{"nobody", "r"} {
		_, err := NewWorld(t.Context(), Scenario{Nodes: []NodeSpec{
			{Name: "m", Node: &fakeNode{}}, {Name: "r", Node: &fakeNode{}, ReplicaOf: "m"}, {Name: "s", Node: &fakeNode{}, ReplicaOf: of},
		}, Actors: []ActorSpec{actor("A", "p1", Exec{Node: "m", Op: Op{Args: []string{"GET", "k"}}})}, Resolution: time.Millisecond})
		if want := "node s cannot be a replica of " + of; err == nil || err.Error() != want {
			t.Errorf("the error is %v, not %s", err, want)
		}
	}
}
