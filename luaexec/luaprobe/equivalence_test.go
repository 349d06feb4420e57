package luaprobe_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/luaexec/luaprobe"
	"lockstep/node/sample"
)

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// writes has a few commands, so that every script of the corpus that writes is
// also one that is looked at.
var writes = map[string]luaprobe.Keys{
	"set": {1, 1, 1}, "del": {1, -1, 1}, "hset": {1, 1, 1}, "hincrby": {1, 1, 1}, "incr": {1, 1, 1}, "rpush": {1, 1, 1},
	"zadd": {1, 1, 1}, "sadd": {1, 1, 1}, "mset": {1, -1, 2}, "pexpire": {1, 1, 1}, "expire": {1, 1, 1}, "lpop": {1, 1, 1},
}

// run runs a script plain and with probes, from the same state, and says what
// came of it.
func run(t *testing.T, s server, before func(), probe *luaprobe.Probe, keys, args []string) (plain, probed string, report luaprobe.Report) {
	t.Helper()
	before()
	plain = show(eval(s, probe.Source, keys, args)) + "\n" + state(s)
	before()
	answer := eval(s, probe.Text, keys, args)
	report, err := probe.Decode(answer)
	if err != nil {
		t.Fatalf("%s\n%v\n%s", probe.Source, err, show(answer))
	}
	return plain, show(report.Reply) + "\n" + state(s), report
}

// collectedInSample is how many of the scripts that were collected each change rewrites.
const collectedInSample = 150

// TestProbedAndPlainAgree is the promise of the package, over scripts that were
// collected, written for it and made up.
func TestProbedAndPlainAgree(t *testing.T) {
	scripts := append(sample.Sample(t, collected(t), collectedInSample), handwritten(t)...)
	for _, seed := range sample.ProbedScripts.Seeds(t) {
		scripts = append(scripts, generate(seed))
	}
	for name, s := range servers(t) {
		t.Run(name, func(t *testing.T) {
			probed, spent := 0, 0
			for _, script := range scripts {
				if without(name, script) || differs(name, script) != "" {
					continue
				}
				probe, err := luaprobe.Rewrite(script, writes)
				if err != nil {
					if r := eval(s, script, []string{"k1", "k2"}, []string{"a1", "20000"}); r.Kind != reply.Error && name != "embedded" {
						t.Errorf("%s\nis not probed, but runs: %v", script, err)
					}
					continue
				}
				clean := func() {
					s.do("EVAL", "math.randomseed(1)", "0")
					s.do("FLUSHALL")
					s.do("SET", "str", "text")
					s.do("RPUSH", "list", "a", "b")
				}
				want, got, _ := run(t, s, clean, probe, []string{"k1", "k2"}, []string{"a1", "20000"})
				if name == "embedded" && strings.Contains(got, "used up its budget") {
					spent++ // which counts the probes' instructions too
					continue
				}
				if strings.Contains(want, "C stack overflow") && strings.Contains(got, "C stack overflow") {
					continue // one level sooner, since the probe is one more call
				}
				if got != want {
					t.Errorf("%s\n probed %s\n plain  %s", script, got, want)
				}
				probed++
			}
			if spent > 8 {
				t.Errorf("%d scripts used up their budget", spent)
			}
			if probed < len(scripts)*3/4 {
				t.Errorf("only %d of %d scripts were probed", probed, len(scripts))
			}
		})
	}
}

// without tells which scripts say nothing on a server, because their plain reply
// is not the same twice.
func without(server, script string) bool {
	for _, part := range []string{"'TIME'", "'time'"} {
		if strings.Contains(script, part) {
			return true
		}
	}
	if server == "embedded" {
		return false
	}
	for _, part := range []string{"tostring({", "tostring(f", "tostring(print", "error({})", "error(setmet"} {
		if strings.Contains(script, part) {
			return true
		}
	}
	return false
}

// differences are the scripts that a server answers in another way with probes,
// by a part of their text. No server means all of them.
var differences = []struct{ server, part, why string }{
	{"", "n = n + 1 local ok, e = pcall(f)", "a C stack that is full after 198 levels is full after 197"},
	{"", "coroutine.wrap(redis.call)", "Lua refuses to make a coroutine of the real redis.call, which is C"},
	{"valkey", "two\\r\\nlines", "Valkey 8.0 sends the line break as it is, and the protocol is out of step"},
	{"embedded", "return redis.\n", "gopher-lua takes a call to be on the line where its function's name begins"},
	{"embedded", "error('deep', 2)", "gopher-lua takes the outermost function for one that a tail call has replaced"},
	{"embedded", "if false then\n        local count", "gopher-lua compiles `if false` with a function in it wrongly, and the plain script fails"},
}

func differs(server, script string) (why string) {
	for _, d := range differences {
		if (d.server == "" || d.server == server) && strings.Contains(script, d.part) {
			return d.why
		}
	}
	return ""
}

// collected are the scripts of the engine's own corpus and of the lessons.
func collected(t testing.TB) []string {
	t.Helper()
	var scripts []string
	for line := range strings.SplitSeq(readFile(t, "../testdata/scripts.txt"), "\n") {
		if line == "" || strings.HasPrefix(line, "-- ") {
			continue
		}
		if strings.HasPrefix(line, `"`) {
			unquoted, err := strconv.Unquote(line)
			if err != nil {
				t.Fatal(err)
			}
			line = unquoted
		}
		scripts = append(scripts, line)
	}
	files, err := filepath.Glob("../../lessons/*/*.lua")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d scripts of lessons: %v", len(files), err)
	}
	shared, err := filepath.Glob("../../lessons/clients/*/*.lua")
	if err != nil || len(shared) < 10 {
		t.Fatalf("found %d scripts that lessons share: %v", len(shared), err)
	}
	for _, file := range append(files, shared...) {
		scripts = append(scripts, readFile(t, file))
	}
	return scripts
}

// handwritten are scripts that a probe might break, parted by lines of dashes.
func handwritten(t testing.TB) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(readFile(t, "testdata/scripts.lua"), "\n"), "\n----\n")
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
