package decode_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// toReach is the end of the good lesson's challenge, and toRepair that of another one.
const (
	toReach = `goal: {reach: 'get("stock") == 0'}
  hint: {en: "Wait.", zh: "等一等。"}
  solution: [run A, tick 30s, crash jvm-1]`
	toRepair = `goal: {repair: stock}
  hint: {en: "Wait.", zh: "等一等。"}
`
)

// broken makes one mistake in the good lesson. What is said about it stands in
// testdata/broken/<name>.txt.
//
// {"name", "what stands in the good lesson", "what stands there instead"}
var broken = []struct{ name, old, new string }{
	{"unknown-key", "summary:", "summry:"},
	{"unknown-key-far-off", "sources:", "wikipedia:"},
	{"duplicate-key", "level: basic", "level: basic\nlevel: advanced"},
	{"equal-actors-with-one-name", "  B:\n", "  [B, C, B]:\n"},
	{"equal-actors-with-a-mistake", "  B:\n    program: lock(\"anyLock\")", "  [B, C]:\n    program: lock(\"anyLock\"\n    speed: 5"},
	{"equal-actors-with-too-few-processes", "  B:\n", "  [B, C]:\n    process: [jvm-2]\n"},
	{"equal-actors-with-a-bad-name", "  B:\n", "  [B, 1C]:\n"},
	{"duplicate-actor", "  B:\n    program: lock(\"anyLock\")", "  A:\n    program: lock(\"anyLock\")"},
	{"missing-both-languages", `{en: "A good lesson", zh: "好的一课"}`, "{}"},
	{"empty-language", `zh: "样样都有。"`, `zh: ""`},
	{"caret-under-chinese", `zh: "好的一课"}`, `zh: "好的一课", fr: x}`},
	{"text-is-a-list", `{en: "A good lesson", zh: "好的一课"}`, "[A good lesson]"},
	{"missing-title", `title: {en: "A good lesson", zh: "好的一课"}`, ""},
	{"unknown-chapter", "chapter: simple", "chapter: simpel"},
	{"unknown-level", "level: basic", "level: hard"},
	{"cause-is-text", "level: basic", "level: basic\ncause: somebody slept"},
	{"affected-by-nothing", "level: basic", "level: basic\naffected: []"},
	{"affected-is-empty", "level: basic", "level: basic\naffected: \"\""},
	{"affected-as-a-mapping", "level: basic", "level: basic\naffected: [{from: 3.2.0}]"},
	{"cured-on-no-day", "level: basic", "level: basic\ncured: [3.2.4, {en: open today, zh: 今天还没修}]"},
	{"needs-itself", "level: basic", "level: basic\nneeds: [good-lesson]"},
	{"needs-a-folder", "level: basic", "level: basic\nneeds: [006-set-nx]"},
	{"formerly-twice", "level: basic", "level: basic\nformerly: [fine-lesson, fine-lesson]"},
	{"versions-as-a-mapping", "level: basic", "level: basic\nversions: {from: 3.2.0}"},
	{"two-nodes-of-one-name", "[n1, n2]", "[n1, n1]"},
	{"bad-node-name", "[n1, n2]", `["n 1"]`},
	{"bad-resolution", "resolution: 500ms", "resolution: half a second"},
	{"given-of-no-value", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: {ttl: 5s}}"},
	{"given-of-no-items", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: {value: []}}"},
	{"given-with-a-list-as-a-key", "resolution: 500ms", "resolution: 500ms\ngiven:\n  [stock]: {value: 5}"},
	{"given-as-a-list", "resolution: 500ms", "resolution: 500ms\ngiven: [stock]"},
	{"given-that-is-gone", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: {value: 1, ttl: 0s}}"},
	{"given-of-type-none", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: {type: none}}"},
	{"given-off-the-clock", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: {value: 1, ttl: 700ms}}"},
	{"given-to-an-unknown-node", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: {node: n3, value: 1}}"},
	{"given-twice-to-a-server", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: [{node: n2, value: 1}, {node: n2, value: 2}]}"},
	{"given-to-a-replica", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {replica-of: n1}}\ngiven: {stock: {node: n2, value: 1}}"},
	{"given-to-who-does-not-have-the-slot", "nodes: [n1, n2]", "cluster: {n1: 0-8191, n2: 8192-16383}\ngiven: {foo: {node: n1, value: 1}}"},
	{"goal-excludes-what-is-no-fault", `get("stock") == 0'`, `get("stock") == 0', without: [crash jvm-2]`},
	{"goal-with-an-unknown-actor", `get("stock") == 0'`, `get("stock") == 0', with: [run C]`},
	{"solution-that-the-goal-excludes", `get("stock") == 0'`, `get("stock") == 0', without: [crash]`},
	{"challenge-and-challenges", "challenge:\n", "challenges: []\nchallenge:\n"},
	{"challenges-as-a-mapping", "challenge:\n", "challenges:\n"},
	{"challenges-with-an-unknown-key", "challenge:\n  say:", "challenges:\n- sey:"},
	{"gone-from-an-unknown-node", "gone: [other]", "gone: [{node: n3, key: other}]"},
	{"gone-without-a-node", "gone: [other]", "gone: [{key: other}]"},
	{"failed-of-an-unknown-actor", "gone: [other]", "failed: {C: lost}"},
	{"failed-with-nothing", "gone: [other]", "failed: {A: \"\"}"},
	{"says-of-an-unknown-actor", "gone: [other]", "says: {C: hello}"},
	{"says-as-text", "gone: [other]", "says: hello"},
	{"status-asked-of-an-unknown-actor", "{hget: [anyLock, A]}", "{status: C}"},
	{"status-asked-on-a-node", "{hget: [anyLock, A]}", "{status: A, node: n1}"},
	{"accept-as-text", "answer: {hget: [anyLock, A]}", "answer: {hget: [anyLock, A]}\n      accept: one"},
	{"rule-that-says-nothing", `lua: "(stock or 0) >= 0"}`, `lua: "(stock or 0) >= 0", say: {}}`},
	{"unknown-client", "client: plain", "client: plane"},
	{"client-is-not-lua", "client: plain", "client: other"},
	{"missing-script-file", "file: lock.lua", "file: look.lua"},
	{"script-outside", "file: lock.lua", "file: ../../secret.lua"},
	{"script-without-source", "{file: lock.lua, keys: [{en: key, zh: 键}], args: [owner]}", "{keys: [key]}"},
	{"script-is-not-lua", `{source: "return redis.call('get', KEYS[1])\n"}`, "\n    source: |\n      local a = 1\n      return a +* 2"},
	{"script-that-servers-run-each-in-its-own-way", `{source: "return redis.call('get', KEYS[1])\n"}`, "\n    source: |\n      local a = 1\n      return redis.call('spop', KEYS[1])"},
	{"program-that-would-wait", `work("2s")`, `redis.call("XREAD", "BLOCK", 0, "STREAMS", "queue", "$")`},
	{"program-is-not-lua", `work("2s")`, `if x then work("2s")`},
	{"program-folds-itself", "    program: lock(\"anyLock\")", "    program:\n      -- a comment\n      lock(\"anyLock\")"},
	{"script-of-two-sources", "{file: lock.lua, ", "{file: lock.lua, source: return 1, "},
	{"script-is-empty", "file: lock.lua", "file: empty.lua"},
	{"error-is-empty", "reply: 1", "error: \"\""},
	{"two-languages-that-are-none", `{en: "A good lesson", zh: "好的一课"}`, `{english: "A good lesson", zh: "好的一课"}`},
	{"program-in-quotes-with-line-breaks", "    program: lock(\"anyLock\")", "    program: \"lock('anyLock')\\nwork('1s'\""},
	{"program-in-quotes-over-two-lines", "    program: lock(\"anyLock\")", "    program: \"lock('anyLock')\\n\\\n      work('1s'\""},
	{"program-in-quotes-that-folds-itself", "    program: lock(\"anyLock\")", "    program: \"lock('anyLock')\n      work('1s')\""},
	{"program-is-folded", "program: |", "program: >"},
	{"actor-without-program", "    program: lock(\"anyLock\")", "    process: jvm-2"},
	{"bad-actor-name", "  B:\n", "  B 2:\n"},
	{"unknown-invariant", "- mutual-exclusion", "- mutual-exclution"},
	{"rule-is-not-lua", "(stock or 0) >= 0", "stock =>= 0"},
	{"unknown-process-in-faults", "pause B]", "pause jvm-2]"},
	{"resume-alone-in-faults", "pause B]", "resume B]"},
	{"actor-for-a-process", "crash: jvm-1", "crash: A"},
	{"fault-not-allowed", "crash: jvm-1", "crash: B"},
	{"unknown-actor", "    run: A\n", "    run: C\n"},
	{"two-moves", "    run: A\n", "    run: A\n    tick: 10s\n"},
	{"no-such-move", `"resume B"]`, `"stop B"]`},
	{"move-without-target", `"resume B"]`, `"resume"]`},
	{"move-that-is-empty", "tick: 10s", `tick: ""`},
	{"tick-without-unit", "tick: 10s", "tick: 10"},
	{"tick-off-the-clock", "tick: 10s", "tick: 1200ms"},
	{"tick-off-the-clock-in-do", `"resume B"]`, `"tick 700ms"]`},
	{"ttl-is-no-duration", "ttl: 30s", "ttl: forever"},
	{"reply-without-quotes", "reply: 1", "reply: jack rose"},
	{"reply-after-a-tick", "tick: 10s", "tick: 10s\n    expect: {reply: 1}"},
	{"reply-and-error", "reply: 1", "reply: 1\n      error: ERR"},
	{"hash-as-a-list", "value: {A: 1, \"b c\": \"\"}", "value: [A, 1]"},
	{"hash-as-a-list-of-lists", "value: {A: 1, \"b c\": \"\"}", "value: [[A, 1]]"},
	{"empty-value", "value: [B, A]", "value: []"},
	{"score-is-no-number", "B: 5000.0", "B: soon"},
	{"unknown-type", "type: zset", "type: sorted"},
	{"unknown-status", "{B: waiting}", "{B: wating}"},
	{"unknown-actor-in-holds", "{anyLock: [A]}", "{anyLock: [D]}"},
	{"unknown-broken", "broken: [stock]", "broken: [stok]"},
	{"unknown-query", "{hget: [anyLock, A]}", "{hgett: [anyLock, A]}"},
	{"query-lacks-an-item", "{hget: [anyLock, A]}", "{hget: anyLock}"},
	{"html-in-prose", "Read `GET a`", "Read <b>this</b>"},
	{"script-link-in-prose", "https://redis.io/docs", "javascript:alert(1)"},
	{"picture-in-prose", "[the docs]", "![the docs]"},
	{"tab-indent", "    run: A\n", "\trun: A\n"},
	{"tabs-indent", "  A:\n    process: jvm-1\n", "\tA:\n\t\tprocess: jvm-1\n"},
	{"tab-in-a-program", "      work(\"2s\")", "\twork(\"2s\")"},
	{"indent-of-a-key", "    process: jvm-1", "   process: jvm-1"},
	{"indent-of-a-beat", "    run: A\n", "   run: A\n"},
	{"indent-of-lua", "      work(\"2s\")", "    work(\"2s\")"},
	{"full-width-colon", "level: basic", "level：basic"},
	{"unclosed-brace", `zh: "好的一课"}`, `zh: "好的一课"`},
	{"unclosed-quote", "[\"000 somewhere\"]", "[\"000 somewhere]"},
	{"quote-that-ends-early", `en: "A runs."`, "en: \"A `runs`."},
	{"comma-without-quotes", `en: "A runs."`, "en: First, A runs"},
	{"two-commas", "{A: 1, \"b c\": \"\"}", "{A: 1,, \"b c\": \"\"}"},
	{"two-commas-in-a-list", "[run A, tick 30s,", "[run A, , tick 30s,"},
	{"one-language-twice", `zh: "好的一课"}`, `en: "好的一课"}`},
	{"question-without-a-move", "    run: A\n    expect:\n      reply: 1\n", "    expect:\n"},
	{"too-many-moves", `["pause B", "resume B"]`, "[" + strings.Repeat("tick 1s, ", 2100) + "]"},
	{"lua-not-equal", `work("2s")`, `if me != "A" then work("2s") end`},
	{"lua-plus-equal", `work("2s")`, `local n = 1 n += 1`},
	{"lua-braces", `work("2s")`, `if me == "A" { work("2s") }`},
	{"lua-while-without-end", `work("2s")`, "while true do\n        work(\"2s\")"},
	{"dash-forgotten", "  - tick: 10s\n  - tick:\n", "  - tick: 10s\n    expect: {gone: [other]}\n    tick:\n    expect: {gone: [other]}\n"},
	{"unclosed-bracket", "nodes: [n1, n2]", "nodes: [n1, n2"},
	{"colon-in-text", `en: "Read`, "en: Note: \"Read"},
	{"anchor", "nodes: [n1, n2]", "nodes: &n [n1, n2]"},
	{"alias", "nodes: [n1, n2]", "nodes: *n"},
	{"tag", "nodes: [n1, n2]", "nodes: !!set [n1, n2]"},
	{"second-document", "story:\n", "---\nstory:\n"},
	{"no-beats", "  - crash: jvm-1", "  - {}"},
	{"unknown-key-in-a-beat", "  - say: {en: \"A runs.\"", "  - says: {en: \"A runs.\""},
	{"unknown-key-alone-in-a-beat", "  - crash: jvm-1", "  - wait: 10s"},
	{"unknown-key-in-expect", "      gone: [other]", "      gon: [other]"},
	{"unknown-key-of-a-key", "ttl: 30s}", "tll: 30s}"},
	{"unknown-key-of-an-actor", "process: jvm-1", "prozess: jvm-1"},
	{"unknown-key-of-a-script", "args: [owner]", "argv: [owner]"},
	{"unknown-key-of-a-rule", "lua: \"(stock", "luu: \"(stock"},
	{"unknown-key-of-a-question", "      question:", "      qestion:"},
	{"unknown-node", "{node: n2,", "{node: n3,"},
	{"one-server-twice", "{node: n2,", "[{node: n1}, {type: hash}, {node: n2, type: list}] #"},
	{"no-look-at-a-key", "{node: n2,", "[] #"},
	{"answer-of-an-unknown-node", "{hget: [anyLock, A]}", "{hget: [anyLock, A], node: n3}"},
	{"answer-that-has-no-node", "{hget: [anyLock, A]}", "{holder: anyLock, node: n2}"},
	{"unknown-fault", "pause B]", "pouse B]"},
	{"faults-as-text", "faults: [crash jvm-1, pause B]", "faults: pause B"},
	{"faults-as-a-mapping", "faults: [crash jvm-1, pause B]", "faults: {pause: B}"},
	{"faults-are-missing", "faults: [crash jvm-1, pause B]\n", ""},
	{"nodes-as-text", "[n1, n2]", "n1"},
	{"actors-are-missing", "actors:\n", "people:\n"},
	{"unknown-actor-in-two-places", "{B: waiting}\n      messages: [\"0\"]\n      woke: [\"A:watchdog\"]", "{C: waiting}\n      woke: [C]"},
	{"unknown-actor-in-woke", "woke: [\"A:watchdog\"]", "woke: [\"C:watchdog\"]"},
	{"rule-of-the-engine-not-named", "broken: [stock]", "broken: [released-by-holder]"},
	{"title-too-long", "A good lesson", strings.Repeat("good ", 120)},
	{"too-many-nodes", "[n1, n2]", "[n1, n2, n3, n4, n5, n6, n7, n8, n9]"},
	{"too-many-meanings", "args: [owner]", "args: [" + strings.Repeat("x, ", 33) + "]"},
	{"too-many-actors", "invariants:\n", strings.Join(actors(101), "") + "invariants:\n"},
	{"too-many-scripts", "actors:\n", strings.Join(scripts(31), "") + "actors:\n"},
	{"program-too-long", "work(\"2s\")", "work(\"2s\") --" + strings.Repeat("x", 17<<10)},
	{"tick-too-long", "tick: 10s", "tick: 900000h"},
	{"email-in-prose", "[the docs](https://redis.io/docs)", "<who@example.org>"},
	{"link-with-a-password", "https://redis.io/docs", "https://redis.io@example.org/"},
	{"link-to-another-scheme", "https://redis.io/docs", "//redis.io/docs"},
	{"link-with-a-backslash", "https://redis.io/docs", "/\\\\redis.io/docs"},
	{"link-to-data", "https://redis.io/docs", "data:text/html,x"},
	{"challenge-is-text", "challenge:\n", "challenge: win\nxchallenge:\n"},
	{"challenge-without-a-hint", "  hint: {en: \"Wait.\", zh: \"等一等。\"}\n", ""},
	{"challenge-with-an-unknown-key", "  hint:", "  hnt:"},
	{"goal-of-two-kinds", "goal: {reach:", "goal: {break: stock, reach:"},
	{"verdict-of-two-kinds", "challenge:\n", "verdicts: [{holds: all, breaks: stock, in: 2}]\nchallenge:\n"},
	{"verdict-without-length", "challenge:\n", "verdicts: [{breaks: stock}]\nchallenge:\n"},
	{"verdict-of-no-length", "challenge:\n", "verdicts: [{breaks: stock, in: never}]\nchallenge:\n"},
	{"verdict-with-needless-length", "challenge:\n", "verdicts: [{holds: all, in: 4}]\nchallenge:\n"},
	{"verdict-about-an-unknown-invariant", "challenge:\n", "verdicts: [{holds: stok}]\nchallenge:\n"},
	{"verdict-of-an-unknown-time", "challenge:\n", "verdicts: [{holds: all, time: soon}]\nchallenge:\n"},
	{"verdict-with-a-strange-fault", "challenge:\n", "verdicts: [{holds: all, faults: {promote: 1}}]\nchallenge:\n"},
	{"repair-with-a-solution", "goal: {reach: 'get(\"stock\") == 0'}", "goal: {repair: stock}"},
	{"repair-without-edits", toReach, toRepair},
	{"repair-with-edits-that-are-none", toReach, toRepair + "  edits: {}"},
	{"repair-of-an-unknown-part", toReach, toRepair + "  edits: {\"program:AA\": lock(\"x\")}"},
	{"repair-that-is-not-lua", toReach, toRepair + "  edits: {\"program:A\": lock(}"},
	{"repair-with-faults-left-out", toReach, strings.Replace(toRepair, "repair: stock", "repair: stock, without: [crash]", 1) + "  edits: {\"program:A\": lock(\"x\")}"},
	{"repair-of-an-unknown-invariant", toReach, strings.Replace(toRepair, "stock", "stok", 1) + "  edits: {\"program:A\": lock(\"x\")}"},
	{"edits-without-a-repair", "  solution: [run A,", "  edits: {\"program:A\": lock(\"x\")}\n  solution: [run A,"},
	{"solution-is-missing", "  solution: [run A, tick 30s, crash jvm-1]\n", ""},
	{"goal-with-a-time", "goal: {reach:", "goal: {time: any, reach:"},
	{"goal-of-no-kind", "goal: {reach: 'get(\"stock\") == 0'}", "goal: {}"},
	{"goal-with-an-unknown-key", "goal: {reach:", "goal: {reech:"},
	{"goal-breaks-what-is-not-there", "goal: {reach: 'get(\"stock\") == 0'}", "goal: {break: mutal-exclusion}"},
	{"goal-breaks-what-is-not-named", "goal: {reach: 'get(\"stock\") == 0'}", "goal: {break: waiters-in-order}"},
	{"goal-is-not-lua", "get(\"stock\") == 0", "get(\"stock\") = 0"},
	{"solution-is-empty", "solution: [run A, tick 30s, crash jvm-1]", "solution: []"},
	{"solution-needs-another-fault", "crash jvm-1]\n", "crash B]\n"},
	{"solution-with-an-unknown-actor", "solution: [run A,", "solution: [run AA,"},
	{"solution-as-beats", "solution: [run A,", "solution: [run: A,"},
	{"replica-of-an-unknown-node", "nodes: [n1, n2]", "nodes: {main: {}, n1: , n2: {replica-of: mian}}"},
	{"replica-of-a-replica", "nodes: [n1, n2]", "nodes: {m: {}, n1: {replica-of: m}, n2: {replica-of: n1}}"},
	{"replica-of-itself", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {replica-of: n2}}"},
	{"unknown-key-of-a-node", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {replicaof: n1}}"},
	{"unknown-kind-of-node", "nodes: [n1, n2]", "nodes: {n1: {kind: mysql}, n2: {}}"},
	{"tables-of-redis", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {tables: {t: {columns: {id: INT}}}}}"},
	{"type-of-a-column", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {kind: sql, tables: {t: {columns: {id: INTEGRAL}}}}}"},
	{"row-that-does-not-fit", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {kind: sql, tables: {t: {columns: {id: INT, name: VARCHAR(3)}, rows: [[1, ab], [3, abcd]]}}}}"},
	{"table-without-columns", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {kind: sql, tables: {t: {rows: [[1]]}}}}"},
	{"lock-wait-of-half-a-second", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {kind: sql, lock-wait: 500ms}}"},
	{"replica-of-a-database", "nodes: [n1, n2]", "nodes: {n1: {kind: sql}, n2: {replica-of: n1}}"},
	{"database-in-a-cluster", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {kind: sql}}\ncluster: {n1: 0-5460, n2: 5461-16383}"},
	{"key-given-to-a-database", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {kind: sql}}\ngiven: {k: [{node: n2, value: 1}]}"},
	{"lag-without-replicas-to-write", "nodes: [n1, n2]", "nodes: {n1: {min-replicas-max-lag: 10s}, n2: {replica-of: n1}}"},
	{"lag-of-half-a-second", "nodes: [n1, n2]", "nodes: {n1: {min-replicas-to-write: 1, min-replicas-max-lag: 500ms}, n2: {replica-of: n1}}"},
	{"more-replicas-to-write-than-nodes", "nodes: [n1, n2]", "nodes: {n1: {min-replicas-to-write: 8}, n2: {replica-of: n1}}"},
	{"replicas-to-write-of-a-database", "nodes: [n1, n2]", "nodes: {n1: {kind: sql, min-replicas-to-write: 1}, n2: {}}"},
	{"session-with-a-redis", "nodes: [n1, n2]", "nodes: {n1: {session: 10s}, n2: {}}"},
	{"replica-of-a-zookeeper", "nodes: [n1, n2]", "nodes: {n1: {kind: zookeeper}, n2: {replica-of: n1}}"},
	{"zookeeper-in-a-cluster", "nodes: [n1, n2]", "nodes: {n1: {kind: zookeeper}, n2: {}}\ncluster: {n1: 0-16383}"},
	{"zookeeper-that-is-given-a-hash", "nodes: [n1, n2]", "nodes: {n1: {kind: zookeeper}, n2: {}}\ngiven: {/lock: {type: hash, value: {A: 1}}}"},
	{"znode-on-a-redis", "nodes: [n1, n2]", "nodes: [n1, n2]\ngiven: {/lock: {type: znode, value: {data: A}}}"},
	{"node-named-like-an-actor", "nodes: [n1, n2]", "nodes: [n1, n2, A]"},
	{"node-named-like-a-process", "nodes: [n1, n2]", "nodes: [n1, n2, jvm-1]"},
	{"cluster-with-a-gap", "nodes: [n1, n2]", "cluster: {n1: 0-5460, n2: 5471-16383}"},
	{"cluster-with-a-gap-at-the-end", "nodes: [n1, n2]", "cluster: {n1: 0-5460, n2: 5461-16000}"},
	{"cluster-that-overlaps", "nodes: [n1, n2]", "cluster: {n1: 0-5460, n2: 5460-16383}"},
	{"cluster-of-an-unknown-node", "nodes: [n1, n2]", "nodes: [n1, n2]\ncluster: {n1: 0-5460, n3: 5461-16383}"},
	{"cluster-of-a-replica", "nodes: [n1, n2]", "nodes: {n1: {}, n2: {replica-of: n1}}\ncluster: {n1: 0-16383}"},
	{"cluster-without-a-range", "nodes: [n1, n2]", "cluster: {n1: all, n2: 0-16383}"},
	{"cluster-with-half-a-range", "nodes: [n1, n2]", "cluster: {n1: \"0-100, 200-\", n2: 101-16383}"},
	{"cluster-that-moves-what-it-does-not-have", "nodes: [n1, n2]", "cluster: {n1: \"0-8191, 9000 to n2\", n2: 8192-16383}"},
	{"cluster-that-moves-to-an-unknown-node", "nodes: [n1, n2]", "cluster: {n1: \"0-8191, 9 to n3\", n2: 8192-16383}"},
	{"cluster-with-too-many-slots", "nodes: [n1, n2]", "cluster: {n1: 0-8191, n2: 8192-16384}"},
	{"client-timeout-off-the-clock", "resolution: 500ms", "resolution: 500ms\nclient-timeout: 700ms"},
	{"restart-alone-in-faults", "pause B]", "pause B, restart n1]"},
	{"heal-alone-in-faults", "pause B]", "pause B, heal n1 B]"},
	{"promote-of-what-is-no-replica", "pause B]", "pause B, promote n1]"},
	{"cut-of-an-actor", "pause B]", "pause B, cut A n1]"},
	{"cut-with-an-unknown-end", "pause B]", "pause B, cut B n3]"},
	{"cut-between-processes", "pause B]", "pause B, cut jvm-1 B]"},
	{"cut-between-nodes", "pause B]", "pause B, cut n1 n2]"},
	{"crowd-of-one", "    process: jvm-1\n", "    process: jvm-1\n    count: 1\n"},
	{"crowd-of-too-many", "    process: jvm-1\n", "    process: jvm-1\n    count: 1000\n"},
	{"moves-that-are-too-many", "  - tick: 10s", "  - do: [run A ×999, run A ×999, run A ×999]"},
	{"moves-with-a-letter-for-times", "  - tick: 10s", "  - run: A x3"},
	{"no-moves", "  - tick: 10s", "  - do: []"},
	{"verdict-of-no-kind", "challenge:\n", "verdicts: [{proves: all, time: any}]\nchallenge:\n"},
	{"goal-as-text-with-edits", toReach, "goal: stock\n  hint: {en: \"Wait.\", zh: \"等一等。\"}\n  edits: {\"program:A\": lock(\"x\")}"},
	{"answer-to-an-unknown-query", "answer: {hget: [anyLock, A]}", "answer: {owner: anyLock}"},
	{"fault-of-no-kind", "pause B]", "explode B]"},
	{"blank-of-another-kind", "    process: jvm-1\n", "    process:\u00a0jvm-1\n"},
	{"text-that-is-turned-around", "A good lesson", "A good \u202elesson"},
	{"text-that-ends-a-line-of-a-terminal", "A good lesson", "A good \x1b[2K lesson"},
	{"blanks-of-chinese", "    process: jvm-1\n", "\u3000\u3000process: jvm-1\n"},
	{"moves-as-often-as-never", "  - tick: 10s", "  - do: [run A ×0]"},
	{"cut-with-one-end", "pause B]", "pause B, cut B]"},
	{"clock-off-the-clock", "pause B]", "pause B, clock n1 -700ms]"},
	{"clock-without-a-span", "pause B]", "pause B, clock n1]"},
	{"cut-that-is-not-allowed", "crash: jvm-1", "cut: n1 B"},
	{"clock-that-is-not-allowed", "crash: jvm-1", "clock: n1 +10s"},
	{"restart-that-is-not-allowed", "crash: jvm-1", "restart: n1 from snapshot"},
	{"restart-of-a-process", "crash: jvm-1", "restart: jvm-1"},
	{"status-that-a-node-has-not", "status: {B: waiting}", "status: {n1: waiting}"},
	{"status-of-a-task-that-has-finished", "status: {B: waiting}", "status: {\"B:watchdog\": finished}"},
	{"status-of-an-actor-that-is-none", "status: {B: waiting}", "status: {B: none}"},
	{"status-of-an-unknown-node", "status: {B: waiting}", "status: {n3: paused}"},
	{"behind-of-what-is-no-replica", "status: {B: waiting}", "behind: {n1: 1}"},
	{"behind-by-no-number", "status: {B: waiting}", "behind: {n1: many}"},
	{"behind-by-more-than-can-be-written", "status: {B: waiting}", "behind: {n1: 2001}"},
	{"leads-with-an-unknown-node", "status: {B: waiting}", "leads: [n3]"},
	{"answer-to-an-unknown-actor", "status: {B: waiting}", "answers: {C: 1}"},
	{"answer-that-is-no-reply", "status: {B: waiting}", "answers: {B: some text}"},
	{"reply-and-no-reply", "reply: 1", "reply: 1\n      no-reply: in-node"},
	{"no-reply-without-a-run", "  - tick: 10s", "  - tick: 10s\n    expect: {no-reply: in-node}"},
	{"unknown-no-reply", "reply: 1", "no-reply: request-list"},
	{"value-of-a-key-that-is-not-there", "{node: n2, value: 5}", "{node: n2, type: none, value: 5}"},
	{"invariant-twice", "  - mutual-exclusion\n", "  - mutual-exclusion\n  - mutual-exclusion\n"},
	{"invariant-is-a-list", "  - mutual-exclusion\n", "  - [mutual-exclusion]\n"},
	{"rule-of-the-name-of-another", "name: stock,", "name: mutual-exclusion,"},
	{"rule-twice", "faults: [", "  - {name: stock, lua: \"true\"}\nfaults: ["},
	{"fault-twice", "[crash jvm-1, pause B]", "[crash jvm-1, pause B, crash jvm-1]"},
	{"no-fault", "pause B]", "pause B, run A]"},
	{"reply-asked-after-a-tick", "  - tick: 10s\n", "  - {tick: 10s, ask: {question: {en: x, zh: x}, answer: {reply: }}}\n"},
	{"bad-script-name", "  peek: {", "  pe ek: {"},
	{"script-is-text", "peek: {source: \"return redis.call('get', KEYS[1])\\n\"}", "peek: return 1"},
	{"directive", "title: {en", "%YAML 1.2\n---\ntitle: {en"},
	{"merge-key", "    process: jvm-1\n", "    <<: {process: jvm-1}\n"},
	{"key-is-a-list", "    process: jvm-1\n", "    [process]: jvm-1\n"},
	{"link-that-reads-backwards", "https://redis.io/docs", `https://redis.io/\u202edocs`},
	{"program-is-blank", "    program: lock(\"anyLock\")", "    program: \" \""},
	{"text-is-empty", "chapter: simple", "chapter:"},
	{"syntax-in-two-places", "nodes: [n1, n2]\nresolution: 500ms", "nodes: [n1, n2\nresolution: 'half"},
	{"syntax-and-sense", "level: basic\nsources: [\"000 somewhere\"]", "level: hard\nsources: [\"000 somewhere\""},
	{"fault-that-needs-no-leave", "pause B]", "pause B, replicate n2]"},
	{"cut-of-an-actor-from-a-node", "pause B]", "pause B, cut n1 A]"},
	{"cut-of-a-node-from-itself", "pause B]", "pause B, cut n1 n1]"},
	{"given-as-a-list-of-texts", "resolution: 500ms", "resolution: 500ms\ngiven: {stock: [5]}"},
	{"query-with-too-many-items", "{hget: [anyLock, A]}", "{hget: [anyLock, A, B]}"},
	{"nodes-as-a-number", "[n1, n2]", "5"},
	{"nodes-as-a-truth", "[n1, n2]", "true"},
	{"tab-in-two-lines", "  A:\n    process: jvm-1\n", "\tA:\n    process: jvm-1\n\tB:\n"},
	{"meaning-that-is-a-list", "args: [owner]", "args: [[owner]]"},
	{"says-nothing", "gone: [other]", "says: {A: [x]}"},
	{"several-mistakes", "level: basic\nsources: [\"000 somewhere\"]\n", "levels: basic\nsource: x\nfoo: y\n"},
}

// several are those of the broken lessons that have more than one mistake.
var several = []string{
	"syntax-in-two-places", "syntax-and-sense", "several-mistakes",
	"challenge-is-text",           // and what it has after it
	"equal-actors-with-a-mistake", // two of them, once for both actors
	"actors-are-missing",          // and what is called people
	"faults-are-missing",          // two of them
}

// One mistake is told once: what follows from it is not told.
func TestOneMistakeIsOneMessage(t *testing.T) {
	for _, c := range broken {
		fsys := good(t)
		edit(t, fsys, c.old, c.new)
		_, err := decode.Lesson(fsys, "07-good-lesson")
		problems, ok := errors.AsType[lessons.Problems](err)
		if !ok || len(problems) != 1 && !slices.Contains(several, c.name) {
			t.Errorf("of %s is said\n%v", c.name, err)
		}
	}
}

func scripts(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("  s%d: {source: return 1}\n", i))
	}
	return out
}

func actors(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("  X%d: {program: work(\"1s\")}\n", i))
	}
	return out
}

func TestWhatIsSaidAboutBrokenLessons(t *testing.T) {
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			fsys := good(t)
			edit(t, fsys, c.old, c.new)
			_, err := decode.Lesson(fsys, "07-good-lesson")
			if err == nil {
				t.Fatal("nothing is said about it")
			}
			golden(t, filepath.Join("testdata", "broken", c.name+".txt"), err.Error()+"\n")
		})
	}
}

func TestFilesThatAreNoLessons(t *testing.T) {
	long := "title: {en: \"" + strings.Repeat("x", 300<<10) + "\"}\n"
	for name, text := range map[string]string{
		"empty":        "",
		"only-comment": "# nothing\n",
		"scalar":       "hello\n",
		"list":         "- a\n- b\n",
		"too-long":     long,
		"not-utf8":     "title: {en: \"\xff\"}\n",
		"deep":         "title: " + strings.Repeat("[", 5000) + "\n",
		"deep-dashes":  strings.Repeat("- ", 5000) + "\n",
		"deep-indent":  deepIndent(3000),
		"billion": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" +
			"c: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n",
		"many-keys":  strings.Repeat("a: 1\n", 50_000),
		"long-prose": "story:\n- say: {en: \"" + strings.Repeat("[a](", 60_000) + "\", zh: x}\n",
		"long-line":  "title: {en: \"" + strings.Repeat("很", 200) + "\", fr: x}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
			if err == nil {
				t.Fatal("nothing is said about it")
			}
			golden(t, filepath.Join("testdata", "broken", "file-"+name+".txt"), err.Error()+"\n")
		})
	}
	_, err := decode.Lesson(fstest.MapFS{}, "01-x")
	golden(t, filepath.Join("testdata", "broken", "file-missing.txt"), err.Error()+"\n")
}

func deepIndent(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
		if b.Len() > 200<<10 {
			break
		}
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (go test ./lessons/decode -update rewrites it):\n%s", path, diff)
	}
}

// FuzzLesson looks for texts that end the program or keep it busy, and for lessons
// that other expectations cannot be written into.
func FuzzLesson(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("testdata", "good.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	for _, c := range broken {
		f.Add(strings.Replace(string(text), c.old, c.new, 1))
	}
	own, err := fs.Glob(lessons.FS, "*/"+decode.Filename)
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range own {
		text, err := fs.ReadFile(lessons.FS, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("? a\n: b\n")
	f.Add("story: [{do: [run A]}]\nactors: {A: {program: x}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		fsys := good(t)
		fsys["07-good-lesson/lesson.yaml"] = &fstest.MapFile{Data: []byte(text)}
		l, err := decode.Lesson(fsys, "07-good-lesson")
		if (l == nil) == (err == nil) {
			t.Errorf("a lesson %v and an error %v", l, err)
		}
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		all := map[int]*lessons.Expect{}
		for i := range l.Story {
			all[i] = &lessons.Expect{}
			for n, node := range l.NodeNames() {
				if n == 0 {
					node = "" // the first has no need of a name
				}
				all[i].Parts = append(all[i].Parts, lessons.Expected{Key: "keys", Node: node, Name: "a: key", Type: engine.StringKey, Texts: []string{"# " + node}})
			}
			all[i].Parts = append(all[i].Parts, part("gone", "it's \"gone\": now\n"), part("woke", ""))
		}
		other, _, err := decode.Rewrite(l, all)
		if err != nil {
			return // it is laid out in a way that is refused with words
		}
		fsys["07-good-lesson/lesson.yaml"] = &fstest.MapFile{Data: []byte(other)}
		again, err := decode.Lesson(fsys, "07-good-lesson")
		if err != nil {
			t.Fatalf("with other expectations it cannot be read: %v\n%s", err, other)
		}
		for i, b := range again.Story {
			same := func(a, b lessons.Expected) bool {
				return a.Key == b.Key && a.Node == b.Node && a.Name == b.Name && slices.Equal(a.Texts, b.Texts)
			}
			if !slices.EqualFunc(b.Expect.Parts, all[i].Parts, same) || !slices.Equal(b.Choices, l.Story[i].Choices) || again.Hash != l.Hash {
				t.Fatalf("beat %d became another one:\n%s", i+1, other)
			}
		}
	})
}
