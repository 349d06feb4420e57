package ui

// homeStake is the heading of the home page, in lines.
var homeStake = []msg{{"Two servers.", "两台服务器，"}, {"One lock.", "一把锁，"}, {"Both inside.", "却都进了临界区。"}}

// Messages of the home page.
var (
	homeIntro    = msg{"A lock in Redis can run out while its holder is still at work. You are the scheduler here: make it happen, then see how real scripts prevent it.", "Redis 的锁到期了，持有者却可能还在干活。在这里，调度由你说了算：先亲手让它出事，再看真实的脚本是怎么防住的。"}
	homeGoOn     = msg{"Go on where you were: {0}", "接着上次学：{0}"}
	homeNext     = msg{"Your next lesson: {0}", "学下一课：{0}"}
	homeSolved   = msg{"{0} of %d challenges", "挑战 {0} / %d"}
	homePath     = msg{"All %d lessons", "全部 %d 节课"}
	homeTally    = msg{"{0} of {1} done", "已学完 {0} / {1}"}
	homeExport   = msg{"Export progress", "导出进度"}
	homeImport   = msg{"Import progress", "导入进度"}
	homeImported = msg{"Imported: {0} more lessons are done.", "导入完成：新增 {0} 节已学完的课。"}
	homeNoImport = msg{"This file is not the progress of a learner here. Choose one that “Export progress” has written.", "这个文件不是这里导出的学习进度。请选择用“导出进度”保存的文件。"}
	homeWrite    = msg{"Know a lock that is not here?", "想讲一把这里没有的锁？"}
	homeWriteWhy = msg{"A lesson is a short text file: clients, scripts and a story. The editor plays it while you type.", "一节课就是一个小文本文件：客户端、脚本和一段故事。编辑器边写边演示。"}

	stripLabel       = msg{"Two clients and a lock whose lease runs out", "两个客户端，和一把会到期的锁"}
	stripAsks        = msg{"Let %s ask", "让 %s 来抢锁"}
	stripPlays       = msg{"It goes on by itself: watch, or press a button before it does.", "它会自动演下去：看着就好，也可以抢先点按钮。"}
	stripYours       = msg{"Your turn: it does not go on by itself from here.", "轮到你了：从这里起不会自动演下去。"}
	stripAgain       = msg{"Once more", "再来一次"}
	stripGoOn        = msg{"Go on: %s is about to unlock", "接着看：%s 就要解锁了"}
	stripInside      = msg{"inside", "在里面"}
	stripOutside     = msg{"outside", "在外面"}
	stripMustWait    = msg{"must wait", "等着重试"}
	stripNoKey       = msg{"no key", "没有 key"}
	stripBoth        = msg{"both inside", "都在里面"}
	stripBothLines   = msg{"both\ninside", "都在\n里面"}
	stripBothShort   = msg{"both\nin", "都在\n里面"}
	stripHeldSays    = msg{"%s has the lock for %s, its lease. Its work takes %s.", "%s 拿到了锁，租期（锁的有效期）%s；它的活要干 %s。"}
	stripTickSays    = msg{"%s of the lease are left. %s needs another %s.", "租期还剩 %s，%s 还要再干 %s。"}
	stripGoneSays    = msg{"The lease is over and Redis has deleted the key. %s is still at work and does not know.", "租期已到，Redis 删掉了 key。%s 还在干活，毫不知情。"}
	stripRefusedSays = msg{"%s is told nil: the key exists. It tries again in %s.", "%s 得到 nil：key 还在。%s后它再试。"}
	stripBothSays    = msg{"%s gets the lock while %s is still at work. Nobody is told of an error.", "%s 拿到了锁，%s 却还没干完。没有任何一方收到报错。"}
)
