package player

import (
	"context"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/web/ui"
)

// followed is what the script of a step did, line by line.
type followed struct {
	step   int // 0: none was followed
	inside *engine.Inside
}

// maxFollower is how many bytes of compiled scripts are kept. Those that tell of their lines
// are several times as long as those of the lesson.
const maxFollower = 4 << 20

// followShown finds out what the shown step's script did, for the page to write beside its
// lines. Unless the learner has looked inside, the script runs once more, in memory, on the
// keys that the step found: the lesson's nodes are not asked.
func (s *Session) followShown(ctx context.Context) {
	step, t := s.shownStep(), &s.now
	if step == nil || step.Inside != nil || t.followed.step == step.N {
		return
	}
	if s.follower == nil || s.follower.Bytes() > maxFollower {
		s.follower = redis.NewNode()
	}
	node := s.follower.Fork().(*redis.Node)
	if s.kind == ui.Embedded { // other engines have servers that are in no cluster
		node.Join(s.lesson.Member(engine.NodeOf(step.Request)))
	}
	inside := Inside(ctx, node, t.trace.At(step.N-1), step)
	if ctx.Err() == nil { // else the next frame tries again
		t.followed = followed{step.N, inside}
	}
}

// insideShown is what followShown has found out. It is nil when no script ran, or when it may
// not do there what it did.
func (s *Session) insideShown() *engine.Inside {
	if step := s.shownStep(); step == nil || step.Inside != nil || s.now.followed.step != step.N {
		return nil
	}
	return s.now.followed.inside
}

// Inside tells what the script of a step did, line by line: it runs once more on an empty node,
// which is then given what there was before. It is nil if it does not answer the same.
func Inside(ctx context.Context, node *redis.Node, before *engine.Snapshot, step *engine.Step) *engine.Inside {
	exec, ok := step.Request.(engine.Exec)
	if !ok || exec.Op.Script == nil || step.Reply == nil || step.Taken {
		return nil
	}
	view, _ := before.Node(exec.Node)
	if !fill(ctx, node, view, before.Now) {
		return nil
	}
	res, inside, err := redis.Look(ctx, node, exec.Op, view, before.Now)
	if err != nil || inside == nil || res.Reply.String() != step.Reply.String() || asksForOrder(inside) {
		return nil
	}
	return inside
}

// asksForOrder tells whether a script asked in which order a key keeps what is in it. A view
// does not say: it has fields and members by name.
func asksForOrder(in *engine.Inside) bool {
	return slices.ContainsFunc(in.Lines, func(l engine.Line) bool {
		if l.Call == nil || len(l.Call.Args) == 0 {
			return false
		}
		name := strings.ToLower(strings.Trim(l.Call.Args[0], `"`))
		return slices.Contains([]string{"hkeys", "hvals", "hgetall", "smembers", "keys"}, name)
	})
}

// fill makes an empty node in memory hold what a view shows. Its time begins now.
func fill(ctx context.Context, node *redis.Node, view engine.NodeView, now engine.Instant) bool {
	for _, k := range view.Keys {
		if k.Deadline != engine.NoDeadline {
			k.Deadline -= now
		}
		for _, op := range redis.Give(k) {
			res, err := node.Exec(ctx, op)
			if err != nil || res.Reply.IsError() {
				return false
			}
		}
	}
	return !slices.ContainsFunc(view.Subscriptions, func(s engine.Subscription) bool { return node.Subscribe(ctx, s.Process, s.Channel) != nil })
}
