package port_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
)

// TestConversations has each file of testdata/conversations spoken with the
// embedded server and with both real ones, and compares what comes back byte for
// byte. A line of a file is one of
//
//	A SET k v       client A sends a line, as people type it, and reads a reply
//	A> SET k v      client A sends it and reads nothing yet
//	A! *1\r\n…      client A sends these bytes, with Go's escapes, and reads a reply
//	A<              client A reads one more reply or push
//	blocked 2       everybody waits until two clients are blocked
//	busy            everybody waits until the server says that it is busy
//
// and what follows a # at its beginning is for people.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	excuses := conversations.ExcusesFor(conversations.Scripts, conversations.Commands, conversations.Port)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			got := converse(t, open(t, port.Real), string(text))
			for _, server := range []string{"Redis", "Valkey"} {
				want := converse(t, openReal(t, server), string(text))
				for i, x := range want {
					x.Server, x.Ours = server, got[i].Theirs
					if x.Ours != x.Theirs && excuses.Excuse(x) == nil {
						t.Errorf("%s: %s\n%-8s %s\nembedded %s", file, x.Sent, server, x.Theirs, x.Ours)
					}
				}
			}
		})
	}
	for _, what := range excuses.Unmet(conversations.Port) {
		t.Errorf("no conversation shows the difference %q: take it out", what)
	}
}

// ids differ between servers: they count other clients too.
var ids = regexp.MustCompile(`(\$2\\r\\nid\\r\\n:)\d+`)

// converse returns what came for each line that reads.
func converse(t *testing.T, a address, text string) []conversations.Exchange {
	t.Helper()
	clients := map[string]*wire{}
	control := dial(t, a)
	var heard []conversations.Exchange
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		who, what, _ := strings.Cut(line, " ")
		if who == "" || strings.HasPrefix(who, "#") {
			continue
		}
		switch who {
		case "blocked":
			awaitBlocked(t, control, what)
			continue
		case "busy":
			eventually(t, "the server is busy", func() bool { return strings.HasPrefix(control.do("PING"), "-BUSY ") })
			continue
		}
		name := strings.TrimRight(who, "<>!")
		w := clients[name]
		if w == nil {
			w = dial(t, a)
			clients[name] = w
		}
		switch who[len(name):] {
		case "", ">":
			w.write(what + "\r\n")
		case "!":
			bytes, err := strconv.Unquote(`"` + what + `"`)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			w.write(bytes)
		}
		if !strings.HasSuffix(who, ">") {
			answer := ids.ReplaceAllString(strconv.Quote(w.read()), "${1}N")
			heard = append(heard, conversations.Exchange{Sent: line, Theirs: answer})
		}
	}
	return heard
}

func awaitBlocked(t *testing.T, control *wire, n string) {
	t.Helper()
	eventually(t, n+" clients are blocked", func() bool {
		return strings.Contains(control.do("INFO", "clients"), "blocked_clients:"+n+"\r\n")
	})
}
