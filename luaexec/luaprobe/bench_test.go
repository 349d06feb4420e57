package luaprobe_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/luaexec/luaprobe"
	"lockstep/node/redis/conversations"
)

// BenchmarkProbes says how much longer a small script takes with probes: the
// fair lock's, taken and refused in turns.
func BenchmarkProbes(b *testing.B) {
	probe, err := luaprobe.Rewrite(readFile(b, "../../lessons/029-fair-lock/lock.lua"), writes)
	if err != nil {
		b.Fatal(err)
	}
	bare, err := luaprobe.Rewrite(probe.Source, nil)
	if err != nil {
		b.Fatal(err)
	}
	keys := []string{"lock", "queue", "timeouts"}
	args := []string{"30000", "A", "300000", "1000"}
	ctx := context.Background()
	for _, place := range []string{"embedded", "redis"} {
		var once func(source string) time.Duration
		if place == "embedded" {
			s := &embedded{tb: b}
			s.renew()
			once = func(source string) time.Duration {
				start := time.Now()
				eval(s, source, keys, args)
				return time.Since(start)
			}
		} else {
			options, err := redis.ParseURL(conversations.StartServer(b, conversations.RedisServer(b)))
			if err != nil {
				b.Fatal(err)
			}
			client := redis.NewClient(options)
			b.Cleanup(func() { _ = client.Close() })
			scripts := map[string]*redis.Script{}
			once = func(source string) time.Duration {
				if scripts[source] == nil {
					scripts[source] = redis.NewScript(source)
				}
				start := time.Now()
				_ = scripts[source].Run(ctx, client, keys, "30000", "A", "300000", "1000").Err()
				return time.Since(start)
			}
		}
		b.Run(place, func(b *testing.B) {
			var plain, lines, views time.Duration
			for b.Loop() {
				plain += once(probe.Source)
				lines += once(bare.Text)
				views += once(probe.Text)
			}
			b.ReportMetric(float64(plain.Microseconds())/float64(b.N), "µs-plain")
			b.ReportMetric(float64(lines)/float64(plain), "x-lines")
			b.ReportMetric(float64(views)/float64(plain), "x-with-keys")
		})
	}
}

// BenchmarkLongLoop has the same for a loop of which most passes are dropped.
func BenchmarkLongLoop(b *testing.B) {
	probe, err := luaprobe.Rewrite("local n = 0\nfor i = 1, 2000 do\n  n = n + i\n  redis.call('incr', 'n')\nend\nreturn n", nil)
	if err != nil {
		b.Fatal(err)
	}
	s := dial(b, conversations.StartServer(b, conversations.RedisServer(b)))
	var plain, lines time.Duration
	for b.Loop() {
		start := time.Now()
		eval(s, probe.Source, nil, nil)
		plain += time.Since(start)
		start = time.Now()
		eval(s, probe.Text, nil, nil)
		lines += time.Since(start)
	}
	b.ReportMetric(float64(plain.Microseconds())/float64(b.N), "µs-plain")
	b.ReportMetric(float64(lines)/float64(plain), "x-lines")
}

func BenchmarkRewrite(b *testing.B) {
	source := readFile(b, "../../lessons/029-fair-lock/lock.lua")
	for b.Loop() {
		if _, err := luaprobe.Rewrite(source, writes); err != nil {
			b.Fatal(err)
		}
	}
}
