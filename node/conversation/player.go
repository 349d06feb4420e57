package conversation

import (
	"context"
	"fmt"
	"strings"

	"lockstep/engine"
)

// player plays lines on a node.
type player struct {
	node engine.Node
	args func(said string) []string
	now  engine.Instant
	out  strings.Builder
}

func (p *player) say(line string) { p.out.WriteString(line + "\n") }

func (p *player) line(ctx context.Context, line string) error {
	if line == "" || strings.HasPrefix(line, "#") {
		p.say(line)
		return nil
	}
	if strings.HasPrefix(line, "== ") {
		p.say(line)
		p.now = 0
		return p.node.Reset(ctx)
	}
	if what, happens := strings.CutPrefix(line, "$ "); happens {
		p.say(line)
		return p.happens(ctx, what)
	}
	actor, said, is := strings.Cut(line, "> ")
	if !is || strings.ContainsAny(actor, " :[(") {
		return nil // what came of it when it was written
	}
	p.say(line)
	op := engine.Op{Args: p.args(said)}
	if actor != "" {
		op.From = engine.Client{Actor: actor, Process: actor}
		if who, shared, on := strings.Cut(actor, "@"); on {
			op.From.Actor = who
			op.From.Process, op.Shared, _ = strings.Cut(shared, "/")
		}
	}
	res, err := p.node.Exec(ctx, op)
	switch {
	case err != nil:
		return err
	case res.Waits:
		p.say("waits")
	case actor != "" || res.Reply.IsError():
		p.say(res.Reply.String())
	}
	p.effects(res.Effects)
	return nil
}

func (p *player) happens(ctx context.Context, what string) (err error) {
	verb, rest, _ := strings.Cut(what, " ")
	var effects engine.Effects
	switch kind := engine.ChoiceKind(verb); kind {
	case "at", engine.Tick:
		span, wrong := engine.ParseSpan(rest)
		if wrong != nil {
			return wrong
		}
		if kind == engine.Tick {
			span += p.now
		}
		p.now = span
		effects, err = p.node.AdvanceTo(ctx, p.now)
	case engine.Crash, engine.Pause, engine.Resume, engine.Cut, engine.Heal:
		effects, err = p.node.Fault(ctx, rest, kind)
	case "disconnect":
		effects, err = p.node.(engine.Connected).Disconnect(ctx, rest)
	case "look":
		return p.look(ctx)
	default:
		err = fmt.Errorf("nobody can %s", verb)
	}
	p.effects(effects)
	return err
}

func (p *player) effects(e engine.Effects) {
	for _, a := range e.Answered {
		p.say(a.Actor + ": " + a.Reply.String())
	}
	for _, x := range e.Expired {
		p.say(x.Key + " expires at " + engine.FormatSpan(x.At))
	}
	for _, d := range e.Delivered {
		p.say(d.Process + " hears " + d.Payload + " " + d.Channel)
	}
}

func (p *player) look(ctx context.Context) error {
	view, err := p.node.View(ctx)
	if err != nil {
		return err
	}
	for _, k := range view.Keys {
		row := k.Name + ": " + k.Value()
		if k.Pending.By != "" {
			row += ", and " + engine.Key{Type: k.Type, Items: k.Pending.Items}.Value() + " by " + k.Pending.By
		}
		p.say(row + p.left(k.Deadline))
	}
	for _, h := range view.Holds {
		p.say(h.String())
	}
	for _, w := range view.Waits {
		p.say(fmt.Sprintf("%s waits for %s until %s", w.Actor, strings.Join(w.By, " "), engine.FormatSpan(w.Until)))
	}
	for _, s := range view.Subscriptions {
		what := ""
		if s.Children {
			what = "the children of "
		}
		p.say(s.Process + " watches " + what + s.Channel)
	}
	for _, s := range view.Sessions {
		state := ""
		if s.Expired {
			state = ", expired"
		}
		p.say("session of " + s.Process + state + p.left(s.Until))
	}
	return nil
}

// left is how long something lasts.
func (p *player) left(at engine.Instant) string {
	if at == engine.NoDeadline {
		return ""
	}
	return ", ends in " + engine.FormatSpan(at-p.now)
}
