package luaexectest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/cluster"
	"lockstep/luaexec/luaexectest"
	"lockstep/luaexec/redisexec"
)

// cast is the nodes of random schedules, and how they hang together.
type cast struct {
	nodes     []string
	replicaOf string // of all nodes but this one; empty: of none
	slots     []cluster.Range
}

var casts = map[string]cast{
	"replicas": {nodes: []string{"m", "r", "s"}, replicaOf: "m"},
	"cluster":  {nodes: []string{"n1", "n2", "n3"}, slots: []cluster.Range{{Node: "n1", Last: 5460}, {Node: "n2", First: 5461, Last: 10922}, {Node: "n3", First: 10923, Last: cluster.Slots - 1}}},
}

// scheduleLength is how many choices a random schedule has, unless nothing may happen sooner.
const scheduleLength = 60

// TestRandomSchedules plays schedules that are drawn on embedded nodes, with all faults
// that there are, on real servers, and compares the traces.
func TestRandomSchedules(t *testing.T) {
	places := realPlaces(t)
	met := map[string]bool{}
	for name, c := range casts {
		t.Run(name, func(t *testing.T) {
			nodes := map[string]map[string]engine.Node{}
			for place, s := range places {
				nodes[place] = c.nodesOn(t, s)
			}
			for _, seed := range luaexectest.Schedules.Seeds(t) {
				w := c.draw(t, seed)
				choices := engine.Schedule{Lesson: "l"}
				for _, s := range w.Trace().Steps {
					choices.Choices = append(choices.Choices, s.Choice)
					met[string(s.Choice.Kind)] = true
				}
				for place := range places {
					trace, err := c.replay(t, nodes[place], seed, choices.Choices)
					if err != nil {
						t.Fatalf("seed %d on %s: %v\n%s\n%s", seed, place, err, choices, trace)
					}
					compareTraces(t, fmt.Sprintf("seed %d on %s: %s", seed, place, choices), w.Trace(), trace)
				}
			}
		})
	}
	for _, row := range engine.ChoiceKinds {
		if luaexectest.Everything() && !met[string(row.Kind)] {
			t.Errorf("no schedule has a choice of the kind %q", row.Kind)
		}
	}
}

// realPlaces are where real nodes live: servers of their own, and a shared one.
func realPlaces(t *testing.T) map[string]*redisexec.Server {
	places := map[string]*redisexec.Server{}
	add := func(place string, s *redisexec.Server, err error) {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		places[place] = s
	}
	for name, find := range map[string]func(testing.TB) string{
		"redis": luaexectest.RedisServer, "valkey": luaexectest.ValkeyServer,
	} {
		s, err := redisexec.StartPrivate(t.Context(), find(t))
		add("private "+name, s, err)
		s, err = redisexec.Dial(t.Context(), luaexectest.StartServer(t, find(t)))
		add("shared "+name, s, err)
	}
	return places
}

// draw plays a random schedule on embedded nodes.
func (c cast) draw(t *testing.T, seed uint64) *engine.World {
	t.Helper()
	nodes := map[string]engine.Node{}
	for _, name := range c.nodes {
		nodes[name] = luaexec.NewNode()
	}
	w, err := engine.NewWorld(t.Context(), c.scenario(seed, nodes))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for range scheduleLength {
		choice, ok := pick(r, w.Enabled())
		if !ok {
			break
		}
		if _, err := w.Apply(t.Context(), choice); err != nil {
			t.Fatalf("seed %d: %s: %v\n%s", seed, choice, err, w.Trace())
		}
	}
	return w
}

// often is how much more likely than others choices are of which each schedule needs many.
var often = map[string]int{"run": 30, "tick": 6, "replicate": 8, "promote": 3, "restart": 8, "resume": 6, "heal": 6}

func pick(r *rand.Rand, options []engine.Option) (engine.Choice, bool) {
	var enabled []engine.Choice
	for _, o := range options {
		if o.Enabled() {
			for range max(often[string(o.Choice.Kind)], 1) {
				enabled = append(enabled, o.Choice)
			}
		}
	}
	if len(enabled) == 0 {
		return engine.Choice{}, false
	}
	choice := enabled[r.IntN(len(enabled))]
	if choice.Kind == engine.Tick && r.IntN(3) > 0 {
		choice.Span = time.Duration(1+r.IntN(20)) * 100 * time.Millisecond
	}
	return choice, true
}

// nodesOn are nodes on a real server, which all schedules use one after the other.
func (c cast) nodesOn(t *testing.T, s *redisexec.Server) map[string]engine.Node {
	t.Helper()
	nodes := map[string]engine.Node{}
	for _, name := range c.nodes {
		n := s.Node(t.Name(), name)
		t.Cleanup(func() {
			if err := n.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		nodes[name] = n
	}
	return nodes
}

// replay plays a schedule on real nodes. One that was too slow to be believed gets more chances.
func (c cast) replay(t *testing.T, nodes map[string]engine.Node, seed uint64, choices []engine.Choice) (*engine.Trace, error) {
	t.Helper()
	for tries := 0; ; tries++ {
		_, trace, err := engine.Replay(t.Context(), c.scenario(seed, nodes), choices)
		if !errors.Is(err, redisexec.ErrSlow) || tries == 5 {
			return trace, err
		}
	}
}

func compareTraces(t *testing.T, what string, want, got *engine.Trace) {
	t.Helper()
	alike := []cmp.Option{
		cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(engine.Step{}),
		cmp.Comparer(func(a, b []engine.Option) bool { return reflect.DeepEqual(a, b) }), // much faster
	}
	for i := range want.Steps {
		if d := cmp.Diff(want.Steps[i], got.Steps[i], alike...); d != "" {
			t.Fatalf("%s\nstep %d differs (- embedded, + real):\n%s\n%s", what, i+1, d, got)
		}
	}
	if want.String() != got.String() {
		t.Errorf("%s\nthe traces differ:\n%s\n%s", what, want, got)
	}
}

func (c cast) scenario(seed uint64, nodes map[string]engine.Node) engine.Scenario {
	s := engine.Scenario{Resolution: 100 * time.Millisecond, Faults: c.faults()}
	for _, name := range c.nodes {
		spec := engine.NodeSpec{Name: name, Node: nodes[name]}
		if c.replicaOf != name {
			spec.ReplicaOf = c.replicaOf
		}
		s.Nodes = append(s.Nodes, spec)
		nodes[name].(cluster.Joiner).Join(cluster.Member{Name: name, Ranges: c.slots})
	}
	for i, name := range []string{"A", "B", "C", "D"} {
		s.Actors = append(s.Actors, engine.ActorSpec{
			Name: name, Process: []string{"p1", "p2"}[i/2],
			New: func() engine.Actor {
				return &randomClient{cast: c, chance: rand.New(rand.NewPCG(seed, uint64(i)+2)), node: c.nodes[0]}
			},
		})
	}
	return s
}

// faults are all that the cast allows.
func (c cast) faults() []engine.Choice {
	var texts []string
	for _, p := range []string{"p1", "p2"} {
		texts = append(texts, "pause "+p, "drop "+p, "clock "+p+" +1500ms", "clock "+p+" -2s")
		for _, n := range c.nodes {
			texts = append(texts, "cut "+p+" "+n, "cut "+n+" "+p)
		}
	}
	texts = append(texts, "crash p2")
	for _, n := range c.nodes {
		texts = append(texts, "crash "+n, "save "+n, "pause "+n, "clock "+n+" +1s", "clock "+n+" -500ms")
		if c.replicaOf == "" {
			continue
		}
		texts = append(texts, "promote "+n)
		for _, o := range c.nodes {
			if o != n {
				texts = append(texts, "cut "+n+" "+o)
			}
		}
	}
	var faults []engine.Choice
	for _, text := range texts {
		choice, err := engine.ParseChoice(text)
		if err != nil {
			panic(err)
		}
		faults = append(faults, choice)
	}
	return faults
}

// randomClient asks for whatever may be asked for, and goes where it is sent.
type randomClient struct {
	cast
	chance  *rand.Rand
	node    string // where it goes, unless it wants to go elsewhere
	again   engine.Request
	listens []engine.Subscribe
}

// Next implements engine.Actor.
func (a *randomClient) Next(out engine.Outcome) engine.Request {
	if e, ok := a.again.(engine.Exec); ok {
		a.again = nil
		if to, moved := strings.CutPrefix(out.Reply.Str, "MOVED "); moved {
			_, e.Node, _ = strings.Cut(to, " ")
			return e
		}
	}
	r := a.next()
	a.again = r
	return r
}

func (a *randomClient) next() engine.Request {
	node := a.node
	switch n := a.chance.IntN(24); {
	case n < 4:
		node = a.nodes[a.chance.IntN(len(a.nodes))]
	case n == 4 && a.replicaOf != "":
		return engine.Exec{Node: a.replicaOf, ToLeader: true, Op: engine.Op{Args: a.command()}}
	case n == 5:
		s := engine.Subscribe{Node: node, Channel: a.one("{a}ch", "ch")}
		a.listens = append(a.listens, s)
		return s
	case n < 8 && len(a.listens) > 0:
		s := a.listens[a.chance.IntN(len(a.listens))]
		return engine.Receive{Node: s.Node, Channel: s.Channel, Timeout: a.span()}
	case n == 8 && len(a.listens) > 0:
		s := a.listens[0]
		a.listens = a.listens[1:]
		return engine.Unsubscribe(s)
	case n == 9:
		return engine.Sleep{For: a.span()}
	case n == 10 && a.replicaOf != "":
		return engine.AwaitReplicas{Node: node, ToLeader: a.chance.IntN(2) == 0, Replicas: 1 + a.chance.IntN(2), Timeout: a.span()}
	case n < 14:
		return engine.Exec{Node: node, Op: a.script()}
	case n == 14:
		return engine.Exec{Node: node, Op: engine.Op{Args: []string{"set", a.key("k"), ""}}, Stamps: []engine.Stamp{{Arg: 2}}}
	}
	return engine.Exec{Node: node, Op: engine.Op{Args: a.command()}}
}

func (a *randomClient) one(words ...string) string { return words[a.chance.IntN(len(words))] }

func (a *randomClient) span() time.Duration {
	return time.Duration(1+a.chance.IntN(30)) * 100 * time.Millisecond
}

func (a *randomClient) ms() string { return strconv.FormatInt(a.span().Milliseconds(), 10) }

// key is one of few names of a type; most of a cluster's have one slot.
func (a *randomClient) key(of string) string {
	return a.one("{a}"+of, "{a}"+of, "{a}"+of+"2", of)
}

func (a *randomClient) command() []string {
	const commands = `set k V px MS|set k V nx px MS|set k V|get k|get k|pttl k|pexpire k MS|persist k|del k|del q|incr n|append k V|mget k k|` +
		`rpush q V|rpush q V V|lpush q V|lpop q|lrange q 0 -1|blpop q SECONDS|blpop q q SECONDS|brpop q SECONDS|blmove q q left right SECONDS|blmpop SECONDS 1 q left|` +
		`hset h f V|hincrby h f 1|hgetall h|sadd s V|srem s V|smembers s|zadd z 1 V|zadd z 2 V|zrange z 0 -1|bzpopmin z SECONDS|bzpopmax z z SECONDS|` +
		`xadd x * f V|xrange x - +|publish ch V|publish {a}ch V|pexpire h MS|pexpire q MS|type k|get q|rename k k`
	args := strings.Fields(a.one(strings.Split(commands, "|")...))
	for i, arg := range args[1:] {
		switch arg {
		case "k", "q", "h", "s", "z", "x", "n":
			args[i+1] = a.key(arg)
		case "V":
			args[i+1] = a.one("a", "b", "c")
		case "MS":
			args[i+1] = a.ms()
		case "SECONDS":
			args[i+1] = strconv.FormatFloat(a.span().Seconds(), 'g', -1, 64)
		}
	}
	return args
}

var scripts = []string{
	"if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then return 1 end return redis.call('pttl', KEYS[1])",
	"if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('publish', KEYS[3], ARGV[1]) return redis.call('del', KEYS[1]) end return 0",
	"return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1]), redis.call('exists', KEYS[2])}",
	"redis.call('rpush', KEYS[2], ARGV[1], ARGV[2]) return redis.call('llen', KEYS[2])",
	"local r = redis.pcall('rpush', KEYS[2], ARGV[1]) return {redis.call('type', KEYS[2]).ok, type(r), KEYS[1]}",
	"redis.call('hset', KEYS[1], 'owner', ARGV[1]) redis.call('pexpire', KEYS[1], ARGV[2]) return redis.call('hgetall', KEYS[1])",
	"redis.call('incr', KEYS[1]) error('broken')",
}

func (a *randomClient) script() engine.Op {
	n := a.chance.IntN(len(scripts))
	return engine.Op{
		Script: &engine.Script{Name: fmt.Sprint("script", n), Source: scripts[n]},
		Keys:   []string{a.key("k"), a.key("q"), "{a}ch"}, Args: []string{a.one("a", "b", "c"), a.ms()},
	}
}
