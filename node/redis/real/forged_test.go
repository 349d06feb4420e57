package real_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
)

// theirs is a key that no session may touch.
const theirs = "theirs"

// reportOf is what freeze would report of one key, if a script could say it.
func reportOf(name string) string {
	return fmt.Sprintf("*1\r\n*5\r\n$%d\r\n%s\r\n$6\r\nstring\r\n:-1\r\n$1\r\n1\r\n$0\r\n\r\n", len(name), name)
}

// forged are what a script may write after a line break in an error. Each looks like a
// part of the replies that follow its own, or like none.
var forged = map[string]string{
	"a bulk string":                     "$5\r\nhello",
	"a length beyond all memory":        "$9223372036854775807\r\n",
	"a length near the limit of an int": "$9223372036854775806\r\nx",
	"a negative length":                 "$-9223372036854775808\r\n",
	"a long array":                      "*2147483647\r\n",
	"an array of null":                  "*3\r\n$-1\r\n$-1\r\n$-1\r\n",
	"a number that is none":             ":99999999999999999999999\r\n",
	"deep arrays":                       strings.Repeat("*1\r\n", 20_000),
	"kinds of RESP3":                    "%1\r\n+a\r\n+b\r\n>1\r\n+c\r\n=15\r\ntxt:Some string\r\n",
	"nothing":                           "",
	"only line breaks":                  "\r\n\r\n\r\n",
	"a feed":                            "\n:1\n",
	"a lone return":                     "\r",
	"a report":                          "*3\r\n:0\r\n:0\r\n" + reportOf(theirs),
	"a report with a mark":              "*5\r\n$26\r\nABCDEFGHIJKLMNOPQRSTUVWXYZ\r\n:0\r\n:0\r\n" + reportOf(theirs),
	"a report and an end":               "*5\r\n$26\r\nABCDEFGHIJKLMNOPQRSTUVWXYZ\r\n:0\r\n:0\r\n" + reportOf(theirs) + "$34\r\nthe end ABCDEFGHIJKLMNOPQRSTUVWXYZ\r\n",
	"a whole transaction":               ":1\r\n+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n*2\r\n:0\r\n:0\r\n+OK\r\n*3\r\n:0\r\n:0\r\n" + reportOf(theirs),
	"another error":                     "-MOVED 1 127.0.0.1:1\r\n-LOADING\r\n",
}

// TestForgedReplies: whatever a script writes into its error, the answer is the one that
// Redis 7.0 gives, nothing that is not the session's is believed to be so, and the next
// step is as good as any.
func TestForgedReplies(t *testing.T) {
	for server, find := range binaries {
		url, owner := startForeign(t, find(t))
		if err := owner.Set(t.Context(), theirs, "1", 0).Err(); err != nil {
			t.Fatal(err)
		}
		for kind, s := range map[string]*real.Server{"private": startPrivate(t, find(t)), "shared": dial(t, url)} {
			for name, text := range forged {
				t.Run(server+", "+kind+", "+name, func(t *testing.T) {
					n, embedded := newNode(t, s, "s1"), redis.NewNode()
					if err := n.Subscribe(t.Context(), "jvm-1", "ch"); err != nil {
						t.Fatal(err)
					}
					for _, how := range []string{
						"redis.call('set', KEYS[1], 1) error({err = 'ERR a\\r\\n' .. ARGV[1]})",
						"error('a\\r\\n' .. ARGV[1])",
						"return {err = 'ERR a\\r\\n' .. ARGV[1]}",
						"return _G['a\\r\\n' .. ARGV[1]]",
					} {
						op := engine.Op{Script: &engine.Script{Source: how}, Keys: []string{"a"}, Args: []string{text}}
						want, err := embedded.Exec(t.Context(), op)
						if err != nil {
							t.Fatal(err)
						}
						if got := run(t, n, op); !got.Equal(want.Reply) {
							t.Errorf("%s\n got %.300s\nwant %.300s", how, got, want.Reply)
						}
						inside, _, err := redis.Look(t.Context(), n, op, engine.NodeView{}, 0)
						if !errors.Is(err, engine.ErrSlow) && (err != nil || !inside.Reply.Equal(want.Reply)) {
							t.Errorf("%s, looked at\n got %.300s, %v\nwant %.300s", how, inside.Reply, err, want.Reply)
						}
					}
					for _, k := range view(t, n).Keys {
						if k.Name != "a" {
							t.Errorf("the session holds %q", k.Name)
						}
					}
					if got := run(t, n, command("incr", "a")).Int; got != 2 {
						t.Errorf("the next step answers %d", got)
					}
					if err := n.Reset(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		if got := owner.Get(t.Context(), theirs).Val(); got != "1" {
			t.Errorf("%s: the key of others is %q", server, got)
		}
	}
}

// TestWordsOfServers: a script may answer with the words that servers use of
// themselves, and means its own by them.
func TestWordsOfServers(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		for _, s := range []*real.Server{startPrivate(t, binary), dial(t, conversations.StartServer(t, binary))} {
			n, embedded := newNode(t, s, "s1"), redis.NewNode()
			for _, word := range []string{
				"BUSY", "LOADING", "MOVED", "NOAUTH", "WRONGPASS", "DENIED", "READONLY", "MISCONF", "NOREPLICAS", "MASTERDOWN", "OOM", "NOPERM",
				"CROSSSLOT", "CLUSTERDOWN", "NOSCRIPT", "EXECABORT",
			} {
				for _, how := range []string{"return {err = '%s x'}", "return redis.error_reply('%s the lock is taken')", "error({err = '%s x'})"} {
					op := script(fmt.Sprintf(how, word))
					want, err := embedded.Exec(t.Context(), op)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := n.Exec(t.Context(), op); err != nil || !got.Reply.Equal(want.Reply) {
						t.Fatalf("%s\n got %s, %v\nwant %s", op.Script.Source, got.Reply, err, want.Reply)
					}
				}
			}
		}
	})
}

// TestScriptsThatChangeTheInterpreter: Valkey 8.0 lets a script change what all later
// ones find. On a private server that lasts until the session begins anew.
func TestScriptsThatChangeTheInterpreter(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		n := newNode(t, startPrivate(t, binary), "s1")
		for _, poison := range []string{
			"cjson.encode_max_depth(1)",
			"pcall(function() getmetatable('').__index = nil end)",
			"pcall(function() setfenv(0, {}) end)",
			"pcall(function() local call = redis.call setfenv(0, setmetatable({ipairs = function() return function() end end}, {__index = _G})) end)",
		} {
			if _, err := n.Exec(t.Context(), script(poison)); err != nil {
				t.Log(err) // what freeze finds may be unusable
			}
			if err := n.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := run(t, n, script("return cjson.encode({{1}}) .. ('x'):rep(2) .. redis.call('incr', KEYS[1])", "n")).String()
			if got != `"[[1]]xx1"` {
				t.Errorf("after %s and a reset a script answers %s", poison, got)
			}
		}
	})
}

// TestLookingSaysTheSame: a script that is looked into is told in the same words that it
// may not call a command, and its tables hold names as the lesson has them.
func TestLookingSaysTheSame(t *testing.T) {
	const names = "local t = {KEYS[1], '; ' .. KEYS[1] .. '\\\\'} redis.call('rpush', KEYS[1], t[2]) return redis.call('lrange', KEYS[1], 0, -1)"
	ops := []engine.Op{script(names, "a")}
	for _, words := range []string{"spop s", "blpop q 0", "select 0"} {
		op := script("local r = {redis.pcall(unpack(ARGV))} return redis.call(unpack(ARGV))")
		op.Args = strings.Fields(words)
		ops = append(ops, op)
	}
	for name, find := range binaries {
		for kind, s := range map[string]*real.Server{
			"private": startPrivate(t, find(t)), "shared": dial(t, conversations.StartServer(t, find(t))),
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				n, embedded := newNode(t, s, "s1"), redis.NewNode()
				for _, op := range ops {
					want, wantInside, err := redis.Look(t.Context(), embedded, op, engine.NodeView{}, 0)
					if err != nil {
						t.Fatal(err)
					}
					got, inside, err := redis.Look(t.Context(), n, op, engine.NodeView{}, 0)
					if err != nil || !got.Reply.Equal(want.Reply) || !reflect.DeepEqual(inside, wantInside) {
						t.Errorf("%s %v\n got %s, %v, %+v\nwant %s, %+v", op.Script.Source, op.Args, got.Reply, err, inside, want.Reply, wantInside)
					}
				}
			})
		}
	}
}
