package client

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// start starts a program with a client library.
func start(t *testing.T, library, program string) engine.Positioned {
	t.Helper()
	setup := Setup{Node: "redis", Library: Chunk{Name: "locks.lua", Source: library}}
	p, err := Compile(setup, Chunk{Name: "A", Source: program})
	if err != nil {
		t.Fatal(err)
	}
	actor, ok := p.Start("A", "jvm-1").(engine.Positioned)
	if !ok {
		t.Fatal("the actor does not tell where it stands")
	}
	return actor
}

// where is a position with the variables of each call, outermost first.
func where(p *engine.Position) string {
	if p == nil {
		return "nowhere"
	}
	var calls []string
	for _, f := range p.Frames {
		var vars []string
		for _, l := range f.Locals {
			vars = append(vars, l.Name+"="+l.Value)
		}
		for _, l := range f.Outer {
			vars = append(vars, "^"+l.Name+"="+l.Value)
		}
		calls = append([]string{strings.TrimSpace(fmt.Sprintf("%s:%d %s", f.Chunk, f.Line, strings.Join(vars, " ")))}, calls...)
	}
	return strings.Join(calls, " → ")
}

const locks = `local LEASE = 30
local held = {}

local function ask(name, lease)
  local ttl = redis.call("TTL", name)
  if ttl == nil then
    redis.call("SET", name, me, lease)
  end
  return ttl
end

function lock(name)
  local ttl = ask(name, LEASE)
  held[name] = true
  spawn("watch", function()
    sleep(10)
    redis.call("EXPIRE", name)
  end)
  redis.call("GET", name)
  return ttl
end

function lock_at_once(name)
  return ask(name, LEASE)
end

function fail(text)
  local why = text .. "!"
  error(why, 0)
end
`

func TestWhereAnActorStands(t *testing.T) {
	failed := replied(reply.OfError("ERR no"))
	for _, tt := range []struct {
		name, program string
		outcomes      []engine.Outcome
		want          []string
	}{
		{"nothing", ``, nil, []string{"nowhere"}},
		{
			"on its own lines", "local x = 1\nlocal y = redis.call('GET', x)\n\nx = y .. 's'\nsleep(1)",
			[]engine.Outcome{replied(reply.OfBulk("v")), {}},
			[]string{`A:2 x=1`, `A:5 x="vs" y="v"`, "nowhere"},
		},
		{
			"through calls", "local me = 'x'\nlock('l')\nsleep(1)",
			[]engine.Outcome{{}, {}, {}, {}},
			[]string{
				`A:2 me="x" → locks.lua:13 name="l" ^LEASE=30 ^held={} → locks.lua:5 name="l" lease=30`,
				`A:2 me="x" → locks.lua:13 name="l" ^LEASE=30 ^held={} → locks.lua:7 name="l" lease=30 ttl=nil`,
				`A:2 me="x" → locks.lua:15 name="l" ttl=nil ^LEASE=30 ^held={l = true}`,
				`A:2 me="x" → locks.lua:19 name="l" ttl=nil ^LEASE=30 ^held={l = true}`,
				`A:3 me="x"`,
			},
		},
		{
			"after a tail call, which leaves no trace of its caller", "lock_at_once('l')", nil,
			[]string{`A:1 → locks.lua:5 name="l" lease=30`},
		},
		{
			"inside pcall, and inside one in it",
			"local ok, e = pcall(function(a)\n  local b = a + 1\n  pcall(function() local c = b\n    sleep(1) end)\n  redis.call('GET')\nend, 1)\nsay(e)",
			[]engine.Outcome{{}, failed, {}},
			[]string{
				`A:1 → A:3 a=1 b=2 → A:4 c=2 ^b=2`,
				`A:1 → A:5 a=1 b=2`,
				`A:7 ok=false e="ERR no"`,
				"nowhere",
			},
		},
		{"with stamps", "local s, t = stamp(), stamp(1500)\nsleep(1)", nil, []string{`A:2 s=stamp() t=stamp("1500ms")`}},
		{"inside pcall, which is the last call", "return pcall(function()\n  sleep(1)\nend)", nil, []string{"A:2"}},
		{
			"in blocks and loops",
			"for i = 1, 2 do\n  local twice = i * 2\n  sleep(i)\nend\nfor k, v in pairs({a = 1}) do sleep(v) end\nrepeat local u = 1 sleep(u) until true\nlocal i = 'new'\nlocal i = i .. 'er'\nsleep(1)",
			make([]engine.Outcome, 5),
			[]string{`A:3 i=1 twice=2`, `A:3 i=2 twice=4`, `A:5 k="a" v=1`, `A:6 u=1`, `A:9 i="newer"`, "nowhere"},
		},
		{
			"with arguments of any number", "local function f(a, ...)\n  local b = select('#', ...)\n  sleep(b)\nend\nf(1, 2, 3)", nil,
			[]string{`A:5 f=function → A:3 a=1 b=2`},
		},
		{
			"where an error reply ended it", "local x = 1\nlock('l')",
			[]engine.Outcome{failed},
			[]string{
				`A:2 x=1 → locks.lua:13 name="l" ^LEASE=30 ^held={} → locks.lua:5 name="l" lease=30`,
				`A:2 x=1 → locks.lua:13 name="l" ^LEASE=30 ^held={} → locks.lua:5 name="l" lease=30`,
			},
		},
		{"where error was called", "local x = 1\nfail('no')", nil, []string{`A:2 x=1 → locks.lua:29 text="no" why="no!"`}},
		{"where the interpreter failed", "local x = 1\nlocal y = x + {}", nil, []string{`A:2 x=1`}},
		{"where it asked for what cannot be", "local x\nsleep(-1)", nil, []string{`A:2 x=nil`}},
		{"where it ran for ever", "local x = 0\nwhile true do\n  x = 1\nend", nil, []string{`A:3 x=1`}},
		{"an error that is caught is not an end", "pcall(fail, 'no')\nsleep(1)", []engine.Outcome{{}}, []string{"A:2", "nowhere"}},
		{"nor one that xpcall catches", "xpcall(fail, function() end)\nsleep(1)", []engine.Outcome{{}}, []string{"A:2", "nowhere"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			actor := start(t, locks, tt.program)
			actor.Next(engine.Outcome{})
			got := []string{where(actor.Position())}
			for _, o := range tt.outcomes {
				actor.Next(o)
				got = append(got, where(actor.Position()))
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// The page marks the function that is running, from its first line to its last.
func TestACallHasTheLinesOfItsFunction(t *testing.T) {
	actor := start(t, locks, "lock('l')\nsleep(1)")
	actor.Next(engine.Outcome{})
	var got []string
	for _, f := range actor.Position().Frames {
		got = append(got, fmt.Sprintf("%s %d-%d", f.Chunk, f.First, f.Last))
	}
	if want := []string{"locks.lua 4-10", "locks.lua 12-21", "A 0-0"}; !slices.Equal(got, want) {
		t.Errorf("the functions are %q, want %q", got, want)
	}
}

// A program that a learner wrote may be of any size, and what is told of it may not.
func TestAPositionHasBounds(t *testing.T) {
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, "local v%d = ('x'):rep(150)\n", i)
	}
	for name, program := range map[string]string{
		"variables": "local function f(n)\n" + many.String() + "  if n == 0 then sleep(1) end\n  f(n - 1)\n  return 1\nend\nf(50)",
		"tables":    "local t = {} for i = 1, 20 do t[i] = ('x'):rep(60) end\nlocal function f(n)\n  local a, b, c, d = t, t, t, t\n  if n == 0 then sleep(1) end\n  f(n - 1)\n  return 1\nend\nf(50)",
		"failing":   "local function f(n)\n" + many.String() + "  if n == 0 then error('no') end\n  f(n - 1)\n  return 1\nend\nf(50)",
	} {
		actor := start(t, "", program)
		actor.Next(engine.Outcome{})
		p := actor.Position()
		variables, text := 0, 0
		for _, f := range p.Frames {
			for _, l := range slices.Concat(f.Locals, f.Outer) {
				variables++
				text += len(l.Name) + len(l.Value)
			}
		}
		if len(p.Frames) != maxFrames || variables > maxVariables+maxFrames || text > maxText+8<<10 {
			t.Errorf("%s: %d calls, %d variables, %d bytes", name, len(p.Frames), variables, text)
		}
		if outermost := p.Frames[maxFrames-1]; outermost.First != 0 {
			t.Errorf("%s: the last call told is on line %d", name, outermost.Line)
		}
		if inner := p.Frames[maxFrames-2].Outer; len(inner) == 0 || !strings.HasSuffix(inner[len(inner)-1].Value, " more") {
			t.Errorf("%s: it is not said what was left out: %v", name, inner)
		}
	}
}

// As many variables are told as there is room for, and the others are counted.
func TestThereIsRoomForAHundredVariables(t *testing.T) {
	var program strings.Builder
	for i := range maxVariables + 20 {
		fmt.Fprintf(&program, "local v%d = %d\n", i, i)
	}
	actor := start(t, "", program.String()+"sleep(1)")
	actor.Next(engine.Outcome{})
	frame := actor.Position().Frames[0]
	if len(frame.Locals) != maxVariables || len(frame.Outer) != 1 || frame.Outer[0].Value != "20 more" {
		t.Errorf("%d variables are told, and %v", len(frame.Locals), frame.Outer)
	}
}

// Of a deep recursion the innermost calls are told, and the outermost one.
func TestTheInnermostCallsAreTold(t *testing.T) {
	for _, deep := range []int{14, 15, 40, 41} {
		actor := start(t, "", fmt.Sprintf("local function f(n)\n  if n == 0 then sleep(1) end\n  f(n - 1)\n  return 1\nend\nf(%d)", deep))
		actor.Next(engine.Outcome{})
		var got, want []string
		for _, f := range actor.Position().Frames {
			got = append(got, fmt.Sprintf("%d %v", f.Line, f.Locals))
		}
		for n := range min(deep+1, maxFrames-1) {
			line := 3
			if n == 0 {
				line = 2
			}
			want = append(want, fmt.Sprintf("%d [{n %d}]", line, n))
		}
		if want = append(want, "6 [{f function}]"); !slices.Equal(got, want) {
			t.Errorf("of %d calls are told\n%s\nwant\n%s", deep, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A variable can be a time, or a whole number of 64 bits.
func TestAPositionShowsWhatOnlyClientsHave(t *testing.T) {
	actor := start(t, "", `local at, later, id = stamp(), stamp("5s"), int64("9223372036854775807")
sleep(1)
say(at, later, id)`)
	actor.Next(engine.Outcome{})
	if got, want := where(actor.Position()), `A:2 at=stamp() later=stamp("5s") id=9223372036854775807`; got != want {
		t.Errorf("it stands at %s, want %s", got, want)
	}
}

// BenchmarkPosition is what it costs to tell where a waiter of a lock stands.
func BenchmarkPosition(b *testing.B) {
	p, err := Compile(Setup{Node: "redis", Library: Chunk{Name: "locks.lua", Source: locks}}, Chunk{Name: "A", Source: "lock('l')"})
	if err != nil {
		b.Fatal(err)
	}
	actor := p.Start("A", "jvm-1").(engine.Positioned)
	actor.Next(engine.Outcome{})
	for b.Loop() {
		actor.Position()
	}
}
