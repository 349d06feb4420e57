package client

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// places are the lines of the innermost calls, one word for each.
func places(ps []*engine.Position) string {
	var words []string
	for _, p := range ps {
		words = append(words, fmt.Sprintf("%s:%d", p.Frames[0].Chunk, p.Frames[0].Line))
	}
	return strings.Join(words, " ")
}

func TestTheLinesBetweenTwoRequestsAreTold(t *testing.T) {
	for _, tt := range []struct {
		name, program string
		outcomes      []engine.Outcome
		want          []string // by request
	}{
		{"one after the other", "local x = 1\nx = 2\nsleep(x)\nx = 3", []engine.Outcome{{}}, []string{"A:1 A:2 A:3", "A:4"}},
		{"nothing", "", nil, []string{""}},
		{
			"into calls and back", "lock('l')\nsleep(1)",
			[]engine.Outcome{{}, {}, {}, {}},
			[]string{
				"A:1 locks.lua:13 locks.lua:5",
				"locks.lua:6 locks.lua:7",
				"locks.lua:9 locks.lua:14 locks.lua:15",
				"locks.lua:19",
				"locks.lua:20 A:2",
			},
		},
		{
			"branches", "local x = 1\nif x == 2 then\n  x = 3\nelseif x == 1 then\n  x = 4\nelse\n  x = 5\nend\nsleep(x)", nil,
			[]string{"A:1 A:2 A:4 A:5 A:9"},
		},
		{
			"each pass of a loop", "for i = 1, 2 do\n  local x = i\nend\nlocal n = 0\nwhile n < 2 do\n  n = n + 1\nend\nrepeat\n  n = n - 1\nuntil n == 0\nsleep(1)", nil,
			[]string{"A:1 A:2 A:1 A:2 A:1 A:4 A:5 A:6 A:5 A:6 A:5 A:9 A:10 A:9 A:10 A:11"},
		},
		{
			"the same function twice", "local function f()\n  return 1\nend\nlocal x = f() + f()\nx = f()", nil,
			[]string{"A:1 A:4 A:2 A:2 A:5 A:2"},
		},
		{
			"inside pcall", "pcall(function()\n  sleep(1)\n  error('x')\nend)\nsleep(1)",
			[]engine.Outcome{{}},
			[]string{"A:1 A:2", "A:3 A:5"},
		},
		{
			"several variables at once", "local a, b, t = 1, 2, {}\na, b = b, a\nt.x, a, t.y = b,\n  t.x,\n  b\nlocal f = function(x, y)\n  x, y = y, x\n  return x\nend\na, b = f(a, b), 1\nsleep(1)", nil,
			[]string{"A:1 A:2 A:3 A:6 A:10 A:7 A:8 A:11"},
		},
		{
			"a function of any number of values", "local function f(...)\n  return ...\nend\nlocal x = f(1)\nsleep(1)", nil,
			[]string{"A:1 A:4 A:2 A:5"},
		},
		{
			"not the rest of a statement that waited", "local x = 1 + redis.call('INCR', 'n')\npcall(function()\n  x = x + redis.call('INCR', 'n')\nend)\nsleep(x)",
			[]engine.Outcome{replied(reply.OfInt(1)), replied(reply.OfInt(1))},
			[]string{"A:1", "A:2 A:3", "A:5"},
		},
		{"up to an error", "local x = 1\nerror('no')\nx = 2", nil, []string{"A:1 A:2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			actor, plain := start(t, locks, tt.program), start(t, locks, tt.program)
			for i, want := range tt.want {
				var told []*engine.Position
				actor.Watch(func(p *engine.Position) bool { told = append(told, p); return true })
				var out engine.Outcome
				if i > 0 {
					out = tt.outcomes[i-1]
				}
				request, same := actor.Next(out), plain.Next(out)
				actor.Watch(nil)
				if got := places(told); got != want {
					t.Errorf("request %d: %s, want %s", i+1, got, want)
				}
				if describe(request) != describe(same) {
					t.Errorf("request %d is %v when it is watched, else %v", i+1, request, same)
				}
				if n := len(told); n > 0 && actor.Position() != nil && where(told[n-1]) != where(actor.Position()) {
					t.Errorf("the last line is at %s, and the actor at %s", where(told[n-1]), where(actor.Position()))
				}
			}
		})
	}
}

func TestALineHasTheVariablesBeforeIt(t *testing.T) {
	actor := start(t, locks, "local x = 1\nlocal y = x + 1\npcall(function(a)\n  x = a\n  sleep(y)\nend, 5)")
	var told []string
	actor.Watch(func(p *engine.Position) bool { told = append(told, where(p)); return true })
	actor.Next(engine.Outcome{})
	want := []string{"A:1", "A:2 x=1", "A:3 x=1 y=2", "A:3 x=1 y=2 → A:4 a=5 ^x=1 ^y=2", "A:3 x=5 y=2 → A:5 a=5 ^x=5 ^y=2"}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

func TestNobodyIsToldMoreThanIsWanted(t *testing.T) {
	actor := start(t, locks, "local x = 0\nwhile x < 1000 do\n  x = x + 1\nend\nredis.call('GET', x)")
	told := 0
	actor.Watch(func(*engine.Position) bool { told++; return told < 10 })
	if request := describe(actor.Next(engine.Outcome{Reply: reply.Reply{}})); request != `call redis ["GET" "1000"]` || told != 10 {
		t.Errorf("%d lines were told up to %s", told, request)
	}
}

func TestNobodyIsToldAfterTheWatch(t *testing.T) {
	actor := start(t, locks, "sleep(1)\nsleep(1)")
	told := 0
	actor.Watch(func(*engine.Position) bool { told++; return true })
	actor.Next(engine.Outcome{})
	actor.Watch(nil)
	actor.Next(engine.Outcome{})
	if told != 1 {
		t.Errorf("%d lines were told, want the one that was watched", told)
	}
}
