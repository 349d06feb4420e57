// Package conversations is the contract that every SQL node keeps: conversations of a few
// clients with a server, and what MariaDB 10.11 answers.
package conversations

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"lockstep/engine"
)

// conversations are the texts of the suite. Each begins with a line "== NAME" on an empty
// server. What stands below a line that is sent is what comes of it: its reply, or "waits",
// and the answers to others, which begin with their names.
//
//	> CREATE TABLE …   is there before the start; such a line has no reply
//	A> SELECT …        is sent by A, which is alone in its process
//	$ at 50s           moves the clock
//	$ crash A          ends the process of A
//	$ disconnect A     ends the program of A
//	$ look             shows rows and locks
//
//go:embed testdata/*.txt
var conversations embed.FS

// Run plays every conversation on a node of its own.
func Run(t *testing.T, open func(*testing.T) engine.Node) {
	names, err := fs.Glob(conversations, "testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("the suite has no conversations: %v", err)
	}
	for _, name := range names {
		text, err := conversations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(path.Base(name), ".txt"), func(t *testing.T) {
			got, err := Play(t.Context(), open(t), string(text))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, string(text), got)
		})
	}
}

// compare shows the first line that differs, and the conversation so far.
func compare(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	said := 0
	for i := range min(len(w), len(g)) {
		if strings.HasPrefix(w[i], "==") {
			said = i
		}
		if w[i] != g[i] {
			t.Fatalf("line %d:\n%s\nis expected to be\n%s\nand is\n%s", i+1, strings.Join(w[said:i], "\n"), w[i], g[i])
		}
	}
	if len(w) != len(g) {
		t.Fatalf("there are %d lines, and %d were expected", len(g), len(w))
	}
}

// Play plays a text on a node and returns it with what came of each line.
func Play(ctx context.Context, node engine.Node, text string) (string, error) {
	p := player{node: node}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if err := p.line(ctx, line); err != nil {
			return "", fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return p.out.String(), nil
}

type player struct {
	node engine.Node
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
		return p.node.Reset(ctx)
	}
	if what, done := strings.CutPrefix(line, "$ "); done {
		p.say(line)
		return p.do(ctx, what)
	}
	actor, statement, sent := strings.Cut(line, "> ")
	if !sent || strings.ContainsAny(actor, " :[(") {
		return nil // what came of it when it was written
	}
	p.say(line)
	op := engine.Op{Args: []string{statement}}
	if actor != "" {
		op.From = engine.Client{Actor: actor, Process: actor}
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

func (p *player) do(ctx context.Context, what string) error {
	verb, name, _ := strings.Cut(what, " ")
	var effects engine.Effects
	var err error
	switch verb {
	case "at":
		var at engine.Instant
		if at, err = engine.ParseSpan(name); err == nil {
			effects, err = p.node.AdvanceTo(ctx, at)
		}
	case "crash":
		effects, err = p.node.Fault(ctx, name, engine.Crash)
	case "disconnect":
		effects, err = p.node.(engine.Connected).Disconnect(ctx, name)
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
		p.say(row)
	}
	for _, h := range view.Holds {
		p.say(h.String())
	}
	for _, w := range view.Waits {
		p.say(fmt.Sprintf("%s waits for %s until %s", w.Actor, strings.Join(w.By, " "), engine.FormatSpan(w.Until)))
	}
	return nil
}
