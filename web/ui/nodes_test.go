package ui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// networked is a lesson on several nodes, played on embedded ones.
type networked struct {
	name     string
	nodes    string // r<m is a replica of m, zk=zookeeper of that kind
	programs map[string]string
	faults   string
	schedule string
}

var onNodes = []networked{
	{
		"a request is lost, and so is a reply", "n1 n2",
		map[string]string{
			"A": `pcall(node("n2").call, "SET", "lock", me) pcall(node("n2").call, "SET", "lock", me) node("n2").call("GET", "lock")`,
			"B": `node("n1").call("SET", "lock", me)`,
		},
		"cut app-1 n2, cut n2 app-1",
		"run B, cut app-1 n2, run A, tick, heal app-1 n2, cut n2 app-1, run A, tick, heal app-1 n2, run A",
	},
	{
		"a request waits in a node, and a paused node does it later", "n1 n2",
		map[string]string{
			"A": `redis.call("BLPOP", "jobs", 0) redis.call("SET", "done", me)`,
			"B": `redis.call("RPUSH", "jobs", "one") node("n2").call("SET", "k", me) node("n2").call("GET", "k")`,
		},
		"pause n1, crash n1",
		"run A, run B, run A, pause n1, run A, run B, resume n1, run A, run B",
	},
	{
		"a node dies while somebody waits, and comes back", "redis",
		map[string]string{
			"A": `redis.call("SET", "lock", me) pcall(redis.call, "BLPOP", "jobs", 0) pcall(redis.call, "GET", "lock") redis.call("GET", "lock")`,
			"B": `redis.call("SET", "other", me)`,
		},
		"crash redis, save redis",
		"run A, save redis, run B, run A, crash redis, run A, run A, restart redis from snapshot, run A, crash redis, restart redis",
	},
	{
		"a failover loses a write", "m r<m s<m",
		map[string]string{
			"A": `redis.call("SET", "lock", me) redis.call("WAIT", 1, 1000) redis.call("SET", "l", me)`,
			"B": `node("r").call("GET", "lock") node("r").call("SET", "lock", me)`,
		},
		"crash m, promote r, cut m s",
		"run A, run B, run A, replicate r, run A, cut m s, run A, replicate r all, crash m, promote r, restart m, run B, heal m s, replicate m all, replicate s, replicate s",
	},
	{
		"clocks jump", "n1 n2",
		map[string]string{
			"A": `redis.call("SET", "lock", me, "PX", 30000) node("n2").call("SET", "lock", me, "PX", 5000)`,
			"B": `redis.call("SET", "at", stamp())`,
		},
		"clock n2 +10s, clock n1 +20s, clock app-2 -2s",
		"run A, run A, clock n2 +10s, clock n1 +20s, clock app-2 -2s, run B, tick",
	},
	{
		"a message is lost on its way, and subscribers give up", "n1 n2",
		map[string]string{
			"A": `subscribe("ch") receive("ch", 5000)`,
			"B": `redis.call("PUBLISH", "ch", "hello")`,
		},
		"cut n1 app-1",
		"run A, cut n1 app-1, run B, tick",
	},
}

// five has what a lesson can show of nodes, all at once.
var five = networked{
	"", "master replica-1<master replica-2<master n4 n5",
	map[string]string{
		"A": `redis.call("SET", "order:42", me, "NX", "PX", 30000)
redis.call("HSET", "stock", "apples", 3, "pears", 7)
redis.call("WAIT", 2, 5000)
node("n4").call("SET", "order:42", me, "NX", "PX", 30000)
`,
		"B": `node("n5").call("SET", "order:42", me, "NX", "PX", 30000)
node("n5").call("BLPOP", "jobs", 0)
`,
		"C": `subscribe("order:42:free")
node("n4").call("SET", "order:42", me, "NX", "PX", 30000)
`,
	},
	"crash app-1, pause app-1, crash master, save n5, pause n4, cut app-1 n4, cut n5 app-2, cut master replica-2, clock n5 +10s, clock app-2 -2s, promote replica-1",
	"run A, run B, run C, tick 5s, replicate replica-1, run A, run B, save n5, clock n5 +10s, clock app-2 -2s, cut master replica-2, run A, replicate replica-1, " +
		"cut app-1 n4, pause n4, run C, tick 5s, run A, run A",
}

func (n networked) play() (*lessons.Lesson, *engine.Trace, error) {
	l := lesson()
	l.Client, l.Scripts, l.Actors, l.Invariants = lessons.Client{}, nil, nil, nil
	l.Nodes = nil
	for _, s := range tables[n.nodes] {
		l.Given = append(l.Given, lessons.Given{Node: "db", Statement: s})
	}
	for name := range strings.FieldsSeq(n.nodes) {
		name, leader, _ := strings.Cut(name, "<")
		name, kind, said := strings.Cut(name, "=")
		if !said {
			kind = string(lessons.Redis)
		}
		l.Nodes = append(l.Nodes, lessons.Node{Name: name, Kind: lessons.NodeKind(kind), ReplicaOf: leader})
	}
	for i, name := range []string{"A", "B", "C"} {
		if program, ok := n.programs[name]; ok {
			l.Actors = append(l.Actors, lessons.Actor{Name: name, Process: "app-" + string(rune('1'+i)), Program: program})
		}
	}
	for text := range strings.SplitSeq(n.faults, ", ") {
		f, err := engine.ParseChoice(text)
		if err != nil {
			return nil, nil, err
		}
		l.Faults = append(l.Faults, f)
	}
	var choices []engine.Choice
	for text := range strings.SplitSeq(n.schedule, ", ") {
		c, err := engine.ParseChoice(text)
		if err != nil {
			return nil, nil, err
		}
		choices = append(choices, c)
	}
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		return nil, nil, err
	}
	scenario.Positions = true
	_, trace, err := engine.Replay(context.Background(), scenario, choices)
	return l, trace, err
}

// znodes has what a lesson can show of a ZooKeeper: znodes under others, one that a silent
// session keeps, one that has gone, watches, one of them of what is not there, and sessions.
var znodes = networked{
	"", "zk=zookeeper",
	map[string]string{
		"A": `local zk = node("zk") zk.create("/lock", "") zk.create("/lock/lock-", me, {ephemeral = true, sequential = true}) sleep("60s")`,
		"B": `local zk = node("zk") zk.create("/lock/lock-", me, {ephemeral = true, sequential = true}) zk.exists("/lock/lock-0000000000", true) zk.event("/lock/lock-0000000000")`,
		"C": `local zk = node("zk") zk.children("/lock", true) zk.exists("/none/here", true) zk.set("/lock", "open") zk.create("/lock/gone", "", {ephemeral = true}) zk.delete("/lock/gone")`,
	},
	"crash app-1, cut app-3 zk",
	"run A, run A, run B, run B, run C, run C, run C, run C, cut app-3 zk, tick, heal app-3 zk, run C, crash app-1, tick 3s",
}

// deadlock has two transactions that lock two rows in opposite orders.
var deadlock = networked{
	"", "db=sql",
	map[string]string{
		"A": `local db = node("db") db.begin() db.exec("UPDATE accounts SET money = 4 WHERE id = 10") db.exec("UPDATE accounts SET money = 6 WHERE id = 20") db.commit()`,
		"B": `local db = node("db") db.begin() db.exec("UPDATE accounts SET money = 4 WHERE id = 20") db.exec("UPDATE accounts SET money = 6 WHERE id = 10") db.commit()`,
	},
	"crash app-1",
	"run A, run A, run B, run B, run A, run B",
}

// tables are made by statements, which a lesson's database is given.
var tables = map[string][]string{
	"db=sql": {"CREATE TABLE accounts (id INT PRIMARY KEY, money INT)", "INSERT INTO accounts VALUES (10, 5), (20, 5)"},
}

// redlock asks five nodes for one lock.
var redlock = networked{
	"", "n1 n2 n3 n4 n5",
	map[string]string{"A": redlockLua, "B": redlockLua},
	"cut app-1 n4, clock n3 +30s, crash n2, pause app-1",
	"run A, run B, run A, run B, run A, cut app-1 n4, run A, tick, run A, crash n2, restart n2, run B",
}

const redlockLua = `local got = 0
for _, n in ipairs({"n1", "n2", "n3", "n4", "n5"}) do
  local ok, reply = pcall(node(n, {timeout = "50ms"}).call, "SET", "order:42", me, "NX", "PX", 30000)
  if ok and reply then got = got + 1 end
end
if got >= 3 then enter("order:42") end
sleep("20s")
`

// fiveNodes is the page of a lesson on five nodes.
func fiveNodes(lang lessons.Lang) View { return five.view(lang) }

func (n networked) view(lang lessons.Lang) View {
	l, trace, err := n.play()
	if err != nil {
		panic(err)
	}
	w := newWorld()
	w.trace = *trace
	v := offStory(viewOf(w, lang), 4)
	v.Lesson = l
	return v
}

// Who hears the page is not told that somebody replied when nobody did.
func TestALostRequestIsNoReply(t *testing.T) {
	l, trace, err := five.play()
	if err != nil {
		t.Fatal(err)
	}
	for i := range trace.Steps {
		s := &trace.Steps[i]
		e, plain := s.Request.(engine.Exec)
		if !plain || e.Op.Script != nil {
			continue
		}
		w := newWorld()
		w.trace = *trace
		v := offStory(viewOf(w, lessons.En), s.N)
		v.Lesson, v.Pos = l, s.N
		said := strings.Contains(render(t, call(&v)), `<span class="sr">replied</span>`)
		if said == (s.NoReply != "") {
			t.Errorf("step %d, no reply for %q: is a reply said? %t", s.N, s.NoReply, said)
		}
	}
}

// TestWhatThePageTellsOfNodes compares a mark and a sentence for each step, in both
// languages: go test -update writes them anew.
func TestWhatThePageTellsOfNodes(t *testing.T) {
	var b strings.Builder
	for _, n := range append(slices.Clone(onNodes), networked{"five nodes", five.nodes, five.programs, five.faults, five.schedule}, networked{"znodes", znodes.nodes, znodes.programs, znodes.faults, znodes.schedule}) {
		b.WriteString("# " + n.name + "\n")
		_, trace, err := n.play()
		if err != nil {
			t.Fatalf("%s: %v", n.name, err)
		}
		for i := range trace.Steps {
			s := &trace.Steps[i]
			b.WriteString(outcomeMarks[outcomeOf(s)] + " " + Sentence(lessons.En, s) + "\n  " + Sentence(lessons.Zh, s) + "\n")
		}
		b.WriteString("\n")
	}
	path := filepath.Join("testdata", "nodes.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTheSideOfScriptsIsNamedAfterWhatRunsThem(t *testing.T) {
	for _, tt := range []struct {
		kinds   []lessons.NodeKind
		scripts []lessons.Script
		en, zh  string
		runs    bool
	}{
		{[]lessons.NodeKind{lessons.Redis}, nil, "In Redis", "Redis 端", true},
		{[]lessons.NodeKind{lessons.SQL, lessons.Redis, lessons.ZooKeeper}, []lessons.Script{{Name: "lock"}}, "In Redis", "Redis 端", true},
		{[]lessons.NodeKind{lessons.SQL, lessons.Redis, lessons.ZooKeeper}, nil, "In the servers", "服务器端", false},
		{[]lessons.NodeKind{lessons.SQL}, nil, "In Database", "数据库端", false},
		{[]lessons.NodeKind{lessons.ZooKeeper}, nil, "In ZooKeeper", "ZooKeeper 端", false},
	} {
		for lang, want := range map[lessons.Lang]string{lessons.En: tt.en, lessons.Zh: tt.zh} {
			v := fiveNodes(lang)
			l := *v.Lesson
			l.Nodes, l.Scripts = slices.Clone(l.Nodes), tt.scripts
			for i := range l.Nodes {
				l.Nodes[i].Kind = tt.kinds[min(i, len(tt.kinds)-1)]
			}
			v.Lesson = &l
			if got := sideServerText(&v); got != want {
				t.Errorf("%v: the tab says %q, want %q", tt.kinds, got, want)
			}
			if got := strings.Contains(render(t, Page(v, shell)), sideServerWhy.in(lang)); got != tt.runs {
				t.Errorf("%v: the page says how scripts run in Redis: %v", tt.kinds, got)
			}
		}
	}
}

func TestTheEngineSwitchSaysWhatIsBuiltIn(t *testing.T) {
	for _, tt := range []struct {
		kinds  []lessons.NodeKind
		en, zh string
	}{
		{[]lessons.NodeKind{lessons.Redis}, "Built-in Redis, in this browser", "内置的 Redis，在浏览器中运行"},
		{[]lessons.NodeKind{lessons.SQL}, "Built-in database, in this browser", "内置的数据库，在浏览器中运行"},
		{[]lessons.NodeKind{lessons.ZooKeeper}, "Built-in ZooKeeper, in this browser", "内置的 ZooKeeper，在浏览器中运行"},
		{[]lessons.NodeKind{lessons.Redis, lessons.SQL, lessons.ZooKeeper}, "Built-in servers, in this browser", "内置的服务器，在浏览器中运行"},
	} {
		for lang, want := range map[lessons.Lang]string{lessons.En: tt.en, lessons.Zh: tt.zh} {
			l := &lessons.Lesson{}
			for _, kind := range tt.kinds {
				l.Nodes = append(l.Nodes, lessons.Node{Kind: kind})
			}
			v := View{Lang: lang, Lesson: l, Engine: Browser, Engines: []EngineState{{Kind: Browser}, {Kind: Embedded}}}
			html := render(t, engineSwitch(&v))
			for _, title := range []string{want, strings.NewReplacer("in this browser", "on the server", "浏览器中", "服务器上").Replace(want)} {
				if !strings.Contains(html, `title="`+title+strings.TrimSpace(clauseColon.in(lang))) {
					t.Errorf("%v: the switch lacks %q:\n%s", tt.kinds, title, html)
				}
			}
		}
	}
}

func TestFaultsAreInTheMenuOfWhatTheyHappenToThoseThatMayHappenFirst(t *testing.T) {
	v := fiveNodes(lessons.En)
	var got []string
	for _, m := range faultMenus(v.Snapshot()) {
		line := m.Of + ":"
		for _, f := range m.Faults {
			line += " " + f.Choice.String()
			if !f.Enabled() {
				line += "(no)"
			}
			line += ","
		}
		got = append(got, line)
	}
	want := []string{
		"app-1: crash app-1, pause app-1, heal app-1 n4,",
		"master: crash master, heal master replica-2,",
		"n5: save n5, cut n5 app-2, clock n5 +10s,",
		"n4: resume n4,",
		"app-2: clock app-2 -2s,",
		"replica-1: promote replica-1,",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	down := *v.Snapshot()
	down.Options = slices.Clone(down.Options)
	for i, o := range down.Options {
		if o.Choice.Kind == engine.Save || o.Choice.Kind == engine.Crash && o.Choice.Target == "app-1" {
			down.Options[i].Reason = fact.Of("node-crashed", o.Choice.Target)
		}
	}
	for _, m := range faultMenus(&down) {
		if last := m.Faults[len(m.Faults)-1]; (m.Of == "app-1" || m.Of == "n5") && (last.Enabled() || !m.Faults[0].Enabled()) {
			t.Errorf("%s: those that may not happen are not the last: %v", m.Of, m.Faults)
		}
	}
	if html := render(t, actors(&v, true)); strings.Count(html, `popovertarget="faults-`) != len(want) {
		t.Errorf("the heads of the lanes do not open the menus: %s", html)
	}
}

func TestWritesOnTheirWaySayWhatTheyAre(t *testing.T) {
	old, now := hash("h", engine.NoDeadline, "a", "1"), hash("h", engine.NoDeadline, "a", "2")
	soon := hash("h", 5, "a", "1")
	text := engine.Key{Name: "k", Type: engine.StringKey, Text: "A"}
	for _, tt := range []struct {
		q    engine.Queued
		want string
	}{
		{engine.Queued{Full: true}, "everything"},
		{engine.Queued{Changes: []engine.Change{{Key: "k", New: &text}, {Key: "h", New: &old}}}, "k = A, h = hash {a: 1}"},
		{engine.Queued{Changes: []engine.Change{{Key: "h", Old: &old, New: &now}}}, "h: a 1 → 2"},
		{engine.Queued{Changes: []engine.Change{{Key: "h", Old: &old, New: &soon}}}, "h: TTL"},
		{engine.Queued{Changes: []engine.Change{{Key: "k", Old: &text}}}, "k was deleted"},
	} {
		if got := queuedText(lessons.En, tt.q); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestASlotIsThatOfTheCluster(t *testing.T) {
	if got := slotText(lessons.En, "{user1000}.following"); got != "slot 3443" {
		t.Errorf("got %q", got)
	}
}

// A node that is down or paused has nothing due, and what waits in a node ends by its clock.
func TestWhatIsDueNextOnNodes(t *testing.T) {
	v := fiveNodes(lessons.En)
	s := &engine.Snapshot{
		Now: 10, Actors: v.Snapshot().Actors[:0],
		Nodes: []engine.NodeView{
			{Node: "n1", Status: engine.Paused, Keys: []engine.Key{{Name: "k", Deadline: 11}}},
			{Node: "n2", Clock: 100, Waits: []engine.Wait{{Actor: "A", Until: 130}}, Keys: []engine.Key{{Name: "k", Deadline: 50}}},
		},
	}
	v.Trace, v.Pos = &engine.Trace{Start: *s}, 0
	if at, what := due(&v); at != 30 || what != "A stops waiting" {
		t.Errorf("due at %d: %s", at, what)
	}
	v.Trace.Start.Nodes[1].Waits = nil
	if at, what := due(&v); at != 50 || what != "k on n2 expires" {
		t.Errorf("due at %d: %s", at, what)
	}
}

func TestTellsWhyAReplicaGetsNothing(t *testing.T) {
	v := fiveNodes(lessons.En)
	html := render(t, keyspace(&v))
	for _, want := range []string{
		`replica of master`, `next arrives`, `disabled aria-describedby="why-arrival-replica-2"`,
		Tell(lessons.En, fact.Of("cut", "master", "replica-2")), "app-1 ⇸ n4: requests are lost", "master ⇸ replica-2: nothing arrives",
		"B waits here for jobs", "inbox: 1", "has a snapshot", "clock +10 s",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the nodes do not tell %q:\n%s", want, html)
		}
	}
}
