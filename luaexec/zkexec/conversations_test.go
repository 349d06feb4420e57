package zkexec_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/luaexec/zkexec"
)

var update = flag.Bool("update", false, "write what was answered into the conversations")

// sessionTimeout is that of all conversations.
const sessionTimeout = 10 * time.Second

// TestConversations plays testdata/*.txt. A line that begins with > is what happens: a
// request of a process, as in "> app-1 create /lock data ephemeral", a fault, as in
// "> pause app-1", "> tick 10s", or "> view". What comes of it stands below. Nothing in the
// files is about the embedded node alone, so that any other ZooKeeper can be asked the same.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no conversations", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := converse(t, zkexec.NewNode(sessionTimeout), string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("it went otherwise; go test -update writes it down:\n%s", got)
			}
		})
	}
}

// converse plays what a text says on a node, and is the text with what came of it.
func converse(t *testing.T, node engine.Node, text string) string {
	t.Helper()
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	p := player{node: node}
	for line := range strings.Lines(text) {
		command, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
		switch {
		case is:
			b.WriteString(line)
			for _, came := range p.do(t, strings.Fields(command)) {
				b.WriteString("  " + came + "\n")
			}
		case !strings.HasPrefix(line, "  "):
			b.WriteString(line)
		}
	}
	return b.String()
}

type player struct {
	node engine.Node
	now  engine.Instant
}

func (p *player) do(t *testing.T, words []string) []string {
	t.Helper()
	ctx := t.Context()
	var out []string
	var effects engine.Effects
	var err error
	switch kind := engine.ChoiceKind(words[0]); kind {
	case "view":
		return p.view(ctx, t)
	case engine.Tick:
		span, wrong := engine.ParseSpan(words[1])
		if wrong != nil {
			t.Fatal(wrong)
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
		out = append(out, res.Reply.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range effects.Expired {
		out = append(out, e.Key+" expires at "+engine.FormatSpan(e.At))
	}
	for _, d := range effects.Delivered {
		out = append(out, d.Process+" hears "+d.Payload+" "+d.Channel)
	}
	return out
}

func (p *player) view(ctx context.Context, t *testing.T) []string {
	t.Helper()
	v, err := p.node.View(ctx)
	if err != nil {
		t.Fatal(err)
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
	return out
}

// TestForksAreApart changes a fork and its origin, and looks whether the other one changed.
func TestForksAreApart(t *testing.T) {
	ctx := t.Context()
	node := zkexec.NewNode(sessionTimeout)
	ask := func(n engine.Node, args ...string) {
		if _, err := n.Exec(ctx, engine.Op{From: engine.Client{Process: "app"}, Args: args}); err != nil {
			t.Fatal(err)
		}
	}
	ask(node, "create", "/a", "", "ephemeral")
	before := node.Digest()
	fork := node.Fork().(engine.Forker)
	if fork.Digest() != before {
		t.Fatal("a fork has another digest")
	}
	for _, args := range [][]string{{"create", "/b", ""}, {"set", "/a", "x"}, {"get", "/a", "watch"}, {"delete", "/a"}} {
		was := fork.Digest()
		ask(fork, args...)
		if fork.Digest() == was {
			t.Errorf("%q changed no digest", args)
		}
		if node.Digest() != before {
			t.Fatalf("%q in a fork changed its origin", args)
		}
	}
}

// TestShift moves the clock of a node while a session is silent: it lasts as long as before.
func TestShift(t *testing.T) {
	ctx := t.Context()
	node := zkexec.NewNode(sessionTimeout)
	p := player{node: node}
	p.do(t, []string{"app", "create", "/a", "", "ephemeral"})
	p.do(t, []string{"pause", "app"})
	node.Shift(-3 * time.Second)
	if due, ok := node.NextDue(); !ok || due != 7*time.Second {
		t.Error("the session expires at", due)
	}
	effects, err := node.AdvanceTo(ctx, 7*time.Second)
	if err != nil || fmt.Sprint(effects.Expired) != "[{ /a 7s}]" {
		t.Error(effects, err)
	}
}
