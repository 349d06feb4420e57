package conversations_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
)

// randomClient asks for whatever may be asked for, and goes where it is sent.
type randomClient struct {
	cast
	chance  *rand.Rand
	node    string // where it goes, unless it wants to go elsewhere
	again   engine.Request
	listens []engine.Subscribe
}

// Next implements engine.Actor.
func (a *randomClient) Next(out engine.Outcome) engine.Request {
	if e, ok := a.again.(engine.Exec); ok {
		a.again = nil
		if to, moved := strings.CutPrefix(out.Reply.Str, "MOVED "); moved {
			_, e.Node, _ = strings.Cut(to, " ")
			return e
		}
	}
	r := a.next()
	a.again = r
	return r
}

func (a *randomClient) next() engine.Request {
	node := a.node
	switch n := a.chance.IntN(24); {
	case n < 4:
		node = a.nodes[a.chance.IntN(len(a.nodes))]
	case n == 4 && a.replicaOf != "":
		return engine.Exec{Node: a.replicaOf, ToLeader: true, Op: engine.Op{Args: a.command()}}
	case n == 5:
		s := engine.Subscribe{Node: node, Channel: a.one("{a}ch", "ch")}
		a.listens = append(a.listens, s)
		return s
	case n < 8 && len(a.listens) > 0:
		s := a.listens[a.chance.IntN(len(a.listens))]
		return engine.Receive{Node: s.Node, Channel: s.Channel, Timeout: a.span()}
	case n == 8 && len(a.listens) > 0:
		s := a.listens[0]
		a.listens = a.listens[1:]
		return engine.Unsubscribe(s)
	case n == 9:
		return engine.Sleep{For: a.span()}
	case n == 10 && a.replicaOf != "":
		return engine.AwaitReplicas{Node: node, ToLeader: a.chance.IntN(2) == 0, Replicas: 1 + a.chance.IntN(2), Timeout: a.span()}
	case n < 14:
		return engine.Exec{Node: node, Op: a.script()}
	case n == 14:
		return engine.Exec{Node: node, Op: engine.Op{Args: []string{"set", a.key("k"), ""}}, Stamps: []engine.Stamp{{Arg: 2}}}
	}
	return engine.Exec{Node: node, Op: engine.Op{Args: a.command()}}
}

func (a *randomClient) one(words ...string) string { return words[a.chance.IntN(len(words))] }

func (a *randomClient) span() time.Duration {
	return time.Duration(1+a.chance.IntN(30)) * 100 * time.Millisecond
}

func (a *randomClient) ms() string { return strconv.FormatInt(a.span().Milliseconds(), 10) }

// key is one of few names of a type; most of a cluster's have one slot.
func (a *randomClient) key(of string) string {
	return a.one("{a}"+of, "{a}"+of, "{a}"+of+"2", of)
}

func (a *randomClient) command() []string {
	const commands = `set k V px MS|set k V nx px MS|set k V|get k|get k|pttl k|pexpire k MS|persist k|del k|del q|incr n|append k V|mget k k|` +
		`rpush q V|rpush q V V|lpush q V|lpop q|lrange q 0 -1|blpop q SECONDS|blpop q q SECONDS|brpop q SECONDS|blmove q q left right SECONDS|blmpop SECONDS 1 q left|` +
		`hset h f V|hincrby h f 1|hgetall h|sadd s V|srem s V|smembers s|zadd z 1 V|zadd z 2 V|zrange z 0 -1|bzpopmin z SECONDS|bzpopmax z z SECONDS|` +
		`xadd x * f V|xrange x - +|publish ch V|publish {a}ch V|pexpire h MS|pexpire q MS|type k|get q|rename k k`
	args := strings.Fields(a.one(strings.Split(commands, "|")...))
	for i, arg := range args[1:] {
		switch arg {
		case "k", "q", "h", "s", "z", "x", "n":
			args[i+1] = a.key(arg)
		case "V":
			args[i+1] = a.one("a", "b", "c")
		case "MS":
			args[i+1] = a.ms()
		case "SECONDS":
			args[i+1] = strconv.FormatFloat(a.span().Seconds(), 'g', -1, 64)
		}
	}
	return args
}

var scripts = []string{
	"if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then return 1 end return redis.call('pttl', KEYS[1])",
	"if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('publish', KEYS[3], ARGV[1]) return redis.call('del', KEYS[1]) end return 0",
	"return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1]), redis.call('exists', KEYS[2])}",
	"redis.call('rpush', KEYS[2], ARGV[1], ARGV[2]) return redis.call('llen', KEYS[2])",
	"local r = redis.pcall('rpush', KEYS[2], ARGV[1]) return {redis.call('type', KEYS[2]).ok, type(r), KEYS[1]}",
	"redis.call('hset', KEYS[1], 'owner', ARGV[1]) redis.call('pexpire', KEYS[1], ARGV[2]) return redis.call('hgetall', KEYS[1])",
	"redis.call('incr', KEYS[1]) error('broken')",
}

func (a *randomClient) script() engine.Op {
	n := a.chance.IntN(len(scripts))
	return engine.Op{
		Script: &engine.Script{Name: fmt.Sprint("script", n), Source: scripts[n]},
		Keys:   []string{a.key("k"), a.key("q"), "{a}ch"}, Args: []string{a.one("a", "b", "c"), a.ms()},
	}
}
