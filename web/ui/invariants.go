package ui

import (
	"strings"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// The engine's own invariants, by name.
var invariantTexts = map[string]struct{ name, why msg }{
	"mutual-exclusion": {
		msg{"mutual exclusion", "互斥"},
		msg{"More than one client is inside the same critical section. This is what a lock is there to prevent.", "不止一个客户端同时处于同一个临界区——这正是锁要防止的事。"},
	},
	"no-lock-without-ttl": {
		msg{"no lock without a TTL", "锁必须有 TTL"},
		msg{"A lock that never expires outlives a holder that crashes, and then nobody gets in again.", "没有过期时间的锁，在持有者崩溃后永远不会释放，其他人再也无法获得。"},
	},
	"released-by-holder": {
		msg{"no release while another is inside", "有人在临界区内时，别人不能释放锁"},
		msg{"Whoever is inside believes itself safe and is not.", "临界区里的客户端还以为自己是安全的。"},
	},
	"waiters-in-order": {
		msg{"waiters are served in order", "按顺序获得锁"},
		msg{"A client got in before one that had waited longer.", "有客户端插队，先于等待更久的客户端获得了锁。"},
	},
	"nobody-waits-forever": {
		msg{"nobody waits forever", "没有人永远等待"},
		msg{"A client waits, and nothing can wake it any more.", "有客户端仍在等待，却已经没有任何事件能唤醒它。"},
	},
	"no-idle-wait": {
		msg{"nobody waits for a free lock", "锁空闲时无人空等"},
		msg{"Time passes while a lock is free, and all that want it wait for a message that has not come.", "锁已经空闲，想要它的客户端却都在等一条没有到来的消息，时间白白流逝。"},
	},
	search.NobodyStarves{}.Name(): {
		msg{"everybody gets in some time", "人人终能进入"},
		msg{"A client wants to get in, and the others can go on for ever without its turn coming.", "有客户端想进入临界区，而其他客户端可以一直这样运行下去，永远轮不到它。"},
	},
}

// ruleOf is a lesson's own rule of a name; the zero one: there is none.
func ruleOf(rules []lessons.Rule, name string) lessons.Rule {
	for _, r := range rules {
		if r.Name == name {
			return r
		}
	}
	return lessons.Rule{}
}

// ruleName is a rule's name, or what its lesson says of it to those who may not read the name,
// which is English.
func ruleName(lang lessons.Lang, rules []lessons.Rule, name string) string {
	if say := ruleOf(rules, name).Say.Zh; lang == lessons.Zh && say != "" {
		return strings.TrimSuffix(say, "。")
	}
	return invariantName(lang, name)
}

// brokenHead heads a breach, below which stands what a rule's own words say.
func brokenHead(v *View, b engine.Violation) string {
	name := ruleName(v.Lang, v.Lesson.Rules, b.Invariant)
	if strings.HasPrefix(breachText(v, b), name) {
		return wordBroken.in(v.Lang)
	}
	return brokenLabel.in(v.Lang, name)
}

// invariantName is a rule's name as people say it; those of a lesson's own rules are words
// with hyphens.
func invariantName(lang lessons.Lang, name string) string {
	if t, ok := invariantTexts[name]; ok {
		return t.name.in(lang)
	}
	return strings.ReplaceAll(name, "-", " ")
}
