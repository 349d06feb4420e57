package main

import (
	"context"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// TestWithoutRealServers: the page says what is missing.
func TestWithoutRealServers(t *testing.T) {
	for _, tt := range []struct {
		kind    ui.EngineKind
		missing func(error) fact.Fact
		start   func(ctx context.Context, program string) (place, error)
		zh      string
	}{
		{ui.MariaDB, noMariaDB, startMariaDB, "真实 MariaDB 不可用"},
		{ui.ZooKeeper, noZooKeeper, startZooKeeper, "真实 ZooKeeper 不可用"},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			r := &realServer{kind: tt.kind, missing: tt.missing}
			r.begin(t.Context(), func(ctx context.Context) (place, error) { return tt.start(ctx, "/no/such/program") })
			defer r.stop()
			if _, err := r.wait(t.Context()); err == nil {
				t.Fatal("there is one")
			}
			for lang, want := range map[lessons.Lang]string{lessons.En: "did not start", lessons.Zh: tt.zh} {
				if got := r.State(lang); !strings.Contains(got.Reason, want) {
					t.Errorf("in %s it says %q", lang, got.Reason)
				}
			}
		})
	}
}
