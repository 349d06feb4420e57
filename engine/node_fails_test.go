package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// failing is a node that is gone from one of its calls on. The nodes of a world count together.
type failing struct {
	*fakeNode
	left *int
}

var errGone = errors.New("connection refused")

func (f failing) call() error {
	*f.left--
	if *f.left < 0 {
		return errGone
	}
	return nil
}

func (f failing) Exec(ctx context.Context, op Op) (Result, error) {
	if err := f.call(); err != nil {
		return Result{}, err
	}
	return f.fakeNode.Exec(ctx, op)
}

func (f failing) Fault(ctx context.Context, process string, kind ChoiceKind) (Effects, error) {
	if err := f.call(); err != nil {
		return Effects{}, err
	}
	return f.fakeNode.Fault(ctx, process, kind)
}

func (f failing) AdvanceTo(ctx context.Context, now Instant) (Effects, error) {
	if err := f.call(); err != nil {
		return Effects{}, err
	}
	return f.fakeNode.AdvanceTo(ctx, now)
}

func (f failing) Follow(ctx context.Context) (Effects, error) {
	if err := f.call(); err != nil {
		return Effects{}, err
	}
	return f.fakeNode.Follow(ctx)
}

func (f failing) View(ctx context.Context) (NodeView, error) {
	if err := f.call(); err != nil {
		return NodeView{}, err
	}
	return f.fakeNode.View(ctx)
}

func (f failing) Copy(ctx context.Context) (Data, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	return f.fakeNode.Copy(ctx)
}

func (f failing) Load(ctx context.Context, data Data) error {
	return unless(f.call(), func() error { return f.fakeNode.Load(ctx, data) })
}

func (f failing) Crash(ctx context.Context) error {
	return unless(f.call(), func() error { return f.fakeNode.Crash(ctx) })
}

func (f failing) Reset(ctx context.Context) error {
	return unless(f.call(), func() error { return f.fakeNode.Reset(ctx) })
}

func (f failing) Subscribe(ctx context.Context, process, channel string) error {
	return unless(f.call(), func() error { return f.fakeNode.Subscribe(ctx, process, channel) })
}

func (f failing) Unsubscribe(ctx context.Context, process, channel string) error {
	return unless(f.call(), func() error { return f.fakeNode.Unsubscribe(ctx, process, channel) })
}

// unless does something where there is no error.
func unless(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

// Wherever in a run a server goes away, the step in which it does has not happened, and says
// why; those before it stay, and no later one happens.
func TestWhereverANodeFailsTheStepHasNotHappened(t *testing.T) {
	to := func(node string, args ...string) Exec { return Exec{Node: node, Op: Op{Args: args}} }
	schedule := choices(t, "run A, run A, replicate r, run A, run C, save m, run A, run A, cut p1 m, heal p1 m, pause p1, resume p1, "+
		"pause m, run B, resume m, clock m +1s, tick 2s, run B, crash p3, crash m, tick 1s, restart m from snapshot, run A, run A, promote r, replicate m, crash r, restart r")
	for calls := 0; ; calls++ {
		left := calls
		node := func(name, leader string, given ...Op) NodeSpec {
			return NodeSpec{Name: name, Node: failing{&fakeNode{}, &left}, ReplicaOf: leader, Given: given}
		}
		s := Scenario{
			Nodes: []NodeSpec{node("m", "", Op{Args: []string{"SET", "given", "1", "0s"}}), node("r", "m")},
			Actors: []ActorSpec{
				actor("A", "p1", Subscribe{Node: "m", Channel: "c"}, to("m", "SET", "k", "v", "2s"),
					Exec{Node: "m", Transaction: &Transaction{Commit: true, Ops: []Op{{Args: []string{"SET", "tx", "1", "0s"}}}}, Op: Op{Args: []string{"EXEC"}}},
					Subscribe{Node: "m", Channel: "d"}, Unsubscribe{Node: "m", Channel: "d"}, to("m", "DEL", "tx"), to("m", "SET", "z", "1", "0s")),
				actor("B", "p2", to("m", "GET", "k"), to("m", "PUBLISH", "c", "x")),
				actor("C", "p3", Subscribe{Node: "m", Channel: "c"}, Receive{Node: "m", Channel: "c", Timeout: -1}),
			},
			Resolution: 100 * time.Millisecond,
			Faults:     choices(t, "cut p1 m, pause p1, pause m, save m, clock m +1s, crash p3, crash m, promote r, crash r"),
		}
		w, err := NewWorld(t.Context(), s)
		if err != nil {
			if !errors.Is(err, errGone) {
				t.Fatalf("after %d calls no world begins: %v", calls, err)
			}
			continue
		}
		done := 0
		for err == nil && done < len(schedule) {
			if _, err = w.Apply(t.Context(), schedule[done]); err == nil {
				done++
			}
		}
		if err == nil {
			if left < 0 {
				t.Errorf("that a node is gone after %d calls is not told", calls)
			}
			if left > 0 {
				break // nothing fails any more
			}
			continue
		}
		where := fmt.Sprintf("after %d calls, in step %d, %s", calls, done+1, schedule[done])
		if !errors.Is(err, errGone) {
			t.Fatalf("%s: %v", where, err)
		}
		if n := len(w.Trace().Steps); n != done {
			t.Errorf("%s: the trace has %d steps", where, n)
		}
		left = 1 << 20 // it is back, and yet
		if _, again := w.Apply(t.Context(), Choice{Kind: Tick, Span: time.Second}); !errors.Is(again, errGone) {
			t.Errorf("%s: another step says %v", where, again)
		}
		if got := w.Trace().Steps; !slices.EqualFunc(got, schedule[:done], func(step Step, c Choice) bool { return step.Choice == c }) {
			t.Errorf("%s: the trace is %v", where, got)
		}
	}
}
