package zookeeper_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons/client"
	"lockstep/node/zookeeper"
)

// TestPrograms plays programs against a ZooKeeper, and compares what they say.
func TestPrograms(t *testing.T) {
	for _, tt := range []struct{ name, program, schedule, says string }{
		{
			"what each request returns",
			`local path, czxid = zk.create("/a", "one", {ephemeral = true})
local data, stat = zk.get("/a")
say(path .. " " .. czxid .. " " .. data .. " " .. stat.czxid .. " " .. stat.owner)
say(zk.set("/a", "two", 0).version .. " " .. zk.exists("/a").mzxid .. " " .. tostring(zk.exists("/b")))
say(zk.create("/s-", nil, {sequential = true}) .. " " .. table.concat(zk.children("/"), " "))
zk.delete("/a", 1)
say(tostring(zk.exists("/a")))`,
			"run A×9",
			"/a 2 one 2 app-1, 1 3 nil, /s-0000000001 a s-0000000001, nil",
		},
		{
			"errors by their names",
			`for _, go in ipairs({
  function() zk.delete("/none") end, function() zk.create("/a/b") end, function() zk.create("/a") zk.create("/a") end,
  function() zk.set("/a", "x", 5) end, function() zk.create("a") end,
}) do
  local ok, problem = pcall(go)
  say(problem)
end
redis.call("GET", "a")`,
			"run A×7",
			`NONODE for /none, NONODE for /a/b, NODEEXISTS for /a, BADVERSION for /a, BADARGUMENTS create: the path "a" does not begin with /, ` +
				"fails: UNIMPLEMENTED GET: a ZooKeeper is asked to create, delete, set, get, exists or children",
		},
		{
			"a lost reply leaves open what was done",
			`local ok, problem = pcall(zk.create, "/a", me, {ephemeral = true, sequential = true})
say(problem)
say(table.concat(zk.children("/"), " "))`,
			"cut zk app-1, run A, tick, heal app-1 zk, run A",
			"CONNECTIONLOSS for /a, a0000000000",
		},
		{
			"an event comes once, or not in time",
			`zk.create("/a")
zk.exists("/a", true)
zk.set("/a", "x")
say(zk.event("/a"))
say(tostring(zk.event("/a", "2s")))`,
			"run A×4, tick",
			"NodeDataChanged, nil",
		},
		{
			"a session that expired tells those who watch",
			`zk.create("/a")
zk.exists("/a", true)
say(zk.event("/a"))
zk.get("/a")`,
			"run A, run A, pause app-1, tick, resume app-1, run A, run A",
			"Expired, fails: SESSIONEXPIRED for /a",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := said(t, tt.program, tt.schedule); got != tt.says {
				t.Errorf("said %s\nwant %s", got, tt.says)
			}
		})
	}
}

// said is what a program says that a schedule runs, with why it failed if it did.
func said(t *testing.T, program, schedule string) string {
	t.Helper()
	setup := client.Setup{Node: "zk", Opens: map[string]string{"zk": zookeeper.Kind.Prelude}}
	compiled, err := client.Compile(setup, client.Chunk{Name: "A", Source: `local zk = node("zk")` + "\n" + program})
	if err != nil {
		t.Fatal(err)
	}
	s := engine.Scenario{
		Nodes:      []engine.NodeSpec{{Name: "zk", Node: zookeeper.NewNode(sessionTimeout)}},
		Actors:     []engine.ActorSpec{{Name: "A", Process: "app-1", New: func() engine.Actor { return compiled.Start("A", "app-1") }}},
		Resolution: 100 * time.Millisecond,
	}
	var choices []engine.Choice
	for text := range strings.SplitSeq(schedule, ", ") {
		text, times, _ := strings.Cut(text, "×")
		c, err := engine.ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		if need, needed := c.AllowedBy(); needed && need == c {
			s.Faults = append(s.Faults, c)
		}
		n, _ := strconv.Atoi(times) // without a number it is made once
		for range max(n, 1) {
			choices = append(choices, c)
		}
	}
	_, trace, err := engine.Replay(t.Context(), s, choices)
	if err != nil {
		t.Error(err)
	}
	var out []string
	for _, step := range trace.Steps {
		for _, n := range step.Notes {
			switch n.Kind { //nolint:exhaustive // the others are not told
			case engine.NoteSay:
				out = append(out, n.Text)
			case engine.NoteFailed:
				out = append(out, "fails: "+n.Text)
			}
		}
	}
	return strings.Join(out, ", ")
}
