//go:build !js

package fact

// Of real clients that are followed. A browser follows none.
func init() {
	add(map[string][languages]string{
		// What holding them back, and making a lesson of them, can come to.
		"too-many-rules":  {"there are %d rules, and no more are possible: remove one", "已有 %d 条规则，不能再加：请先移除一条"},
		"long-field":      {"a field has at most %d bytes", "每一栏最多 %d 字节"},
		"not-own-page":    {"only the playground's own pages may do this", "只有本站自己的页面可以这样做"},
		"no-lesson-of-it": {"what was recorded does not become a lesson: %s", "录制的内容无法生成课程：%s"},

		// What scripts of known clients do.
		"redisson-lock":         {"Redisson: take the lock", "Redisson：加锁"},
		"redisson-unlock":       {"Redisson: release the lock", "Redisson：解锁"},
		"redisson-force":        {"Redisson: release it by force", "Redisson：强制解锁"},
		"redisson-renew":        {"Redisson: the watchdog renews the lock", "Redisson：看门狗续期"},
		"redisson-read-lock":    {"Redisson: take the read lock", "Redisson：加读锁"},
		"redisson-read-unlock":  {"Redisson: release the read lock", "Redisson：解读锁"},
		"redisson-read-renew":   {"Redisson: the watchdog renews the read lock", "Redisson：看门狗续期读锁"},
		"redisson-write-lock":   {"Redisson: take the write lock", "Redisson：加写锁"},
		"redisson-write-unlock": {"Redisson: release the write lock", "Redisson：解写锁"},
		"redisson-fair-lock":    {"Redisson: take the fair lock", "Redisson：加公平锁"},
		"redisson-fair-unlock":  {"Redisson: release the fair lock", "Redisson：解公平锁"},
		"redisson-fair-give-up": {"Redisson: leave the fair lock's queue", "Redisson：退出公平锁队列"},
		"redisson-fenced-lock":  {"Redisson: take the fenced lock", "Redisson：加 fenced lock"},
		"node-redlock-acquire":  {"node-redlock: take the lock", "node-redlock：加锁"},
		"spring-obtain":         {"Spring: take the lock", "Spring：加锁"},
		"spring-release":        {"Spring: release the lock", "Spring：解锁"},
		"compare-and-delete":    {"delete if the token is still there", "token 相符才删除"},
		"compare-and-expire":    {"renew if the token is still there", "token 相符才续期"},
	})
}
