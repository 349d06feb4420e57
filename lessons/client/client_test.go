package client

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/luaexec"
)

// run feeds an actor one outcome after the other and writes down what it asks for.
func run(t *testing.T, library, program string, outcomes ...engine.Outcome) []string {
	t.Helper()
	setup := Setup{
		Node:    "redis",
		Scripts: map[string]*engine.Script{"lock": {Name: "lock", Source: "return 1"}},
		Library: Chunk{Name: "library", Source: library},
	}
	p, err := Compile(setup, Chunk{Name: "A", Source: program})
	if err != nil {
		t.Fatal(err)
	}
	actor := p.Start("A", "jvm-1")
	got := []string{describe(actor.Next(engine.Outcome{}))}
	for _, o := range outcomes {
		got = append(got, describe(actor.Next(o)))
	}
	return got
}

func describe(r engine.Request) string {
	switch r := r.(type) {
	case engine.Exec:
		if r.Op.Script != nil {
			return fmt.Sprintf("eval %s %s %q %q %v", r.Node, r.Op.Script.Name, r.Op.Keys, r.Op.Args, r.Stamps) + options(r)
		}
		return fmt.Sprintf("call %s %q", r.Node, r.Op.Args) + options(r)
	case engine.AwaitReplicas:
		return fmt.Sprintf("%+v", r)
	case engine.Spawn:
		return "spawn " + r.Name
	}
	return fmt.Sprintf("%T %v", r, r)
}

// options are what a request has that most have not.
func options(r engine.Exec) string {
	text := ""
	if r.Timeout != 0 {
		text += " within " + r.Timeout.String()
	}
	if r.ToLeader {
		text += " to the leader"
	}
	if r.Op.Asking {
		text += " asking"
	}
	if tx := r.Transaction; tx != nil {
		text += fmt.Sprintf(" watch %q forget %v commit %v", tx.Watch, tx.Forget, tx.Commit)
		for _, op := range tx.Ops {
			text += " " + describe(engine.Exec{Op: op})
		}
	}
	return text
}

func replied(r reply.Reply) engine.Outcome { return engine.Outcome{Reply: r} }

func TestRequests(t *testing.T) {
	for _, tt := range []struct {
		name, program string
		outcomes      []engine.Outcome
		want          []string
	}{
		{"nothing", ``, nil, []string{"engine.Done {}"}},
		{
			"script", `redis.eval("lock", {"k"}, {"me", 30000, 1.5, stamp(), stamp("5s")})`, nil,
			[]string{`eval redis lock ["k"] ["me" "30000" "1.5" "now" "now+5s"] [{3 0s} {4 5s}]`},
		},
		{
			"the largest numbers", `redis.call("SET", "k", 9007199254740991, -9007199254740991, "9007199254740993")`, nil,
			[]string{`call redis ["SET" "k" "9007199254740991" "-9007199254740991" "9007199254740993"]`},
		},
		{
			"a reply that Lua's numbers cannot hold", `for _, n in ipairs(redis.call("MGET")) do say(type(n) .. " " .. n) end`,
			[]engine.Outcome{replied(reply.OfArray(reply.OfInt(7), reply.OfInt(1<<53), reply.OfInt(-1<<53))), {}, {}},
			[]string{`call redis ["MGET"]`, "engine.Say {number 7}", "engine.Say {string 9007199254740992}", "engine.Say {string -9007199254740992}"},
		},
		{"command", `redis.call("SET", "k", 1)`, nil, []string{`call redis ["SET" "k" "1"]`}},
		{
			"several variables at once", `local a, b = 1, 2 a, b = b, a local function turn(n) n = n % 2 a, b, n = b, n, a return n end redis.call("SET", a, b, turn(3), b)`, nil,
			[]string{`call redis ["SET" "2" "1" "2" "1"]`},
		},
		{"another node", `node("n2").call("PING")`, nil, []string{`call n2 ["PING"]`}},
		{"spans", `sleep(1500) work("2s") sleep(0)`, make([]engine.Outcome, 3), []string{
			"engine.Sleep {1.5s }", "engine.Sleep {2s work}", "engine.Sleep {0s }", "engine.Done {}",
		}},
		{
			"the reply comes back", `local r = redis.call("GET", "k") redis.call("SET", "copy", r)`,
			[]engine.Outcome{replied(reply.OfBulk("v"))},
			[]string{`call redis ["GET" "k"]`, `call redis ["SET" "copy" "v"]`},
		},
		{
			"a number comes back as one", `say(type(redis.call("INCR", "n")))`,
			[]engine.Outcome{replied(reply.OfInt(1))},
			[]string{`call redis ["INCR" "n"]`, "engine.Say {number}"},
		},
		{
			"a number with more digits than Lua's have", `local n = redis.call("INCR", "n") redis.call("SET", "m", n) redis.call("SET", "m", 9007199254740991)`,
			[]engine.Outcome{replied(reply.OfInt(9007199254740993)), replied(reply.OK)},
			[]string{`call redis ["INCR" "n"]`, `call redis ["SET" "m" "9007199254740993"]`, `call redis ["SET" "m" "9007199254740991"]`},
		},
		{
			"nil and arrays", `if redis.call("GET", "k") == nil then local t = redis.call("LRANGE", "l", 0, -1) say(t[2]) end`,
			[]engine.Outcome{{}, replied(reply.OfArray(reply.OfInt(1), reply.OfBulk("two")))},
			[]string{`call redis ["GET" "k"]`, `call redis ["LRANGE" "l" "0" "-1"]`, "engine.Say {two}"},
		},
		{
			"messages", `subscribe("c") local m = receive("c", 100) if m == nil then m = receive("c") end say(m)`,
			[]engine.Outcome{{}, {TimedOut: true}, {Message: "0"}},
			[]string{
				"engine.Subscribe {redis c}", "engine.Receive {redis c 100ms }",
				"engine.Receive {redis c -1ns }", "engine.Say {0}",
			},
		},
		{
			"the clock", `sleep("2s") say(tostring(now() - 1700000000000))`,
			[]engine.Outcome{{Now: 2 * time.Second}},
			[]string{"engine.Sleep {2s }", "engine.Say {2000}"},
		},
		{
			"a date", `sleep("2s") say(date("%Y-%m-%d %H:%M:%S %j"))`,
			[]engine.Outcome{{Now: 24*time.Hour + 2*time.Second}},
			[]string{"engine.Sleep {2s }", "engine.Say {2023-11-15 22:13:22 319}"},
		},
		{
			"whole numbers of 64 bits",
			`local id = (int64(1700000000) - 1640995200):shl(32):bor(7) say(id) say(id:shr(32) .. " " .. id:band(0xff)) redis.call("SET", "id", id)
			say(tostring(int64("9223372036854775807") + 1)) say(tostring(-int64(7) / 2 * 5 % 4)) say(tostring(int64(1) == int64("1") and int64(1) < int64(2) and int64(2) <= int64(2)))`,
			[]engine.Outcome{{}, {}, {}, {}, {}, {}},
			[]string{
				"engine.Say {253423686307020807}", "engine.Say {59004800 7}", `call redis ["SET" "id" "253423686307020807"]`,
				"engine.Say {-9223372036854775808}", "engine.Say {-3}", "engine.Say {true}", "engine.Done {}",
			},
		},
		{
			"transactions", `redis.watch("a", "b") local r = redis.multi(function(tx) tx.call("INCR", "a") tx.eval("lock", {"k"}, {1}) end) say(tostring(r)) redis.unwatch()`,
			[]engine.Outcome{{}, replied(reply.Reply{}), {}},
			[]string{
				`call redis ["WATCH" "a" "b"] watch ["a" "b"] forget false commit false`,
				`call redis ["MULTI" ";" "INCR" "a" ";" "EVAL" "lock" "k" "1" ";" "EXEC"] watch [] forget false commit true call  ["INCR" "a"] eval  lock ["k"] ["1"] []`,
				"engine.Say {nil}", `call redis ["UNWATCH"] watch [] forget true commit false`,
			},
		},
		{
			"a request that is given up",
			`local n = node("n2", {timeout = "2s"}) n.call("GET", "k") n.eval("lock") n.watch("k") n.unwatch() n.multi(function(tx) tx.call("PING") end) redis.call("PING")`,
			make([]engine.Outcome, 5),
			[]string{
				`call n2 ["GET" "k"] within 2s`, `eval n2 lock [] [] [] within 2s`, `call n2 ["WATCH" "k"] within 2s watch ["k"] forget false commit false`,
				`call n2 ["UNWATCH"] within 2s watch [] forget true commit false`, `call n2 ["MULTI" ";" "PING" ";" "EXEC"] within 2s watch [] forget false commit true call  ["PING"]`,
				`call redis ["PING"]`,
			},
		},
		{
			"a request that is asked as a cluster wants it", `local n = node("n2", {asking = true}) n.call("GET", "k") n.eval("lock", {"k"}) node("n2", {asking = false}).call("PING")`,
			make([]engine.Outcome, 2),
			[]string{`call n2 ["GET" "k"] asking`, `eval n2 lock ["k"] [] [] asking`, `call n2 ["PING"]`},
		},
		{
			"a request to who leads", `master().call("GET", "k") local m = master("n2") m.eval("lock") m.watch("k") m.multi(function(tx) tx.call("PING") end) m.call("WAIT", 1, 500)`,
			make([]engine.Outcome, 4),
			[]string{
				`call redis ["GET" "k"] to the leader`, `eval n2 lock [] [] [] to the leader`, `call n2 ["WATCH" "k"] to the leader watch ["k"] forget false commit false`,
				`call n2 ["MULTI" ";" "PING" ";" "EXEC"] to the leader watch [] forget false commit true call  ["PING"]`,
				"{Node:n2 ToLeader:true Replicas:1 Timeout:500ms}",
			},
		},
		{
			"waiting for replicas", `say(tostring(redis.call("WAIT", 2, 1000))) redis.call("wait", "1", 0) node("n2").call("WAIT", 0, 2199023255551)`,
			[]engine.Outcome{replied(reply.OfInt(1)), {}, {}},
			[]string{
				"{Node:redis ToLeader:false Replicas:2 Timeout:1s}", "engine.Say {1}",
				"{Node:redis ToLeader:false Replicas:1 Timeout:-1ns}", "{Node:n2 ToLeader:false Replicas:0 Timeout:610839h47m35.551s}",
			},
		},
		{"the largest shift", `say(int64(1):shl(63)) say(int64(-1):shr(63)) say(int64(5):shl(0))`, make([]engine.Outcome, 2), []string{"engine.Say {-9223372036854775808}", "engine.Say {-1}", "engine.Say {5}"}},
		{"who am I", `say(process .. ":" .. me)`, nil, []string{"engine.Say {jvm-1:A}"}},
		{
			"an error reply is an error", `redis.call("INCR", "k")`,
			[]engine.Outcome{replied(reply.OfError("WRONGTYPE no"))},
			[]string{`call redis ["INCR" "k"]`, "engine.Done {WRONGTYPE no}"},
		},
		{
			"which can be caught, with requests inside",
			`local ok, e = pcall(function() redis.call("SET", "a", "1") return redis.call("INCR", "k") end) say(tostring(ok) .. " " .. e)`,
			[]engine.Outcome{{}, replied(reply.OfError("ERR no"))},
			[]string{`call redis ["SET" "a" "1"]`, `call redis ["INCR" "k"]`, "engine.Say {false ERR no}"},
		},
		{
			"an error can be any value", `local ok, e = pcall(error, {code = 7}) say(tostring(e.code))`, nil,
			[]string{"engine.Say {7}"},
		},
		{
			"sections", `want("s") enter("s") leave("s") unwant("s") refused("s") unsubscribe("c")`, make([]engine.Outcome, 5),
			[]string{"engine.Want {s}", "engine.Enter {s}", "engine.Leave {s}", "engine.Unwant {s}", "engine.Refused {s}", "engine.Unsubscribe {redis c}"},
		},
		{"the slot of a key", `say(slot("foo")) say(slot("a{foo}b")) say(slot(7))`, make([]engine.Outcome, 2), []string{"engine.Say {12182}", "engine.Say {12182}", "engine.Say {1716}"}},
		{"numbers as texts", `enter(7)`, nil, []string{"engine.Enter {7}"}},
		{"fractions", `redis.call("SET", "k", 0.1, 1/0, -1/0)`, nil, []string{`call redis ["SET" "k" "0.10000000000000001" "inf" "-inf"]`}},
		{
			"thousands of values", `local t = {} for i = 1, 3000 do t[i] = "x" end say(tostring(select("#", unpack(t))))`, nil,
			[]string{"engine.Say {3000}"},
		},
		{
			"and returns what the function returned", `say(tostring(select("#", pcall(function() return 1, nil, 3 end))))`, nil,
			[]string{"engine.Say {4}"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, "", tt.program, tt.outcomes...)
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestFailuresSayWhatAndWhere(t *testing.T) {
	for program, want := range map[string]string{
		`error("no luck")`:              "{A:1: no luck}",
		`error("lock: busy", 0)`:        "{lock: busy}",
		`redis.eval("lock", {stamp()})`: "a stamp is not a key",
		`date("%c")`:                    `{A:1: date knows %Y, %m, %d, %H, %M, %S and %j, and not what "%c" has`,
		`date("100%")`:                  `{A:1: date knows %Y, %m, %d, %H, %M, %S and %j, and not what "100%" has`,
		`int64(1.5)`:                    "{A:1: 1.5 is not a whole number below 2^53: write it in quotes, as text",
		`int64("x")`:                    `{A:1: int64 needs a whole number of 64 bits, not the text "x"`,
		`local x = int64(1) / 0`:        "{A:1: an int64 cannot be divided by zero",
		`int64(1):shl(64)`:              "{A:1: an int64 is shifted by 0 to 63 bits, not by 64",
		`redis.multi(function(tx) tx.call("BLPOP", "k", 1) end)`:     "{A:1: BLPOP cannot be in a transaction, which waits for nothing",
		`redis.multi(function(tx) tx.call("SET", "k", stamp()) end)`: "{A:1: a stamp cannot be in a transaction: pass now()",
		`redis.multi(function(tx) tx.call("WAIT", 1, 0) end)`:        "{A:1: WAIT cannot be in a transaction",
		`redis.watch(stamp())`:                                    "{A:1: a stamp is not a key",
		`redis.call("WAIT", 1)`:                                   `{A:1: WAIT takes a number of replicas and milliseconds: write redis.call("WAIT", 1, 1000)`,
		`redis.call("WAIT", 1, 2, 3)`:                             "{A:1: WAIT takes a number",
		`redis.call("WAIT", "x", 2)`:                              "{A:1: WAIT takes a number",
		`redis.call("WAIT", 1, "x")`:                              "{A:1: WAIT takes a number",
		`redis.call("WAIT", -1, 2)`:                               "{A:1: WAIT takes a number",
		`redis.call("WAIT", "a", 2)`:                              "{A:1: WAIT takes a number",
		`redis.call("WAIT", 2147483648, 1)`:                       "{A:1: WAIT takes a number",
		`redis.call("WAIT", 1, 2199023255552)`:                    "{A:1: WAIT takes a number",
		`spawn("dog", int64(1))`:                                  "{A:1: spawn needs a function after the name, not an int64",
		`int64(1):shr(-1)`:                                        "{A:1: an int64 is shifted by 0 to 63 bits, not by -1",
		`node("n", {timeout = -1}).call("PING")`:                  "is not a span",
		`enter(stamp())`:                                          "{A:1: enter needs a section as text, not a stamp",
		"\n\nlocal x = nil + 1":                                   "A:3:",
		`redis.eval("unlock", {}, {})`:                            `A:1: this lesson has no script "unlock"; it has lock`,
		`redis.eval("lock", {{}}, {})`:                            "KEYS 1 is a table",
		`redis.call()`:                                            "needs the name of a command",
		`redis.eval("lock", "k", me)`:                             `{A:1: redis.eval takes the keys in { }, not the text "k": write redis.eval("lock", {key}, {argument})`,
		`redis.eval("lock", {}, 5)`:                               "redis.eval takes the arguments in { }, not a number",
		`redis.eval({"k"})`:                                       "{A:1: redis.eval needs the name of a script as text, not a table",
		`node().call("PING")`:                                     "{A:1: node needs the name of a server as text, not nil",
		`enter()`:                                                 "{A:1: enter needs a section as text, not nil",
		`subscribe(nil)`:                                          "{A:1: subscribe needs a channel as text, not nil",
		`spawn("dog", nil)`:                                       `{A:1: spawn needs a function after the name, not nil: write spawn("dog", function() … end)`,
		`sleep("soon")`:                                           `{A:1: "soon" is not a duration`,
		"local x\nlocal function wait()\n  work(x)\nend\nwait()":  "{A:3: this needs a span",
		`sleep(-1)`:                                               "is not a span",
		`receive("c", 0.5)`:                                       "is not a span",
		`while true do end`:                                       "more than the 2000000 instructions",
		`pcall(function() while true do end end) say("on")`:       "more than the 2000000 instructions",
		`local function f() return 1 + f() end f()`:               "overflow",
		`local t = {} for i = 1, 30 do t[i] = ("x"):rep(2^i) end`: "",
		`local t = {} while true do t = {t = t} end`:              "uses more than the 2 MB of memory",
		`local t = {} while true do pcall(function() t = {t = t} end) end`: "uses more than the 2 MB of memory",
		`local t = {} for i = 1, 1e6 do t[i] = ("x"):rep(1e5) .. i end`:    "more than the 2000000 instructions",
		`lock("a")`:                                            "{A:1: attempt to call global 'lock' (a nil value)",
		"local t = {}\n\nt.lock('a')":                          "{A:3: attempt to call field 'lock' (a nil value)",
		"local t = {}\nt:lock('a')":                            "{A:2: attempt to call method 'lock' (a nil value)",
		`local held = 1 held()`:                                "{A:1: attempt to call local 'held' (a number value)",
		`local r = redis r.cal("GET")`:                         "{A:1: attempt to call field 'cal' (a nil value)",
		`local x local y = x.z`:                                "{A:1: attempt to index local 'x' (a nil value)",
		`error(select(2, pcall(function() lock("a") end)), 0)`: "{A:1: attempt to call global 'lock' (a nil value)",
		"\nredis.call('set', 'k', 9007199254740993)":           `{A:2: argument 3 is 9007199254740992: Lua's numbers are exact only below 2^53, so write it in quotes, as text`,
		`redis.eval("lock", {"k"}, {-2^60})`:                   "{A:1: ARGV 1 is -1152921504606846976: Lua's numbers",
	} {
		got := run(t, "", program)[0]
		if !strings.HasPrefix(got, "engine.Done {") || !strings.Contains(got, want) {
			t.Errorf("%s\n got %s\nwant %s", program, got, want)
		}
	}
}

func TestNothingOfTheHostIsInReach(t *testing.T) {
	for _, name := range []string{"os", "io", "require", "dofile", "loadfile", "debug", "package", "coroutine"} {
		got := run(t, "", `say(tostring(rawget(_G, "`+name+`") == nil))`)[0]
		if got != "engine.Say {true}" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTasksShareTheirThreadsVariables(t *testing.T) {
	setup := Setup{Node: "redis"}
	p, err := Compile(setup, Chunk{Name: "A", Source: `
		local n = 0
		spawn("task", function() while true do sleep("1s") n = n + 1 say(tostring(n)) end end)
		sleep("5s")
		say("main " .. n)`})
	if err != nil {
		t.Fatal(err)
	}
	main := p.Start("A", "jvm-1")
	spawned := main.Next(engine.Outcome{}).(engine.Spawn).Actor
	var got []string
	step := func(a engine.Actor) { got = append(got, describe(a.Next(engine.Outcome{}))) }
	step(spawned)
	step(main)
	step(spawned)
	step(spawned)
	step(main)
	want := []string{"engine.Sleep {1s }", "engine.Sleep {5s }", "engine.Say {1}", "engine.Sleep {1s }", "engine.Say {main 1}"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSyntaxErrorsHaveALine(t *testing.T) {
	for program, line := range map[string]int{
		"lock(":                    1,
		"\n\nif x then\n":          3,
		"local x = 1\nx x\n":       2,
		"for i = 1, 2 do\nend end": 2,
	} {
		_, err := Compile(Setup{}, Chunk{Name: "A", Source: program})
		var serr *luaexec.SyntaxError
		if !errors.As(err, &serr) || serr.Line != line || serr.Chunk != "A" {
			t.Errorf("%q: %v, want line %d", program, err, line)
		}
	}
	_, err := Compile(Setup{Library: Chunk{Name: "redisson", Source: "function("}}, Chunk{Name: "A"})
	if err == nil || !strings.HasPrefix(err.Error(), "redisson:1:") {
		t.Errorf("library: %v", err)
	}
}

func FuzzProgram(f *testing.F) {
	for _, s := range []string{`redis.call("GET", "k")`, `while true do end`, `spawn("x", function() end)`, "lock(("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := Compile(Setup{Node: "redis"}, Chunk{Name: "A", Source: source})
		if err != nil {
			return
		}
		actor := p.Start("A", "jvm-1")
		for range 5 {
			if actor.Next(engine.Outcome{Reply: reply.OfInt(1)}) == nil {
				t.Fatal("no request")
			}
		}
	})
}

// A client library may only define functions, and says so when it does more.
func TestALibraryThatCannotBeLoaded(t *testing.T) {
	for library, want := range map[string]string{
		`redis.call("PING")`: "engine.Done {client library: it sends a request while it is loaded: a client may only define functions, which programs call later}",
		`error("no luck")`:   "engine.Done {client library: library:1: no luck}",
		`while true do end`:  "engine.Done {client library: library:1: script used up its budget of 2000000 instructions}",
	} {
		if got := run(t, library, `say("on")`)[0]; got != want {
			t.Errorf("%s\n got %s\nwant %s", library, got, want)
		}
	}
}

// TestAwaitAndShared: a task that breaks off raises its error where it is awaited, and the
// memory of a process keeps text.
func TestAwaitAndShared(t *testing.T) {
	got := run(t, "", `
		spawn("request", function() end)
		say(tostring(pcall(await, "request")))
		shared.set("lease", 30)
		say(tostring(shared.get("lease")))
		shared.set("lease", nil)
		say(tostring(shared.get("lease")))
		await("nobody")`,
		engine.Outcome{}, replied(reply.OfError("lost")), engine.Outcome{}, engine.Outcome{}, replied(reply.OfBulk("30")), engine.Outcome{}, engine.Outcome{}, engine.Outcome{}, engine.Outcome{})
	want := []string{
		"spawn request", "engine.Await {request}", "engine.Say {false}", "engine.Remember {lease 30}", "engine.Recall {lease}", "engine.Say {30}",
		"engine.Remember {lease }", "engine.Recall {lease}", "engine.Say {nil}", `engine.Done {A:8: await: no task "nobody" was spawned}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it asks for\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNamesAreWhatProgramsCall: a name that is nearly one of them is probably meant.
func TestNamesAreWhatProgramsCall(t *testing.T) {
	names := Names("local hidden = 1\nfunction lock(name)\n  inner = 2\nend\n")
	for _, name := range []string{"node", "work", "redis", "receive", "stamp", "int64", "lock"} {
		if !slices.Contains(names, name) {
			t.Errorf("%q is missing in %q", name, names)
		}
	}
	for _, name := range []string{"hidden", "inner", "ask", "local hidden"} {
		if slices.Contains(names, name) {
			t.Errorf("%q is no name for programs", name)
		}
	}
}
