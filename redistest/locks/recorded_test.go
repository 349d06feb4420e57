package locks_test

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"lockstep/attach"
	"lockstep/attach/proxy"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
)

// attach tells the locks of libraries, and what is recorded of them is a lesson: of an embedded server, and of a
// real one that it stands before.
func TestLocksAreRecognised(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		server := port.New(port.Real, slog.New(slog.NewTextHandler(t.Output(), nil)))
		recorder := attach.Follow(server)
		locksAreRecognised(t, recorder, serve(t, server), func() {})
	})
	t.Run("real", func(t *testing.T) {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		must(t, err)
		addr := listener.Addr().String()
		must(t, listener.Close())
		_, port, _ := net.SplitHostPort(addr)
		conversations.StartServer(t, conversations.RedisServer(t), "--port", port, "--bind", "127.0.0.1")
		to, err := proxy.Parse("redis://" + addr)
		must(t, err)
		p := proxy.New(to, slog.New(slog.NewTextHandler(t.Output(), nil)))
		locksAreRecognised(t, p.Recorder(), serve(t, p), func() {
			for !p.Idle() {
				<-time.After(time.Millisecond)
			}
		})
	})
}

func locksAreRecognised(t *testing.T, recorder *attach.Recorder, client func(redis.Options) *redis.Client, told func()) {
	t.Helper()
	a := client(redis.Options{ClientName: "a", Protocol: 2, DisableIdentity: true})
	b := client(redis.Options{ClientName: "b", Protocol: 2, DisableIdentity: true})
	ctx := t.Context()
	mine := redsync.New(goredis.NewPool(a)).NewMutex("lock")
	must(t, mine.LockContext(ctx))
	if err := redsync.New(goredis.NewPool(b)).NewMutex("lock", redsync.WithTries(1)).LockContext(ctx); err == nil {
		t.Error("two have it")
	}
	_, err := mine.ExtendContext(ctx)
	must(t, err)
	_, err = mine.UnlockContext(ctx)
	must(t, err)
	other, err := redislock.Obtain(ctx, b, "other", time.Hour, nil)
	must(t, err)
	must(t, other.Release(ctx))
	told()
	trace, _, _ := recorder.Trace()
	var notes []string
	for _, s := range trace.Steps {
		for _, n := range s.Notes {
			notes = append(notes, fmt.Sprint(n.Actor, " ", n.Kind, " ", n.Text))
		}
		if len(s.Broken) > 0 {
			t.Errorf("a warning without a reason: %v", s.Broken)
		}
	}
	want := []string{"a enter lock", "b want lock", "b refused lock", "a leave lock", "b enter other", "b leave other"}
	if !slices.Equal(notes, want) {
		t.Errorf("it is %q, not %q", notes, want)
	}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "01-recorded"), 0o755))
	for _, f := range recorder.Recording().Files() {
		must(t, os.WriteFile(filepath.Join(dir, "01-recorded", f.Name), []byte(f.Text), 0o600))
	}
	play(t, dir)
}

// play plays the lesson in a folder.
func play(t *testing.T, dir string) {
	t.Helper()
	all, err := decode.Library{FS: os.DirFS(dir)}.All()
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %d lessons: %v", len(all), err)
	}
	report, err := lessons.Check(t.Context(), all[0], all[0].Open(lessons.Embedded))
	if problems := report.Problems.Of(lessons.Error); err != nil || len(problems) > 0 {
		t.Fatalf("%v\n%v\n%s", err, problems, all[0].YAML)
	}
}
