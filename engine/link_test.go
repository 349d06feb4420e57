package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

func (h hearing) Disconnect(_ context.Context, actor string) (Effects, error) {
	*h.heard = append(*h.heard, "end of "+actor)
	return Effects{}, nil
}

// A server that keeps what its clients have locked does so until it hears that they are gone.
func TestAGoodbyeIsHeardWhenItCanBe(t *testing.T) {
	get := Exec{Node: "redis", Op: Op{Args: []string{"GET", "k"}}}
	for schedule, want := range map[string]string{
		"run A; crash p2":                                          "end of A; crash p2",
		"cut redis p2; crash p2":                                   "cut p2; crash p2", // it hears what it cannot answer
		"cut p2 redis; crash p2; run A":                            "cut p2; end of A",
		"cut p2 redis; crash p2; run A; heal p2 redis":             "cut p2; end of A; heal p2; crash p2",
		"pause redis; crash p2; resume redis":                      "crash p2",
		"pause redis; crash p2; cut p1 redis; cut p2 redis":        "cut p1; cut p2",
		"cut p2 redis; pause redis; crash p2; resume redis":        "cut p2",
		"cut p2 redis; pause redis; crash p2; heal p2 redis":       "cut p2; heal p2",
		"pause redis; crash p2; crash redis; restart redis; run A": "end of A",
	} {
		var heard []string
		faults := []Choice{
			{Kind: Crash, Target: "p2"},
			{Kind: Crash, Target: "redis"},
			{Kind: Pause, Target: "redis"},
			{Kind: Cut, Target: "p1", Other: "redis"},
			{Kind: Cut, Target: "p2", Other: "redis"},
			{Kind: Cut, Target: "redis", Other: "p2"},
		}
		w, err := NewWorld(t.Context(), Scenario{
			Nodes:  []NodeSpec{{Name: "redis", Node: hearing{&fakeNode{}, &heard}}},
			Actors: []ActorSpec{actor("A", "p1", get), actor("B", "p2", get, get)}, Faults: faults, Resolution: time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.SplitSeq(schedule, "; ") {
			c, err := ParseChoice(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Apply(t.Context(), c); err != nil {
				t.Fatalf("%s: %s: %v", schedule, text, err)
			}
		}
		if got := strings.Join(heard, "; "); got != want {
			t.Errorf("%s: it hears %q, want %q", schedule, got, want)
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
