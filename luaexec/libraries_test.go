package luaexec

import (
	"strings"
	"testing"
)

// librariesOnPurpose are the scripts of testdata/libraries.txt that the node
// answers in another way than Redis 7.0, each with its reason.
var librariesOnPurpose = map[string]string{
	`return #cmsgpack.unpack('\147\1\192\3')`: border,
}

// TestLibrariesAsRedis sends every script of testdata/libraries.txt to the node
// and to a real server and compares the replies byte for byte. What cjson is told
// outlives a script on both sides, until SCRIPT FLUSH.
func TestLibrariesAsRedis(t *testing.T) {
	_, socket := startRedis(t)
	real := dialRedis(t, socket)
	seen := map[string]bool{}
	for _, script := range scriptsOf(t, "testdata/libraries.txt") {
		if seen[script] {
			t.Errorf("testdata/libraries.txt has %q twice", script)
		}
		seen[script] = true
		real.do("FLUSHALL")
		real.do("SCRIPT", "FLUSH")
		args := []string{"EVAL", script, "2", "k1", "k2", "a1", "20"}
		want, got := real.do(args...), execute(t, NewNode(), args...)
		reason, differs := librariesOnPurpose[script]
		switch {
		case differs && got.Equal(want):
			t.Errorf("%s\n now answers as Redis does: take it out of librariesOnPurpose (%s)", script, reason)
		case !differs && !got.Equal(want):
			t.Errorf("%s\n got  %.300v\n want %.300v", script, got, want)
		}
	}
	for script := range librariesOnPurpose {
		if !seen[script] {
			t.Errorf("librariesOnPurpose has %q, which testdata/libraries.txt does not", script)
		}
	}
}

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
			{"EVALSHA_RO", sha1hex(get), "1", "k"},
			{"evalsha_ro", sha1hex(set), "1", "k"},
			{"EVALSHA", sha1hex(set), "1", "k"},
			{"EVALSHA_RO", sha1hex("nothing"), "0"},
			{"EVALSHA_RO", "x", "0"},
			{"EVAL_RO"},
			{"EVAL_RO", get},
			{"EVALSHA_RO", sha1hex(get)},
			{"EVAL_RO", get, "2", "k"},
			{"EVAL_RO", get, "-1", "k"},
			{"EVAL_RO", loud, "0"},
			{"EVAL", loud, "0"},
			{"EVALSHA_RO", sha1hex(loud), "0"},
			{"EVAL_RO", "#!lua flags=no-writes\nreturn 2", "0"},
			{"EVAL_RO", "#!lua flags=allow-oom\nreturn 2", "0"},
			{"EVAL_RO", "#!lua flags=nope\nreturn 2", "0"},
		},
		"a first line that is wrong loads nothing": {
			{"SCRIPT", "LOAD", "#!lua nope\nreturn 1"},
			{"SCRIPT", "EXISTS", sha1hex("#!lua nope\nreturn 1")},
			{"SCRIPT", "LOAD", "#!lua\nreturn 1"},
			{"EVALSHA", sha1hex("#!lua\nreturn 1"), "0"},
			{"SCRIPT", "LOAD", "\nreturn 1"},
			{"SCRIPT", "EXISTS", sha1hex("\nreturn 1"), sha1hex("return 1")},
		},
		"SCRIPT": {
			{"SCRIPT", "HELP"},
			{"script", "help", "x"},
			{"SCRIPT", "KILL"},
			{"SCRIPT", "DEBUG"},
			{"SCRIPT", "DEBUG", "maybe"},
			{"SCRIPT", "DEBUG", "no"},
			{"SCRIPT", "no such\r\nthing"},
			{"SCRIPT", strings.Repeat("x", 200)},
		},
		"cjson is told something for more than one script": {
			{"EVAL", "return cjson.encode_max_depth(2)", "0"},
			{"EVAL", "cjson.encode_invalid_numbers('null') cjson.encode_number_precision(3)", "0"},
			{"EVAL", "return {cjson.encode_max_depth(), cjson.encode({1/0, 1/3})}", "0"},
			{"EVAL", "return cjson.encode({{{}}})", "0"},
			{"SCRIPT", "FLUSH"},
			{"EVAL", "return {cjson.encode_max_depth(), cjson.encode({1/3})}", "0"},
		},
	}
	for name, sequence := range sequences {
		t.Run(name, func(t *testing.T) {
			_, socket := startRedis(t)
			real, node := dialRedis(t, socket), NewNode()
			for _, args := range sequence {
				if got, want := execute(t, node, args...), real.do(args...); !got.Equal(want) {
					t.Errorf("%q\n got  %v\n want %v", args, got, want)
				}
			}
		})
	}
}
