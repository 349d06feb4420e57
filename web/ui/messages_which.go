package ui

// whichRow is a choice of a lock: what somebody needs, and what serves it, with the lesson that shows why.
type whichRow struct {
	Need, Use, Why msg
	Lesson         string
}

// Messages of the table that says which lock is for what.
var (
	whichTitle  = msg{"Which lock for what", "什么场合用哪种锁"}
	whichIntro  = msg{"The first row that fits is the simplest that serves.", "从上往下，第一条符合的就是够用的最简单做法。"}
	whichNeed   = msg{"What you need", "你的需要"}
	whichUse    = msg{"What serves", "够用的做法"}
	whichWhy    = msg{"Because", "理由"}
	whichLesson = msg{"“%s” shows it", "见《%s》"}
)

var whichRows = []whichRow{
	{
		msg{"Sell no more than there is", "不能卖超"},
		msg{"No lock: one write with a condition, `WHERE stock > 0` or a script", "不用锁：一条带条件的写，`WHERE stock > 0`，或一段脚本"},
		msg{"To look and to take are one step already.", "检查和扣减本来就是一步。"},
		"stock-cas",
	},
	{
		msg{"Spare yourself double work, which does no harm when it happens", "只想少做重复的活，偶尔重复也没有害处"},
		msg{"`SET NX PX` with a token of your own, and a script that compares before it deletes", "`SET NX PX`，值写自己的令牌；用脚本先比对再删除"},
		msg{"One key on one Redis. A pause or a failover may let two in.", "一台 Redis 上的一个 key。停顿或故障转移时，可能进来两个。"},
		"compare-and-delete",
	},
	{
		msg{"Calls that take the same lock again inside", "调用里面还会再拿同一把锁"},
		msg{"A lock that knows its owner and counts: Redisson's `RLock`, Curator's `InterProcessMutex`", "认得持有者、会计数的锁：Redisson 的 `RLock`，Curator 的 `InterProcessMutex`"},
		msg{"Any other one locks its holder out.", "换成别的锁，会把自己锁在门外。"},
		"reentrant-lock",
	},
	{
		msg{"Work of which nobody knows how long it takes", "谁也不知道活要干多久"},
		msg{"Redisson's `lock()` without a lease: its watchdog renews", "Redisson 的 `lock()`，不传租期：看门狗会续期"},
		msg{"A lease of your own ends while you work. The watchdog ends with the process.", "自己定的租期会在干活时到期；看门狗随进程一起结束。"},
		"redisson-lock",
	},
	{
		msg{"All data is in one database", "数据都在同一个数据库里"},
		msg{"The database: `SELECT … FOR UPDATE` around a short change", "就用数据库：短事务里 `SELECT … FOR UPDATE`"},
		msg{"The lock and the change end together, at the commit.", "锁和修改同时在提交时结束。"},
		"sql-for-update",
	},
	{
		msg{"Two writers would damage the data", "两个写者会弄坏数据"},
		msg{"Any lock, and a number that grows with each holder, which the store checks", "任何一种锁，再加一个逐次递增的令牌，由存储来检查"},
		msg{"No lock knows of a holder that stands still and then goes on.", "持有者停住了又醒过来，没有一种锁知道。"},
		"fencing",
	},
	{
		msg{"The lock must outlive the loss of a server", "坏掉一台服务器，锁也不能丢"},
		msg{"ZooKeeper, where most of the servers must have agreed; and still the number", "ZooKeeper：多数服务器同意才算数；令牌仍然要有"},
		msg{"Redis says yes before its replica knows.", "Redis 先答应，从节点后知道。"},
		"failover",
	},
	{
		msg{"First come, first served", "先来后到"},
		msg{"ZooKeeper's numbered znodes, or Redisson's fair lock", "ZooKeeper 的顺序 znode，或 Redisson 的公平锁"},
		msg{"Whoever asks again and again gets in by luck.", "反复去问，谁进来全凭运气。"},
		"zk-predecessor",
	},
	{
		msg{"Many who read, few who write", "读多写少"},
		msg{"A read-write lock", "读写锁"},
		msg{"Readers need not wait for each other.", "读者之间不用互相等。"},
		"read-write-lock",
	},
	{
		msg{"At most so many at a time", "同时最多若干个"},
		msg{"A semaphore whose permits expire", "许可会过期的信号量"},
		msg{"A plain permit is gone for ever when its holder crashes.", "普通许可，持有者一崩溃就再也回不来。"},
		"expirable-permits",
	},
}
