package real_test

import (
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/redis"
)

// What is about the time of day means the virtual clock on each server, and a script's errors stand on its own lines.
func TestTheTimeOfDayIsVirtual(t *testing.T) {
	scripts := []string{
		"return redis.call('TIME')",
		"#!lua\nreturn redis.call('TIME')",
		"local call = redis.call\nlocal now = call('time')\nreturn now[1] * 1000 + now[2] / 1000",
		"return pcall(redis.call, 'time')",
		"redis.call('set', KEYS[1], ARGV[1]) return {redis.call('pexpireat', KEYS[1], 1700000030000), redis.call('pttl', KEYS[1]), #ARGV}",
		"redis.call('set', KEYS[1], ARGV[1]) return {redis.call('expireat', KEYS[1], '1700000030', 'NX'), redis.call('pttl', KEYS[1])}",
		"redis.call('set', KEYS[1], ARGV[1]) return {redis.call('EXPIREAT', KEYS[1], 1600000000), redis.call('exists', KEYS[1])}",
		"return {redis.call('set', KEYS[1], ARGV[1], 'NX', 'PXAT', 1700000030000), redis.call('pttl', KEYS[1])}",
		"return {redis.call('set', KEYS[1], ARGV[1], 'EXAT', 1600000000), redis.call('exists', KEYS[1])}",
		"local now = redis.call('time')\nreturn redis.call('incrby', KEYS[1], 'x')",
		"return redis.call('set', KEYS[1], ARGV[1], ARGV[2], 1700000030000)",
	}
	commands := [][]string{
		{"TIME"}, {"SET", "k", "v"}, {"PEXPIREAT", "k", "1700000040000"}, {"PTTL", "k"}, {"expireat", "k", "1700000040", "GT"}, {"EXPIREAT", "k", "1600000000"},
	}
	onEachServer(t, func(t *testing.T, binary string) {
		both := []engine.Node{redis.NewNode(), startPrivate(t, binary).Node("clock", "n")}
		for _, n := range both {
			if err := n.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		same := func(what string, op engine.Op) {
			var said [2]string
			for i, n := range both {
				res, err := n.Exec(t.Context(), op)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				said[i] = res.Reply.String()
			}
			if said[0] != said[1] {
				t.Errorf("%s: %s, and %s", what, said[0], said[1])
			}
		}
		for at := range 3 {
			for _, n := range both {
				if _, err := n.AdvanceTo(t.Context(), engine.Instant(at)*1500*time.Millisecond); err != nil {
					t.Fatal(err)
				}
			}
			for _, source := range scripts {
				same(source, engine.Op{Script: &engine.Script{Name: "s", Source: source}, Keys: []string{"lock"}, Args: []string{"A", "pxat"}})
				same("DEL", engine.Op{Args: []string{"DEL", "lock"}})
				same("EVAL "+source, engine.Op{Args: []string{"EVAL", source, "1", "lock", "A", "pxat"}})
				same("DEL", engine.Op{Args: []string{"DEL", "lock"}})
			}
			for _, args := range commands {
				same(args[0], engine.Op{Args: args})
			}
		}
	})
}
