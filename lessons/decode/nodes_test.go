package decode_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/redis/cluster"
)

// unserved is a lesson without its servers and faults.
const unserved = `title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
actors:
  A: {process: app-1, program: 'redis.call("PING")'}
story:
  - run: A
`

// served is a lesson whose servers and faults a test writes.
func served(t *testing.T, servers string) *lessons.Lesson {
	t.Helper()
	l, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(unserved + servers)}}, "01-a")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestServersOfALesson(t *testing.T) {
	redis := func(name, leader string) lessons.Node {
		return lessons.Node{Name: name, Kind: lessons.Redis, ReplicaOf: leader}
	}
	slots := []cluster.Range{{Node: "n2", First: 0, Last: 5460}, {Node: "n1", First: 5461, Last: 16383}}
	for servers, want := range map[string]lessons.Lesson{
		"":                {Nodes: []lessons.Node{redis("redis", "")}},
		"nodes: [n1, n2]": {Nodes: []lessons.Node{redis("n1", ""), redis("n2", "")}},
		"nodes: {r: {replica-of: m}, m: {kind: redis}}":                  {Nodes: []lessons.Node{redis("r", "m"), redis("m", "")}},
		"nodes: {zk: {kind: zookeeper, session: 6s}}":                    {Nodes: []lessons.Node{{Name: "zk", Kind: lessons.ZooKeeper, Session: 6 * time.Second}}},
		"nodes:\n  m:\n  r: {replica-of: m}":                             {Nodes: []lessons.Node{redis("m", ""), redis("r", "m")}},
		"cluster: {n1: 5461-16383, n2: 0-5460}":                          {Nodes: []lessons.Node{redis("n1", ""), redis("n2", "")}, Cluster: slots},
		"nodes: [n2, db, n1]\ncluster: {n1: 5461-16383, n2: 0-5460}":     {Nodes: []lessons.Node{redis("n2", ""), redis("db", ""), redis("n1", "")}, Cluster: slots},
		"nodes: [n1, n2]\nclient-timeout: 500ms\nfaults: [clock n1 +1s]": {Nodes: []lessons.Node{redis("n1", ""), redis("n2", "")}, Timeout: 500 * time.Millisecond},
	} {
		l := served(t, servers)
		got := lessons.Lesson{Nodes: l.Nodes, Cluster: l.Cluster, Timeout: l.Timeout}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", servers, diff)
		}
	}
}

// What only ends a fault may be listed, before or after it, and adds nothing.
func TestFaultsAndTheirEnds(t *testing.T) {
	l := served(t, "nodes: {m: {}, r: {replica-of: m}}\n"+
		"faults: [restart m, crash m, resume app-1, pause app-1, cut app-1 m, heal m app-1, clock m -2s, save m, restart m from snapshot, promote r]\n")
	var got []string
	for _, f := range l.Faults {
		got = append(got, f.String())
	}
	if text, want := strings.Join(got, ", "), "crash m, pause app-1, cut app-1 m, clock m -2s, save m, promote r"; text != want {
		t.Errorf("the faults are %s, want %s", text, want)
	}
	if _, ok := l.Declared["fault restart m"]; ok {
		t.Error("the end of a fault counts as one")
	}
}

// TestAnEnsembleGoesOn asks for faults of a node that stands for several servers.
func TestAnEnsembleGoesOn(t *testing.T) {
	const nodes = "nodes: {zk: {kind: zookeeper}}\nfaults: "
	for _, fault := range []string{"crash zk", "pause zk", "save zk", "clock zk +1s"} {
		text := unserved + nodes + "[" + fault + "]\n"
		_, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(text)}}, "01-a")
		if err == nil || !strings.Contains(err.Error(), "zk is a zookeeper: an ensemble") {
			t.Errorf("%s: %v", fault, err)
		}
	}
	if l := served(t, nodes+"[cut app-1 zk, cut zk app-1, pause app-1]\n"); len(l.Faults) != 3 {
		t.Error("the faults are", l.Faults)
	}
}

// A link to a lesson stays good while what can happen in it does.
func TestTheHashTellsServersApart(t *testing.T) {
	hashes := map[string]string{}
	for _, servers := range []string{
		"nodes: [n1, n2]", "nodes: {n1: {}, n2: {replica-of: n1}}", "nodes: {n1: {replica-of: n2}, n2: {}}",
		"cluster: {n1: 0-5460, n2: 5461-16383}", "cluster: {n1: 0-5461, n2: 5462-16383}",
		"nodes: {n1: {kind: zookeeper}, n2: {}}", "nodes: {n1: {kind: zookeeper, session: 5s}, n2: {}}",
		"nodes: [n1, n2]\nclient-timeout: 2s",
		"nodes: [n1, n2]\nclient-timeout: 3s",
		"cluster: {n1: \"0-5460, 9 to n2\", n2: 5461-16383}", "cluster: {n1: \"0-5460, 8 to n2\", n2: 5461-16383}",
		"nodes: [n1, n2]\ngiven: {k: {value: [a, b]}}", "nodes: [n1, n2]\ngiven: {k: {value: [a, c]}}",
		"nodes: [n1, n2]\ngiven: {k: {value: x}}", "nodes: [n1, n2]\ngiven: {k: {value: x, node: n2}}",
		"nodes: [n1, n2]\ngiven: {k: {value: x, ttl: 1s}}",
	} {
		h := served(t, servers).Hash
		if other, twice := hashes[h]; twice {
			t.Errorf("%s and %s have one hash", servers, other)
		}
		hashes[h] = servers
	}
	if a, b := served(t, "nodes: [n1, n2]").Hash, served(t, "nodes: {n1: {}, n2: {kind: redis}}").Hash; a != b {
		t.Error("the same servers, written in another way, have another hash")
	}
}

// All kinds of choices are keys of a beat, and texts after do.
func TestAStoryOfEveryChoice(t *testing.T) {
	var faults, beats strings.Builder
	for _, row := range engine.ChoiceKinds {
		about := map[engine.Object]string{
			engine.AnActor: "A", engine.TheClock: "1s", engine.AProcess: "app-1", engine.ANode: "r", engine.AMachine: "r",
			engine.ALink: "m r", engine.AClock: "app-1 +10s",
		}[row.Of]
		if row.Kind.Costs() {
			fmt.Fprintf(&faults, "%s %s, ", row.Kind, about)
		}
		fmt.Fprintf(&beats, "  - {%s: %s}\n", row.Kind, strings.TrimSpace(about+" "+row.May))
	}
	head := strings.Replace(unserved, "story:\n  - run: A\n", "nodes: {m: {}, r: {replica-of: m}}\nfaults: ["+faults.String()+"]\nstory:\n", 1)
	l, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(head + beats.String())}}, "01-a")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	var do []string
	for _, c := range l.Choices() {
		kinds, do = append(kinds, string(c.Kind)), append(do, c.String())
	}
	if diff := cmp.Diff(engine.ChoiceNames(), kinds); diff != "" {
		t.Errorf("of the choices (-table +story):\n%s", diff)
	}
	again := head + "  - do: [" + strings.Join(do, ", ") + "]\n"
	other, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(again)}}, "01-a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.Choices(), other.Choices()); diff != "" {
		t.Errorf("after do (-keys +do):\n%s", diff)
	}
}
