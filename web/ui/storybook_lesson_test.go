package ui

import (
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

// What the storybook plays.

const programLua = `lock("anyLock")
work("20s")
unlock("anyLock")
`

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
		Name: "016-redisson-lock", Chapter: "redisson", Level: lessons.Advanced, Hash: "5f3a9c12",
		Title:   lessons.Text{En: "Redisson’s lock waits, renews and wakes", Zh: "Redisson 的锁：等待、续期与唤醒"},
		Summary: lessons.Text{En: "The refusal says how long to wait, a watchdog renews the lease, and unlock wakes a waiter.", Zh: "加锁失败时返回要等多久，看门狗负责续期，解锁时通知等待者。"},
		Nodes:   []lessons.Node{{Name: "redis", Kind: lessons.Redis}}, Resolution: 100 * time.Millisecond, Invariants: []string{"mutual-exclusion"},
		Scripts: []lessons.Script{
			{Name: "lock", Source: lockLua, Keys: same("lock"), Args: same("lease in ms", "owner")},
			{Name: "unlock", Source: unlockLua, Keys: same("lock", "channel"), Args: same("message", "lease in ms", "owner")},
		},
		Client: lessons.Client{Name: "redisson", Source: clientLua},
		Actors: []lessons.Actor{{Name: "A", Process: "jvm-1", Program: programLua}, {Name: "B", Process: "jvm-2", Program: programLua}},
		Challenges: []lessons.Challenge{{
			Say:  proseOf("Let <code>B</code> in while <code>A</code> still works.", "趁 <code>A</code> 还在干活，让 <code>B</code> 进来。"),
			Hint: proseOf("A watchdog renews only while its process runs.", "进程停住的时候，看门狗也不会续期。"),
		}},
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
		{"009-eval", "simple", "A script is one command", "脚本就是一条命令", "EVAL runs Lua inside Redis; KEYS and ARGV carry what it works on.", "EVAL 在 Redis 内执行 Lua，KEYS 和 ARGV 传入操作对象。"},
		{"006-set-nx", "simple", "SET NX EX, and whose lock DEL frees", "SET NX EX，以及 DEL 释放了谁的锁", "A key that can only be set once is a lock, until it is deleted by somebody else.", "只能设置一次的键就是锁，直到被别人删掉。"},
		{"010-compare-and-delete", "simple", "Compare and delete", "比较并删除", "Between GET and DEL anything may happen; in Lua nothing can.", "GET 和 DEL 之间什么都可能发生；在 Lua 里不会。"},
		{"013-reentrant-lock", "reentrancy", "A lock that counts", "带计数的锁", "The same thread may lock again: a hash remembers who holds the lock, and how often.", "同一个线程可以再次加锁：用 hash 记下谁持有、重入了几次。"},
	} {
		ls = append(ls, &lessons.Lesson{
			Name: t.name, Chapter: t.chapter, Level: lessons.Basic,
			Title: lessons.Text{En: t.en, Zh: t.zh}, Summary: lessons.Text{En: t.sumEn, Zh: t.sumZh},
			Actors: open.Actors, Story: open.Story,
		})
	}
	return append(ls, open)
}

// same is words that are the same in every language.
func same(words ...string) []lessons.Text {
	all := make([]lessons.Text, len(words))
	for i, w := range words {
		all[i] = lessons.Text{En: w, Zh: w}
	}
	return all
}
