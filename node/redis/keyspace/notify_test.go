package keyspace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lockstep/node/redis/conversations"
)

// listening compares what a server and a keyspace publish of their keys.
type listening struct {
	server, hears *server
	keys          *Keyspace
	heard         map[string]bool // kinds of events
}

func listen(t *testing.T) *listening {
	t.Helper()
	l := &listening{server: startServer(t), heard: map[string]bool{}}
	l.server.do("CONFIG", "SET", "notify-keyspace-events", "KEAn")
	l.hears = l.server.again()
	l.hears.do("PSUBSCRIBE", "__key*__:*")
	l.begin()
	return l
}

// begin empties both.
func (l *listening) begin() {
	l.server.do("FLUSHALL")
	l.keys = newAt(l.server)
	l.keys.SetNotifications(0, "KEg$lshzxtn")
	l.keys.Subscribe(ToPattern, "me", "__key*__:*")
}

// say runs a command on both and returns what they publish.
func (l *listening) say(args []string) (got, want string) {
	args = deadlines(l.keys, args)
	l.keys.Do(args)
	l.server.do(args...)
	for _, d := range l.keys.TakeDeliveries() {
		got += fmt.Sprintf("%s %s\n", d.Channel, d.Payload)
	}
	l.server.do("PUBLISH", "__key__:end", "")
	for {
		m := l.hears.receive().Elems
		if m[2].Str == "__key__:end" {
			return got, want
		}
		if event, ok := strings.CutPrefix(m[2].Str, "__keyevent@0__:"); ok {
			l.heard[event] = true
		}
		want += fmt.Sprintf("%s %s\n", m[2].Str, m[3].Str)
	}
}

func TestKeyspaceEventsAreThoseOfRedis(t *testing.T) {
	l := listen(t)
	publishes := func(args []string) bool { return strings.Contains(strings.ToLower(args[0]), "publish") }
	r := rand.New(rand.NewPCG(1, 8))
	for i := range 20_000 {
		if i%100 == 0 {
			l.keys.follow(l.server)
		}
		args := conversations.Command(r)
		if publishes(args) {
			continue
		}
		if got, want := l.say(args); got != want {
			t.Fatalf("%q: the keyspace publishes\n%sredis\n%s", args, got, want)
		}
	}
	for _, c := range conversationsOf(t) {
		l.begin()
		got, want := "", "" // of all: Redis deletes what is born expired when somebody looks
		for line := range strings.Lines(c.commands) {
			if args := words(line); len(args) > 0 && !publishes(args) {
				a, b := l.say(args)
				got, want = got+a, want+b
			}
		}
		if got != want {
			t.Errorf("%s: the keyspace publishes\n%sredis\n%s", c.name, got, want)
		}
	}
	if len(l.heard) < 36 {
		t.Errorf("only %d kinds of events were heard", len(l.heard))
	}
}
