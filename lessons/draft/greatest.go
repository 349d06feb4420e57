package draft

import (
	"context"

	"lockstep/engine"
)

// keepsGreatest is which of ARGV decides whether the second client is refused: a script that keeps the greatest number that
// it was given, as a fence does, lets everybody pass who brings a greater one. 0: it is no such script.
func (t tried) keepsGreatest(ctx context.Context) (int, error) {
	if t.take == nil || !t.excludes() {
		return 0, nil
	}
	for i, is := range t.take.roles {
		if is != number && is != limit && is != unknown {
			continue
		}
		take := t.take.with(i, drawn) // which is greater of B
		on, err := tried{take: take, start: t.start}.held(ctx)
		if err != nil {
			return 0, err
		}
		if _, err := on.run(ctx, take, "B"); err != nil {
			return 0, err
		}
		for _, key := range take.names {
			if has, err := on.node.Exec(ctx, engine.Op{Args: []string{"GET", key}}); err == nil && has.Reply.Str == take.value(i, "B") {
				return i + 1, nil
			}
		}
	}
	return 0, nil
}
