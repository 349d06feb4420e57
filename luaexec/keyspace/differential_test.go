package keyspace

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
)

// TestCommandsAnswerAsRedisDoes sends each conversation to a keyspace and to a
// real server, each to empty ones, and compares every reply.
func TestCommandsAnswerAsRedisDoes(t *testing.T) {
	s := startServer(t)
	for _, c := range conversations {
		t.Run(c.name, func(t *testing.T) {
			s.do("FLUSHALL")
			k := New()
			for line := range strings.Lines(c.commands) {
				if args := words(line); len(args) > 0 {
					compare(t, k, s, args)
				}
			}
		})
	}
}

// words splits a line of a conversation: by spaces, where ” is an empty word,
func words(line string) []string {
	args := strings.Fields(line)
	for i, arg := range args {
		if arg == "''" {
			arg = ""
		}
		args[i] = strings.NewReplacer(`\s`, " ", `\0`, "\x00", `\n`, "\n").Replace(arg)
	}
	return args
}

func compare(t *testing.T, k *Keyspace, s *server, args []string) {
	t.Helper()
	got, want := k.Do(here(k, args)), s.do(there(s, args)...)
	if !agree(args, got, want) {
		t.Errorf("%q: keyspace answers %s, redis %s", args, got, want)
	}
}

// here and there replace an argument @+1000 by 1000 ms (@@+5: 5 s) after the
// present, as each side has it.
func here(k *Keyspace, args []string) []string { return atTime(args, Epoch+k.nowMS()) }

func there(s *server, args []string) []string {
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "@") }) {
		return args
	}
	now := s.do("TIME")
	sec, _ := strconv.ParseInt(now.Elems[0].Str, 10, 64)
	us, _ := strconv.ParseInt(now.Elems[1].Str, 10, 64)
	return atTime(args, sec*1000+us/1000)
}

func atTime(args []string, nowMS int64) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if rest, ok := strings.CutPrefix(a, "@@"); ok {
			n, _ := strconv.ParseInt(rest, 10, 64)
			out[i] = strconv.FormatInt(nowMS/1000+n, 10)
		} else if rest, ok := strings.CutPrefix(a, "@"); ok {
			n, _ := strconv.ParseInt(rest, 10, 64)
			out[i] = strconv.FormatInt(nowMS+n, 10)
		}
	}
	return out
}

// agree compares two replies; where the real clock or Redis's arbitrary order
// shows, it allows for that.
func agree(args []string, got, want reply.Reply) bool {
	switch strings.ToLower(args[0]) {
	case "pttl":
		// Conversations use TTLs of many seconds.
		return got.Kind == want.Kind && got.Int-want.Int >= 0 && got.Int-want.Int < 5000
	case "ttl":
		return got.Kind == want.Kind && got.Int-want.Int >= 0 && got.Int-want.Int <= 5
	case "pexpiretime", "expiretime", "time":
		return got.Kind == want.Kind && (got.Int < 0) == (want.Int < 0) && len(got.Elems) == len(want.Elems)
	case "keys", "smembers":
		return sorted(got).Equal(sorted(want))
	case "hgetall", "hkeys", "hvals":
		if len(want.Elems) > maxListed {
			return sorted(got).Equal(sorted(want))
		}
	}
	return got.Equal(want)
}

func sorted(r reply.Reply) reply.Reply {
	r.Elems = slices.SortedFunc(slices.Values(r.Elems), func(a, b reply.Reply) int {
		return cmp.Compare(a.Str, b.Str)
	})
	return r
}

// TestRandomCommandsAnswerAsRedisDoes compares long random conversations, and at
// the end what both sides hold.
func TestRandomCommandsAnswerAsRedisDoes(t *testing.T) {
	s := startServer(t)
	for seed := range uint64(20) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			s.do("FLUSHALL")
			k := New()
			r := rand.New(rand.NewPCG(seed, 1))
			var commands [][]string
			for range 1500 {
				commands = append(commands, randomCommand(r))
			}
			s.send(commands...)
			for i, args := range commands {
				got, want := k.Do(args), s.receive()
				if !agree(args, got, want) {
					t.Fatalf("command %d %q: keyspace answers %s, redis %s", i, args, got, want)
				}
			}
			for e := range k.Entries() {
				for _, read := range readsOf(e) {
					compare(t, k, s, read)
				}
			}
			compare(t, k, s, []string{"KEYS", "*"})
		})
	}
}

func readsOf(e Entry) [][]string {
	reads := [][]string{{"TYPE", e.Name}, {"PTTL", e.Name}}
	switch e.Type {
	case "string":
		return append(reads, []string{"GET", e.Name})
	case "hash":
		return append(reads, []string{"HGETALL", e.Name})
	case "list":
		return append(reads, []string{"LRANGE", e.Name, "0", "-1"})
	case "set":
		return append(reads, []string{"SMEMBERS", e.Name})
	}
	return append(reads, []string{"ZRANGE", e.Name, "0", "-1", "WITHSCORES"})
}

// randomKeys are few, so that commands meet; some commands fit each type.
var randomKeys = []string{"s1", "s2", "h1", "h2", "l1", "l2", "t1", "t2", "z1", "z2"}

// randomCommand is a command of the table with arguments that mostly suit it.
// Its deadlines are far away or past, so that the real clock does not show.
func randomCommand(r *rand.Rand) []string {
	c := randomTable[r.IntN(len(randomTable))]
	args := words(c)
	for i, a := range args {
		args[i] = randomArg(r, a)
	}
	if r.IntN(40) == 0 { // too few or too many arguments
		if r.IntN(2) == 0 && len(args) > 1 {
			return args[:len(args)-1]
		}
		return append(args, randomArg(r, "val"))
	}
	return args
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func randomArg(r *rand.Rand, a string) string {
	if r.IntN(60) == 0 {
		return pick(r, "", "abc", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "inf", "nan", "0x10", "WITHSCORES")
	}
	switch a {
	case "S", "H", "L", "T", "Z":
		if r.IntN(20) == 0 {
			return pick(r, randomKeys...)
		}
		return strings.ToLower(a) + pick(r, "1", "2")
	case "key":
		return pick(r, randomKeys...)
	case "int":
		return pick(r, "0", "1", "-1", "2", "-2", "3", "10", "-10", "100", "9223372036854775807", "-9223372036854775808")
	case "ttl":
		return pick(r, "100000", "200000", "1000000", "1000000", "0", "-5", "9223372036854775807", "99999999999999")
	case "pos":
		return pick(r, "100000", "200000", "1000000", "0", "-5", "9223372036854775807")
	case "score":
		return pick(r, "0", "1", "-1", "2", "2.5", "0.1", "1e17", "-inf", "+inf", "3", "3", "1e300")
	case "end":
		return pick(r, "0", "(1", "1", "2", "(2.5", "-inf", "+inf", "(inf", "-1", "0.1", "x")
	case "lex":
		return pick(r, "-", "+", "[a", "(a", "[b", "(c", "[1", "x")
	case "field", "val":
		return pick(r, "a", "b", "c", "d", "1", "2", "3", "-7", "44", "0", "e", "f")
	case "cond":
		return pick(r, "NX", "XX", "GT", "LT", "CH", "nx", "xx")
	}
	return a
}

var randomTable = strings.Split(strings.TrimSpace(`
SET S val
SET S val EX pos
SET S val PX pos NX
SET S val cond GET
SET S int KEEPTTL
SET key val
SETNX S val
SETEX S pos val
PSETEX S pos val
GETSET S val
GETDEL S
GET key
STRLEN S
APPEND S val
GETRANGE S int int
INCR S
DECR S
INCRBY S int
DECRBY S int
MGET key key key
MSET S val S int
MSETNX S val S val
HSET H field val
HSET H field int field val
HMSET H field int
HSETNX H field val
HINCRBY H field int
HGET H field
HMGET H field field
HGETALL H
HKEYS H
HVALS H
HLEN H
HEXISTS H field
HSTRLEN H field
HDEL H field
HDEL H field field field
LPUSH L val val
RPUSH L val val
LPOP L
RPOP L
LPOP L int
RPOP L int
LLEN L
LINDEX L int
LRANGE L int int
LREM L int val
LTRIM L int int
SADD T val val
SREM T val val
SCARD T
SISMEMBER T val
SMEMBERS T
ZADD Z score field
ZADD Z score field score field
ZADD Z cond score field score field
ZADD Z cond cond score field
ZADD Z INCR score field
ZADD Z cond INCR score field
ZINCRBY Z score field
ZREM Z field field
ZSCORE Z field
ZCARD Z
ZRANK Z field
ZREVRANK Z field
ZCOUNT Z end end
ZRANGE Z int int
ZRANGE Z int int REV WITHSCORES
ZRANGE Z end end BYSCORE WITHSCORES
ZRANGE Z end end BYSCORE REV LIMIT int int
ZRANGEBYSCORE Z end end
ZRANGEBYSCORE Z end end LIMIT int int WITHSCORES
ZREVRANGE Z int int WITHSCORES
ZREVRANGEBYSCORE Z end end WITHSCORES LIMIT int int
ZREMRANGEBYSCORE Z end end
ZREMRANGEBYRANK Z int int
DEL key
UNLINK key key
EXISTS key key
TYPE key
KEYS *1
RENAME key key
RENAMENX key key
EXPIRE key ttl
PEXPIRE key ttl
EXPIRE key ttl cond
PEXPIRE key ttl cond cond
PERSIST key
TTL key
PTTL key
PUBLISH key val
`), "\n")
