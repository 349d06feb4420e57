package luaexec

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/luaexec/luaexectest"
	"lockstep/luaexec/portable"
)

var update = flag.Bool("update", false, "write docs/REDIS.md anew")

// TestDocsSayWhatThereIs makes docs/REDIS.md from the rows of the commands and from
// luaexectest.Differences, and fails when the file says something else.
func TestDocsSayWhatThereIs(t *testing.T) {
	const path = "../docs/REDIS.md"
	want := redisDocs(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, path); got != want {
		t.Errorf("%s is out of date: run go test ./luaexec -run TestDocs -update", path)
	}
}

const docsIntroduction = `# The embedded Redis

What the playground runs scripts and commands on when no server is there, and what
` + "`playground redis`" + ` opens to real clients. It answers as Redis 7.0.15 does: the words of
errors, their lines and the names of variables in them included. This page is made
from the code: ` + "`go test ./luaexec -run TestDocs -update`" + `.

## Differences

Each is on purpose or known, and ` + "`make test`" + ` fails when there is another: it compares over
two thousand scripts, most of them generated, with Redis 7.0 and Valkey 8.
`

// docsRedisTests is what running tests/unit/scripting.tcl of Redis 7.0.15 by hand
// gave, its EVAL half, against playground redis.
const docsRedisTests = `
## Clients and memory

Of playground redis. CLIENT PAUSE and CLIENT TRACKING are Redis's, with all their options; a pause follows the
clock that keys expire by, so that DEBUG ADVANCE ends one where time is virtual. A script that reads a key
which EVAL does not name is tracked as in Valkey. Of who has read what, the server remembers 64 MB, and
tracking-table-max-keys changes nothing.

What waits to be sent to a client is bounded by client-output-buffer-limit (256 MB, of subscribers 32 MB, or
8 MB for a minute), and what all clients hold by maxmemory-clients (1 GB): the largest goes first. The keys
are bounded by maxmemory, which is no limit unless it is set. At most 1024 scripts stay compiled. When the
server has been idle for a second, it gives back what a burst has left.

## Redis's own scripting tests

Of tests/unit/scripting.tcl of Redis 7.0.15, the EVAL half in external mode, 104 tests pass.
These do not, or cannot run on a server that is not the tests' own:

| test | why |
|---|---|
| EVAL - Scripts can't run XREAD and XREADGROUP with BLOCK option | there are no consumer groups |
| Script ACL check | there are no users to set up |
| test RESP2/2 and the like, protocol parsing | they ask DEBUG to let scripts call DEBUG PROTOCOL |
| Consistent eval error reporting | INFO commandstats is not kept |
| not enough good replicas, and other tests of replicas, propagation and stale data | there is no replication |
| Timedout scripts and the like | the tests start a server of their own for them: TestConversations has the same on busy scripts |
| scripting debug | scripts are looked into on the page, not over a connection |
`

const docsLessons = `
## In lessons

A lesson tells the same story on the embedded Redis, on Redis and on Valkey. What each of them
answers in its own way is refused on all of them, by ` + "`playground check`" + ` at its place and by the
step that sends it, with an error that begins with ` + portable.Code + `. A name of a command that a script makes
as it runs is refused by the server, as what its user may not run. Of TIME that holds from Redis 7.2 on.

What a program sends differs in two things from what a client would get. KEYS, SMEMBERS, SINTER,
SUNION, SDIFF and PUBSUB CHANNELS answer in order: numbers by what they are, other texts by their bytes.
And XADD with * takes the virtual time. HGETALL, HKEYS and HVALS answer in the order in which the fields came,
and refuse a hash that is too long for a server to keep that.

| what | in | why, and what to do |
|---|---|---|
`

func redisDocs(t *testing.T) string {
	var b strings.Builder
	b.WriteString(docsIntroduction)
	for _, topic := range []luaexectest.Topic{luaexectest.Scripts, luaexectest.Commands, luaexectest.Port} {
		for _, server := range []string{"", "Redis", "Valkey"} {
			writeDifferences(&b, topic, server)
		}
	}
	b.WriteString(docsLessons)
	for _, r := range portable.Rows() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.What, r.Where, r.Why)
	}
	b.WriteString(docsRedisTests)
	b.WriteString("\n## Commands\n")
	groups := map[string][]string{}
	docs := execute(t, NewNode(), "COMMAND", "DOCS").Elems
	for i := 0; i+1 < len(docs); i += 2 {
		name, about := strings.ToUpper(docs[i].Str), docs[i+1]
		group := field(about, "group")
		groups[group] = append(groups[group], fmt.Sprintf("| %s | %s |", name, field(about, "summary")))
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(&b, "\n### %s\n\n| command | |\n|---|---|\n%s\n", group, strings.Join(groups[group], "\n"))
	}
	return b.String()
}

func writeDifferences(b *strings.Builder, topic luaexectest.Topic, server string) {
	title := fmt.Sprintf("\n### In %s, from %s\n\n", topic, cmp.Or(server, "Redis and Valkey"))
	if server == "Valkey" {
		title += "Where no reason is given, " + luaexectest.AsRedis70 + ".\n\n"
	}
	for _, d := range luaexectest.Differences {
		if d.Topic != topic || d.Server != server {
			continue
		}
		reason := strings.TrimPrefix(": "+d.Reason, ": "+luaexectest.AsRedis70)
		if d.Absent != "" {
			names := strings.NewReplacer(" ", ", ", "|", " ").Replace(strings.ToUpper(d.Absent))
			reason = fmt.Sprintf(" (no %s)%s", names, reason)
		}
		fmt.Fprintf(b, "%s- %s%s.\n", title, d.What, reason)
		title = ""
	}
}

// field is a value of a flat array of names and values.
func field(r reply.Reply, name string) string {
	for i := 0; i+1 < len(r.Elems); i += 2 {
		if r.Elems[i].Str == name {
			return r.Elems[i+1].Str
		}
	}
	return ""
}
