package luaexectest

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"lockstep/engine"
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
	out     strings.Builder
}

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
		if at, ok := p.node.NextExpiry(); ok {
			p.line("next expiry at " + engine.FormatSpan(at))
		} else {
			p.line("no expiry")
		}
		return nil
	case "view":
		return p.view(ctx)
	case "subscribe":
		return p.node.Subscribe(ctx, words[1], words[2])
	case "unsubscribe":
		return p.node.Unsubscribe(ctx, words[1], words[2])
	case "disconnect":
		return p.node.Disconnect(ctx, words[1])
	case "reset":
		return p.node.Reset(ctx)
	}
	return fmt.Errorf("there is no %q", words[0])
}

func (p *player) exec(ctx context.Context, words []string) error {
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
	result, err := p.node.Exec(ctx, op)
	if err != nil {
		return err
	}
	p.line(result.Reply.String())
	for _, d := range result.Delivered {
		p.line(fmt.Sprintf("%s hears %s: %q", d.Process, d.Channel, d.Payload))
	}
	return nil
}

func (p *player) advance(ctx context.Context, to string) error {
	at, err := engine.ParseSpan(to)
	if err != nil {
		return err
	}
	gone, err := p.node.AdvanceTo(ctx, at)
	if err != nil {
		return err
	}
	for _, e := range gone {
		p.line(fmt.Sprintf("%s expired at %s", e.Key, engine.FormatSpan(e.At)))
	}
	return nil
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
