package client

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// played is a program that was given outcomes.
func played(t *testing.T, source string, outcomes ...engine.Outcome) engine.Digester {
	t.Helper()
	p, err := Compile(Setup{Node: "redis"}, Chunk{Name: "A", Source: source})
	if err != nil {
		t.Fatal(err)
	}
	a := p.Start("A", "app-1").(engine.Digester)
	for _, out := range append([]engine.Outcome{{}}, outcomes...) {
		if done, ended := a.Next(out).(engine.Done); ended {
			t.Fatalf("the program ended: %v", done.Failure)
		}
	}
	return a
}

func answered(n int64) engine.Outcome { return engine.Outcome{Reply: reply.OfInt(n)} }

func TestDigest(t *testing.T) {
	for _, c := range []struct {
		name, source string
		a, b         []engine.Outcome
		same         bool
	}{
		{"a reply that nobody reads", `while true do redis.call("GET", "k") end`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2), answered(3)}, true},
		{"a local that is read later", `local n = redis.call("GET", "k"); redis.call("GET", "k"); say(n)`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"a local that is not", `local n = redis.call("GET", "k"); if n == 7 then return end; redis.call("GET", "k"); say("x")`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, true},
		{"a global", `n = redis.call("GET", "k"); redis.call("GET", "k")`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"a field", `t = {}; t.x = redis.call("GET", "k"); redis.call("GET", "k")`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"a variable of a closure", `local n = redis.call("GET", "k"); f = function() return n end; redis.call("GET", "k")`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"a counter", `local n = 0; while true do n = n + redis.call("GET", "k"); if n > 9 then return end end`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(1), answered(1)}, false},
		{"a counter that counts nothing", `local n = 0; while true do n = n + redis.call("GET", "k"); if n > 9 then return end end`, []engine.Outcome{answered(0)}, []engine.Outcome{answered(0), answered(0)}, true},
		{"inside pcall", `while true do pcall(function() local n = redis.call("GET", "k"); redis.call("SET", "k", n) end) end`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"after pcall", `while true do pcall(function() redis.call("GET", "k") end) end`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2), answered(4)}, true},
		{"a random number", `while true do if redis.call("GET", "k") == 1 then math.random() end end`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"what was printed", `local t = {}; while true do if redis.call("GET", "k") == 1 then tostring({}) end end`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"the order in which keys came", `t = {}; for i = 1, 2 do t[redis.call("GET", "k")] = true end; redis.call("GET", "k"); for k in pairs(t) do say(k) end`, []engine.Outcome{answered(100), answered(200)}, []engine.Outcome{answered(200), answered(100)}, false},
		{"a whole number of 64 bits", `local n = int64(redis.call("GET", "k")); redis.call("GET", "k"); say(n)`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"the same twice", `local t = {}; local u = t; if redis.call("GET", "k") == 1 then u = {} end; redis.call("GET", "k"); t.x = 1; say(u.x)`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"the same whole number of 64 bits twice", `local m, n = int64(7), int64(7); if redis.call("GET", "k") == 1 then n = m end; redis.call("GET", "k"); local t = {}; t[m] = 1; say(t[n] or 0)`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"one of two functions on a line", `local f = redis.call("GET", "k") == 1 and function() return "a" end or function() return "b" end; redis.call("GET", "k"); say(f())`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
		{"how a table was made", `local t = {}; if redis.call("GET", "k") == 1 then t = {nil, nil, nil} end; redis.call("GET", "k"); t[1], t[3] = 1, 3; say(#t)`, []engine.Outcome{answered(1)}, []engine.Outcome{answered(2)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if same := played(t, c.source, c.a...).Digest() == played(t, c.source, c.b...).Digest(); same != c.same {
				t.Errorf("the same digest: %v, want %v", same, c.same)
			}
		})
	}
}

// A task and its thread share what they know, and one digest.
func TestDigestOfATask(t *testing.T) {
	source := `n = 0; spawn("dog", function() while true do n = redis.call("GET", "k") end end); redis.call("GET", "k")`
	p, err := Compile(Setup{Node: "redis"}, Chunk{Name: "A", Source: source})
	if err != nil {
		t.Fatal(err)
	}
	a := p.Start("A", "app-1")
	dog := a.Next(engine.Outcome{}).(engine.Spawn).Actor
	dog.Next(engine.Outcome{})
	a.Next(engine.Outcome{})
	before := a.(engine.Digester).Digest()
	if dog.(engine.Digester).Digest() != before {
		t.Error("the task has a digest of its own")
	}
	dog.Next(answered(5))
	if a.(engine.Digester).Digest() == before {
		t.Error("the thread does not see what its task did")
	}
}

func TestClockReads(t *testing.T) {
	if n := played(t, `redis.call("GET", stamp())`).ClockReads(); n != 0 {
		t.Errorf("a stamp is read when it is sent: %d", n)
	}
	if n := played(t, `say(now()); redis.call("GET", "k")`, engine.Outcome{}).ClockReads(); n != 1 {
		t.Errorf("now() was read %d times", n)
	}
}

// A program that comes round again has the digest of before: what has ended counts no longer.
func TestTheDigestComesRound(t *testing.T) {
	p, err := Compile(Setup{Node: "redis", Scripts: map[string]*engine.Script{"lock": {Name: "lock", Source: "return 1"}}}, Chunk{Name: "A", Source: `
		while true do
			spawn("dog", function() end)
			redis.eval("lock", {"k"}, {me})
		end`})
	if err != nil {
		t.Fatal(err)
	}
	a := p.Start("A", "app-1")
	round := func() (whole, sent [16]byte) {
		dog := a.Next(engine.Outcome{}).(engine.Spawn).Actor
		whole = a.(engine.Digester).Digest()
		dog.Next(engine.Outcome{})
		a.Next(engine.Outcome{})
		return whole, a.(engine.Digester).Digest()
	}
	spawned, sent := round()
	for range 3 {
		if again, sentAgain := round(); again != spawned || sentAgain != sent {
			t.Error("the same place has another digest")
		}
	}
	if spawned == sent {
		t.Error("two places have one digest")
	}
}

// Programs that wait for other things will do other things.
func TestTheDigestIsOfTheRequestThatWaits(t *testing.T) {
	digest := func(source string) [16]byte {
		scripts := map[string]*engine.Script{"lock": {Name: "lock", Source: "return 1"}, "unlock": {Name: "unlock", Source: "return 1"}}
		p, err := Compile(Setup{Node: "redis", Scripts: scripts}, Chunk{Name: "A", Source: source})
		if err != nil {
			t.Fatal(err)
		}
		a := p.Start("A", "app-1")
		a.Next(engine.Outcome{})
		return a.(engine.Digester).Digest()
	}
	// The same code, but for what it sends: names are constants, which are no part of the state.
	seen := map[[16]byte]string{}
	for _, source := range []string{
		`redis.eval("lock", {"k"})`, `redis.eval("unlock", {"k"})`, `redis.eval("lock", {"j"})`,
		`redis.call("GET", "k")`, `redis.call("GET", "j")`, `node("n2").call("GET", "k")`, `work("1s")`, `work("2s")`,
		`spawn("dog", function() end)`, `spawn("cat", function() end)`,
	} {
		d := digest(source)
		if other, twice := seen[d]; twice {
			t.Errorf("%s and %s have one digest", source, other)
		}
		if seen[d] = source; digest(source) != d {
			t.Errorf("%s has two digests", source)
		}
	}
}
