package main

import (
	"context"
	"strings"
	"testing"

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
