package keyspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
)

// known are the differences that comparisons excuse.
var known = conversations.ExcusesFor(conversations.Commands)

// conversation is commands that a test sends to a keyspace and to a real server.
type conversation struct{ name, commands string }

// conversationsOf are those of testdata, where cmd_hash.txt has those of cmd_hash.go. A
// line that begins with # names the conversation of the lines below it, which are a
// command each; words reads them.
func conversationsOf(t testing.TB) []conversation {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	var all []conversation
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n# ")[1:] {
			name, commands, _ := strings.Cut(part, "\n")
			all = append(all, conversation{file + ": " + name, commands})
		}
	}
	return all
}

// TestCommandsAnswerAsServersDo sends each conversation to a keyspace and to both
// real servers, each to empty ones, and compares every reply.
func TestCommandsAnswerAsServersDo(t *testing.T) {
	for name, start := range map[string]func(testing.TB) *server{"Redis": startServer, "Valkey": startValkey} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			for _, c := range conversationsOf(t) {
				s.do("FLUSHALL")
				k := newAt(s)
				for line := range strings.Lines(c.commands) {
					if args := words(line); len(args) > 0 {
						compare(t, k, s, args)
					}
				}
			}
		})
	}
	for _, what := range known.Unmet(conversations.Commands) {
		t.Errorf("no conversation shows the difference %q: take it out", what)
	}
}

// words splits a line at its spaces. A pair of quotes is an empty word, \s a space,
// \0 a zero byte; @+5 is five ms from now, @@+5 five seconds, which deadlines replaces.
func words(line string) []string {
	args := strings.Fields(line)
	for i, arg := range args {
		if arg == "''" {
			arg = ""
		}
		args[i] = strings.NewReplacer(`\s`, " ", `\0`, "\x00", `\n`, "\n", `\xff`, "\xff", `\xf0`, "\xf0", `\x00`, "\x00").Replace(arg)
	}
	return args
}

// newAt is an empty keyspace at the present of a server.
func newAt(s *server) *Keyspace {
	k := New()
	k.follow(s)
	return k
}

// follow moves the keyspace to a server's present.
func (k *Keyspace) follow(s *server) {
	now := s.do("TIME")
	sec, _ := strconv.ParseInt(now.Elems[0].Str, 10, 64)
	k.MoveTo(time.Duration(sec*1000-engine.Epoch) * time.Millisecond)
}

func compare(t *testing.T, k *Keyspace, s *server, args []string) {
	t.Helper()
	dated := deadlines(k, args)
	if problem := disagreement(s, args, k.Do(dated), s.do(dated...)); problem != "" {
		t.Error(problem)
	}
}

// disagreement describes a difference between a keyspace and a server that is not listed.
func disagreement(s *server, args []string, got, want reply.Reply) string {
	x := conversations.Exchange{Server: s.name, Sent: strings.Join(args, " "), Theirs: want.String(), Ours: got.String()}
	if !conversations.Agree(args, got, want) && known.Excuse(x) == nil {
		return fmt.Sprintf("%q: keyspace answers %s, %s %s", args, got, s.name, want)
	}
	c, ok := Lookup(args[0])
	if ok && want.Kind == reply.Nil && c.NilIsArray(args) != s.nilArray {
		return fmt.Sprintf("%q: %s answers nil as an array: %t", args, s.name, s.nilArray)
	}
	return ""
}

// deadlines replaces an argument @+1000 by 1000 ms after the keyspace's present, and @@+5
// by 5 s after it: the server's own present has moved on between two commands, and a
// deadline that equals another one is to equal it there too.
func deadlines(k *Keyspace, args []string) []string {
	nowMS := engine.Epoch + k.nowMS()
	out := slices.Clone(args)
	for i, a := range out {
		if rest, ok := strings.CutPrefix(a, "@@"); ok {
			n, _ := strconv.ParseInt(rest, 10, 64)
			out[i] = strconv.FormatInt(nowMS/1000+n, 10)
		} else if rest, ok := strings.CutPrefix(a, "@"); ok {
			n, _ := strconv.ParseInt(rest, 10, 64)
			out[i] = strconv.FormatInt(nowMS+n, 10)
		}
	}
	return out
}
