// Package conversations is the contract that every ZooKeeper keeps: conversations of a few
// processes with it, and what ZooKeeper 3.8 does.
package conversations

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
)

// SessionTimeout is that of all conversations.
const SessionTimeout = 10 * time.Second

// conversations are the texts of the suite. A line that begins with > is what happens: a
// request of a process, as in "> app-1 create /lock data ephemeral", a fault, as in
// "> pause app-1", "> tick 10s", or "> view". What comes of it stands below.
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
		t.Run(strings.TrimSuffix(path.Base(name), ".txt"), func(t *testing.T) {
			want, err := conversations.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Play(t.Context(), open(t), string(want))
			if err != nil || got != string(want) {
				t.Errorf("%v; it went otherwise:\n%s", err, got)
			}
		})
	}
}

// Play plays a text on a node and returns it with what came of each line.
func Play(ctx context.Context, node engine.Node, text string) (string, error) {
	if err := node.Reset(ctx); err != nil {
		return "", err
	}
	p := player{node: node}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch command, is := strings.CutPrefix(line, "> "); {
		case is:
			if err := p.happens(ctx, command); err != nil {
				return p.out.String(), err
			}
		case !strings.HasPrefix(line, "  "):
			p.say(line)
		}
	}
	return p.out.String(), nil
}

type player struct {
	node engine.Node
	now  engine.Instant
	out  strings.Builder
}

func (p *player) say(line string) { p.out.WriteString(line + "\n") }

// happens plays one line, and says what came of it.
func (p *player) happens(ctx context.Context, command string) error {
	p.say("> " + command)
	came, err := p.do(ctx, strings.Fields(command))
	for _, line := range came {
		p.say("  " + line)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

func (p *player) do(ctx context.Context, words []string) (came []string, err error) {
	var effects engine.Effects
	switch kind := engine.ChoiceKind(words[0]); kind {
	case "view":
		return p.view(ctx)
	case engine.Tick:
		span, wrong := engine.ParseSpan(words[1])
		if wrong != nil {
			return nil, wrong
		}
		p.now += span
		effects, err = p.node.AdvanceTo(ctx, p.now)
	case engine.Crash, engine.Pause, engine.Resume, engine.Cut, engine.Heal:
		effects, err = p.node.Fault(ctx, words[1], kind)
	default:
		for i, w := range words {
			if plain, wrong := strconv.Unquote(w); wrong == nil {
				words[i] = plain
			}
		}
		var res engine.Result
		res, err = p.node.Exec(ctx, engine.Op{From: engine.Client{Actor: words[0], Process: words[0]}, Args: words[1:]})
		effects = res.Effects
		came = append(came, res.Reply.String())
	}
	for _, e := range effects.Expired {
		came = append(came, e.Key+" expires at "+engine.FormatSpan(e.At))
	}
	for _, d := range effects.Delivered {
		came = append(came, d.Process+" hears "+d.Payload+" "+d.Channel)
	}
	return came, err
}

func (p *player) view(ctx context.Context) ([]string, error) {
	v, err := p.node.View(ctx)
	if err != nil {
		return nil, err
	}
	left := func(at engine.Instant) string {
		if at == engine.NoDeadline {
			return ""
		}
		return ", ends in " + engine.FormatSpan(at-p.now)
	}
	var out []string
	for _, k := range v.Keys {
		out = append(out, k.Name+" "+k.Value()+left(k.Deadline))
	}
	for _, s := range v.Subscriptions {
		what := ""
		if s.Children {
			what = "the children of "
		}
		out = append(out, s.Process+" watches "+what+s.Channel)
	}
	for _, s := range v.Sessions {
		state := ""
		if s.Expired {
			state = ", expired"
		}
		out = append(out, "session of "+s.Process+state+left(s.Until))
	}
	return out, nil
}
