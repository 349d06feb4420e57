package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// The storybook is every state that the page can be in, with canned data: what
// the goldens and the screenshots show.

const lockLua = `-- KEYS[1] the lock, ARGV[1] the lease, ARGV[2] the owner
if (redis.call('exists', KEYS[1]) == 0) then
  redis.call('hincrby', KEYS[1], ARGV[2], 1);
  redis.call('pexpire', KEYS[1], ARGV[1]);
  return nil;
end;
if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
  redis.call('hincrby', KEYS[1], ARGV[2], 1);
  redis.call('pexpire', KEYS[1], ARGV[1]);
  return nil;
end;
return redis.call('pttl', KEYS[1]);
`

const unlockLua = `if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then
  return nil;
end;
local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1);
if (counter > 0) then
  redis.call('pexpire', KEYS[1], ARGV[2]);
  return 0;
end;
redis.call('del', KEYS[1]);
redis.call('publish', KEYS[2], ARGV[1]);
return 1;
`

const clientLua = `local WATCHDOG = 30000
local owner = "8743c9c0:" .. me

-- Takes the lock, or returns how long its holder still has.
local function acquire(name)
  local ttl = redis.eval("lock", { name }, { WATCHDOG, owner })
  if ttl == nil then
    spawn("watchdog", function() watch(name) end)
  end
  return ttl
end

function watch(name)
  while true do
    sleep(WATCHDOG / 3)
    redis.eval("renew", { name }, { WATCHDOG, owner })
  end
end

-- Waits for as long as it takes.
function lock(name)
  local ttl = acquire(name)
  if ttl ~= nil then
    subscribe(channel(name))
    while ttl ~= nil do
      receive(channel(name), ttl)
      ttl = acquire(name)
    end
  end
end
`

const programLua = `lock("anyLock")
work("20s")
unlock("anyLock")
`

// Where threads stand in that code.

func at(frames ...engine.Frame) *engine.Position { return &engine.Position{Frames: frames} }

func inProgram(who string, line int) engine.Frame { return engine.Frame{Chunk: who, Line: line} }

func inLock(line int, ttl string) engine.Frame {
	f := engine.Frame{Chunk: "redisson.lua", First: 21, Last: 30, Line: line, Locals: []engine.Local{{Name: "name", Value: `"anyLock"`}}}
	if ttl != "" {
		f.Locals = append(f.Locals, engine.Local{Name: "ttl", Value: ttl})
	}
	return f
}

func inAcquire(who string) engine.Frame {
	return engine.Frame{
		Chunk: "redisson.lua", First: 5, Last: 11, Line: 6, Locals: []engine.Local{{Name: "name", Value: `"anyLock"`}},
		Outer: []engine.Local{{Name: "WATCHDOG", Value: "30000"}, {Name: "owner", Value: `"8743c9c0:` + who + `"`}},
	}
}

func inWatch(line int) engine.Frame {
	return engine.Frame{
		Chunk: "redisson.lua", First: 13, Last: 18, Line: line, Locals: []engine.Local{{Name: "name", Value: `"anyLock"`}},
		Outer: []engine.Local{{Name: "WATCHDOG", Value: "30000"}, {Name: "owner", Value: `"8743c9c0:A"`}},
	}
}

var inSpawned = engine.Frame{Chunk: "redisson.lua", First: 8, Last: 8, Line: 8, Outer: []engine.Local{{Name: "name", Value: `"anyLock"`}}}

const channel = "redisson_lock__channel:{anyLock}"

// world plays a scene by hand: each step says what it changes, and the rest
// stays as it was.
type world struct {
	trace engine.Trace
	snap  engine.Snapshot
}

func newWorld() *world {
	s := engine.Snapshot{
		Nodes: []engine.NodeView{{Node: "redis"}},
		Actors: []engine.ActorState{
			{Name: "A", Process: "jvm-1", Status: engine.Ready, Next: lockCall("A"), Until: engine.NoDeadline, Position: at(inAcquire("A"), inLock(22, ""), inProgram("A", 1))},
			{Name: "B", Process: "jvm-2", Status: engine.Ready, Next: lockCall("B"), Until: engine.NoDeadline, Position: at(inAcquire("B"), inLock(22, ""), inProgram("B", 1))},
		},
	}
	s.Options = optionsOf(s)
	return &world{trace: engine.Trace{Start: s}, snap: s}
}

func lockCall(who string) engine.Request {
	return engine.Exec{Node: "redis", Op: engine.Op{
		Script: &engine.Script{Name: "lock", Source: lockLua},
		Keys:   []string{"anyLock"}, Args: []string{"30000", "8743c9c0:" + who},
	}}
}

func unlockCall(who string) engine.Request {
	return engine.Exec{Node: "redis", Op: engine.Op{
		Script: &engine.Script{Name: "unlock", Source: unlockLua},
		Keys:   []string{"anyLock", channel}, Args: []string{"0", "30000", "8743c9c0:" + who},
	}}
}

func optionsOf(s engine.Snapshot) []engine.Option {
	var os []engine.Option
	for _, a := range s.Actors {
		o := engine.Option{Choice: engine.Choice{Kind: engine.Run, Target: a.Name}}
		switch a.Status {
		case engine.Sleeping:
			o.Reason = fact.Of("sleeping", engine.At(a.Until))
		case engine.Waiting:
			o.Reason = fact.Of("waiting-until", channel, engine.At(a.Until))
		case engine.Crashed:
			o.Reason = fact.Of("crashed", a.Process)
		case engine.Finished:
			o.Reason = fact.Of("done")
		case engine.Paused, engine.Failed, engine.Ready, engine.Blocked, engine.Unanswered:
		}
		os = append(os, o)
	}
	tick := engine.Option{Choice: engine.Choice{Kind: engine.Tick}}
	if len(s.Nodes[0].Keys) == 0 {
		tick.Reason = fact.Of("nothing-due")
	}
	crash := engine.Option{Choice: engine.Choice{Kind: engine.Crash, Target: "jvm-1"}}
	if s.Actors[0].Status == engine.Crashed {
		crash.Reason = fact.Of("crashed", "jvm-1")
	}
	drop := engine.Option{Choice: engine.Choice{Kind: engine.Drop, Target: "jvm-2"}, Reason: fact.Of("no-message", "jvm-2")}
	return append(os, tick, crash, drop)
}

// step makes one step; change edits a copy of the world and fills in the step.
func (w *world) step(choice string, change func(s *engine.Step, after *engine.Snapshot)) {
	c, err := engine.ParseChoice(choice)
	if err != nil {
		panic(err)
	}
	before := w.snap
	after := before
	after.Actors = slices.Clone(before.Actors)
	after.Nodes = slices.Clone(before.Nodes)
	after.Nodes[0].Keys = slices.Clone(before.Nodes[0].Keys)
	after.Held = slices.Clone(before.Held)
	after.Mail = slices.Clone(before.Mail)
	s := engine.Step{N: len(w.trace.Steps) + 1, Choice: c, From: before.Now}
	if a, ok := before.Actor(c.Target); ok {
		s.Process, s.Request = a.Process, a.Next
	}
	change(&s, &after)
	s.At = after.Now
	s.Changes = diff(before.Nodes[0].Keys, after.Nodes[0].Keys)
	s.Moves = movesBetween(before, after)
	after.Options = optionsOf(after)
	s.After = after
	w.trace.Steps = append(w.trace.Steps, s)
	w.snap = after
}

// movesBetween are of the actors that stand elsewhere.
func movesBetween(before, after engine.Snapshot) []engine.Move {
	var ms []engine.Move
	for _, a := range after.Actors {
		was, _ := before.Actor(a.Name)
		if was.Position != a.Position {
			ms = append(ms, engine.Move{Actor: a.Name, From: was.Position, To: a.Position, Next: a.Next})
		}
	}
	return ms
}

func diff(was, now []engine.Key) []engine.Change {
	names := map[string]bool{}
	old, cur := engine.NodeView{Keys: was}, engine.NodeView{Keys: now}
	var all []string
	for _, k := range slices.Concat(was, now) {
		if !names[k.Name] {
			names[k.Name] = true
			all = append(all, k.Name)
		}
	}
	slices.Sort(all)
	var cs []engine.Change
	for _, name := range all {
		c := engine.Change{Node: "redis", Key: name}
		if k, ok := old.Key(name); ok {
			c.Old = &k
		}
		if k, ok := cur.Key(name); ok {
			c.New = &k
		}
		if c.Old == nil || c.New == nil || !c.Old.Equal(*c.New) {
			cs = append(cs, c)
		}
	}
	return cs
}

func hash(name string, deadline time.Duration, pairs ...string) engine.Key {
	k := engine.Key{Name: name, Type: engine.HashKey, Deadline: deadline}
	for i := 0; i < len(pairs); i += 2 {
		k.Items = append(k.Items, engine.Item{Name: pairs[i], Value: pairs[i+1]})
	}
	return k
}

func actorOf(s *engine.Snapshot, name string) *engine.ActorState {
	i := slices.IndexFunc(s.Actors, func(a engine.ActorState) bool { return a.Name == name })
	return &s.Actors[i]
}

// The scenes' single steps.

func (w *world) aLocks() {
	w.step("run A", func(s *engine.Step, after *engine.Snapshot) {
		s.Reply = &reply.Reply{}
		s.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteEnter, Text: "anyLock"}, {Actor: "A", Kind: engine.NoteSpawn, Text: "watchdog"}}
		after.Nodes[0].Keys = []engine.Key{hash("anyLock", after.Now+30*time.Second, "8743c9c0:A", "1")}
		after.Held = []engine.Holding{{Section: "anyLock", Actors: []string{"A"}}}
		a := actorOf(after, "A")
		a.Status, a.Until, a.Inside = engine.Sleeping, after.Now+20*time.Second, []string{"anyLock"}
		a.Next, a.Position = engine.Sleep{For: 20 * time.Second, Label: "work"}, at(inProgram("A", 2))
		after.Actors = slices.Insert(after.Actors, 1, engine.ActorState{
			Name: "A:watchdog", Process: "jvm-1", Task: true, Status: engine.Sleeping, Until: after.Now + 10*time.Second,
			Next: engine.Sleep{For: 10 * time.Second, Label: "renew"}, Position: at(inWatch(15), inSpawned),
		})
	})
}

func (w *world) bIsRefused() {
	w.step("run B", func(s *engine.Step, after *engine.Snapshot) {
		left := after.Nodes[0].Keys[0].Deadline - after.Now
		s.Reply = new(reply.OfInt(left.Milliseconds()))
		s.Notes = []engine.Note{{Actor: "B", Kind: engine.NoteRefused, Text: "anyLock"}, {Actor: "B", Kind: engine.NoteWant, Text: "anyLock"}}
		b := actorOf(after, "B")
		b.Wants, b.Next = []string{"anyLock"}, engine.Subscribe{Node: "redis", Channel: channel}
		b.Position = at(inLock(24, "28000"), inProgram("B", 1))
	})
}

func (w *world) bSubscribes() {
	w.step("run B", func(_ *engine.Step, after *engine.Snapshot) {
		after.Nodes[0].Subscriptions = []engine.Subscription{{Channel: channel, Process: "jvm-2"}}
		b := actorOf(after, "B")
		b.Status, b.Until = engine.Waiting, after.Now+28*time.Second
		b.Next = engine.Receive{Node: "redis", Channel: channel, Timeout: 28 * time.Second}
		b.Position = at(inLock(26, "28000"), inProgram("B", 1))
	})
}

func (w *world) ticks(d time.Duration) {
	w.step("tick "+engine.FormatSpan(d), func(s *engine.Step, after *engine.Snapshot) {
		after.Now += d
		keys := after.Nodes[0].Keys[:0]
		for _, k := range after.Nodes[0].Keys {
			if k.Deadline != engine.NoDeadline && k.Deadline <= after.Now {
				s.Expired = append(s.Expired, engine.Expiry{Node: "redis", Key: k.Name, At: k.Deadline})
				continue
			}
			keys = append(keys, k)
		}
		after.Nodes[0].Keys = keys
		for i := range after.Actors {
			a := &after.Actors[i]
			if a.Status == engine.Sleeping && a.Until <= after.Now {
				s.Notes = append(s.Notes, engine.Note{Actor: a.Name, Kind: engine.NoteWoke, Text: a.Next.(engine.Sleep).Label})
				a.Status, a.Until = engine.Ready, engine.NoDeadline
				a.Next, a.Position = unlockCall("A"), at(inProgram("A", 3))
				if a.Task {
					a.Next, a.Position = lockCall("A"), at(inWatch(16), inSpawned)
				}
			}
		}
	})
}

func (w *world) jvm1Crashes() {
	w.step("crash jvm-1", func(_ *engine.Step, after *engine.Snapshot) {
		for i := range after.Actors {
			if after.Actors[i].Process == "jvm-1" {
				after.Actors[i].Status, after.Actors[i].Until = engine.Crashed, engine.NoDeadline
			}
		}
	})
}

func (w *world) bBreaksIn() {
	w.step("run B", func(s *engine.Step, after *engine.Snapshot) {
		s.Request = lockCall("B")
		s.Reply = &reply.Reply{}
		s.Notes = []engine.Note{{Actor: "B", Kind: engine.NoteEnter, Text: "anyLock"}}
		s.Broken = []engine.Violation{{Invariant: "mutual-exclusion", Detail: fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "anyLock")}}
		after.Nodes[0].Keys = []engine.Key{hash("anyLock", after.Now+30*time.Second, "8743c9c0:B", "1")}
		after.Held = []engine.Holding{{Section: "anyLock", Actors: []string{"A", "B"}}}
		b := actorOf(after, "B")
		b.Status, b.Inside, b.Wants, b.Next = engine.Ready, []string{"anyLock"}, nil, unlockCall("B")
		b.Position = at(inProgram("B", 3))
	})
}

func (w *world) aReleases() {
	w.step("run A", func(s *engine.Step, after *engine.Snapshot) {
		s.Request = unlockCall("A")
		s.Reply = new(reply.OfInt(1))
		d := engine.Delivery{Node: "redis", Process: "jvm-2", Channel: channel, Payload: "0"}
		s.Delivered = []engine.Delivery{d}
		s.Notes = []engine.Note{{Actor: "A", Kind: engine.NoteLeave, Text: "anyLock"}, {Actor: "A", Kind: engine.NoteDone}}
		after.Mail = []engine.Delivery{d}
		after.Nodes[0].Keys = nil
		after.Held = nil
		a := actorOf(after, "A")
		a.Status, a.Next, a.Inside, a.Position = engine.Finished, nil, nil, nil
		b := actorOf(after, "B")
		b.Status, b.Until = engine.Ready, engine.NoDeadline
	})
}

func lesson() *lessons.Lesson {
	beat := func(en, zh string, choices ...string) lessons.Beat {
		b := lessons.Beat{Say: proseOf(en, zh)}
		for _, c := range choices {
			choice, err := engine.ParseChoice(c)
			if err != nil {
				panic(err)
			}
			b.Choices = append(b.Choices, choice)
		}
		return b
	}
	ask := beat("<code>B</code> asks for the same lock. The script answers with the remaining time of the key.",
		"<code>B</code> 请求同一把锁，脚本返回这个键的剩余时间。", "run B")
	ask.Ask = &lessons.Ask{Question: lessons.Text{En: "What does the script answer B?", Zh: "脚本会返回给 B 什么？"}}
	return &lessons.Lesson{
		Name: "05-redisson-lock", Chapter: "redisson", Level: lessons.Advanced, Hash: "5f3a9c12",
		Title:   lessons.Text{En: "Redisson’s lock waits, renews and wakes", Zh: "Redisson 的锁：等待、续期与唤醒"},
		Summary: lessons.Text{En: "The refusal says how long to wait, a watchdog renews the lease, and unlock wakes a waiter.", Zh: "加锁失败时返回要等多久，看门狗负责续期，解锁时通知等待者。"},
		Nodes:   []string{"redis"}, Resolution: 100 * time.Millisecond, Invariants: []string{"mutual-exclusion"},
		Scripts: []lessons.Script{
			{Name: "lock", Source: lockLua, Keys: same("lock"), Args: same("lease in ms", "owner")},
			{Name: "unlock", Source: unlockLua, Keys: same("lock", "channel"), Args: same("message", "lease in ms", "owner")},
		},
		Client: lessons.Client{Name: "redisson", Source: clientLua},
		Actors: []lessons.Actor{{Name: "A", Process: "jvm-1", Program: programLua}, {Name: "B", Process: "jvm-2", Program: programLua}},
		Challenge: &lessons.Challenge{
			Say:  proseOf("Let <code>B</code> in while <code>A</code> still works.", "趁 <code>A</code> 还在干活，让 <code>B</code> 进来。"),
			Hint: proseOf("A watchdog renews only while its process runs.", "进程停住的时候，看门狗也不会续期。"),
		},
		Story: []lessons.Beat{
			beat("<code>A</code> asks first. <code>EXISTS</code> says 0, so the script writes the hash: field <code>A</code>, count 1, and 30 s to live. No lease was given, so a <em>watchdog</em> starts beside it.",
				"<code>A</code> 先来。<code>EXISTS</code> 返回 0，脚本写入 hash：字段为 <code>A</code>，计数为 1，过期时间 30 秒。没有指定租期，所以同时启动了<em>看门狗</em>。", "run A"),
			beat("Two seconds pass.", "过了两秒。", "tick 2s"),
			ask,
			beat("B subscribes to the lock’s channel and waits, but never longer than the lease.", "B 订阅锁的频道并等待，但不会超过租期。", "run B", "tick 18s", "run A"),
		},
	}
}

func proseOf(en, zh string) lessons.Prose {
	return lessons.Prose{HTML: lessons.Text{En: "<p>" + en + "</p>", Zh: "<p>" + zh + "</p>"}}
}

func catalog(open *lessons.Lesson) []*lessons.Lesson {
	var ls []*lessons.Lesson
	for _, t := range []struct{ name, chapter, en, zh, sumEn, sumZh string }{
		{"01-eval", "scripting", "A script is one command", "脚本就是一条命令", "EVAL runs Lua inside Redis; KEYS and ARGV carry what it works on.", "EVAL 在 Redis 内执行 Lua，KEYS 和 ARGV 传入操作对象。"},
		{"02-set-nx", "simple", "SET NX EX, and whose lock DEL frees", "SET NX EX，以及 DEL 释放了谁的锁", "A key that can only be set once is a lock, until it is deleted by somebody else.", "只能设置一次的键就是锁，直到被别人删掉。"},
		{"03-compare-and-delete", "simple", "Compare and delete", "比较并删除", "Between GET and DEL anything may happen; in Lua nothing can.", "GET 和 DEL 之间什么都可能发生；在 Lua 里不会。"},
		{"04-reentrant-lock", "reentrancy", "A lock that counts", "会计数的锁", "The same thread may lock again: a hash remembers who holds the lock, and how often.", "同一个线程可以再次加锁：用 hash 记下谁持有、重入了几次。"},
	} {
		ls = append(ls, &lessons.Lesson{
			Name: t.name, Chapter: t.chapter, Level: lessons.Basic,
			Title: lessons.Text{En: t.en, Zh: t.zh}, Summary: lessons.Text{En: t.sumEn, Zh: t.sumZh},
			Actors: open.Actors, Story: open.Story,
		})
	}
	return append(ls, open)
}

func viewOf(w *world, lang lessons.Lang) View {
	l := lesson()
	v := View{
		Lang: lang, Lesson: l, Catalog: catalog(l), Engine: Embedded,
		Engines: []EngineState{{Kind: Embedded}, {Kind: Redis, Version: "Redis 7.0.15"}},
		Trace:   &w.trace, Pos: len(w.trace.Steps),
		Story: Story{OnStory: true, Total: 6},
	}
	v.Schedule.Lesson = l.Hash
	for _, s := range w.trace.Steps {
		v.Schedule.Choices = append(v.Schedule.Choices, s.Choice)
	}
	return v
}

func offStory(v View, left int) View {
	v.Story = Story{Left: left, Total: 6}
	return v
}

// page is one page of the storybook.
type page struct {
	name string
	view func(lang lessons.Lang) View
}

var storybook = []page{
	{"start", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Story.Beats, v.Story.Next = []int{0}, &engine.Choice{Kind: engine.Run, Target: "A"}
		return v
	}},
	{"written", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Author = &Author{Draft: true}
		return v
	}},
	{"prediction", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		v := viewOf(w, lang)
		v.Story.Beats, v.Story.Next = []int{2}, &engine.Choice{Kind: engine.Run, Target: "B"}
		v.Prediction = &Prediction{Beat: 2}
		return v
	}},
	{"waiter", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		v := viewOf(w, lang)
		v.Story.Beats, v.Story.Next = []int{3}, &engine.Choice{Kind: engine.Run, Target: "B"}
		v.Prediction = &Prediction{Beat: 2, Given: "0", Graded: true, Expected: "28000"}
		return v
	}},
	{"released", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.bSubscribes()
		w.ticks(18 * time.Second)
		w.aReleases()
		v := viewOf(w, lang)
		v.Story.Done = true
		v.Challenge = &Challenge{Hint: true}
		v.Prediction = &Prediction{Beat: 2, Given: "28000", Graded: true, Right: true, Expected: "28000"}
		return v
	}},
	{"crashed", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.jvm1Crashes()
		return offStory(viewOf(w, lang), 4)
	}},
	{"expired", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.jvm1Crashes()
		w.ticks(28 * time.Second)
		return offStory(viewOf(w, lang), 3)
	}},
	{"broken", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.ticks(28 * time.Second)
		w.bBreaksIn()
		return offStory(viewOf(w, lang), 4)
	}},
	{"fair", fairView},
	{"inside the fair lock", insideView(7)},
	{"inside a call", insideView(6)},
	{"inside after a gap", insideView(5)},
	{"inside a failed call", insideView(8)},
	{"the watchdog's code", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(10 * time.Second)
		v := viewOf(w, lang)
		v.Thread = "A:watchdog"
		v.Story.Beats = []int{3}
		return v
	}},
	{"a waiter's code", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.bSubscribes()
		v := viewOf(w, lang)
		v.Story.Beats = []int{3}
		return v
	}},
	{"on a client's line", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		v := viewOf(w, lang)
		v.Trace.Steps[2].Ran = []engine.Ran{
			{Actor: "B", At: at(func() engine.Frame {
				f := inAcquire("B")
				f.Line, f.Locals = 7, append(f.Locals, engine.Local{Name: "ttl", Value: "28000"})
				return f
			}(), inLock(22, ""), inProgram("B", 1))},
			{Actor: "B", At: at(inLock(23, "28000"), inProgram("B", 1))},
			{Actor: "B", At: at(inLock(24, "28000"), inProgram("B", 1))},
		}
		v.ClientLine = 2
		v.Story.Beats = []int{3}
		return v
	}},
	{"overflow", overflowView},
	{"five nodes", fiveNodes},
	{"redlock", redlock.view},
	{"past", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		w.bIsRefused()
		w.bSubscribes()
		w.ticks(18 * time.Second)
		w.aReleases()
		v := viewOf(w, lang)
		v.Pos = 3
		v.Ghost = &Ghost{ForkedAt: 2, Len: 14}
		v.Story.Beats = []int{3}
		return v
	}},
	{"unavailable", func(lang lessons.Lang) View {
		v := viewOf(newWorld(), lang)
		v.Engines[1] = EngineState{Kind: Redis, Reason: "no redis-server was found on PATH: install it, or start the playground with --redis-url"}
		v.Story.Beats, v.Story.Next = []int{0}, &engine.Choice{Kind: engine.Run, Target: "A"}
		v.Notice = &Notice{Kind: NoticeError, Text: "The engine could not be switched: no redis-server was found on PATH: install it, or start the playground with --redis-url."}
		return v
	}},
	{"differs", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		v := viewOf(w, lang)
		v.Engine = Redis
		v.Notice = &Notice{Kind: NoticeDiffers, Step: 1, Text: "This engine answers differently at step 1."}
		v.Story.Beats, v.Story.Next = []int{2}, &engine.Choice{Kind: engine.Run, Target: "B"}
		v.Playing, v.Hz = true, 2
		return v
	}},
	{"edited", editedView},
	{"edited and stuck", func(lang lessons.Lang) View {
		w := newWorld()
		w.aLocks()
		v := viewOf(w, lang)
		v.Edits = &Edits{
			Parts: []lessons.Part{{Kind: lessons.ClientPart, Name: "redisson"}}, Differs: 2,
			NotHere: &engine.NotEnabledError{Choice: engine.Choice{Kind: engine.Run, Target: "B"}, Reason: fact.Of(engine.ReasonFailed, "boom")},
		}
		return v
	}},
}

// editedView is the story with an unlock script that forgets to ask whose lock it is.
func editedView(lang lessons.Lang) View {
	play := func(edited bool) *world {
		w := newWorld()
		w.aLocks()
		w.ticks(2 * time.Second)
		if edited {
			w.bBreaksIn()
		} else {
			w.bIsRefused()
		}
		return w
	}
	w, there := play(true), play(false)
	v := viewOf(w, lang)
	v.Edits = &Edits{
		Parts:   []lessons.Part{{Kind: lessons.ScriptPart, Name: "lock"}, {Kind: lessons.ProgramPart, Name: "A"}},
		Offered: []lessons.Part{{Kind: lessons.ScriptPart, Name: "unlock"}},
		Differs: 3, There: &there.trace.Steps[2], Shown: &there.trace.Steps[2],
	}
	v.Ghost = &Ghost{ForkedAt: 3, Len: 3, Edited: true}
	v.Story.Failed = []lessons.Unmet{
		{What: fact.Of("reply"), Want: fact.Text("28000"), Got: fact.Text("nil")},
		{What: fact.Of("key", "anyLock"), Want: fact.Of("exists"), Got: fact.Of("no-such-key")},
		{What: fact.Of("broken"), Want: fact.Of("nothing"), Got: fact.Text(fact.List{fact.Of("broken-how", lessons.RuleName("mutual-exclusion"), fact.Of("mutual-exclusion", fact.Names{"A", "B"}, "anyLock"))})},
	}
	return v
}

func fairView(lang lessons.Lang) View {
	w := newWorld()
	w.trace.Start.Actors = append(w.trace.Start.Actors, engine.ActorState{Name: "C", Process: "jvm-3", Status: engine.Ready, Next: lockCall("C"), Until: engine.NoDeadline})
	w.snap.Actors = slices.Clone(w.trace.Start.Actors)
	w.aLocks()
	queue := func(who ...string) engine.Key {
		k := engine.Key{Name: "redisson_lock_queue:{anyLock}", Type: engine.ListKey, Deadline: engine.NoDeadline}
		for _, o := range who {
			k.Items = append(k.Items, engine.Item{Value: "8743c9c0:" + o})
		}
		return k
	}
	scores := func(pairs ...string) engine.Key {
		k := hash("redisson_lock_timeout:{anyLock}", engine.NoDeadline, pairs...)
		k.Type = engine.ZSetKey
		return k
	}
	enqueue := func(who, wait string, keys ...engine.Key) {
		w.step("run "+who, func(s *engine.Step, after *engine.Snapshot) {
			s.Reply = new(reply.OfBulk(wait))
			s.Notes = []engine.Note{{Actor: who, Kind: engine.NoteRefused, Text: "anyLock"}, {Actor: who, Kind: engine.NoteWant, Text: "anyLock"}}
			after.Nodes[0].Keys = append([]engine.Key{after.Nodes[0].Keys[0]}, keys...)
			actorOf(after, who).Wants = []string{"anyLock"}
		})
	}
	w.ticks(10 * time.Second)
	enqueue("B", "20000", queue("B"), scores("8743c9c0:B", "1700000035000"))
	w.ticks(5 * time.Second)
	enqueue("C", "15000", queue("B", "C"), scores("8743c9c0:B", "1700000035000", "8743c9c0:C", "1700000040000"))
	w.step("run C", func(s *engine.Step, after *engine.Snapshot) {
		s.Reply = new(reply.OfInt(10000))
		s.Notes = []engine.Note{{Actor: "C", Kind: engine.NoteRefused, Text: "anyLock"}}
		after.Nodes[0].Keys = append([]engine.Key{after.Nodes[0].Keys[0]}, queue("C"), scores("8743c9c0:C", "1700000035000"))
	})
	v := viewOf(w, lang)
	v.Lesson.Actors = append(v.Lesson.Actors, lessons.Actor{Name: "C", Process: "jvm-3", Program: programLua})
	v.Story.Beats = []int{3}
	return v
}

const fairLua = `while true do
  local first = redis.call('lindex', KEYS[2], 0);
  if first == false then break; end;
  local timeout = redis.call('zscore', KEYS[3], first);
  redis.call('lpop', KEYS[2]);
end;
`

// insideView stands on one of the lines of the last step of the fair lock.
func insideView(at int) func(lessons.Lang) View {
	return func(lang lessons.Lang) View {
		v := fairView(lang)
		step := &v.Trace.Steps[len(v.Trace.Steps)-1]
		before := v.Trace.At(v.Pos - 1).Nodes[0].Keys
		popped := []engine.Key{before[0], step.After.Nodes[0].Keys[1], before[2]}
		first := engine.Local{Name: "first", Value: `"8743c9c0:B"`}
		next := engine.Local{Name: "first", Value: `"8743c9c0:C"`}
		score := engine.Local{Name: "timeout", Value: "1700000035000"}
		step.Inside = &engine.Inside{
			Shown: fairLua, Before: before, Total: 9988,
			Lines: []engine.Line{
				{N: 1, Line: 1, Passes: []int{0}, Keys: before},
				{N: 2, Line: 2, Passes: []int{1}, Keys: before},
				{N: 3, Line: 2, Passes: []int{1}, Keys: before, Call: &engine.Call{Args: []string{`"lindex"`, `"redisson_lock_queue:{anyLock}"`, "0"}, Reply: `"8743c9c0:B"`}},
				{N: 4, Line: 3, Passes: []int{1}, Keys: before, Locals: []engine.Local{first}},
				{N: 9985, Line: 5, Passes: []int{713}, Keys: before, Locals: []engine.Local{next, score}},
				{N: 9986, Line: 5, Passes: []int{713}, Keys: popped, Call: &engine.Call{Args: []string{`"lpop"`, `"redisson_lock_queue:{anyLock}"`}, Reply: `"8743c9c0:B"`}},
				{N: 9987, Line: 3, Passes: []int{714}, Keys: popped, Locals: []engine.Local{next}},
				{N: 9988, Line: 4, Passes: []int{714}, Keys: popped, Call: &engine.Call{Args: []string{`"zscore"`, `"anyLock"`, `"8743c9c0:C"`}, Reply: "WRONGTYPE Operation against a key holding the wrong kind of value", Failed: true}},
			},
		}
		v.Line = at
		return v
	}
}

func overflowView(lang lessons.Lang) View {
	w := newWorld()
	long := strings.Repeat("order-service:inventory:", 6) + "<script>alert(1)</script>"
	for range 9 {
		w.aLocks()
		w.snap.Actors = slices.Clone(w.trace.Start.Actors)
	}
	w.step("run A", func(s *engine.Step, after *engine.Snapshot) {
		s.Reply = new(reply.OfError("WRONGTYPE Operation against a key holding the wrong kind of value " + long))
		k := engine.Key{Name: long, Type: engine.StringKey, Text: strings.Repeat("0123456789abcdef", 20), Deadline: 36 * time.Hour}
		empty := engine.Key{Name: "empty", Type: engine.StringKey, Deadline: engine.NoDeadline}
		h := hash("anyLock", 30*time.Second)
		for i := range 12 {
			h.Items = append(h.Items, engine.Item{Name: strings.Repeat("field", i+1), Value: strings.Repeat("9", 3*i+1)})
		}
		set := engine.Key{Name: "members", Type: engine.SetKey, Deadline: 90 * time.Minute}
		for i := range 9 {
			set.Items = append(set.Items, engine.Item{Name: strings.Repeat("m", i+1)})
		}
		after.Nodes[0].Keys = []engine.Key{h, empty, set, k}
		slices.SortFunc(after.Nodes[0].Keys, func(a, b engine.Key) int { return strings.Compare(a.Name, b.Name) })
		a := actorOf(after, "A")
		a.Position = at(engine.Frame{Chunk: "A", Line: 1, Locals: []engine.Local{{Name: strings.Repeat("name", 20), Value: strconv.Quote(long)}, {Name: "x", Value: "nil"}}})
		a.Status, a.Next, a.Failure = engine.Failed, nil, fact.Text("lesson.yaml:12: attempt to index a nil value (global 'lokc') "+long)
		actorOf(after, "B").Next = engine.Exec{Node: "redis", Op: engine.Op{Args: []string{"set", long, long, "nx"}}}
	})
	return offStory(viewOf(w, lang), 2)
}

// same is words that are the same in every language.
func same(words ...string) []lessons.Text {
	all := make([]lessons.Text, len(words))
	for i, w := range words {
		all[i] = lessons.Text{En: w, Zh: w}
	}
	return all
}
