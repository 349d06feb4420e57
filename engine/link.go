package engine

import (
	"context"
	"slices"

	"lockstep/engine/fact"
)

// isDown tells whether the way from one end to the other is cut. The way back may be whole.
func (w *World) isDown(from, to string) bool { return slices.Contains(w.cuts, Link{from, to}) }

func cannotCut(w *World, c Choice) fact.Fact {
	if w.isDown(c.Target, c.Other) {
		return fact.Of("cut", c.Target, c.Other)
	}
	return fact.Fact{}
}

func cannotHeal(w *World, c Choice) fact.Fact {
	if !w.isDown(c.Target, c.Other) && !w.isDown(c.Other, c.Target) {
		return fact.Of("not-cut", c.Target, c.Other)
	}
	return fact.Fact{}
}

// cut loses from now on what one end sends to the other.
func cut(ctx context.Context, w *World, c Choice, step *Step) error {
	w.cuts = append(w.cuts, Link{c.Target, c.Other})
	return w.tellOfLink(ctx, c, step)
}

// heal mends both ways of a link. Subscriptions that a node has forgotten since are made again, and it
// hears of connections that have ended. A node that led while the others went on with another leader
// follows that one now.
func heal(ctx context.Context, w *World, c Choice, step *Step) error {
	w.cuts = slices.DeleteFunc(w.cuts, func(l Link) bool {
		return l == Link{c.Target, c.Other} || l == Link{c.Other, c.Target}
	})
	if err := w.tellOfLink(ctx, c, step); err != nil {
		return err
	}
	for _, end := range []string{c.Target, c.Other} {
		s := w.server(end)
		if s == nil {
			continue
		}
		if s.runs() {
			if err := w.resubscribe(ctx, s); err != nil {
				return err
			}
		}
		if err := w.hearGoodbyes(ctx, s, step); err != nil {
			return err
		}
	}
	return w.rejoin(ctx, step)
}

// tellOfLink tells the node of a link with a process that the connection is lost (Cut), whichever way is
// cut, or can be made again (Heal). A replica's link with its leader concerns no process.
func (w *World) tellOfLink(ctx context.Context, c Choice, step *Step) error {
	for _, l := range []Link{{c.Target, c.Other}, {c.Other, c.Target}} {
		s, p := w.server(l.To), w.process(l.From)
		if s == nil || p == nil || s.crashed {
			continue
		}
		effects, err := s.node.Fault(ctx, p.name, c.Kind)
		if err != nil {
			return err
		}
		w.spread(s, effects, step)
	}
	return nil
}
