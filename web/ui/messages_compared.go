package ui

// Messages of the comparison of locks.
var (
	comparedTitle    = msg{"Three places for a lock", "锁放在哪里：三种做法的比较"}
	comparedIntro    = msg{"A database, Redis and ZooKeeper answer the same questions in different ways. Where a lesson shows the answer, a link leads to the step.", "同样的问题，数据库、Redis 和 ZooKeeper 的答案各不相同。有课程演示的，都附上链接，直达那一步。"}
	comparedAtStep   = msg{"Step %d of “%s”", "《%[2]s》第 %[1]d 步"}
	comparedNoLesson = msg{"No lesson shows this yet.", "还没有课程演示这一点。"}
	comparedOpen     = msg{"The locks of a database, of Redis and of ZooKeeper in one table", "一张表看数据库、Redis 和 ZooKeeper 的锁"}
)

// The columns.
const (
	aRow = iota
	aKey
	aZnode
)

var comparedLocks = [...]msg{
	aRow:   {"A row in a database", "数据库里的一行"},
	aKey:   {"A key in Redis", "Redis 里的 key"},
	aZnode: {"A znode in ZooKeeper", "ZooKeeper 里的 znode"},
}

var comparedRows = []comparedRow{
	{msg{"Who holds it?", "锁在谁手里？"}, []lockFact{
		{aRow, msg{"Row lock: the transaction that has read the row with `SELECT … FOR UPDATE`. The row itself does not say so.", "行锁：用 `SELECT … FOR UPDATE` 读了这一行的事务。从行的内容看不出来。"}, "sql-for-update", 2},
		{aRow, msg{"Inserted row: whoever inserted it, since the primary key allows only one. A column names the owner.", "插入的行：谁插进去就归谁，主键保证只有一行；持有者记在某一列里。"}, "sql-unique-row-lock", 1},
		{aKey, msg{"`SET NX`: whoever created the key. The value should name the owner, and `DEL` does not look at it.", "`SET NX`：谁创建了 key 就归谁。值里应写明持有者，但 `DEL` 并不看值。"}, "set-nx", 8},
		{aKey, msg{"Redisson: a thread. A hash has the field `process:thread`, with how often it has entered.", "Redisson：某个线程。hash 里的 field 是 `进程:线程`，值是重入次数。"}, "redisson-lock", 1},
		{aZnode, msg{"The client whose znode has the lowest number.", "谁的 znode 编号最小，锁就归谁。"}, "zk-predecessor", 2},
	}},
	{msg{"What ends it when the holder crashes?", "持有者崩溃后，锁靠什么结束？"}, []lockFact{
		{aRow, msg{"Row lock: the database sees the connection break, rolls back, and the next one has the row at once.", "行锁：数据库发现连接断开就回滚，下一个立刻拿到这一行。"}, "three-servers", 11},
		{aRow, msg{"Inserted row: nothing. It was committed, and stays until somebody deletes it.", "插入的行：什么都没有。它早已提交，会一直留到有人来删。"}, "three-servers", 22},
		{aKey, msg{"`SET NX`: its TTL, and nothing else.", "`SET NX`：只靠 TTL 到期。"}, "three-servers", 19},
		{aKey, msg{"Redisson: the watchdog dies with the process, so the last lease runs out, by default after 30 s at most.", "Redisson：看门狗随进程一起消失，最后一次续的租期走完就结束，默认最多 30 秒。"}, "redisson-lock", 22},
		{aZnode, msg{"The session: when no ping has come for its timeout, ZooKeeper deletes the znode.", "靠会话：超时时间内没有心跳，ZooKeeper 就删掉 znode。"}, "zk-crash-expiry", 9},
	}},
	{msg{"And when its whole machine loses power?", "要是它的整台机器断电呢？"}, []lockFact{
		{aRow, msg{"Row lock: nobody ends the connection. It stays until TCP keepalive or `wait_timeout` (8 h) notices.", "行锁：没人断开连接，锁一直在，直到 TCP keepalive 或 `wait_timeout`（8 小时）发现。"}, "dead-machine", 13},
		{aKey, msg{"The same: its TTL. It asks nobody whether the holder is alive.", "一样，靠 TTL。它本来就不问持有者是死是活。"}, "three-servers", 19},
		{aZnode, msg{"The same: its session, as the pings stop.", "一样，靠会话：心跳停了。"}, "three-servers", 15},
	}},
	{msg{"What if the holder is alive, but slow or paused?", "持有者活着，只是慢了或停住了，会怎样？"}, []lockFact{
		{aRow, msg{"Row lock: the connection is open, so the lock stays. Nobody else gets in, and a waiter may give up with error 1205.", "行锁：连接还在，锁就在。别人进不来，等太久会得到错误 1205。"}, "sql-for-update", 11},
		{aKey, msg{"`SET NX`: the lease runs out, and the next one gets in beside the holder.", "`SET NX`：租期照样走完，下一个进来，里面就有了两个。"}, "set-nx", 6},
		{aKey, msg{"Redisson: the watchdog stands still with its process, and the same happens.", "Redisson：进程停住，看门狗也停住，结果一样。"}, "watchdog-and-pause", 12},
		{aZnode, msg{"Slow: nothing happens, since the pings go on in the background.", "慢：没关系，后台照常发心跳。"}, "zk-crash-expiry", 6},
		{aZnode, msg{"Paused: the pings stop, the session expires, and two are inside.", "停住：心跳停了，会话过期，里面就有了两个。"}, "zk-pause-longer-than-session", 9},
	}},
	{msg{"In which order do waiters get it?", "等待者按什么顺序拿到锁？"}, []lockFact{
		{aRow, msg{"Row lock: the statement waits in the database, which hands the row over the moment that it is free.", "行锁：语句在数据库里等，行一空出来，数据库就把它交给等待的语句。"}, "sql-for-update", 7},
		{aRow, msg{"Inserted row: there is no queue. Whoever is refused does not wait in the database, but asks again later.", "插入的行：没有队列。被拒绝的不在数据库里等，过一会儿再来试。"}, "sql-unique-row-lock", 2},
		{aKey, msg{"Asking again and again keeps no order: the lock is free, the early client sleeps, and whoever asks now would get it.", "反复去问就没有顺序：锁空着，先来的还在睡，这时谁来问就归谁。"}, "spin-lock", 15},
		{aKey, msg{"Redisson's fair lock: as in a list. Whoever does not come in time loses the place.", "Redisson 公平锁：按 list 里的先后。到时间没来，位置作废。"}, "fair-lock", 22},
		{aZnode, msg{"One znode for all: whoever is quickest.", "大家争一个 znode：谁快归谁。"}, "zk-herd", 11},
		{aZnode, msg{"A znode for each: by their numbers.", "每人一个顺序 znode：按编号先后。"}, "zk-predecessor", 16},
	}},
	{msg{"What does taking it cost?", "拿锁的代价是什么？"}, []lockFact{
		{aRow, msg{"Row lock: no write to disk to wait for, but a connection and a transaction for as long as it is held.", "行锁：不用等写盘，但持有多久，就占多久的连接和事务。"}, "three-servers", 3},
		{aRow, msg{"Inserted row: a write to disk, and another one to give it back.", "插入的行：拿锁写一次盘，还锁再写一次盘。"}, "three-servers", 1},
		{aKey, msg{"One request to memory, so it is quick. With Redisson's watchdog, by default one more every ten seconds.", "一次内存操作，很快。用 Redisson 的看门狗，默认每 10 秒再多一次请求。"}, "three-servers", 4},
		{aKey, msg{"It is answered before it is on disk, which is quick: with `appendfsync everysec` the last second may be lost, without `appendonly yes` (the default) more.", "还没落盘就返回，所以快：用 `appendfsync everysec` 可能丢最后一秒，没开 `appendonly yes`（默认）会丢更多。"}, "last-second", 3},
		{aKey, msg{"RedLock: a request to each server.", "RedLock：每台服务器一个请求。"}, "redlock", 5},
		{aZnode, msg{"Most servers have it on disk before it is answered: that takes longer.", "多数服务器写了盘才返回：慢一些。"}, "three-servers", 5},
	}},
	{msg{"What does waiting cost?", "等锁的代价是什么？"}, []lockFact{
		{aRow, msg{"Row lock: an open connection and transaction for each waiter.", "行锁：每个等待者占着一个连接和一个事务。"}, "sql-for-update", 4},
		{aRow, msg{"Inserted row: a statement for each attempt, which fails with error 1062.", "插入的行：每试一次就是一条语句，以错误 1062 失败。"}, "sql-unique-row-lock", 2},
		{aKey, msg{"Asking again and again: a request each time, and time in which the lock is free and nobody asks.", "反复去问：每次一个请求；锁空出来时，等待者可能还在睡。"}, "spin-lock", 17},
		{aKey, msg{"Redisson: a subscription and few requests. When the message is lost, the waiter sleeps on beside a free lock.", "Redisson：一个订阅，请求很少。消息一旦丢失，等待者就守着空锁继续睡。"}, "missed-message", 9},
		{aZnode, msg{"One znode for all: each release wakes everybody, and at most one of them gets it.", "大家争一个 znode：每次释放叫醒所有人，最多一个能拿到。"}, "zk-herd", 17},
		{aZnode, msg{"A znode for each: each release wakes one.", "每人一个顺序 znode：每次释放只叫醒一个。"}, "zk-predecessor", 10},
	}},
	{msg{"Can a holder that comes too late be stopped?", "迟到的持有者拦得住吗？"}, []lockFact{
		{aRow, msg{"Row lock: a slow holder is not late, since the lock stays for as long as its transaction is open.", "行锁：慢也不算迟到。事务没结束，锁就一直在。"}, "sql-for-update", 16},
		{aRow, msg{"Inserted row: not by the lock. A version column in the data can do it: a write with an old version changes no row.", "插入的行：锁本身拦不住。数据里的版本号可以：带着旧版本来写，改动 0 行。"}, "sql-version-cas", 5},
		{aKey, msg{"Not by the key. A counter gives each holder a higher token, and the store must refuse the lower ones.", "key 本身拦不住。用一个计数器给每个持有者发递增的令牌，由存储拒绝旧令牌。"}, "fencing", 7},
		{aZnode, msg{"Not by the znode. Its czxid serves as a token, if the store checks it.", "znode 本身拦不住。它的 czxid 可以当令牌，前提是存储会检查。"}, "zk-pause-longer-than-session", 12},
	}},
	{msg{"What if another server takes over?", "服务器故障转移之后呢？"}, []lockFact{
		{aRow, msg{"Row lock: it ends with its connection. Inserted row: it is lost if the replica that takes over has not got it yet.", "行锁：随连接一起结束。插入的行：接任的从库还没收到的话，就丢了。"}, "", 0},
		{aKey, msg{"The replica may not have the key yet: it is given away a second time.", "从节点可能还没收到这个 key，锁就会再发出去一次。"}, "failover", 4},
		{aKey, msg{"The counter of the fencing tokens goes back with it, and a token comes twice.", "发令牌的计数器也跟着倒退，同一个令牌会发两次。"}, "token-twice", 4},
		{aKey, msg{"With `WAIT` a client enters only when a replica has the key. That helps if it is the one that takes over.", "用 `WAIT` 等到有从节点收到才进入；接任的恰好是它，锁才还在。"}, "wait", 17},
		{aZnode, msg{"Most servers have a znode before its creation is answered, and the session goes on with another server: the lock stays.", "多数服务器写入之后才算创建成功，会话也能换一台服务器继续：锁还在。"}, "", 0},
	}},
	{msg{"When can nobody get it?", "什么时候谁也拿不到锁？"}, []lockFact{
		{aRow, msg{"While the database is down or fails over.", "数据库宕机，或正在主从切换。"}, "", 0},
		{aKey, msg{"One Redis: while it is down. With `WAIT` for a copy: also while no replica answers.", "单个 Redis：宕机期间。用 `WAIT` 等副本：从节点没有回应时也拿不到。"}, "wait", 6},
		{aKey, msg{"RedLock: when most of the servers are down. A minority may fail.", "RedLock：多数服务器宕机时。坏掉少数几台不要紧。"}, "redlock", 24},
		{aZnode, msg{"When most of the servers are down.", "多数服务器宕机时。"}, "", 0},
	}},
}
