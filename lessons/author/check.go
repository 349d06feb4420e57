package author

import (
	"context"

	"lockstep/engine"
	"lockstep/lessons"
)

// Check plays a lesson's story on embedded nodes, as playground check does, and tells what
// does not hold. What it cannot find out before the context ends it does not tell.
func (Reader) Check(ctx context.Context, l *lessons.Lesson) lessons.Problems {
	report, err := lessons.Check(ctx, l, func(context.Context) ([]engine.NodeSpec, error) {
		return l.Open(lessons.Embedded), nil
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return lessons.Problems{l.Trouble(err)}
	}
	return append(report.Problems, report.Lint()...)
}
