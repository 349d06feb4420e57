package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// planted is a mistake in a correct script or client of the catalogue.
type planted struct {
	name     string
	lesson   string
	part     string // as lessons.Part writes it; empty: the programs
	old, new string
	programs []string // of the clients, each in a process of its own
	bounds   search.Bounds
	rules    string
	breaks   string // the rule; empty: none can see it, since …
	since    string
}

var (
	arriving = search.Bounds{Time: search.Arrive}
	dying    = search.Bounds{Time: search.Arrive, Faults: map[engine.ChoiceKind]int{engine.Crash: 1}}
	lateBy1s = search.Bounds{Time: search.TimeBound{Late: time.Second}}
	prompt   = search.Bounds{Time: search.Prompt}
	died     = search.Bounds{Time: search.Prompt, Faults: map[engine.ChoiceKind]int{engine.Crash: 1}}
)

const (
	safe     = "mutual-exclusion no-lock-without-ttl released-by-holder nobody-waits-forever"
	excludes = "mutual-exclusion nobody-waits-forever"
	awake    = safe + " no-idle-wait"
	queued   = awake + " waiters-in-order"

	tries     = `if trylock("lock", 10000) then work("9s"); unlock("lock") end`
	triesLong = `if trylock("lock", 10000) then work("12s"); unlock("lock") end`
	nests     = `while not trylock("lock") do sleep("10s") end work("10s"); if trylock("lock") then work("25s"); unlock("lock") end work("1s"); unlock("lock")`
	once      = `while not trylock("lock") do sleep("10s") end work("5s"); unlock("lock")`
	locks     = `lock("lock", 10000); work("3s"); unlock("lock")`
	locksLong = `lock("lock"); work("35s"); unlock("lock")`
	locksTwo  = `lock("lock", 10000); work("3s"); lock("lock", 10000); work("3s"); unlock("lock"); work("3s"); unlock("lock")`
	overstays = `lock("lock", 10000); work("12s"); pcall(unlock, "lock")`
	reads     = `readLock("writing", 10000); work("5s"); readUnlock("writing")`
	writes    = `writeLock("writing", 10000); work("5s"); writeUnlock("writing")`
	turn      = `local n = redis.call("INCR", "turn"); `
	waitsTurn = `local mine = lock("/lock"); work("2s"); unlock("/lock", mine)`
	locksPath = `lock("/stock"); work("2s"); unlock("/stock")`
	acquires  = `acquire("/mutex"); acquire("/mutex"); work("2s"); release("/mutex"); work("1s"); release("/mutex")`
	forUpdate = `local db = node("db"); db.begin(); local ok = pcall(db.query, "SELECT stock FROM stock WHERE id = ? FOR UPDATE", 10); if not ok then db.rollback() return end enter("stock"); work("2s"); leave("stock"); db.commit()`
	sells     = `local db = node("db"); repeat local row = db.query("SELECT stock, version FROM stock WHERE id = ?", 10)[1]; until db.exec("UPDATE stock SET stock = ?, version = version + 1 WHERE id = ? AND version = ?", row.stock - 1, 10, row.version) == 1`
	inserts   = `local db = node("db"); while not pcall(db.exec, "INSERT INTO locks VALUES (?, ?)", "order", me) do sleep("1s") end enter("order"); work("3s"); leave("order"); db.exec("DELETE FROM locks WHERE name = ? AND owner = ?", "order", me)`
	sellsTwo  = `local db = node("db"); repeat local row = db.query("SELECT stock, version FROM stock WHERE id = ?", 10)[1]; until db.exec("UPDATE stock SET stock = ?, version = version + 1 WHERE id = ? AND version = ?", row.stock - 2, 10, row.version) == 1`
	permits   = `acquire("lock"); enter("lock"); work("3s"); leave("lock"); release("lock")`
)

func times(n int, program string) []string { return slices.Repeat([]string{program}, n) }

var bugs = []planted{
	{"owner is not compared", "compare-and-delete", "script:unlock", "redis.call('get', KEYS[1]) == ARGV[1]", "true", times(3, triesLong), arriving, "released-by-holder", "released-by-holder", ""},
	{"GET and DEL are two requests", "compare-and-delete", "", "unlock(", "unlock_in_two_steps(", times(2, tries), lateBy1s, "released-by-holder", "released-by-holder", ""},
	{"SET without NX", "compare-and-delete", "client:compare-and-delete", `"NX", `, "", times(2, tries), arriving, safe, "mutual-exclusion", ""},
	{"SET without PX", "compare-and-delete", "client:compare-and-delete", `, "PX", lease`, "", times(2, tries), arriving, safe, "no-lock-without-ttl", ""},
	{"the lease in seconds is taken for milliseconds", "compare-and-delete", "client:compare-and-delete", `"PX", lease)`, `"PX", lease / 1000)`, times(2, tries), arriving, safe, "mutual-exclusion", ""},

	{"no TTL when it is taken", "reentrant-lock", "script:lock", "redis.call('expire', key, releaseTime);\n    return 1; -- 返回结果\nend;\n\n-- 锁已经存在", "return 1;\nend;\n\n-- 锁已经存在", times(2, once), arriving, safe, "no-lock-without-ttl", ""},
	{"anybody is taken for the holder", "reentrant-lock", "script:lock", "redis.call('hexists', key, threadId) == 1", "true", times(2, once), arriving, safe, "mutual-exclusion", ""},
	{"the count is not kept", "reentrant-lock", "script:unlock", "count > 0", "false", times(2, nests), arriving, safe, "mutual-exclusion", ""},
	{"the second lock renews nothing", "reentrant-lock", "script:lock", "redis.call('hincrby', key, threadId, '1');\n    -- 设置有效期\n    redis.call('expire', key, releaseTime);", "redis.call('hincrby', key, threadId, '1');", times(2, nests), arriving, safe, "mutual-exclusion", ""},
	{"anybody unlocks", "reentrant-lock", "script:unlock", "redis.call('HEXISTS', key, threadId) == 0", "false", times(3, strings.Replace(once, "5s", "35s", 1)), arriving, "released-by-holder", "released-by-holder", ""},
	{"unlock keeps the key", "reentrant-lock", "script:unlock", "redis.call('DEL', key);", "", times(2, once), arriving, safe, "", "the count of 0 stays with its TTL, so the next client gets in later: nobody is told when a lock that is asked for now and then is free"},
	{"the client enters when it is refused", "reentrant-lock", "client:reentrant", "taken == 0", "false", times(2, once), arriving, safe, "mutual-exclusion", ""},

	{"nobody is told", "redisson-lock", "script:unlock", "redis.call('publish', KEYS[2], ARGV[1]);", "", times(2, locks), arriving, awake, "no-idle-wait", ""},
	{"another channel is told", "redisson-lock", "script:unlock", "redis.call('publish', KEYS[2]", "redis.call('publish', KEYS[1]", times(2, locks), arriving, awake, "no-idle-wait", ""},
	{"anybody is the holder", "redisson-lock", "script:lock", "redis.call('hexists', KEYS[1], ARGV[2]) == 1", "true", times(2, locks), arriving, awake, "mutual-exclusion", ""},
	{"no TTL", "redisson-lock", "script:lock", "redis.call('pexpire', KEYS[1], ARGV[1]);", "", times(2, locks), arriving, awake, "no-lock-without-ttl", ""},
	{"the renewal renews nothing", "redisson-lock", "script:renew", "redis.call('pexpire', KEYS[1], ARGV[1]);", "", times(2, locksLong), arriving, safe, "mutual-exclusion", ""},
	{"there is no watchdog", "redisson-lock", "client:redisson", `spawn("watchdog", function() watch(name) end)`, "", times(2, locksLong), arriving, safe, "mutual-exclusion", ""},
	{"the watchdog comes too late", "redisson-lock", "client:redisson", "sleep(WATCHDOG / 3)", "sleep(WATCHDOG + 1000)", times(2, locksLong), arriving, safe, "mutual-exclusion", ""},
	{"the watchdog gives up after one renewal", "redisson-lock", "client:redisson", "{ WATCHDOG, owner }) == 0", "{ WATCHDOG, owner }) == 1", times(2, strings.Replace(locksLong, "35s", "55s", 1)), arriving, safe, "mutual-exclusion", ""},
	{"the watchdog is not cancelled", "redisson-lock", "client:redisson", `cancel("watchdog")`, "", times(2, strings.Replace(locksLong, "35s", "5s", 1)), arriving, safe, "", "it finds that the lock is another's, and ends by itself"},
	{"it renews whoever has the lock", "redisson-lock", "script:renew", "redis.call('hexists', KEYS[1], ARGV[2]) == 1", "redis.call('exists', KEYS[1]) == 1", times(2, strings.Replace(locksLong, "35s", "5s", 1)), arriving, safe, "", "the watchdog of another process keeps the lock of the holder, who wants to have it"},
	{"the waiter does not look again after it listens", "redisson-lock", "client:redisson", "ttl = acquire(name, lease) -- the lock may have been freed before the subscription stood", "", times(2, locks), arriving, awake, "no-idle-wait", ""},
	{"who was refused goes in", "redisson-lock", "client:redisson", "while ttl ~= nil do", "while false do", times(3, locks), arriving, safe, "", "the program goes on without the lock, and no rule asks whether it is inside: it never says so, and its unlock fails"},
	{"an inner unlock frees the lock", "redisson-lock", "script:unlock", "counter > 0", "false", times(2, locksTwo), arriving, safe, "mutual-exclusion", ""},
	{"a stranger unlocks", "redisson-lock", "script:unlock", "redis.call('hexists', KEYS[1], ARGV[3]) == 0", "false", times(3, overstays), arriving, "released-by-holder", "released-by-holder", ""},
	{"it waits without an end", "redisson-lock", "client:redisson", "receive(channel(name), ttl)", "receive(channel(name))", times(2, locks), dying, "nobody-waits-forever", "nobody-waits-forever", ""},

	{"readers do not look for a writer", "read-write-lock", "script:read-lock", "mode == 'write'", "mode == 'none'", []string{writes, reads}, arriving, "apart", "apart", ""},
	{"writers do not look for readers", "read-write-lock", "script:write-lock", "not mode", "mode ~= 'write'", []string{reads, writes}, arriving, "apart", "apart", ""},
	{"the last reader tells nobody", "read-write-lock", "script:read-unlock", "redis.call('publish', KEYS[2], ARGV[1])", "", []string{reads, writes}, arriving, "nobody-waits-forever", "", "a waiter asks again when the lease that it was told is over, and no-idle-wait knows no lock with two sections"},
	{"the first reader's unlock frees all", "read-write-lock", "script:read-unlock", "longest > 0", "false", []string{reads, strings.Replace(reads, "5s", "8s", 1), writes}, arriving, "apart", "apart", ""},

	{"the queue is not looked at", "fair-lock", "script:lock", "((redis.call('exists', KEYS[2]) == 0)  or (redis.call('lindex', KEYS[2], 0) == ARGV[2]))", "true", times(3, locks), arriving, "waiters-in-order", "waiters-in-order", ""},
	{"the next in the queue is not told", "fair-lock", "script:unlock", "redis.call('publish', KEYS[4] .. ':' .. head, ARGV[1])", "", times(2, locks), prompt, queued, "no-idle-wait", ""},
	{"the holder stays in the queue", "fair-lock", "script:lock", "redis.call('lpop', KEYS[2]);\n  redis.call('zrem', KEYS[3], ARGV[2]);", "", times(3, locks), prompt, queued, "no-idle-wait", ""},
	{"dead waiters stay in the queue", "fair-lock", "script:lock", "timeout <= tonumber(ARGV[4])", "false", times(3, locks), died, "nobody-starves", "nobody-starves", ""},
	{"the last in the queue is told first", "fair-lock", "script:unlock", "local head = redis.call('lindex', KEYS[2], 0)\nif head then", "local head = redis.call('lindex', KEYS[2], -1)\nif head then", times(3, locks), prompt, queued, "no-idle-wait", ""},

	{"permits are not counted down", "semaphore", "script:acquire", "redis.call('decrby', KEYS[1], ARGV[1])", "", []string{`redis.call("SET", "lock", 1, "NX"); ` + permits, `sleep("1s"); ` + permits, `sleep("1s"); ` + permits}, arriving, "mutual-exclusion", "mutual-exclusion", ""},
	{"permits are not looked at", "semaphore", "script:acquire", "permits < tonumber(ARGV[1])", "false", []string{`redis.call("SET", "lock", 1, "NX"); ` + permits, `sleep("1s"); ` + permits}, arriving, "mutual-exclusion", "mutual-exclusion", ""},
	{"a permit comes back unannounced", "semaphore", "script:release", "redis.call('publish', KEYS[2], permits)", "", []string{`redis.call("SET", "lock", 1, "NX"); ` + permits, `sleep("1s"); ` + permits}, arriving, "nobody-waits-forever", "nobody-waits-forever", ""},

	{"the latch opens unannounced", "countdown-latch", "script:count-down", "redis.call('publish', KEYS[2], ARGV[1])", "", []string{`setCount("gate", 1); countDown("gate")`, `await("gate")`}, arriving, "nobody-waits-forever", "nobody-waits-forever", ""},
	{"who waits looks once", "countdown-latch", "", "await(", "await_without_looking_again(", []string{`setCount("gate", 1); countDown("gate")`, `await("gate")`}, arriving, "nobody-waits-forever", "nobody-waits-forever", ""},

	{"tokens are not compared", "fencing", "script:append", "tonumber(ARGV[2]) < newest", "false", []string{`local t = lock("lock", 10000); ` + turn + `work("12s"); pcall(append, "file", n, t)`, `local t = lock("lock", 10000); ` + turn + `append("file", n, t)`}, arriving, "newest-last", "newest-last", ""},
	{"tokens do not grow", "fencing", "script:lock", "redis.call('incr', KEYS[2])", "1", []string{`local t = lock("lock", 10000); ` + turn + `work("12s"); pcall(append, "file", n, t)`, `local t = lock("lock", 10000); ` + turn + `append("file", n, t)`}, arriving, "newest-last", "newest-last", ""},

	{"the one behind is taken for the one in front", "zk-predecessor", "client:zk-lock-queue", "path < mine", "path > mine", times(2, waitsTurn), arriving, excludes, "mutual-exclusion", ""},
	{"who was told goes in without looking", "zk-predecessor", "client:zk-lock-queue", "zk.event(path)\n    end", "zk.event(path)\n    end\n    do enter(root) return mine, czxid end", times(3, strings.Replace(waitsTurn, "2s", "60s", 1)), dying, excludes, "mutual-exclusion", ""},
	{"the one in front is not watched", "zk-predecessor", "client:zk-lock-queue", "zk.exists(path, true)", "zk.exists(path)", times(2, waitsTurn), arriving, excludes, "nobody-waits-forever", ""},
	{"who has gone before it was watched is waited for", "zk-predecessor", "client:zk-lock-queue", "if zk.exists(path, true) then", "zk.exists(path, true)\n    do", times(2, waitsTurn), arriving, excludes, "nobody-waits-forever", ""},
	{"the znode outlives its session", "zk-predecessor", "client:zk-lock-queue", "ephemeral = true, ", "", times(2, waitsTurn), dying, excludes, "nobody-waits-forever", ""},
	{"the znode is not deleted", "zk-predecessor", "client:zk-lock-queue", "zk.delete(mine)", "", times(2, waitsTurn), arriving, excludes, "nobody-waits-forever", ""},
	{"all who are told go in", "zk-herd", "client:zk-lock", "zk.event(path)", "zk.event(path) enter(path) return", times(3, locksPath), arriving, excludes, "mutual-exclusion", ""},
	{"an inner release deletes the znode", "curator-reentrant", "client:curator-mutex", "lock.count == 0", "true", times(2, acquires), arriving, excludes, "mutual-exclusion", ""},

	{"it reads without a lock", "sql-for-update", "", " FOR UPDATE", "", times(2, forUpdate), arriving, "mutual-exclusion", "mutual-exclusion", ""},
	{"there is no transaction", "sql-for-update", "", "db.begin();", "", times(2, forUpdate), arriving, "mutual-exclusion", "mutual-exclusion", ""},
	{"it commits before the work", "sql-for-update", "", `enter("stock");`, `db.commit(); enter("stock");`, times(2, forUpdate), arriving, "mutual-exclusion", "mutual-exclusion", ""},
	{"versions are not compared", "sql-version-cas", "", `AND version = ?", row.stock - 1, 10, row.version`, `", row.stock - 1, 10`, times(2, sells), arriving, "each-version-sold-one", "each-version-sold-one", ""},
	{"versions do not grow", "sql-version-cas", "", ", version = version + 1", "", []string{sells, sellsTwo}, arriving, "all-sold", "all-sold", ""},
	{"the row of another is no obstacle", "sql-unique-row-lock", "", `sleep("1s") end`, "break end", times(2, inserts), arriving, "mutual-exclusion", "mutual-exclusion", ""},
	{"the owner of the row is not compared", "sql-unique-row-lock", "", ` AND owner = ?", "order", me`, `", "order"`, times(2, inserts), arriving, "mutual-exclusion", "", "there are no leases: until it deletes its row nobody else can have one"},
}

// rulesOfTests are rules that only these tests need.
var rulesOfTests = map[string]string{
	"each-version-sold-one": `row("stock", 10).stock + row("stock", 10).version == 4`,
	"all-sold":              `status("A") ~= "finished" or status("B") ~= "finished" or row("stock", 10).stock == 0`,

	"apart":       `(inside("writing") or 0) == 0 or (inside("writing") == 1 and (inside("reading") or 0) == 0)`,
	"newest-last": `(node("store").lindex("file", 0) or 0) <= (node("store").lindex("file", 1) or 9)`,
}

func (p planted) scenario(t *testing.T, wrong bool) engine.Scenario {
	t.Helper()
	l := p.planted(t, wrong)
	return p.on(t, l, l.Open(lessons.Embedded))
}

// on is a lesson that was made of it, on certain nodes.
func (p planted) on(t *testing.T, l *lessons.Lesson, nodes []engine.NodeSpec) engine.Scenario {
	t.Helper()
	s, err := l.Scenario(nodes)
	if err != nil {
		t.Fatal(err)
	}
	if starves := (search.NobodyStarves{}); slices.Contains(strings.Fields(p.rules), starves.Name()) { // which a lesson cannot state
		s.Invariants = append(s.Invariants, starves)
	}
	return s
}

// planted is the lesson with the clients of the bug, and the bug itself when it is wrong.
func (p planted) planted(t *testing.T, wrong bool) *lessons.Lesson {
	t.Helper()
	l := lesson(t, p.lesson)
	replaced := func(text string) string {
		if !wrong {
			return text
		}
		if !strings.Contains(text, p.old) {
			t.Fatalf("%s does not have %q", p.lesson, p.old)
		}
		return strings.ReplaceAll(text, p.old, p.new)
	}
	programs := slices.Clone(p.programs)
	if part, ok := lessons.ParsePart(p.part); ok {
		source, _ := l.Source(part)
		l = l.With(part, replaced(source))
	}
	l.Actors, l.Faults, l.Invariants, l.Rules = nil, []engine.Choice{{Kind: engine.Crash, Target: "jvm-1"}}, nil, nil
	l.Given = slices.DeleteFunc(slices.Clone(l.Given), func(g lessons.Given) bool { return g.Statement == "" && g.Key.Type != engine.ZnodeKey })
	for i, program := range programs {
		if p.part == "" && strings.Contains(program, p.old) {
			program = replaced(program)
		}
		l.Actors = append(l.Actors, lessons.Actor{Name: string(rune('A' + i)), Process: fmt.Sprintf("jvm-%d", i+1), Program: program})
	}
	for name := range strings.FieldsSeq(p.rules) {
		if lua := rulesOfTests[name]; lua != "" {
			l.Rules = append(l.Rules, lessons.Rule{Name: name, Lua: lua})
		} else if name != (search.NobodyStarves{}).Name() {
			l.Invariants = append(l.Invariants, name)
		}
	}
	return l
}

// A mistake that somebody plants in a correct lock is found, or nobody could see it; and
// nothing is found in the lock without it.
func TestPlantedBugsAreFound(t *testing.T) {
	for _, p := range bugs {
		t.Run(p.lesson+"/"+p.name, func(t *testing.T) {
			b := p.bounds
			b.States = 60_000
			v, err := search.Explore(t.Context(), p.scenario(t, false), b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if v.Ending != search.Holds {
				t.Errorf("without the bug it %s: %v %v", v.Ending, v.Violation, v.Schedule)
			}
			states := v.States
			v, err = search.Explore(t.Context(), p.scenario(t, true), b, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d and %d states: %s %v %v", states, v.States, v.Ending, v.Violation, v.Schedule)
			switch {
			case p.breaks == "" && v.Ending != search.Holds:
				t.Errorf("it %s: %v", v.Ending, v.Violation)
			case p.breaks != "" && (v.Ending != search.Breaks || v.Violation.Invariant != p.breaks):
				t.Errorf("it %s: %v, and not %s", v.Ending, v.Violation, p.breaks)
			}
		})
	}
}
