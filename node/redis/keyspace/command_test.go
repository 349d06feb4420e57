package keyspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"lockstep/engine/reply"
)

func TestLookupTakesAnyLetterCase(t *testing.T) {
	for _, name := range []string{"zrangebyscore", "ZRANGEBYSCORE", "ZRangeByScore"} {
		c, ok := Lookup(name)
		if !ok || c.Name() != "zrangebyscore" {
			t.Errorf("Lookup(%q) finds %v", name, c)
		}
	}
	for _, name := range []string{"", "nosuch", strings.Repeat("get", 100)} {
		if c, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) finds %s", name, c.Name())
		}
	}
}

func TestCommandListHasEveryCommand(t *testing.T) {
	all := commandList(nil)
	for _, name := range []string{"get", "script|load"} {
		if !slices.ContainsFunc(all.Elems, func(r reply.Reply) bool { return r.Str == name }) {
			t.Errorf("COMMAND LIST lacks %s", name)
		}
	}
}

func TestPositions(t *testing.T) {
	for _, c := range []struct{ args, keys, channels string }{
		{"GET k", "[1]", "[]"},
		{"DEL a b c", "[1 2 3]", "[]"},
		{"MSET a 1 b 2", "[1 3]", "[]"},
		{"RENAME a b", "[1 2]", "[]"},
		{"HSET h f v", "[1]", "[]"},
		{"BLPOP a b 0", "[1 2]", "[]"},
		{"GET", "[]", "[]"},
		{"TIME", "[]", "[]"},
		{"KEYS *", "[]", "[]"},
		{"PUBLISH c m", "[]", "[1]"},
		{"SUBSCRIBE a b", "[]", "[1 2]"},
		{"LMPOP -1 a", "[]", "[]"},
		{"BLMPOP 0 2 a b LEFT", "[3 4]", "[]"},
		{"EVAL script 1 k arg", "[3]", "[]"},
		{"XREAD COUNT 1 STREAMS a b 0 0", "[4 5]", "[]"},
		{"XREAD COUNT 1", "[]", "[]"},
	} {
		args := words(c.args)
		cmd, _ := Lookup(args[0])
		if got := fmt.Sprint(cmd.KeyPositions(args)); got != c.keys {
			t.Errorf("%s: keys at %s, want %s", c.args, got, c.keys)
		}
		if got := fmt.Sprint(cmd.ChannelPositions(args)); got != c.channels {
			t.Errorf("%s: channels at %s, want %s", c.args, got, c.channels)
		}
	}
}

// TestTableAgreesWithRedis compares arity, flags and key positions of every
// command with what the real server says of it.
func TestTableAgreesWithRedis(t *testing.T) {
	s := startServer(t)
	for _, c := range listed {
		docs := s.do("COMMAND", "DOCS", c.name).Elems
		if len(docs) == 0 || !slices.ContainsFunc(docs[1].Elems, func(r reply.Reply) bool { return r.Str == c.Group }) {
			t.Errorf("%s: group %s, redis says %s", c.name, c.Group, docs)
		}
		info := s.do("COMMAND", "INFO", c.name).Elems[0].Elems
		if len(info) == 0 {
			t.Errorf("redis has no command %s", c.name)
			continue
		}
		if int(info[1].Int) != c.arity {
			t.Errorf("%s: arity %d, redis says %d", c.name, c.arity, info[1].Int)
		}
		flags := info[2].Elems
		for _, sub := range info[9].Elems { // SCRIPT is what SCRIPT LOAD and the others are
			flags = append(flags, sub.Elems[2].Elems...)
		}
		has := func(flag string) bool {
			return slices.ContainsFunc(flags, func(f reply.Reply) bool { return f.Str == flag })
		}
		for flag, name := range map[Flag]string{ // five are our own
			Write: "write", ReadOnly: "readonly", PubSub: "pubsub", NoScript: "noscript",
			DenyOOM: "denyoom", Blocking: "blocking", NilArray: "", Global: "", Container: "", Absent: "", Slow: "",
		} {
			if name != "" && c.Is(flag) != has(name) {
				t.Errorf("%s: flag %s is %t, redis says %t", c.name, name, c.Is(flag), has(name))
			}
		}
		keys := keySpec{first: int(info[3].Int), last: int(info[4].Int), step: int(info[5].Int)}
		if movable := has("movablekeys"); movable != (c.keys.more != noMore) {
			t.Errorf("%s: movable keys %t, redis says %t", c.name, !movable, movable)
		}
		if keys.more, keys.at = c.keys.more, c.keys.at; c.keys != keys && !c.Is(PubSub) {
			t.Errorf("%s: keys %v, redis says %v", c.name, c.keys, keys)
		}
	}
}

func TestCommandDocs(t *testing.T) {
	k := New()
	if got := k.Do(words("COMMAND DOCS GET nosuch")).String(); got != `["get", ["summary", "Read a string", "group", "string", "arity", 2]]` {
		t.Errorf("COMMAND DOCS answers %s", got)
	}
	count := k.Do(words("COMMAND COUNT")).Int
	for _, list := range []string{"COMMAND", "COMMAND INFO"} {
		n := int64(len(k.Do(words(list)).Elems))
		if n != count {
			t.Errorf("%s answers %d commands, COMMAND COUNT says %d", list, n, count)
		}
	}
	if got := k.Do(words("COMMAND INFO blmpop nosuch")).String(); got != `[["blmpop", -5, [write, blocking, movablekeys], 0, 0, 0, [@write, @list], [], [], []], nil]` {
		t.Errorf("COMMAND INFO answers %s", got)
	}
	for _, d := range CommandDocs() {
		if d.Summary() == "" || strings.HasSuffix(d.Summary(), ".") || d.Group == "" {
			t.Errorf("%s has the summary %q in group %q", d.Name(), d.Summary(), d.Group)
		}
	}
}

// TestTextsHaveALimit meets what would take Redis too long, or too much memory, to
// compare.
func TestTextsHaveALimit(t *testing.T) {
	k := New()
	// Memory that nobody touches costs nothing, so no copy may be made of it.
	zeros := make([]byte, MaxText)
	k.Do([]string{"SET", "k", unsafe.String(&zeros[0], len(zeros))})
	if got := k.Do([]string{"APPEND", "k", ""}); got.Int != MaxText {
		t.Fatalf("APPEND up to the limit answers %.80s", got)
	}
	if got := k.Do([]string{"APPEND", "k", "x"}); !got.Equal(errTooLong) {
		t.Errorf("APPEND over the limit answers %.80s", got)
	}
	k.Do([]string{"SET", strings.Repeat("a", 200), ""})
	pattern := strings.Repeat("a*", 100) + "b"
	if got := k.Do([]string{"KEYS", pattern}); len(got.Elems) != 0 {
		t.Errorf("KEYS %s answers %s", pattern, got)
	}
}

// TestLargeValues crosses the sizes at which values change their shape.
func TestLargeValues(t *testing.T) {
	s := startServer(t)
	k := New()
	both := func(args ...string) {
		t.Helper()
		compare(t, k, s, args)
	}
	for i := range 2 * maxListed {
		n := strconv.Itoa(i * 7 % 1021)
		both("HSET", "h", "f"+n, n)
		both("SADD", "t", n)
		both("SADD", "t2", "m"+n)
		both("ZADD", "z", strconv.Itoa(i%10), n)
		both("RPUSH", "l", n)
		if i%100 == 0 {
			both("HGETALL", "h")
			both("SMEMBERS", "t")
		}
	}
	for i := range 2 * maxListed {
		n := strconv.Itoa(i * 11 % 1021)
		both("HINCRBY", "h", "f"+n, "1")
		both("ZINCRBY", "z", "0.5", n)
		both("ZRANK", "z", n)
		if i%3 == 0 {
			both("HDEL", "h", "f"+n)
			both("SREM", "t", n)
			both("SREM", "t2", "m"+n)
			both("ZREM", "z", n)
			both("LREM", "l", "1", n)
			both("LPOP", "l")
		}
	}
	for _, read := range []string{
		"HGETALL h", "HLEN h", "SMEMBERS t", "SMEMBERS t2", "SCARD t2", "ZRANGE z 0 -1 WITHSCORES",
		"ZREMRANGEBYRANK z 10 600", "ZRANGE z 0 -1 WITHSCORES", "ZSCORE z 5", "LRANGE l 0 -1",
	} {
		both(words(read)...)
	}
}

// TestSubcommandsAgreeWithRedis compares how many arguments each of them takes.
func TestSubcommandsAgreeWithRedis(t *testing.T) {
	s := startServer(t)
	later := []string{"client|setinfo"}
	for name, ours := range subcommands {
		info := s.do("COMMAND", "INFO", name).Elems[0].Elems
		theirs := map[string]int64{}
		for _, sub := range info[9].Elems {
			theirs[sub.Elems[0].Str] = sub.Elems[1].Int
		}
		for sub, arity := range ours {
			if full := name + "|" + sub; theirs[full] != int64(arity) && !slices.Contains(later, full) {
				t.Errorf("%s: arity %d, redis says %d", full, arity, theirs[full])
			}
		}
	}
}

// What clients of later servers send unasked is taken as Redis 7.2 takes it.
func TestSubcommandsOfLaterServers(t *testing.T) {
	client, ok := Lookup("client")
	if !ok {
		t.Fatal("there is no CLIENT")
	}
	for text, takes := range map[string]bool{
		"CLIENT SETINFO LIB-NAME": false, "CLIENT SETINFO LIB-NAME x": true, "CLIENT SETINFO LIB-NAME x y": false,
	} {
		if args := words(text); !client.Knows(args) || client.Takes(args) != takes {
			t.Errorf("%s is taken: %v, want %v", text, client.Takes(args), takes)
		}
	}
}

// A hash of many fields finds them in another way.
func TestAHashOfManyFields(t *testing.T) {
	k := New()
	for i := range 2 * maxListed {
		k.Do([]string{"HSET", "h", "f" + strconv.Itoa(i), strconv.Itoa(i)})
		if got := k.Do([]string{"HGET", "h", "none"}); got.Kind != reply.Nil {
			t.Fatalf("of %d fields, one that is missing is %v", i+1, got)
		}
	}
	for i := range 2 * maxListed {
		if got := k.Do([]string{"HGET", "h", "f" + strconv.Itoa(i)}); got.Str != strconv.Itoa(i) {
			t.Fatalf("field %d is %v", i, got)
		}
	}
}
