package ui

import (
	"fmt"
	"regexp"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// The engine's own invariants, by name.
var invariantTexts = map[string]struct{ name, why msg }{
	"mutual-exclusion": {
		msg{"mutual exclusion", "互斥"},
		msg{"Two clients are inside the same critical section. This is what a lock is there to prevent.", "两个客户端同时处于同一个临界区——这正是锁要防止的事。"},
	},
	"no-lock-without-ttl": {
		msg{"no lock without a TTL", "锁必须有 TTL"},
		msg{"A lock that never expires outlives a holder that crashes, and then nobody gets in again.", "没有过期时间的锁，在持有者崩溃后永远不会释放，其他人再也无法获得。"},
	},
	"released-by-holder": {
		msg{"released by its holder only", "只能由持有者释放"},
		msg{"A client removed a lock that somebody else holds. The holder believes itself safe and is not.", "某个客户端删除了别人持有的锁，而真正的持有者还以为自己是安全的。"},
	},
	"waiters-in-order": {
		msg{"waiters are served in order", "按顺序获得锁"},
		msg{"A client got in before one that had waited longer.", "有客户端插队，先于等待更久的客户端获得了锁。"},
	},
	"nobody-waits-forever": {
		msg{"nobody waits for ever", "没有人永远等待"},
		msg{"A client waits and nothing is left that could wake it.", "有客户端仍在等待，却已经没有任何事件能唤醒它。"},
	},
}

// invariantDetails say in Chinese what the engine's own rules say in English.
// The groups of a pattern are the arguments of its translation.
var invariantDetails = []struct {
	en *regexp.Regexp
	zh string
}{
	{regexp.MustCompile(`^(.+) are inside "(.+)" at the same time$`), "%s 同时在 %s 中"},
	{regexp.MustCompile(`^the lock "(.+)" has no time to live: if its holder dies it stays for ever$`), "锁 %s 没有过期时间：持有者一旦崩溃，它将永远存在"},
	{regexp.MustCompile(`^(.+) removed the lock "(.+)" while (.+) was inside$`), "%s 删除了锁 %s，而此时 %s 还在临界区内"},
	{regexp.MustCompile(`^(.+) entered "(.+)" before (.+), which has waited longer$`), "%[1]s 先于等待更久的 %[3]s 进入了 %[2]s"},
	{regexp.MustCompile(`^(.+) waits, and nothing is left that could wake it$`), "%s 在等待，但已经没有任何事件能唤醒它"},
}

// violationText is what broke a rule, in one sentence without its end.
func violationText(lang lessons.Lang, v engine.Violation) string {
	if lang != lessons.Zh {
		return v.Detail
	}
	for _, d := range invariantDetails {
		if m := d.en.FindStringSubmatch(v.Detail); m != nil {
			args := make([]any, len(m)-1)
			for i, text := range m[1:] {
				args[i] = strings.ReplaceAll(text, " and ", " 和 ")
			}
			return fmt.Sprintf(d.zh, args...)
		}
	}
	return v.Detail
}

// invariantName is a rule's name as people say it; a lesson's own rules keep theirs.
func invariantName(lang lessons.Lang, name string) string {
	if t, ok := invariantTexts[name]; ok {
		return t.name.in(lang)
	}
	return name
}
