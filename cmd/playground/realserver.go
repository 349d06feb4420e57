package main

import (
	"context"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Limits, in real time.
const (
	startLimit = time.Minute     // for a server to be reached or started
	retryAfter = 3 * time.Second // between attempts
	closeLimit = 3 * time.Second // for what a session has there to be removed
)

// realServer is an engine on real servers of one kind. They are reached in the background,
// and tried again for as long as they are not there.
type realServer struct {
	kind       ui.EngineKind
	reach      func() (*place, error) // tries once; it gives up when the playground ends
	allowEdits bool                   // also where nothing but care holds them back
	warn       func(text string)

	mu     sync.Mutex
	server *place
	err    error
	tried  time.Time     // when the last attempt ended
	trying chan struct{} // closed when the attempt under way ends; nil: there is none
}

// enginesOfPage begin to reach the servers of the page's engines: those of a URL, or of our own.
// What whoever runs the playground should know of them is passed to warn once they are reached.
func enginesOfPage(ctx context.Context, redisURL string, allowEdits bool, warn func(text string)) []*realServer {
	var all []*realServer
	for _, e := range realEngines {
		if ui.EngineKind(e.name).Real() != "" {
			all = append(all, newRealServer(ctx, e, redisURL, allowEdits, warn))
		}
	}
	return all
}

func newRealServer(ctx context.Context, e realEngine, redisURL string, allowEdits bool, warn func(text string)) *realServer {
	r := &realServer{kind: ui.EngineKind(e.name), allowEdits: allowEdits, warn: warn}
	r.begin(ctx, func(ctx context.Context) (*place, error) { return e.reach(ctx, redisURL) })
	return r
}

func (r *realServer) begin(ctx context.Context, reach func(context.Context) (*place, error)) {
	r.reach = func() (*place, error) {
		ctx, cancel := context.WithTimeout(ctx, startLimit)
		defer cancel()
		return reach(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.try()
}

// try begins an attempt to reach the server; r.mu is held.
func (r *realServer) try() {
	done := make(chan struct{})
	r.trying = done
	go func() {
		defer close(done)
		server, err := r.reach()
		if err != nil {
			server = nil
		} else {
			for _, text := range r.warnings(server) {
				r.warn(text)
			}
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.server, r.err, r.tried, r.trying = server, err, time.Now(), nil
	}()
}

// warnings are what scripts can do to a shared server, and whether visitors may send
// any of their own.
func (r *realServer) warnings(server *place) []string {
	warnings := server.Warnings()
	switch err := server.Confined(); {
	case err != nil && r.allowEdits:
		warnings = append(warnings, "edited scripts run there all the same: "+err.Error())
	case err != nil:
		warnings = append(warnings, "edited scripts do not run there: "+err.Error())
	}
	return warnings
}

// State says why there is no server, if the last attempt failed. While the first
// attempt is under way the engine can be chosen: Open waits for it.
func (r *realServer) State(lang lessons.Lang) ui.EngineState {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := ui.EngineState{Kind: r.kind}
	if r.server != nil {
		state.Version = r.server.Version()
		state.Edits = r.edits(lang)
		return state
	}
	state.Edits = ui.Tell(lang, fact.Of("not-reached"))
	if r.err != nil {
		state.Reason = ui.Tell(lang, fact.Of("no-real", r.kind.Real().Row().Real.Name, r.err))
		if r.trying == nil && time.Since(r.tried) > retryAfter {
			r.try()
		}
	}
	return state
}

// edits says why edited scripts may not run on the server; r.mu is held.
func (r *realServer) edits(lang lessons.Lang) string {
	err := r.server.Confined()
	if err == nil || r.allowEdits {
		return ""
	}
	return ui.Tell(lang, fact.Of("no-edits", err))
}

// Open makes a session's nodes.
func (r *realServer) Open(ctx context.Context, session string, l *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	server, err := r.wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	specs, leave := openAt(server, session, l)
	release := func() error {
		// The session may end because its context did; what it has there goes all the same.
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		return leave(ctx)
	}
	return specs, release, nil
}

func (r *realServer) wait(ctx context.Context) (*place, error) {
	r.mu.Lock()
	trying := r.trying
	r.mu.Unlock()
	if trying != nil {
		select {
		case <-trying:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.server, r.err
}

// stop ends a private server and all connections.
func (r *realServer) stop() {
	_, _ = r.wait(context.Background())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil {
		_ = r.server.Close()
	}
}
