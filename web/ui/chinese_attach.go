//go:build !js

package ui

import "lockstep/engine/fact"

// Of real clients that are followed. A browser follows none.
func init() {
	chinese.Add(fact.Words{
		// What holding them back, and making a lesson of them, can come to.
		"too-many-rules":  "已有 %d 条规则，不能再加：请先移除一条",
		"long-field":      "每一栏最多 %d 字节",
		"not-own-page":    "只有本站自己的页面可以这样做",
		"no-lesson-of-it": "录制的内容无法生成课程：%s",

		// What scripts of known clients do.
		"redisson-lock":         "Redisson：加锁",
		"redisson-unlock":       "Redisson：解锁",
		"redisson-force":        "Redisson：强制解锁",
		"redisson-renew":        "Redisson：看门狗续期",
		"redisson-read-lock":    "Redisson：加读锁",
		"redisson-read-unlock":  "Redisson：解读锁",
		"redisson-read-renew":   "Redisson：看门狗续期读锁",
		"redisson-write-lock":   "Redisson：加写锁",
		"redisson-write-unlock": "Redisson：解写锁",
		"redisson-fair-lock":    "Redisson：加公平锁",
		"redisson-fair-unlock":  "Redisson：解公平锁",
		"redisson-fair-give-up": "Redisson：退出公平锁队列",
		"redisson-fenced-lock":  "Redisson：加 fenced lock",
		"node-redlock-acquire":  "node-redlock：加锁",
		"spring-obtain":         "Spring：加锁",
		"spring-release":        "Spring：解锁",
		"compare-and-delete":    "token 相符才删除",
		"compare-and-expire":    "token 相符才续期",
	})
}
