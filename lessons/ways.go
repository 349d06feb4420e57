package lessons

// OneHour is the way that a first visit is led along.
const OneHour = "one-hour"

// Ways are the routes through the lessons. The first is the one for everybody.
var Ways = []Way{
	{
		Name:  OneHour,
		Title: Text{En: "One hour", Zh: "一小时路线"},
		For:   Text{En: "From a book that is sold twice to the lock that you need. You know SET and GET, and that Redis runs a script in one piece.", Zh: "从一本书卖了两次，走到你需要的那把锁。会用 SET、GET，知道脚本在 Redis 里一口气执行完，就能跟上。"},
		Stations: []Station{
			{"oversell", []string{"lost-update", "stock-cas", "watch-multi-exec", "local-lock"}},
			{"no-ttl", []string{"set-nx", "stranger-deletes"}},
			{"compare-and-delete", []string{"eval", "lost-reply"}},
			{"reentrant-lock", []string{"plain-lock-self-deadlock", "nested-calls"}},
			{"redisson-lock", []string{"trylock-exits", "missed-message", "one-thread-two-tasks", "fair-lock"}},
			{"lease-outlived", []string{"unlock-in-catch", "force-unlock", "reentry-ttl"}},
			{"watchdog-and-pause", []string{"lost-renewal", "watchdog-timeout", "stale-entry"}},
			{"fencing", []string{"own-clock", "sql-oversell", "sql-version-cas"}},
			{"failover", []string{"wait", "alone-primary", "redlock", "token-twice", "evicted"}},
			{"released-before-commit", []string{"sql-for-update", "idempotency-key", "three-servers"}},
		},
		Known: []string{"set-nx", "eval"},
	},
	{
		Name:  "redisson",
		Title: Text{En: "I use Redisson", Zh: "我在用 Redisson"},
		For:   Text{En: "What each call sends, and how it is called wrongly.", Zh: "每个调用发了什么，又会怎么用错。"},
		Stations: stations("compare-and-delete", "reentrant-lock", "nested-calls", "redisson-lock", "trylock-exits",
			"lease-outlived", "unlock-in-catch", "async-lock", "reentry-ttl", "read-write-lock", "same-name"),
		Known: []string{"set-nx", "no-ttl"},
	},
	{
		Name:  "on-call",
		Title: Text{En: "I am on call tonight", Zh: "今晚我值班"},
		For:   Text{En: "A lock hangs, or two have it: what it may be, and what is safe to do.", Zh: "锁卡住了，或者两边都拿到了：可能是什么，怎么做才安全。"},
		Stations: stations("force-unlock", "missed-message", "lost-renewal", "fair-lock", "dead-waiter", "failover",
			"wait", "evicted", "long-retry", "cluster", "moving-slot", "dead-machine", "zk-crash-expiry", "three-servers"),
		After: OneHour,
	},
	{
		Name:  "client",
		Title: Text{En: "I write a client", Zh: "我在写客户端"},
		For:   Text{En: "The places where lock libraries went wrong, and how they were mended.", Zh: "各家锁库在哪里出过错，又是怎么改的。"},
		Stations: stations("eval", "unlock-refreshes-no-ttl", "trylock-exits", "fair-lock", "fair-gave-up", "cluster",
			"lost-reply", "retried-request", "noscript", "interrupted", "timeout-drift", "stale-entry", "read-write-lock", "read-unlock", "short-read", "shared-field",
			"zk-herd", "zk-predecessor", "zk-predecessor-gone", "zk-waiter-expires"),
		After: OneHour,
	},
	{
		Name:  "choose",
		Title: Text{En: "I choose: Redis, SQL or ZooKeeper", Zh: "我在选型"},
		For:   Text{En: "What each promises when a server, a client or a connection dies.", Zh: "机器或连接断了，Redis、SQL、ZooKeeper 各自能保证什么。"},
		Stations: stations("failover", "redlock", "fencing", "sql-for-update", "sql-unique-row-lock", "zk-crash-expiry",
			"zk-pause-longer-than-session", "observed-lease", "three-servers"),
		After: OneHour,
	},
}

func stations(names ...string) []Station {
	all := make([]Station, len(names))
	for i, name := range names {
		all[i] = Station{Lesson: name}
	}
	return all
}

// Concerns are the questions that people come with most often.
var Concerns = []Concern{
	{Text{En: "Can two hold it at once?", Zh: "会有两个人同时持有吗？"}, "set-nx", 6},
	{Text{En: "What if the holder crashes?", Zh: "持有者崩溃了怎么办？"}, "no-ttl", 14},
	{Text{En: "Why did nobody get it?", Zh: "锁明明空着，为什么没人拿到？"}, "missed-message", 8},
	{Text{En: "Is my TTL right?", Zh: "我的 TTL 设得对吗？"}, "lease-outlived", 3},
	{Text{En: "Can somebody else release my lock?", Zh: "别人能放掉我的锁吗？"}, "stranger-deletes", 4},
	{Text{En: "Does the watchdog always save me?", Zh: "有看门狗就万无一失吗？"}, "watchdog-and-pause", 12},
	{Text{En: "Is a lease that I name renewed, too?", Zh: "tryLock 传了 leaseTime，还会续期吗？"}, "lease-outlived", 1},
	{Text{En: "What if Redis fails over?", Zh: "Redis 主从切换之后，锁还在吗？"}, "failover", 4},
	{Text{En: "Does RedLock solve it?", Zh: "RedLock 能解决吗？"}, "redlock-pause", 26},
	{Text{En: "How do I keep a late writer out?", Zh: "怎么挡住迟到的写入？"}, "fencing", 7},
	{Text{En: "Where do I call unlock?", Zh: "unlock 该写在哪里？"}, "unlock-in-catch", 18},
	{Text{En: "Why does unlock throw IllegalMonitorStateException?", Zh: "unlock 为什么会抛异常？"}, "lease-outlived", 5},
	{Text{En: "Why is a fair lock slow?", Zh: "公平锁为什么慢？"}, "fair-lock", 10},
	{Text{En: "What if the reply is lost and I send it again?", Zh: "回复丢了，重发一次会怎样？"}, "retried-request", 8},
	{Text{En: "Does a lock make it happen exactly once?", Zh: "加了锁就只执行一次吗？"}, "idempotency-key", 18},
	{Text{En: "Alone inside, and still sold twice?", Zh: "没有人同时进去，库存怎么还是错了？"}, "released-before-commit", 14},
	{Text{En: "Commit first, or unlock first?", Zh: "先提交事务，还是先解锁？"}, "released-before-commit", 19},
	{Text{En: "Does it work in WebFlux and in coroutines?", Zh: "WebFlux 和协程里能用吗？"}, "one-thread-two-tasks", 3},
	{Text{En: "Can Redis throw my lock away?", Zh: "Redis 会自己丢掉我的锁吗？"}, "evicted", 3},
	{Text{En: "Does deleting the cache twice keep it true?", Zh: "延迟双删够用吗？"}, "double-delete", 10},
	{Text{En: "Can I split a hot stock into parts?", Zh: "热点库存能分段加锁吗？"}, "stock-in-parts", 11},
	{Text{En: "Do I need a lock at all?", Zh: "扣库存，真的需要锁吗？"}, "stock-cas", 202},
}
