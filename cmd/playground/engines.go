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
	"lockstep/luaexec/redisexec"
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

// target is one engine: it makes nodes for a lesson.
type target struct {
	name   string
	server *redisexec.Server // nil: the embedded engine
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
	case f.redisURL != "" && f.kind == "embedded":
		return nil, nil, usage("--redis-url is of no use to the embedded engine: add --engine redis")
	case f.redisURL != "" && f.kind == "valkey":
		return nil, nil, usage("--engine valkey starts a server of its own: add --engine redis, whatever server the URL leads to")
	}
	closeAll = func() {
		for _, s := range stages {
			if s.server != nil {
				_ = s.server.Close() // its error comes too late to matter
			}
		}
	}
	for _, reach := range f.servers() {
		server, err := reach(ctx)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		if !slices.ContainsFunc(stages, func(s target) bool { return s.name == server.Version() }) {
			stages = append(stages, target{name: server.Version(), server: server})
		} else if err := server.Close(); err != nil {
			return nil, nil, err
		}
	}
	if f.kind == "embedded" || f.kind == "all" {
		stages = slices.Insert(stages, 0, target{name: "embedded"})
	}
	return stages, closeAll, nil
}

// servers reach or start the real ones of the chosen engines: for all of them Valkey only
// where it is installed, since Redis suffices to run lessons.
func (f *engineFlags) servers() (reach []func(context.Context) (*redisexec.Server, error)) {
	redis := func(ctx context.Context) (*redisexec.Server, error) { return reachRedis(ctx, f.redisURL) }
	valkey := func(ctx context.Context) (*redisexec.Server, error) {
		return redisexec.StartPrivate(ctx, cmp.Or(valkeyServer(), "valkey-server"))
	}
	switch {
	case f.kind == "redis", f.kind == "all" && (valkeyServer() == "" || f.redisURL != ""):
		reach = append(reach, redis)
	case f.kind == "valkey":
		reach = append(reach, valkey)
	case f.kind == "all":
		reach = append(reach, redis, valkey)
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
func reachRedis(ctx context.Context, url string) (*redisexec.Server, error) {
	if url != "" {
		return redisexec.Dial(ctx, url)
	}
	binary := ""
	if _, err := exec.LookPath("redis-server"); err != nil {
		binary = valkeyServer()
	}
	return redisexec.StartPrivate(ctx, binary)
}

// with gives a lesson's nodes to use, and removes what they hold afterwards. A
// server that was too slow to be believed gets a second chance from the start.
func (s target) with(ctx context.Context, l *lessons.Lesson, use func([]engine.NodeSpec) error) error {
	nodes, release := s.nodes(l)
	err := use(nodes)
	if errors.Is(err, redisexec.ErrSlow) {
		err = use(nodes)
	}
	if problem := release(context.WithoutCancel(ctx)); err == nil && problem != nil {
		err = fmt.Errorf("what the lesson left on the server could not be removed: %w", problem)
	}
	return err
}

func (s target) nodes(l *lessons.Lesson) (nodes []engine.NodeSpec, release func(context.Context) error) {
	var real []*redisexec.Node
	session := fmt.Sprintf("terminal-%d-%s", os.Getpid(), l.Name)
	makers := lessons.Embedded
	if s.server != nil {
		makers = lessons.Makers{lessons.Redis: func(of lessons.Node) engine.Node {
			n := s.server.Node(session, of.Name)
			real = append(real, n)
			return n
		}}
	}
	return l.Open(makers), func(ctx context.Context) error {
		var err error
		for _, n := range real {
			err = errors.Join(err, n.Close(ctx))
		}
		return err
	}
}
