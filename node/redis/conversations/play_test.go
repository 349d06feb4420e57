package conversations

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// Play does what a case says on a node, and returns the case with what came of it.
func Play(ctx context.Context, n engine.Node, text string) (string, error) {
	p := player{node: n, scripts: map[string]*engine.Script{}}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "script "):
			name := strings.TrimSuffix(strings.TrimPrefix(line, "script "), ":")
			var source []string
			p.line(line)
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  ") {
				i++
				p.line(lines[i])
				source = append(source, strings.TrimPrefix(lines[i], "  "))
			}
			p.scripts[name] = &engine.Script{Name: name, Source: strings.Join(source, "\n")}
		case strings.HasPrefix(line, ">"), strings.HasPrefix(line, "$"):
			p.line(line)
			if err := p.do(ctx, line); err != nil {
				return "", fmt.Errorf("line %d: %s: %w", i+1, line, err)
			}
		case line == "", strings.HasPrefix(line, "#"):
			p.line(line)
		}
	}
	return strings.TrimSuffix(p.out.String(), "\n"), nil
}

type player struct {
	node    engine.Node
	scripts map[string]*engine.Script
	from    engine.Client
	replica bool        // the node is one
	copied  engine.Data // by $ copy
	out     strings.Builder
}

func (p *player) channels() engine.Channels { return p.node.(engine.Channels) }

func (p *player) line(text string) { p.out.WriteString(text + "\n") }

func (p *player) do(ctx context.Context, line string) error {
	words, err := split(line[1:])
	if err != nil || len(words) == 0 {
		return fmt.Errorf("cannot be read: %w", err)
	}
	if line[0] == '>' {
		return p.exec(ctx, words)
	}
	switch words[0] {
	case "at":
		return p.advance(ctx, words[1])
	case "next":
		if at, ok := p.node.NextDue(); ok {
			p.line("next expiry at " + engine.FormatSpan(at))
		} else {
			p.line("no expiry")
		}
		return nil
	case "view":
		return p.view(ctx)
	case "subscribe":
		return p.channels().Subscribe(ctx, words[1], words[2])
	case "unsubscribe":
		return p.channels().Unsubscribe(ctx, words[1], words[2])
	case "disconnect":
		_, err := p.node.Fault(ctx, words[1], engine.Crash)
		return err
	case "as": // actor and process of the requests that follow
		p.from = engine.Client{Actor: words[1], Process: words[2]}
		return nil
	case "replica":
		p.replica = words[1] == "yes"
		return nil
	case "copy":
		var err error
		p.copied, err = p.node.(engine.Copier).Copy(ctx)
		return err
	case "load":
		return p.node.(engine.Copier).Load(ctx, p.copied)
	case "follow":
		effects, err := p.node.(engine.Copier).Follow(ctx)
		p.effects(effects)
		return err
	case "queue": // as an operation of a transaction
		r, aborts, err := p.node.(engine.Queuer).Abort(ctx, []engine.Op{p.op(words[1:])})
		if !aborts {
			r = reply.OfStatus("QUEUED")
		}
		p.line(r.String())
		return err
	case "reset":
		return p.node.Reset(ctx)
	}
	return fmt.Errorf("there is no %q", words[0])
}

// op is what words send.
func (p *player) op(words []string) engine.Op {
	op := engine.Op{Args: words}
	if len(words) > 1 && words[0] == "eval" && p.scripts[words[1]] != nil {
		op = engine.Op{Script: p.scripts[words[1]]}
		rest := &op.Keys
		for _, word := range words[2:] {
			if word == "," {
				rest = &op.Args
				continue
			}
			*rest = append(*rest, word)
		}
	}
	op.From, op.ReadOnly = p.from, p.replica
	return op
}

func (p *player) exec(ctx context.Context, words []string) error {
	result, err := p.node.Exec(ctx, p.op(words))
	if err != nil {
		return err
	}
	if result.Waits {
		p.line("waits")
	} else {
		p.line(result.Reply.String())
	}
	p.effects(result.Effects)
	return nil
}

func (p *player) advance(ctx context.Context, to string) error {
	at, err := time.ParseDuration(to)
	if err != nil {
		return err
	}
	effects, err := p.node.AdvanceTo(ctx, at)
	if err != nil {
		return err
	}
	p.effects(effects)
	return nil
}

func (p *player) effects(effects engine.Effects) {
	for _, d := range effects.Delivered {
		p.line(fmt.Sprintf("%s hears %s: %q", d.Process, d.Channel, d.Payload))
	}
	for _, e := range effects.Expired {
		p.line(fmt.Sprintf("%s expired at %s", e.Key, engine.FormatSpan(e.At)))
	}
	for _, a := range effects.Answered {
		p.line(fmt.Sprintf("%s is answered: %s", a.Actor, a.Reply))
	}
}

func (p *player) view(ctx context.Context) error {
	view, err := p.node.View(ctx)
	if err != nil {
		return err
	}
	for _, k := range view.Keys {
		value := strconv.Quote(k.Text)
		if k.Type != engine.StringKey {
			var items []string
			for _, it := range k.Items {
				switch k.Type {
				case engine.ListKey:
					items = append(items, strconv.Quote(it.Value))
				case engine.SetKey:
					items = append(items, strconv.Quote(it.Name))
				default:
					items = append(items, strconv.Quote(it.Name)+": "+strconv.Quote(it.Value))
				}
			}
			value = "[" + strings.Join(items, ", ") + "]"
		}
		until := "for ever"
		if k.Deadline != engine.NoDeadline {
			until = "until " + engine.FormatSpan(k.Deadline)
		}
		p.line(fmt.Sprintf("%s is a %s %s %s", k.Name, k.Type, value, until))
	}
	for _, s := range view.Subscriptions {
		p.line(s.Process + " listens to " + s.Channel)
	}
	for _, w := range view.Waits {
		p.line(w.Actor + " waits for " + strings.Join(w.Keys, ", "))
	}
	if len(view.Keys)+len(view.Subscriptions) == 0 {
		p.line("nothing")
	}
	return nil
}

// split cuts a line into words; a word in double quotes is read as Go does.
func split(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' {
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, word), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, err
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words, line = append(words, word), line[len(quoted):]
	}
	return words, nil
}
