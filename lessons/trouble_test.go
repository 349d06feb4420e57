package lessons_test

import (
	"context"
	"errors"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// gone is a node that dies with the first step of an actor.
type gone struct{ engine.Node }

func (g gone) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	if op.From == (engine.Client{}) { // what is there at the start
		return g.Node.Exec(ctx, op)
	}
	return engine.Result{}, errors.New("the server died")
}

// A node that cannot go on is told at the beat in which it could not.
func TestTroubleIsToldAtItsBeat(t *testing.T) {
	l, err := decode.Lesson(lessons.FS, "009-eval")
	if err != nil {
		t.Fatal(err)
	}
	nodes := l.Open(lessons.Embedded)
	nodes[0].Node = gone{nodes[0].Node}
	_, err = lessons.Check(t.Context(), l, nodes)
	if err == nil {
		t.Fatal("the story went on without its node")
	}
	p := l.Trouble(err)
	if p.Code != lessons.CodeEngine || p.Message.Error() != "beat 2: the server died" || p.Line == 0 || p.Source == "" || p.File != l.File {
		t.Errorf("it is told as %+v", p)
	}
	if other := l.Trouble(errors.New("no nodes")); other.Line != 0 || other.Message.Error() != "no nodes" {
		t.Errorf("what happened in no beat is told as %+v", other)
	}
}
