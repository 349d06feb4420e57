package redis

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
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/portable"
)

var update = flag.Bool("update", false, "write docs/REDIS.md anew")

// TestDocsSayWhatThereIs makes docs/REDIS.md from the rows of the commands and from
// conversations.Differences, and fails when the file says something else.
func TestDocsSayWhatThereIs(t *testing.T) {
	const path = "../../docs/REDIS.md"
	want := redisDocs(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run go test ./node/redis -run TestDocs -update", path)
	}
}

const docsIntroduction = `# The embedded Redis

The playground runs scripts and commands on it when there is no server, and
` + "`playground redis`" + ` serves it to real clients. It answers as Redis 7.0.15 does, including the
wording of errors and the lines and variable names in them. This page is generated
from the code: ` + "`go test ./node/redis -run TestDocs -update`" + `.

## Differences

Each of them is deliberate or a known limitation. ` + "`make test`" + ` compares more than a thousand
scripts, and a sample of generated ones, with Redis 7.0 and Valkey 8, and fails on any other difference.
`

const docsClients = `
## Clients and memory

This section is about ` + "`playground redis`" + `. CLIENT PAUSE and CLIENT TRACKING work as in Redis, with all their options. A
pause is measured on the clock by which keys expire, so DEBUG ADVANCE ends one when time is virtual. A script that
reads a key which EVAL does not declare is tracked as in Valkey. The table of who has read which key is limited to
64 MB.

Replies and messages waiting for a client are limited by client-output-buffer-limit (256 MB; for a subscriber
32 MB, or 8 MB for a minute), and the memory of all clients together by maxmemory-clients (192 MB): beyond it, the
client that uses most is disconnected. Keys are limited by maxmemory, if it is set. At most 1024 scripts stay
compiled. What a burst took goes back to the system within minutes, but for the table of keys, which keeps its
room until FLUSHALL.
`

const docsLessons = `
## In lessons

A lesson tells the same story on the embedded Redis, on Redis and on Valkey. Whatever they answer
differently is refused on all of them: ` + "`playground check`" + ` reports where it stands in the lesson, and a
step that sends it gets an error that begins with ` + portable.Code + `. When a script builds the name of such a command
at run time, the server refuses it, because the user of the lesson may not run it (TIME only from Redis 7.2 on).

Two kinds of replies differ from what an ordinary client would get. KEYS, SMEMBERS and
PUBSUB CHANNELS answer a program in order: numbers by value, other texts by their bytes. XADD with * takes the
virtual time. HGETALL, HKEYS and HVALS answer in the order in which the fields were added; a hash that is too long
for a server to keep that order is refused.

| what | in | why, and what to do |
|---|---|---|
`

func redisDocs(t *testing.T) string {
	var b strings.Builder
	b.WriteString(docsIntroduction)
	for _, topic := range []conversations.Topic{conversations.Scripts, conversations.Commands, conversations.Port} {
		for _, server := range []string{"", "Redis", "Valkey"} {
			writeDifferences(&b, topic, server)
		}
	}
	b.WriteString(docsLessons)
	for _, r := range portable.Rows() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.What, r.Where, r.Why)
	}
	b.WriteString(docsClients)
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

func writeDifferences(b *strings.Builder, topic conversations.Topic, server string) {
	title := fmt.Sprintf("\n### In %s, from %s\n\n", topic, cmp.Or(server, "Redis and Valkey"))
	if server == "Valkey" {
		title += "Where no reason is given, " + conversations.AsRedis70 + ".\n\n"
	}
	for _, d := range conversations.Differences {
		if d.Topic != topic || d.Server != server {
			continue
		}
		reason := strings.TrimPrefix(": "+d.Reason, ": "+conversations.AsRedis70)
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
