// Package same does natively and in Node what must come out alike.
package same

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis"
	"lockstep/web/player"
)

// Traces plays each lesson of a catalog and prints what happened, one JSON line for
// each, with the lines of all scripts.
func Traces(encoded []byte, to io.Writer) error {
	catalog, err := lessons.Decode(encoded)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	for _, listed := range catalog.List {
		l, err := catalog.Read(listed.Name)
		if err != nil {
			return err
		}
		nodes, _, err := player.Embedded{}.Open(context.Background(), "", l)
		if err != nil {
			return err
		}
		scenario, err := l.Scenario(nodes)
		if err != nil {
			return err
		}
		scenario.Look = func(ctx context.Context, _ int, node engine.Node, op engine.Op, before engine.NodeView, now engine.Instant) (engine.Result, *engine.Inside, error) {
			return redis.Look(ctx, node, op, before, now)
		}
		_, trace, err := engine.Replay(context.Background(), scenario, l.Choices())
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		if err := json.NewEncoder(out).Encode(trace); err != nil {
			return err
		}
	}
	return out.Flush()
}
