package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"lockstep/lessons"
	"lockstep/web/ui"
)

// TestWithoutRealServers: the page says what is missing.
func TestWithoutRealServers(t *testing.T) {
	for name, zh := range map[string]string{"mariadb": "真实 MariaDB 不可用", "zookeeper": "真实 ZooKeeper 不可用"} {
		t.Run(name, func(t *testing.T) {
			e := engineNamed(t, name)
			r := &realServer{kind: ui.EngineKind(name)}
			r.begin(t.Context(), func(ctx context.Context) (*place, error) { return e.start(ctx, "/no/such/program") })
			defer r.stop()
			if _, err := r.wait(t.Context()); err == nil {
				t.Fatal("there is one")
			}
			for lang, want := range map[lessons.Lang]string{lessons.En: "did not start", lessons.Zh: zh} {
				if got := r.State(lang); !strings.Contains(got.Reason, want) {
					t.Errorf("in %s it says %q", lang, got.Reason)
				}
			}
		})
	}
}

// A server that starts slowly keeps nobody waiting for longer than they have.
func TestASlowServerIsNotWaitedFor(t *testing.T) {
	r := &realServer{kind: ui.Redis, warn: silent}
	r.begin(t.Context(), func(ctx context.Context) (*place, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	late := errors.New("late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, late)
	defer cancel()
	if _, _, err := r.Open(ctx, "test", builtInLessons(t)[0]); !errors.Is(err, late) {
		t.Errorf("it fails with %v", err)
	}
}

// engineNamed is a row of the real engines.
func engineNamed(t *testing.T, name string) realEngine {
	t.Helper()
	for _, e := range realEngines {
		if e.name == name {
			return e
		}
	}
	t.Fatalf("there is no engine %s", name)
	return realEngine{}
}

// pageEngine is an engine of the page, without warnings.
func pageEngine(t *testing.T, name, redisURL string, allowEdits bool) *realServer {
	t.Helper()
	r := newRealServer(t.Context(), engineNamed(t, name), redisURL, allowEdits, silent)
	t.Cleanup(r.stop)
	return r
}
