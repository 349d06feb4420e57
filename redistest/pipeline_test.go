package redistest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// counted is the scenario of clients that are in a room while they are counted, all in one pipeline.
func counted(pipelined func(rdb *redis.Client) func(context.Context, func(redis.Pipeliner) error) ([]redis.Cmder, error)) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				_, _ = pipelined(rdb)(ctx, func(p redis.Pipeliner) error {
					p.Incr(ctx, "room")
					p.Decr(ctx, "room")
					return nil
				})
			})
		}
		w.Check("one is in the room", func() error {
			if w.Do("redis", "GET", "room") == "2" {
				return errors.New("two are")
			}
			return nil
		})
	}
}

// Others come between the commands of a pipeline, as Redis allows, and not between those of a transaction.
func TestOthersComeBetweenTheCommandsOfAPipeline(t *testing.T) {
	type pipelined = func(context.Context, func(redis.Pipeliner) error) ([]redis.Cmder, error)
	v := redistest.Search(t, counted(func(rdb *redis.Client) pipelined { return rdb.Pipelined }), redistest.Bounds{})
	if v.Broken == nil || len(v.Story) != 2 {
		t.Error(v)
	}
	v = redistest.Search(t, counted(func(rdb *redis.Client) pipelined { return rdb.TxPipelined }), redistest.Bounds{Losses: 1, Crashes: 1})
	if !v.Holds() {
		t.Error(v)
	}
}

// Transactions that CLIENT PAUSE holds up are performed in the order in which they came, and either may be first.
func TestTransactionsAreHeldUpInEitherOrder(t *testing.T) {
	seen := map[string]bool{}
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Do(ctx, "CLIENT", "PAUSE", 200, "WRITE") })
		for _, name := range []string{"B", "C"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(100 * time.Millisecond)
				_, _ = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Append(ctx, "n", name).Err() })
			})
		}
		w.Eventually("both are there", func() error {
			seen[w.Do("redis", "GET", "n")] = true
			return nil
		})
	}, redistest.Bounds{})
	if !seen["BC"] || !seen["CB"] {
		t.Errorf("only %v\n%s", seen, v)
	}
}

// What CLIENT PAUSE holds up is performed later, and its reply may be lost then: who counts what has failed counts too much.
func TestTheReplyToWhatIsHeldUpMayBeLost(t *testing.T) {
	seen := map[string]bool{}
	v := redistest.Search(t, func(w *redistest.World) {
		told := "no reply"
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Do(ctx, "CLIENT", "PAUSE", 200, "WRITE") })
		w.Process("B", func(ctx context.Context, p *redistest.Process) {
			time.Sleep(100 * time.Millisecond)
			if conn, err := p.Dial(ctx, "redis"); err == nil {
				_, _ = conn.Write([]byte("INCR n\r\n"))
				if _, err = conn.Read(make([]byte, len(":1\r\n"))); err == nil {
					told = "a reply"
				}
			}
		})
		w.Eventually("seen", func() error {
			seen[w.Do("redis", "GET", "n")+", "+told] = true
			return nil
		})
	}, redistest.Bounds{Losses: 1})
	if !seen["1, no reply"] || !seen["nil, no reply"] || !seen["1, a reply"] {
		t.Errorf("only %v\n%s", seen, v)
	}
}

// A story tells whether a transaction was performed.
func TestAStoryTellsWhatCameOfATransaction(t *testing.T) {
	told := redistest.Replay(t, func(w *redistest.World) {
		both(w, func(ctx context.Context, rdb *redis.Client, name string) {
			_ = rdb.Watch(ctx, func(tx *redis.Tx) error {
				_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Append(ctx, "n", name).Err() })
				return err
			}, "n")
		})
	}, redistest.Bounds{}, nil).String()
	if !strings.Contains(told, "A: multi; append n A; exec → [1]\n") || !strings.Contains(told, "B: multi; append n B; exec → nil\n") {
		t.Errorf("A appends, and B is refused:\n%s", told)
	}
}

// Of a pipeline whose connection breaks, only the beginning is performed.
func TestAPipelineIsCutShort(t *testing.T) {
	seen := map[string]bool{}
	redistest.Explore(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rawRequest(ctx, p, "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$1\r\n1\r\n")
		})
		w.Eventually("seen", func() error {
			seen[w.Do("redis", "GET", "a")+w.Do("redis", "GET", "b")] = true
			return nil
		})
	}, redistest.Bounds{Losses: 1, Drops: 1})
	if len(seen) != 3 || seen["nil1"] {
		t.Error(seen)
	}
}

// What is written to one connection arrives in this order, however many writes it takes, and what a client's library sends
// by itself waits for what is before it.
func TestAConnectionKeepsItsOrder(t *testing.T) {
	for after, want := range map[string]string{"APPEND n 2": "12", "SELECT 1": "1", "PING": "1"} {
		var first string
		redistest.Explore(t, func(w *redistest.World) {
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				conn, err := p.Dial(ctx, "redis")
				if err != nil {
					return
				}
				_, _ = conn.Write([]byte("SET n 1\r\n"))
				_, _ = conn.Write([]byte(after + "\r\n"))
				reply := make([]byte, len("+OK"))
				_, _ = io.ReadFull(conn, reply)
				first = string(reply)
			})
			w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.SetNX(ctx, "n", "", 0) })
			w.Eventually("in order", func() error {
				if is := w.Do("redis", "GET", "n"); is != want || first != "+OK" {
					return fmt.Errorf("n is %q, and the first reply was %q", is, first)
				}
				return nil
			})
		}, redistest.Bounds{Slow: 1})
	}
}

// writes is a program that writes something, and has heard what came within a second.
func writes(written []string, heard *string) func(context.Context, *redistest.Process) {
	return func(ctx context.Context, p *redistest.Process) {
		conn, err := p.Dial(ctx, "redis")
		if err != nil {
			return
		}
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		for _, w := range written {
			_, _ = conn.Write([]byte(w))
		}
		all, _ := io.ReadAll(conn)
		*heard = string(all)
	}
}

// Of what is written at once all may be performed, others in between, and no reply come: who counts what has failed counts too much.
func TestAllRepliesToWhatWasWrittenAtOnceMayBeLost(t *testing.T) {
	for name, written := range map[string][]string{
		"a pipeline":             {"*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n"},
		"one after the other":    {"INCR n\r\n", "INCR n\r\n"},
		"the end, a transaction": {"INCR n\r\n", "*1\r\n$5\r\nMULTI\r\n*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n*1\r\n$4\r\nEXEC\r\n"},
	} {
		seen := map[string]bool{}
		v := redistest.Search(t, func(w *redistest.World) {
			heard := ""
			w.Process("A", writes(written, &heard))
			w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Append(ctx, "n", "0") })
			w.Eventually("seen", func() error {
				seen[w.Do("redis", "GET", "n")+" "+heard] = true
				return nil
			})
		}, redistest.Bounds{Losses: 1})
		for _, unheard := range []string{"20 ", "11 ", "2 "} {
			if !seen[unheard] {
				t.Errorf("%s: never %q, only %v\n%s", name, unheard, seen, v)
			}
		}
	}
}

// As replies get lost, the last of what was written at once may, too: who has heard nothing of three may have had two performed.
func TestAnyBeginningOfAPipelineMayBePerformed(t *testing.T) {
	incr := "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n"
	for name, written := range map[string][]string{"in one write": {incr + incr + incr}, "in three": {incr, incr, incr}} {
		seen := map[string]bool{}
		v := redistest.Search(t, func(w *redistest.World) {
			heard := ""
			w.Process("A", writes(written, &heard))
			w.Eventually("seen", func() error {
				seen[w.Do("redis", "GET", "n")+" "+heard] = true
				return nil
			})
		}, redistest.Bounds{Losses: 1})
		for _, unheard := range []string{"1 ", "2 ", "3 "} {
			if !seen[unheard] {
				t.Errorf("%s: never %q, only %v\n%s", name, unheard, seen, v)
			}
		}
	}
}
