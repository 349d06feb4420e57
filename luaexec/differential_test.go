package luaexec_test

import (
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/node/redis"
)

func execute(t *testing.T, n *redis.Node, args ...string) reply.Reply {
	t.Helper()
	return n.Do(args)
}

// TestCommandsAsRedis runs sequences of plain commands, EVALSHA and SCRIPT among
// them, on both sides.
func TestCommandsAsRedis(t *testing.T) {
	const one, two = "return 1", "return {KEYS, ARGV}"
	sequences := map[string][][]string{
		"evalsha before and after load": {
			{"EVALSHA", sha1Of(one), "0"},
			{"SCRIPT", "EXISTS", sha1Of(one), sha1Of(two)},
			{"SCRIPT", "LOAD", one},
			{"EVALSHA", sha1Of(one), "0"},
			{"evalsha", strings.ToUpper(sha1Of(one)), "0"},
			{"SCRIPT", "EXISTS", sha1Of(one), strings.ToUpper(sha1Of(one)), "x"},
			{"SCRIPT", "FLUSH"},
			{"EVALSHA", sha1Of(one), "0"},
			{"SCRIPT", "FLUSH", "ASYNC"},
			{"script", "flush", "sync"},
			{"SCRIPT", "FLUSH", "now"},
		},
		"eval loads too": {
			{"EVAL", two, "1", "k", "a"},
			{"EVALSHA", sha1Of(two), "2", "k", "l", "a"},
			{"EVALSHA", sha1Of(two), "0"},
		},
		"a script that fails is loaded": {
			{"EVAL", "error('boom')", "0"},
			{"EVALSHA", sha1Of("error('boom')"), "0"},
		},
		"a script that does not compile is not": {
			{"SCRIPT", "EXISTS", sha1Of("return (")},
			{"EVALSHA", sha1Of("return ("), "0"},
		},
		"numbers of keys": {
			{"EVAL", one, "x"},
			{"EVAL", one, ""},
			{"EVAL", one, "1.5", "a"},
			{"EVAL", one, "-1"},
			{"EVAL", one, "+1", "a"},
			{"EVAL", one, "01", "a"},
			{"EVAL", one, "2", "a"},
			{"EVAL", one, "99999999999999999999"},
			{"EVALSHA", "abc", "x"},
			{"EVALSHA", sha1Of("nothing"), "x"},
			{"EVALSHA", sha1Of("nothing"), "3"},
		},
		"arity": {
			{"EVAL"},
			{"EVAL", one},
			{"EVALSHA", sha1Of(one)},
			{"SCRIPT"},
			{"SCRIPT", "LOAD"},
			{"SCRIPT", "LOAD", one, two},
			{"SCRIPT", "EXISTS"},
			{"SCRIPT", "FLUSH", "SYNC", "x"},
			{"SCRIPT", "KILL"},
			{"SCRIPT", "KILL", "x"},
			{"SCRIPT", "nosuch"},
			{"NOSUCH", "a", "b"},
		},
		"writes before an error stay": {
			{"EVAL", "redis.call('set', KEYS[1], 'x') error('boom')", "1", "k"},
			{"GET", "k"},
		},
		"nothing is left by a script": {
			{"EVAL", "KEYS[1] = 'changed' KEYS[2] = 'more' table.insert(ARGV, 'x') KEYS.x = 1 return KEYS", "1", "k"},
			{"EVAL", two, "1", "k"},
			{"EVAL", "return {KEYS.x == nil, #KEYS, #ARGV}", "0"},
			{"EVAL", "setmetatable(KEYS, {__index = function() return 'z' end}) return KEYS[5]", "0"},
			{"EVAL", "return {KEYS[5] == nil}", "0"},
			{"EVAL", "return {KEYS, ARGV, #KEYS, #ARGV}", "3", "a", "b", "c", "d"},
			{"EVAL", "return {KEYS, ARGV, #KEYS, #ARGV}", "1", "a", "d", "e"},
			{"EVAL", "return pcall(function() string.x = 1 end)", "0"},
			{"EVAL", "return string.x", "0"},
			{"EVAL", "getmetatable('').__index = nil", "0"},
			{"EVAL", "return ('x'):rep(3)", "0"},
		},
		"random numbers go on from script to script": {
			{"EVAL", "return tostring(math.random())", "0"},
			{"EVAL", "return {math.random(10), math.random(-5, 5), tostring(math.random())}", "0"},
			{"EVAL", "math.randomseed(1) return math.random(1000000)", "0"},
			{"EVAL", "return math.random(1000000)", "0"},
			{"EVAL", "math.randomseed(-7) return {math.random(1000000), math.random(2), tostring(math.random())}", "0"},
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

// corpus reads testdata/scripts.txt.
func corpus(t testing.TB) []string {
	t.Helper()
	return scriptsOf(t, "testdata/scripts.txt")
}

// scriptsOf reads a file of scripts, one a line.
func scriptsOf(t testing.TB, path string) []string {
	t.Helper()
	var scripts []string
	for line := range strings.SplitSeq(readFile(t, path), "\n") {
		if line == "" || strings.HasPrefix(line, "-- ") {
			continue
		}
		if strings.HasPrefix(line, `"`) {
			unquoted, err := strconv.Unquote(line)
			if err != nil {
				t.Fatalf("%s: %s: %v", path, line, err)
			}
			line = unquoted
		}
		scripts = append(scripts, line)
	}
	return scripts
}
