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
		args[i] = strings.NewReplacer(`\s`, " ", `\0`, "\x00", `\n`, "\n", `\xff`, "\xff", `\xf0`, "\xf0", `\x00`, "\x00").Replace(arg)
	}
	return args
}

func compare(t *testing.T, k *Keyspace, s *server, args []string) {
	t.Helper()
	got, want := k.Do(here(k, args)), s.do(there(s, args)...)
	if !agree(args, got, want) {
		t.Errorf("%q: keyspace answers %s, redis %s", args, got, want)
	}
	checkNil(t, s, args, want)
}

// checkNil compares which of the two nils of RESP2 a command answers.
func checkNil(t *testing.T, s *server, args []string, want reply.Reply) {
	t.Helper()
	c, ok := Lookup(args[0])
	if ok && want.Kind == reply.Nil && c.NilIsArray(args) != s.nilArray {
		t.Errorf("%q: redis answers nil as an array: %t", args, s.nilArray)
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
	case "keys", "smembers", "sinter", "sunion", "sdiff":
		return sorted(got).Equal(sorted(want))
	case "scan", "sscan", "zscan":
		if len(args) > 1 && args[1] != "0" && args[0] == "SCAN" {
			return got.Kind == want.Kind // only Redis knows its cursors
		}
		// A short scan is over at once on both sides.
		return len(want.Elems) == 2 && len(got.Elems) == 2 && sorted(want.Elems[1]).Equal(sorted(got.Elems[1])) && got.Elems[0].Equal(want.Elems[0]) || got.Equal(want)
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
	for seed := range uint64(60) {
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
				checkNil(t, s, args, want)
				if !agree(args, got, want) {
					for range commands[i+1:] { // or the next run would read them
						s.receive()
					}
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
	case "stream":
		return append(reads, []string{"XRANGE", e.Name, "-", "+"})
	}
	return append(reads, []string{"ZRANGE", e.Name, "0", "-1", "WITHSCORES"})
}

// randomKeys are few, so that commands meet; some commands fit each type.
var randomKeys = []string{"s1", "s2", "h1", "h2", "l1", "l2", "t1", "t2", "x1", "x2", "z1", "z2"}

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
	case "S", "H", "L", "T", "X", "Z":
		if r.IntN(20) == 0 {
			return pick(r, randomKeys...)
		}
		return strings.ToLower(a) + pick(r, "1", "2")
	case "key":
		return pick(r, randomKeys...)
	case "int":
		return pick(r, "0", "1", "-1", "2", "-2", "3", "10", "-10", "100", "9223372036854775807", "-9223372036854775808")
	case "ttl":
		if r.IntN(3) > 0 { // far enough from each other for GT and LT on a real clock
			return strconv.Itoa(100_000 + 10_000*r.IntN(1000))
		}
		return pick(r, "0", "-5", "9223372036854775807", "99999999999999")
	case "pos":
		return pick(r, "100000", "200000", "1000000", "0", "-5", "9223372036854775807")
	case "score":
		return pick(r, "0", "1", "-1", "2", "2.5", "0.1", "1e17", "-inf", "+inf", "3", "3", "1e300")
	case "end":
		return pick(r, "0", "(1", "1", "2", "(2.5", "-inf", "+inf", "(inf", "-1", "0.1", "x")
	case "id":
		return strconv.Itoa(r.IntN(60)) + pick(r, "", "-0", "-1", "-2", "-*")
	case "from", "to":
		return pick(r, "-", "+", "(", "") + strconv.Itoa(r.IntN(60)) + pick(r, "", "-1")
	case "small":
		return pick(r, "0", "1", "2", "3", "10")
	case "side":
		return pick(r, "LEFT", "RIGHT", "right")
	case "top":
		return pick(r, "MIN", "MAX")
	case "float":
		return pick(r, "1.5", "0.1", "-3", "1e10", "-2.25e3", "0.00001", "7")
	case "bits":
		return pick(r, "AND", "OR", "XOR", "NOT")
	case "bit":
		return pick(r, "0", "1")
	case "lex":
		return pick(r, "-", "+", "[a", "(a", "[b", "(c", "[1", "x")
	case "field", "val":
		return pick(r, "a", "b", "c", "d", "1", "2", "3", "-7", "44", "0", "e", "f")
	case "cond":
		return pick(r, "NX", "XX", "GT", "LT", "CH", "nx", "xx")
	}
	return a
}
