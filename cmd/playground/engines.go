package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
	realredis "lockstep/node/redis/real"
	realsql "lockstep/node/sql/real"
	realzookeeper "lockstep/node/zookeeper/real"
)

// engineFlags choose what lessons run on.
type engineFlags struct {
	kind     string
	redisURL string
	kinds    []string // that the subcommand knows
}

func (f *engineFlags) define(flags *flag.FlagSet, kinds ...string) {
	f.kinds = kinds
	flags.StringVar(&f.kind, "engine", kinds[0], "`NAME` of the engine: "+strings.Join(kinds, " or "))
	flags.StringVar(&f.redisURL, "redis-url", "", "`URL` of a Redis server to use instead of starting one")
}

// embedded is the engine whose nodes are all in memory.
const embedded = "embedded"

// target is one engine: it makes nodes for a lesson.
type target struct {
	name string
	at   place // nil: the embedded engine
}

// open makes the chosen engines ready. close ends what was started for them.
func (f *engineFlags) open(ctx context.Context) (stages []target, closeAll func(), err error) {
	known := false
	for _, k := range f.kinds {
		known = known || k == f.kind
	}
	switch {
	case !known:
		return nil, nil, usage("there is no engine %q: use one of %s", f.kind, strings.Join(f.kinds, ", "))
	case f.redisURL != "" && f.kind == embedded:
		return nil, nil, usage("--redis-url is of no use to the embedded engine: add --engine redis")
	case f.redisURL != "" && (f.kind == "mariadb" || f.kind == "zookeeper"):
		return nil, nil, usage("--redis-url is of no use to --engine %s: use --engine redis", f.kind)
	case f.redisURL != "" && f.kind == "valkey":
		return nil, nil, usage("--engine valkey starts a server of its own: add --engine redis, whatever server the URL leads to")
	}
	closeAll = func() {
		for _, s := range stages {
			if s.at != nil {
				_ = s.at.Close() // its error comes too late to matter
			}
		}
	}
	for _, reach := range f.servers() {
		at, err := reach(ctx)
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
	if f.kind == embedded || f.kind == "all" {
		stages = slices.Insert(stages, 0, target{name: embedded})
	}
	return stages, closeAll, nil
}

// servers reach or start the real ones of the chosen engines: for all of them Valkey, MariaDB and
// ZooKeeper only where they are installed, since Redis suffices to run most lessons.
func (f *engineFlags) servers() (reach []func(context.Context) (place, error)) {
	redis := func(ctx context.Context) (place, error) { return reachRedis(ctx, f.redisURL) }
	valkey := func(ctx context.Context) (place, error) {
		return startRedis(ctx, cmp.Or(valkeyServer(), "valkey-server"))
	}
	all := f.kind == "all"
	if all || f.kind == "redis" {
		reach = append(reach, redis)
	}
	if f.kind == "valkey" || all && valkeyServer() != "" && f.redisURL == "" {
		reach = append(reach, valkey)
	}
	if f.kind == "mariadb" || all && realsql.Installed() != "" {
		reach = append(reach, reachMariaDB)
	}
	if f.kind == "zookeeper" || all && realzookeeper.Installed() != "" {
		reach = append(reach, reachZooKeeper)
	}
	return reach
}

// valkeyServer is the program of a Valkey; empty: there is none.
func valkeyServer() string {
	if path, err := exec.LookPath("valkey-server"); err == nil {
		return path
	}
	if _, err := os.Stat(unpackedValkey); err == nil {
		return unpackedValkey
	}
	return ""
}

// unpackedValkey is where make servers leaves a Valkey on machines without a
// redis-server.
const unpackedValkey = ".cache/valkey/usr/bin/valkey-server"

// reachRedis reaches the server of a URL, or starts one of our own.
func reachRedis(ctx context.Context, url string) (place, error) {
	if url != "" {
		s, err := realredis.Dial(ctx, url)
		if err != nil {
			return nil, err
		}
		return redisPlace{s}, nil
	}
	binary := ""
	if _, err := exec.LookPath("redis-server"); err != nil {
		binary = valkeyServer()
	}
	return startRedis(ctx, binary)
}

func startRedis(ctx context.Context, binary string) (place, error) {
	s, err := realredis.StartPrivate(ctx, binary)
	if err != nil {
		return nil, err
	}
	return redisPlace{s}, nil
}

func reachMariaDB(ctx context.Context) (place, error) { return startMariaDB(ctx, "") }

func startMariaDB(ctx context.Context, binary string) (place, error) {
	s, err := realsql.StartPrivate(ctx, binary)
	if err != nil {
		return nil, err
	}
	return mariadbPlace{s}, nil
}

func reachZooKeeper(ctx context.Context) (place, error) { return startZooKeeper(ctx, "") }

func startZooKeeper(ctx context.Context, java string) (place, error) {
	s, err := realzookeeper.StartPrivate(ctx, java)
	if err != nil {
		return nil, err
	}
	return zookeeperPlace{s}, nil
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
func (s target) plays(l *lessons.Lesson) bool { return s.at == nil || hasKind(l, s.at.kind()) }

// on is what a lesson is really played on, and why that is not the target; empty: it is.
func (s target) on(l *lessons.Lesson) (engine, why string) {
	if s.plays(l) {
		return s.name, ""
	}
	return embedded, "no node of it can be on " + s.name
}
