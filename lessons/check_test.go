package lessons_test

import (
	"context"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/luaexec"
)

func embedded(l *lessons.Lesson) func(context.Context) ([]engine.NodeSpec, error) {
	return func(context.Context) ([]engine.NodeSpec, error) {
		var nodes []engine.NodeSpec
		for _, name := range l.Nodes {
			nodes = append(nodes, engine.NodeSpec{Name: name, Node: luaexec.NewNode()})
		}
		return nodes, nil
	}
}

func TestTheBuiltInLessonsKeepTheirPromises(t *testing.T) {
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		t.Run(l.Name, func(t *testing.T) {
			r, err := lessons.Check(t.Context(), l, embedded(l))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Failures {
				t.Error(f)
			}
		})
	}
}
