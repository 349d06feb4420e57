package real_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/portable"
	"lockstep/node/redis/real"
)

// forbidden are commands that reach past a session, or past the server.
var forbidden = []string{
	"config get dir", "config set dir /tmp", "config rewrite", "save", "bgsave", "bgrewriteaof", "shutdown nosave",
	"replicaof 127.0.0.1 1", "slaveof 127.0.0.1 1", "migrate 127.0.0.1 1 k 0 10", "failover", "cluster meet 127.0.0.1 1",
	"debug sleep 1", "debug jmap", "module list", "module load /tmp/x.so", "function load x", "function list", "fcall f 0",
	"acl list", "acl setuser lesson +@all", "acl whoami", "auth default x", "hello 2",
	"client kill type normal", "client list", "client pause 1000", "client no-evict on", "client reply off", "reset", "quit",
	"monitor", "sync", "psync ? -1", "restore k 0 x", "swapdb 0 1", "select 1", "info", "lastsave", "role", "slowlog get",
	"latency reset", "memory doctor", "script kill", "script debug yes", "pfdebug encoding k", "pfadd k 1", "object freq",
	"subscribe others", "psubscribe *", "wait 1 0",
}

// TestForbiddenCommands: neither a program nor a script may send them, and it is
// told so in the trace.
func TestForbiddenCommands(t *testing.T) {
	for name, find := range binaries {
		for kind, s := range map[string]*real.Server{
			"private": startPrivate(t, find(t)), "shared": dial(t, conversations.StartServer(t, find(t))),
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				n := newNode(t, s, "s1")
				for _, line := range forbidden {
					words := strings.Fields(line)
					// Where a name is not written out, nothing can be told before it runs.
					inScript := engine.Op{
						Script: &engine.Script{Source: "return redis.call(unpack(ARGV))"}, Args: words,
					}
					for _, op := range []engine.Op{command(words...), inScript} {
						r, err := n.Exec(t.Context(), op)
						if err != nil || !r.Reply.IsError() {
							t.Errorf("%s: got %v, %v", line, r.Reply, err)
						}
					}
				}
				if got := run(t, n, command("incr", "a")).Int; got != 1 {
					t.Errorf("after all of them a step answers %d", got)
				}
			})
		}
	}
}

// TestNodesReachTheirOwnNamesOnly: a script makes up the names, so that nothing
// but the server can stop it.
func TestNodesReachTheirOwnNamesOnly(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		s := dial(t, url)
		if err := owner.MSet(t.Context(), "theirs", "1", "weight_a", "1").Err(); err != nil {
			t.Fatal(err)
		}
		listening := owner.Subscribe(t.Context(), "theirs")
		defer listening.Close()
		if _, err := listening.Receive(t.Context()); err != nil {
			t.Fatal(err)
		}
		other, n := newNode(t, s, "s2"), newNode(t, s, "s1")
		run(t, other, command("set", "mine", "1"))
		run(t, n, command("rpush", "list", "a", "b"))
		list, mine := onServer(t, owner, "s1:redis:list"), onServer(t, owner, "s2:redis:mine")
		before := owner.Keys(t.Context(), "*").Val()
		for _, line := range []string{
			"get theirs", "set theirs 2", "del theirs", "copy theirs %s", "copy %s theirs", "rename theirs %s", "dump theirs",
			"get %m", "set %mnew 1", "set new 1", "mset %s 1 new 1",
			"publish theirs x", "publish %mch x", "spublish theirs x",
			"keys *", "keys lockstep:*", "scan 0", "randomkey", "flushall", "flushdb", "swapdb 0 1",
			"move %s 1", "copy %s %s2 DB 1", "select 1", "sort %s by weight_*", "sort %s get weight_*",
			"pubsub channels", "object encoding theirs", "exists theirs", "type theirs", "eval return 0",
		} {
			words := strings.Fields(strings.NewReplacer("%s", list, "%m", mine).Replace(line))
			op := engine.Op{Script: &engine.Script{Source: "return redis.call(unpack(ARGV))"}, Args: words}
			r, err := n.Exec(t.Context(), op)
			if errors.Is(err, &real.Error{What: fact.Of("not-in-keys")}) {
				if err := n.Reset(t.Context()); err != nil {
					t.Fatal(err)
				}
				run(t, n, command("rpush", "list", "a", "b"))
			} else if err != nil || !r.Reply.IsError() {
				t.Errorf("%s: got %v, %v", line, r.Reply, err)
			}
		}
		after := owner.Keys(t.Context(), "*").Val()
		slices.Sort(before)
		slices.Sort(after)
		if !slices.Equal(before, after) || owner.Get(t.Context(), "theirs").Val() != "1" {
			t.Errorf("the server holds %q, held %q", after, before)
		}
		if err := owner.Publish(t.Context(), "theirs", "the end").Err(); err != nil {
			t.Fatal(err)
		}
		if m, err := listening.ReceiveMessage(t.Context()); err != nil || m.Payload != "the end" {
			t.Errorf("the owner hears %v, %v", m, err)
		}
		if got := run(t, n, command("keys", "l?st")).String(); got != `["list"]` {
			t.Errorf("KEYS in the session answers %s", got)
		}
	})
}

// TestAccountsComeAndGo: a user is there for as long as its node, its password is
// not shown, and a server that forgot it is told again.
func TestAccountsComeAndGo(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary, "--slowlog-log-slower-than", "0", "--slowlog-max-len", "10000")
		users := func() string { return named(fmt.Sprint(owner.Do(t.Context(), "acl", "users").Val())) }
		s := dial(t, strings.Replace(url, "/s", "/s?db=3", 1))
		one, two := newNode(t, s, "s1"), newNode(t, s, "s2")
		run(t, one, command("set", "a", "1"))
		run(t, two, command("set", "a", "2"))
		if got := users(); got != "[default lockstep:ID:s1:redis:lesson lockstep:ID:s2:redis:lesson]" {
			t.Errorf("the users are %s", got)
		}
		secrets := 0
		log, err := owner.SlowLogGet(t.Context(), -1).Result()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range log {
			text := strings.ToLower(strings.Join(line.Args, " "))
			_, said, found := strings.Cut(text, "auth ")
			if !found {
				_, said, found = strings.Cut(text, "acl setuser ")
			}
			if found {
				secrets++
			}
			if found && !strings.HasPrefix(said, "(redacted) (redacted)") {
				t.Errorf("the log shows %s", text)
			}
		}
		if secrets == 0 {
			t.Error("nothing says who it is")
		}
		if err := one.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if got := users(); got != "[default lockstep:ID:s2:redis:lesson]" {
			t.Errorf("after a session the users are %s", got)
		}
		all, err := owner.Do(t.Context(), "acl", "users").StringSlice()
		if err == nil {
			err = owner.Do(t.Context(), "acl", "deluser", all[len(all)-1]).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = two.Exec(t.Context(), command("get", "a"))
		// Its connection is closed by then, or about to be.
		if e, ok := errors.AsType[*real.Error](err); !ok || !e.NeedsReset {
			t.Errorf("a step of a user that is gone: %v", err)
		}
		if err := two.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		run(t, two, command("set", "a", "3"))
		if err := two.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if got := users(); got != "[default]" {
			t.Errorf("at the end the users are %s", got)
		}
		// What a node could not remove the playground does as it ends.
		three := s.Node("s3", "redis")
		run(t, three, command("set", "a", "1"))
		called, cancel := context.WithCancel(t.Context())
		cancel()
		if err := three.Close(called); err == nil {
			t.Error("a node that may take no time says that it has removed its user")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got := users(); got != "[default]" {
			t.Errorf("after the playground the users are %s", got)
		}
	})
}

// TestAccountsMayDoWhatLessonsDo asks the server for every command that the
// embedded Redis knows: on a server of its own a lesson may use all but those that are
// refused on every engine.
func TestAccountsMayDoWhatLessonsDo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	onEachServer(t, func(t *testing.T, binary string) {
		run(t, newNode(t, startPrivate(t, binary), "s1"), command("ping"))
		sockets, err := filepath.Glob(filepath.Join(os.TempDir(), "lockstep-server-*", "redis.sock"))
		if err != nil || len(sockets) != 1 {
			t.Fatalf("the sockets are %q, %v", sockets, err)
		}
		owner := redis.NewClient(&redis.Options{Network: "unix", Addr: sockets[0]})
		defer owner.Close()
		for _, c := range keyspace.CommandDocs() {
			if c.Is(keyspace.NoScript) || slices.Contains(portable.Denied(), c.Name()) {
				continue
			}
			args := []any{"acl", "dryrun", "lesson", c.Name(), "1", "1", "1", "1"}
			if got := owner.Do(t.Context(), args...).String(); strings.Contains(got, "no permissions") {
				t.Errorf("%s: %s", c.Name(), got)
			}
		}
	})
}

// TestWhereScriptsAreKeptApart: a user of one's own is not enough on a server whose
// interpreter anybody's script can change, as long as others use it too.
func TestWhereScriptsAreKeptApart(t *testing.T) {
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			if err := startPrivate(t, find(t)).Confined(); err != nil {
				t.Errorf("a private server: %v", err)
			}
			err := dial(t, conversations.StartServer(t, find(t))).Confined()
			if name == "valkey" {
				same(t, err, "shared-interpreter", false)
			} else if err != nil {
				t.Errorf("a shared server: %v", err)
			}
		})
	}
}

// TestWithoutAccounts: where the URL's user may make none, lessons run as it, and
// it is said that nothing holds edited ones back.
func TestWithoutAccounts(t *testing.T) {
	url := conversations.StartServer(t, conversations.RedisServer(t), "--user", "shy", "on", "nopass", "~*", "&*", "+@all", "-acl")
	s := dial(t, strings.Replace(url, "://", "://shy:x@", 1))
	same(t, s.Confined(), "no-account", false)
	n := newNode(t, s, "s1")
	if got := run(t, n, command("set", "a", "1")); !got.Equal(reply.OK) {
		t.Errorf("SET answers %v", got)
	}
	_, err := n.Exec(t.Context(), script("return redis.call('set', 'na' .. 'me', 'jack')"))
	same(t, err, "not-in-keys", true)
}
