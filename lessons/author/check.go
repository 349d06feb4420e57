package author

import (
	"context"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/luaexec"
)

// Check plays a lesson's story on embedded nodes, as playground check does, and tells what
// does not hold. What it cannot find out before the context ends it does not tell.
func (Reader) Check(ctx context.Context, l *lessons.Lesson) lessons.Problems {
	report, err := lessons.Check(ctx, l, func(context.Context) ([]engine.NodeSpec, error) {
		var nodes []engine.NodeSpec
		for _, name := range l.Nodes {
			nodes = append(nodes, engine.NodeSpec{Name: name, Node: luaexec.NewNode()})
		}
		return nodes, nil
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return lessons.Problems{l.Trouble(err)}
	}
	return append(report.Problems, report.Lint()...)
}
