package luaexec_test

import (
	"strings"
	"testing"
)

// TestScriptCommandsAsRedis runs sequences of commands about scripts on both sides.
func TestScriptCommandsAsRedis(t *testing.T) {
	const get, set, loud = "return redis.call('get', KEYS[1])", "return redis.call('set', KEYS[1], 'v')", "#!lua\nreturn 1"
	sequences := map[string][][]string{
		"read-only": {
			{"EVAL_RO", get, "1", "k"},
			{"EVAL_RO", set, "1", "k"},
			{"EVAL_RO", "return redis.pcall('set', KEYS[1], 'v')", "1", "k"},
			{"EVAL_RO", "return redis.call('publish', 'c', 'm')", "0"},
			{"EVAL_RO", "return redis.call('pubsub', 'numpat')", "0"},
			{"EVAL_RO", "redis.pcall('set', KEYS[1], 'v') return redis.call('exists', KEYS[1])", "1", "k"},
			{"EVALSHA_RO", sha1Of(get), "1", "k"},
			{"evalsha_ro", sha1Of(set), "1", "k"},
			{"EVALSHA", sha1Of(set), "1", "k"},
			{"EVALSHA_RO", sha1Of("nothing"), "0"},
			{"EVALSHA_RO", "x", "0"},
			{"EVAL_RO"},
			{"EVAL_RO", get},
			{"EVALSHA_RO", sha1Of(get)},
			{"EVAL_RO", get, "2", "k"},
			{"EVAL_RO", get, "-1", "k"},
			{"EVAL_RO", loud, "0"},
			{"EVAL", loud, "0"},
			{"EVALSHA_RO", sha1Of(loud), "0"},
			{"EVAL_RO", "#!lua flags=no-writes\nreturn 2", "0"},
			{"EVAL_RO", "#!lua flags=allow-oom\nreturn 2", "0"},
			{"EVAL_RO", "#!lua flags=nope\nreturn 2", "0"},
		},
		"a first line that is wrong loads nothing": {
			{"SCRIPT", "LOAD", "#!lua nope\nreturn 1"},
			{"SCRIPT", "EXISTS", sha1Of("#!lua nope\nreturn 1")},
			{"SCRIPT", "LOAD", "#!lua\nreturn 1"},
			{"EVALSHA", sha1Of("#!lua\nreturn 1"), "0"},
			{"SCRIPT", "LOAD", "\nreturn 1"},
			{"SCRIPT", "EXISTS", sha1Of("\nreturn 1"), sha1Of("return 1")},
		},
		"SCRIPT": {
			{"script", "help", "x"},
			{"SCRIPT", "KILL"},
			{"SCRIPT", "DEBUG"},
			{"SCRIPT", "DEBUG", "maybe"},
			{"SCRIPT", "DEBUG", "no"},
			{"SCRIPT", "no such\r\nthing"},
			{"SCRIPT", strings.Repeat("x", 200)},
		},
	}
	for name, sequence := range sequences {
		t.Run(name, func(t *testing.T) {
			socket := startRedis(t)
			redis, node := dialRedis(t, socket), newNode()
			for _, args := range sequence {
				if got, want := execute(t, node, args...), redis.do(args...); !got.Equal(want) {
					t.Errorf("%q\n got  %v\n want %v", args, got, want)
				}
			}
		})
	}
}
