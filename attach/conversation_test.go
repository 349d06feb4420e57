package attach_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"lockstep/attach"
	"lockstep/engine"
	"lockstep/engine/fact"
)

// conversation is a text file of testdata that says what it means.
type conversation struct {
	t       *testing.T
	r       *attach.Recorder
	client  func(name string) *redis.Client
	clients map[string]*redis.Client
	listens map[string]*redis.PubSub
	scripts map[string]string
	seen    int      // steps
	polls   int      // that were folded into them
	notes   []string // of the last command
	reply   string
}

// converse has clients say what a file says, and compares what they hear, and what attach
// makes of it.
func converse(t *testing.T, file string) *attach.Recorder {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	must(t, err)
	r, client := follow(t)
	c := &conversation{
		t: t, r: r, client: client,
		clients: map[string]*redis.Client{}, listens: map[string]*redis.PubSub{}, scripts: map[string]string{},
	}
	script := ""
	for n, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "script "):
			script = strings.TrimPrefix(line, "script ")
		case strings.HasPrefix(line, "  "):
			c.scripts[script] += line[2:] + "\n"
		case line != "" && line[0] != '#':
			if wrong := c.line(line); wrong != "" {
				t.Fatalf("%s:%d: %s\n%s", file, n+1, line, wrong)
			}
		}
	}
	if len(c.notes) > 0 {
		t.Errorf("at the end: %q", c.notes)
	}
	for _, s := range r.Scripts() {
		if does, known := s.Does.(fact.Fact); !known || c.scripts[does.Code] == "" { //nolint:errorlint // it is one itself
			t.Errorf("a script is taken for %q:\n%s", s.Does, s.Line)
		}
	}
	return r
}

// line does what a line says, and returns what is otherwise.
func (c *conversation) line(line string) (wrong string) {
	who, rest, _ := strings.Cut(line, " ")
	ctx := c.t.Context()
	switch verb, words, _ := strings.Cut(rest, " "); {
	case who == "<":
		if limit, isTTL := strings.CutPrefix(rest, "ttl "); isTTL {
			most, _ := strconv.Atoi(limit)
			if ttl, err := strconv.Atoi(c.reply); err == nil && 0 < ttl && ttl <= most {
				return ""
			}
		}
		if c.reply != rest {
			return "the reply is " + c.reply
		}
	case who == "~":
		if len(c.notes) == 0 || c.notes[0] != rest {
			return "what is noted is " + strings.Join(c.notes, "; ")
		}
		c.notes = c.notes[1:]
	case len(c.notes) > 0:
		return "before this was also noted " + strings.Join(c.notes, "; ")
	case who == "expires":
		for {
			trace := steps(c.t, c.r, c.seen+1)
			c.seen++
			if gone := trace.Steps[c.seen-1].Expired; len(gone) > 0 && gone[0].Key == rest {
				return ""
			}
		}
	case verb == "hears":
		if m, err := c.listens[who].ReceiveMessage(ctx); err != nil || m.Payload != words {
			return "it hears something else"
		}
	default:
		c.send(ctx, who, strings.Fields(words))
	}
	return ""
}

func (c *conversation) send(ctx context.Context, who string, words []string) {
	if c.clients[who] == nil {
		c.clients[who] = c.client(who)
	}
	switch words[0] {
	case "SUBSCRIBE":
		c.listens[who] = c.clients[who].Subscribe(ctx, words[1])
		_, err := c.listens[who].Receive(ctx)
		must(c.t, err)
	case "UNSUBSCRIBE":
		must(c.t, c.listens[who].Unsubscribe(ctx, words[1]))
		_, err := c.listens[who].Receive(ctx)
		must(c.t, err)
	case "EVAL":
		words[1] = c.scripts[words[1]]
		fallthrough
	default:
		args := make([]any, len(words))
		for i, w := range words {
			args[i] = w
		}
		c.reply = "nil"
		if is, err := c.clients[who].Do(ctx, args...).Result(); err == nil {
			c.reply = fmt.Sprint(is)
		}
	}
	polls := c.polls
	trace := when(c.t, c.r, func(t *engine.Trace) bool {
		c.polls = pollsIn(t)
		return len(t.Steps) > c.seen || c.polls > polls
	})
	if c.polls > polls {
		c.notes = append(c.notes, who+" polls")
	}
	for _, s := range trace.Steps[c.seen:] {
		if s.Reply != nil {
			c.reply = s.Reply.String()
		}
		for _, n := range s.Notes {
			c.notes = append(c.notes, n.Actor+" "+string(n.Kind)+" "+n.Text)
		}
		for _, b := range s.Broken {
			c.notes = append(c.notes, b.String())
		}
	}
	c.seen = len(trace.Steps)
}

// pollsIn are the attempts at locks that have no step of their own.
func pollsIn(t *engine.Trace) (n int) {
	for _, s := range t.Steps {
		for _, note := range s.Notes {
			n += max(note.Times-1, 0)
		}
	}
	return n
}

// Redisson's locks, with its watchdog, channels and latches.
func TestRedissonSpeaks(t *testing.T) {
	r := converse(t, "redisson.txt")
	l := play(t, r)
	for _, has := range []string{`enter("stock (app-1 reads)")`, `enter("stock")`, `enter("order")`, "broken: [readers-or-writer]", `redis.eval("redisson-read-lock", `} {
		if !strings.Contains(l.YAML, has) {
			t.Errorf("the lesson has no %s:\n%s", has, l.YAML)
		}
	}
}

func TestShedLockSpeaks(t *testing.T) { play(t, converse(t, "shedlock.txt")) }

func TestSpringSpeaks(t *testing.T) { play(t, converse(t, "spring.txt")) }

// Other libraries, and what of Redisson is no lock.
func TestLibrariesSpeak(t *testing.T) { play(t, converse(t, "libraries.txt")) }
