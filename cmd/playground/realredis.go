package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/luaexec/redisexec"
	"lockstep/web/ui"
)

// Limits, in real time.
const (
	redisStartLimit = 15 * time.Second // for a server to be reached or started
	redisRetryAfter = 3 * time.Second  // between attempts
	redisCloseLimit = 3 * time.Second  // for a session's keys to be removed
)

// realRedis is the engine on a real server. It is reached in the background, and
// tried again for as long as it is not there.
type realRedis struct {
	reach      func() (*redisexec.Server, error) // tries once; it gives up when the playground ends
	allowEdits bool                              // also where nothing but care holds them back
	warn       func(text string)

	mu     sync.Mutex
	server *redisexec.Server
	err    error
	tried  time.Time     // when the last attempt ended
	trying chan struct{} // closed when the attempt under way ends; nil: there is none
}

// startRedis begins to reach the server of a URL, or one of our own. What whoever
// runs the playground should know of it is passed to warn once it is reached.
func startRedis(ctx context.Context, url string, allowEdits bool, warn func(text string)) *realRedis {
	r := &realRedis{allowEdits: allowEdits, warn: warn, reach: func() (*redisexec.Server, error) {
		ctx, cancel := context.WithTimeout(ctx, redisStartLimit)
		defer cancel()
		return reachRedis(ctx, url)
	}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.try()
	return r
}

// try begins an attempt to reach the server; r.mu is held.
func (r *realRedis) try() {
	done := make(chan struct{})
	r.trying = done
	go func() {
		defer close(done)
		server, err := r.reach()
		if err == nil {
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
func (r *realRedis) warnings(server *redisexec.Server) []string {
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
func (r *realRedis) State(lang lessons.Lang) ui.EngineState {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := ui.EngineState{Kind: ui.Redis}
	if r.server != nil {
		state.Version = r.server.Version()
		state.Edits = r.edits(lang)
		return state
	}
	state.Edits = ui.Tell(lang, fact.Of("not-reached"))
	if r.err != nil {
		state.Reason = ui.Tell(lang, fact.Of("no-redis", r.err))
		if r.trying == nil && time.Since(r.tried) > redisRetryAfter {
			r.try()
		}
	}
	return state
}

// edits says why edited scripts may not run on the server; r.mu is held.
func (r *realRedis) edits(lang lessons.Lang) string {
	err := r.server.Confined()
	if err == nil || r.allowEdits {
		return ""
	}
	return ui.Tell(lang, fact.Of("no-edits", err))
}

// Open makes a session's nodes.
func (r *realRedis) Open(ctx context.Context, session string, l *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	server, err := r.wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	var nodes []*redisexec.Node
	specs := l.Open(lessons.Makers{lessons.Redis: func(of lessons.Node) engine.Node {
		n := server.Node(session, of.Name)
		nodes = append(nodes, n)
		return n
	}})
	release := func() error {
		// The session may end because its context did; its keys go all the same.
		ctx, cancel := context.WithTimeout(context.Background(), redisCloseLimit)
		defer cancel()
		var errs []error
		for _, n := range nodes {
			errs = append(errs, n.Close(ctx))
		}
		return errors.Join(errs...)
	}
	return specs, release, nil
}

func (r *realRedis) wait(ctx context.Context) (*redisexec.Server, error) {
	r.mu.Lock()
	trying := r.trying
	r.mu.Unlock()
	if trying != nil {
		select {
		case <-trying:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.server, r.err
}

// Slow tells whether a step only took too long to be believed.
func (r *realRedis) Slow(err error) bool { return errors.Is(err, redisexec.ErrSlow) }

// stop ends a private server and all connections.
func (r *realRedis) stop() {
	_, _ = r.wait(context.Background())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil {
		_ = r.server.Close()
	}
}
