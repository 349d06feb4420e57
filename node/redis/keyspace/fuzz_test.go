package keyspace

import (
	"math/rand/v2"
	"testing"
	"time"

	"lockstep/node/redis/conversations"
)

// FuzzCommands runs commands made from any bytes: nothing may panic, and the
// digest is that of a keyspace made from the entries.
func FuzzCommands(f *testing.F) {
	f.Add([]byte("SET a 1 EX 5\nGET a"), uint64(1))
	f.Add([]byte("ZADD z 1 a\nZRANGE z -inf +inf BYSCORE REV LIMIT 9223372036854775807 -1"), uint64(2))
	f.Add([]byte("KEYS [^\\\nKEYS **[a-"), uint64(3))
	f.Add([]byte("RPUSH l a b\nLTRIM l -9223372036854775808 9223372036854775807\nLREM l -9223372036854775808 a"), uint64(4))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		k := New()
		forks := []*Keyspace{}
		for line := range lines(text) {
			args := words(line)
			for i := range args { // let any word meet keys that are there
				if len(args[i]) == 1 {
					args[i] = conversations.Argument(r, args[i])
				}
			}
			if len(args) > 0 {
				k.Do(args)
			}
			randomStep(r)(k)
			if r.IntN(8) == 0 {
				forks = append(forks, k.Fork())
			}
		}
		k.AdvanceTo(k.Now() + time.Duration(r.IntN(1000))*time.Second)
		for _, each := range append(forks, k) {
			if each.Digest() != rebuild(each).Digest() {
				t.Fatal("the digest is not that of the entries")
			}
		}
	})
}

func lines(text []byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i <= len(text); i++ {
			if i == len(text) || text[i] == '\n' {
				if !yield(string(text[start:i])) {
					return
				}
				start = i + 1
			}
		}
	}
}
