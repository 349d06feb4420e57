package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"

	"lockstep/lessons"
	realredis "lockstep/node/redis/real"
	realsql "lockstep/node/sql/real"
	realzookeeper "lockstep/node/zookeeper/real"
)

// realEngine is an engine on real servers that can be started here.
type realEngine struct {
	name      string        // as --engine has it; that of the node.Real of its kind is on the page, too
	installed func() string // the program of this machine; empty: there is none
	start     func(ctx context.Context, program string) (*place, error)
}

// realEngines are all, in the order in which lessons are checked on them.
var realEngines = []realEngine{
	{redisEngine, redisServer, startRedis},
	{valkeyEngine, valkeyServer, startValkey},
	{"mariadb", realsql.Installed, startMariaDB},
	{"zookeeper", realzookeeper.Installed, startZooKeeper},
}

// The engines that a URL can lead to, and that cannot be without it.
const (
	redisEngine  = "redis"
	valkeyEngine = "valkey"
)

// reach starts the engine, or for a Redis with a URL connects to that.
func (e realEngine) reach(ctx context.Context, redisURL string) (*place, error) {
	if e.name == redisEngine && redisURL != "" {
		return redisPlace(realredis.Dial(ctx, redisURL))
	}
	return e.start(ctx, e.installed())
}

func startMariaDB(ctx context.Context, program string) (*place, error) {
	s, err := realsql.StartPrivate(ctx, program)
	return &place{s, lessons.SQL, func(string, lessons.Node) realNode { return s.Node() }}, err
}

func startZooKeeper(ctx context.Context, java string) (*place, error) {
	s, err := realzookeeper.StartPrivate(ctx, java)
	return &place{s, lessons.ZooKeeper, func(_ string, of lessons.Node) realNode { return s.Node(of.Session) }}, err
}

func startRedis(ctx context.Context, program string) (*place, error) {
	return redisPlace(realredis.StartPrivate(ctx, program))
}

func startValkey(ctx context.Context, program string) (*place, error) {
	return startRedis(ctx, cmp.Or(program, "valkey-server"))
}

func redisPlace(s *realredis.Server, err error) (*place, error) {
	return &place{s, lessons.Redis, func(session string, of lessons.Node) realNode { return s.Node(session, of.Name) }}, err
}

// redisServer is the program of a Redis, or of a Valkey in its place.
func redisServer() string {
	if path, err := exec.LookPath("redis-server"); err == nil {
		return path
	}
	return valkeyServer()
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
