package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// engineFlags choose what lessons run on.
type engineFlags struct {
	kind     string
	redisURL string
	kinds    []string // that the subcommand knows
}

func (f *engineFlags) define(flags *flag.FlagSet, more ...string) {
	f.kinds = []string{embedded}
	for _, e := range realEngines {
		f.kinds = append(f.kinds, e.name)
	}
	f.kinds = append(f.kinds, more...)
	flags.StringVar(&f.kind, "engine", embedded, "`NAME` of the engine: "+strings.Join(f.kinds, " or "))
	flags.StringVar(&f.redisURL, "redis-url", "", "`URL` of a Redis server to use instead of starting one")
}

// What --engine may say that is not in the table of real engines.
const (
	embedded    = "embedded" // all nodes are in memory
	everyEngine = "all"
)

// target is one engine: it makes nodes for a lesson.
type target struct {
	name string
	at   *place // nil: the embedded engine
}

// open makes the chosen engines ready. close ends what was started for them.
func (f *engineFlags) open(ctx context.Context) (stages []target, closeAll func(), err error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	closeAll = func() {
		for _, s := range stages {
			if s.at != nil {
				_ = s.at.Close() // its error comes too late to matter
			}
		}
	}
	for _, e := range realEngines {
		if !f.plays(e) {
			continue
		}
		at, err := e.reach(ctx, f.redisURL)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		if !slices.ContainsFunc(stages, func(s target) bool { return s.name == at.Version() }) {
			stages = append(stages, target{at.Version(), at})
		} else if err := at.Close(); err != nil {
			return nil, nil, err
		}
	}
	if f.kind == embedded || f.kind == everyEngine {
		stages = slices.Insert(stages, 0, target{name: embedded})
	}
	return stages, closeAll, nil
}

func (f *engineFlags) check() error {
	switch {
	case !slices.Contains(f.kinds, f.kind):
		return usage("there is no engine %q: use one of %s", f.kind, strings.Join(f.kinds, ", "))
	case f.redisURL == "" || f.kind == redisEngine || f.kind == everyEngine:
		return nil
	case f.kind == embedded:
		return usage("--redis-url is of no use to the embedded engine: add --engine redis")
	case f.kind == valkeyEngine:
		return usage("--engine valkey starts a server of its own: add --engine redis, whatever server the URL leads to")
	}
	return usage("--redis-url is of no use to --engine %s: use --engine redis", f.kind)
}

// plays tells whether an engine was chosen. Redis suffices to run most lessons, so of all engines
// the others play only where their servers are installed.
func (f *engineFlags) plays(e realEngine) bool {
	switch {
	case f.kind != everyEngine:
		return f.kind == e.name
	case e.name == redisEngine:
		return true
	case e.name == valkeyEngine && f.redisURL != "":
		return false
	}
	return e.installed() != ""
}

// mostTries is how often something is done from the start on a server that was too slow to be
// believed: the machine may be busy.
const mostTries = 5

// with gives a lesson's nodes to use, and removes what they hold afterwards.
func (s target) with(ctx context.Context, l *lessons.Lesson, use func([]engine.NodeSpec) error) error {
	nodes, release := openAt(s.at, fmt.Sprintf("terminal-%d-%s", os.Getpid(), l.Name), l)
	err := use(nodes)
	for try := 1; try < mostTries && errors.Is(err, engine.ErrSlow); try++ {
		err = use(nodes)
	}
	if problem := release(context.WithoutCancel(ctx)); err == nil && problem != nil {
		err = fmt.Errorf("what the lesson left on the server could not be removed: %w", problem)
	}
	return err
}

// plays tells whether a lesson has a node that lives there.
func (s target) plays(l *lessons.Lesson) bool { return s.at == nil || l.CanBeReal(s.at.kind) }

// on is what a lesson is really played on, and why that is not the target; empty: it is.
func (s target) on(l *lessons.Lesson) (engine, why string) {
	if s.plays(l) {
		return s.name, ""
	}
	return embedded, "no node of it can be on " + s.name
}
