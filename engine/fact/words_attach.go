//go:build !js

package fact

// Of real clients that are followed. A browser follows none.
func init() {
	add([][1 + languages]string{
		// What holding them back, and making a lesson of them, can come to.
		{"too-many-rules", "there are %d rules, and no more are possible: remove one", "已有 %d 条规则，不能再加：请先移除一条"},
		{"long-field", "a field has at most %d bytes", "每一栏最多 %d 字节"},
		{"not-own-page", "only the playground's own pages may do this", "只有本站自己的页面可以这样做"},
		{"no-lesson-of-it", "what was recorded does not become a lesson: %s", "录制的内容无法生成课程：%s"},

		// What whoever looks at the page of a real Redis does not see.
		{"values-not-read", "values cannot be read there, so keys that attach has not seen being made are not shown, nor whoever holds them: %s", "无法在那里读取 key 的值，因此不显示 attach 没有看到创建过程的 key，也不显示谁持有它们：%s"},
		{"redis-away", "the Redis does not answer: %s. Keys and locks are shown as they were before", "Redis 没有响应：%s。key 和锁显示的是之前的样子"},
		{"a-cluster", "this is a cluster: clients reach each node through attach, at a port of its own (nodes so far: %d)", "这是一个集群：客户端通过 attach 访问每个节点，每个节点各用一个端口（目前 %d 个节点）"},
		{"moved-elsewhere", "attach has no port for the node %s of the cluster: clients go there directly, past attach, and what they do there is not seen", "attach 没有为集群节点 %s 开出端口：客户端会绕过 attach 直接连过去，在那里做的事看不到"},
		{"commands-dropped", "%d commands were passed on without being shown: more came than the page can take in", "有 %d 条命令已转发但没有显示：来得太多，页面处理不过来"},
		{"unknown-scripts", "of %d scripts that clients run, the Redis had the text before attach began: locks that they make are not recognised. redis-cli SCRIPT FLUSH has clients send it again; those that load scripts only when they start are to be started again", "客户端运行的脚本中，有 %d 个在 attach 启动之前就已加载到 Redis，attach 没有见过内容，它们建立的锁无法识别。执行 redis-cli SCRIPT FLUSH 后客户端会重新发送脚本；只在启动时加载脚本的客户端需要重启"},
		{"unseen-lane", "the lane %s has what attach read and did not see being done: it was done before attach began, or past it", "泳道 %s 是 attach 读到、却没有看到执行过程的变化：发生在 attach 启动之前，或者绕过了 attach"},
		{"not-followed", "%d connections are passed on without being shown, from some point on: they used MONITOR or replication, or spoke a protocol that attach does not know", "有 %d 个连接从某一刻起只转发、不显示：它们用了 MONITOR 或复制，或者用了 attach 不认识的协议"},

		// What scripts of known clients do.
		{"redisson-lock", "Redisson: take the lock", "Redisson：加锁"},
		{"redisson-unlock", "Redisson: release the lock", "Redisson：解锁"},
		{"redisson-force", "Redisson: release it by force", "Redisson：强制解锁"},
		{"redisson-renew", "Redisson: the watchdog renews the lock", "Redisson：看门狗续期"},
		{"redisson-read-lock", "Redisson: take the read lock", "Redisson：加读锁"},
		{"redisson-read-unlock", "Redisson: release the read lock", "Redisson：解读锁"},
		{"redisson-read-renew", "Redisson: the watchdog renews the read lock", "Redisson：看门狗续期读锁"},
		{"redisson-write-lock", "Redisson: take the write lock", "Redisson：加写锁"},
		{"redisson-write-unlock", "Redisson: release the write lock", "Redisson：解写锁"},
		{"redisson-fair-lock", "Redisson: take the fair lock", "Redisson：加公平锁"},
		{"redisson-fair-unlock", "Redisson: release the fair lock", "Redisson：解公平锁"},
		{"redisson-fair-give-up", "Redisson: leave the fair lock's queue", "Redisson：退出公平锁队列"},
		{"redisson-fenced-lock", "Redisson: take the fenced lock", "Redisson：加 fenced lock"},
		{"node-redlock-acquire", "node-redlock: take the lock", "node-redlock：加锁"},
		{"spring-obtain", "Spring: take the lock", "Spring：加锁"},
		{"spring-release", "Spring: release the lock", "Spring：解锁"},
		{"redisson-latch", "Redisson: set or count down the latch", "Redisson：设置或递减闭锁（CountDownLatch）"},
		{"redisson-semaphore-acquire", "Redisson: take permits of the semaphore", "Redisson：获取信号量许可"},
		{"redisson-semaphore-release", "Redisson: give permits of the semaphore back", "Redisson：归还信号量许可"},
		{"redisson-semaphore-set", "Redisson: set the permits of the semaphore", "Redisson：设置信号量许可数"},
		{"redisson-limiter", "Redisson: ask the rate limiter", "Redisson：向限流器申请"},
		{"redisson-limiter-set", "Redisson: set the rate of the limiter", "Redisson：设置限流速率"},
		{"go-zero-lock", "go-zero: take the lock, or renew it", "go-zero：加锁或续期"},
		{"rueidis-lock", "rueidislock: take one of the keys of the lock", "rueidislock：获取锁的一个 key"},
		{"rueidis-force", "rueidislock: take one of the keys by force", "rueidislock：强制获取锁的一个 key"},
		{"rueidis-extend", "rueidislock: renew one of the keys of the lock", "rueidislock：给锁的一个 key 续期"},
		{"redislock-obtain", "redislock: take the lock", "redislock：加锁"},
		{"set-if-none", "set the key if there is none", "key 不存在时才写入"},
		{"node-redlock-extend", "node-redlock: renew the lock", "node-redlock：续期"},
		{"bull-job", "Bull or BullMQ: take a job with its lock, or finish it", "Bull/BullMQ：取出任务并加锁，或完成任务"},
		{"bull-extend", "Bull or BullMQ: renew the lock of a job", "Bull/BullMQ：给任务的锁续期"},
		{"python-redis-lock-release", "python-redis-lock: release the lock, and wake one who waits", "python-redis-lock：解锁并唤醒一个等待者"},
		{"python-redis-lock-extend", "python-redis-lock: renew the lock", "python-redis-lock：续期"},
		{"python-redis-lock-reset", "python-redis-lock: release the lock by force", "python-redis-lock：强制解锁"},
		{"asynq-unique", "asynq: enqueue a task if it is the only one", "asynq：任务唯一时才入队"},
		{"asynq-done", "asynq: finish a unique task", "asynq：完成唯一任务"},
		{"sidekiq-lock", "sidekiq-unique-jobs: take the lock of a job", "sidekiq-unique-jobs：给任务加锁"},
		{"sidekiq-unlock", "sidekiq-unique-jobs: release the lock of a job", "sidekiq-unique-jobs：解任务的锁"},
		{"compare-and-delete", "delete if the token is still there", "token 相符才删除"},
		{"compare-and-expire", "renew if the token is still there", "token 相符才续期"},
	})
}
