package luaexec_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
	"lockstep/node/sample"
)

// TestScriptsAsServers compares what the scripts of testdata and generated ones
// answer, and the keys that they leave, with both servers. What differs must be among the differences of node/redis/conversations.
func TestScriptsAsServers(t *testing.T) {
	excuses := conversations.ExcusesFor(conversations.Scripts)
	for server, find := range map[string]func(testing.TB) string{
		"Redis": conversations.RedisServer, "Valkey": conversations.ValkeyServer,
	} {
		url := conversations.StartServer(t, find(t))
		c := &comparison{server: server, socket: strings.TrimPrefix(url, "unix://"), excuses: excuses}
		for _, subject := range subjects {
			for _, seed := range sample.ScriptsOfSubject.Seeds(t) {
				c.compare(t, subject.make(newGenerator(seed)))
			}
		}
		for _, script := range slices.Concat(corpus(t), scriptsOf(t, "testdata/libraries.txt"), scriptsOf(t, "testdata/written.txt")) {
			c.compare(t, script)
		}
	}
	if !sample.Everything() {
		return
	}
	for _, what := range excuses.Unmet(conversations.Scripts) {
		t.Errorf("no script shows the difference %q: take it out", what)
	}
}

// comparison is with one server.
type comparison struct {
	server, socket string
	real           *realRedis
	excuses        *conversations.Excuses
}

func (c *comparison) compare(t *testing.T, script string) {
	t.Helper()
	if c.real == nil {
		c.real = dialRedis(t, c.socket)
	}
	got, want := both(t, c.real, script)
	if got == want {
		return
	}
	c.real = nil // what differs may be that the server broke its protocol
	if c.excuses.Excuse(conversations.Exchange{Server: c.server, Sent: script, Theirs: want, Ours: got}) == nil {
		t.Errorf("%s, %s\n got  %s\n want %s", c.server, script, got, want)
	}
}

// TestMeasure tells how much of the scripts of seeds that nothing else uses is
// answered alike by Redis, excuses aside. MEASURE is the first seed.
func TestMeasure(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("MEASURE"), 10, 32)
	if err != nil {
		return
	}
	socket := startRedis(t)
	redis := dialRedis(t, socket)
	all, same, agree := 0, 0, 0
	for _, subject := range subjects {
		const n = 60
		alike := 0
		for i := range uint64(n) {
			script := subject.make(newGenerator(1_000_000 + seed*1000 + i))
			got, want := both(t, redis, script)
			if got == want {
				alike++
			} else {
				t.Logf("%s\n got  %s\n want %s", script, got, want)
			}
			if outcome(got) == outcome(want) {
				agree++
			}
		}
		t.Logf("%s: %d of %d", subject.name, alike, n)
		all, same = all+n, same+alike
	}
	t.Logf("identical %.2f%%, value and success agree %.2f%% of %d", 100*float64(same)/float64(all), 100*float64(agree)/float64(all), all)
}

// both are the answers of a new node and a real server, with the keys that the
// script leaves.
func both(t *testing.T, redis *realRedis, script string) (got, want string) {
	t.Helper()
	redis.do("FLUSHALL")
	redis.do("SCRIPT", "FLUSH")
	n := newNode()
	args := []string{"EVAL", script, "2", "k1", "k2", "a1", "20000"}
	return answers(func(args ...string) reply.Reply { return execute(t, n, args...) }, args), answers(redis.do, args)
}

// answers are the reply to a command and the keys after it.
func answers(do func(...string) reply.Reply, args []string) string {
	reads := map[string][]string{
		"string": {"GET"}, "hash": {"HGETALL"}, "list": {"LRANGE", "0", "-1"}, "set": {"SMEMBERS"}, "zset": {"ZRANGE", "0", "-1", "WITHSCORES"},
	}
	var b strings.Builder
	fmt.Fprintln(&b, do(args...))
	var names []string
	for _, k := range do("KEYS", "*").Elems {
		names = append(names, k.Str)
	}
	slices.Sort(names)
	for _, name := range names {
		read := reads[do("TYPE", name).Str]
		if read == nil {
			continue
		}
		r := do(slices.Insert(slices.Clone(read), 1, name)...)
		items := []string{r.String()}
		if r.Kind == reply.Array && read[0] != "LRANGE" {
			items = items[:0]
			for _, e := range r.Elems {
				items = append(items, e.String())
			}
			slices.Sort(items)
		}
		fmt.Fprintf(&b, "%s %v expires: %v\n", name, items, do("TTL", name).Int > 0)
	}
	return b.String()
}

// outcome is an answer with the words of an error left out.
func outcome(answer string) string {
	if strings.HasPrefix(answer, "(error)") {
		_, rest, _ := strings.Cut(answer, "\n")
		return "(error)\n" + rest
	}
	return answer
}

// FuzzScriptsAsRedis compares generated scripts of any seed with Redis.
func FuzzScriptsAsRedis(f *testing.F) {
	socket := startRedis(f)
	for i := range subjects {
		f.Add(sample.ScriptsOfSubject.All, uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, subject uint8) {
		c := &comparison{server: "Redis", socket: socket, excuses: conversations.ExcusesFor(conversations.Scripts)}
		c.compare(t, subjects[int(subject)%len(subjects)].make(newGenerator(seed)))
	})
}
