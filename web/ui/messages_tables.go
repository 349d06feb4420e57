package ui

// Rows of tables, and locks on them.
var (
	rowsEmpty      = msg{"No rows", "没有行"}
	rowsEmptyStart = msg{"The tables are empty.", "表都是空的。"}
	rowsOne        = msg{"1 row", "1 行"}
	rowsMany       = msg{"%d rows", "%d 行"}
	rowsNone       = msg{"no row", "空结果"}
	rowNew         = msg{"a new row %s", "新行 %s"}
	rowWrites      = msg{"%s has written, uncommitted: %s", "%s 已写入，未提交：%s"}
	rowInserts     = msg{"%s has inserted, uncommitted: %s", "%s 已插入，未提交：%s"}
	rowDeletes     = msg{"%s has deleted it, uncommitted", "%s 已删除，未提交"}
	rowRolledBack  = msg{"what %s had written is rolled back", "%s 写入的内容已回滚"}
	lockHas        = msg{"%s has %s", "%s 持有%s"}
	lockWaits      = msg{"%s waits for %s", "%s 等待%s"}
	lockAlone      = msg{"the exclusive lock (X)", "排他锁（X）"}
	lockShared     = msg{"a shared lock (S)", "共享锁（S）"}
	lockGap        = msg{"a lock on the gap before it", "前方间隙的锁"}
	lockInsert     = msg{"its insert into the gap before it", "插入前方间隙"}
	deadlockHead   = msg{"Deadlock: each waits for the next", "死锁：一个等一个，成了环"}
	deadlockWait   = msg{"%s waits for %s: %s", "%s 等 %s：%s"}
	deadlockVictim = msg{"%s is the victim: its transaction is rolled back.", "%s 是牺牲者，它的事务被回滚。"}
	nodeEmbedded   = msg{
		"%s: a small SQL server that comes with the playground and follows MariaDB 10.11.",
		"%s：演练场自带的小型 SQL 服务器，行为依照 MariaDB 10.11。",
	}
)
