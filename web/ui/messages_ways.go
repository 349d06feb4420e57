package ui

// Messages of the ways through the lessons.
var (
	wayTakes    = msg{"%d lessons · %d min", "%d 课 · %d 分钟"}
	wayAfter    = msg{"· after the hour", "· 先走一小时路线"}
	wayMinutes  = msg{"%d min", "%d 分钟"}
	wayAside    = msg{"Side trips", "支线"}
	wayBegin    = msg{"Begin the hour", "开始一小时路线"}
	wayGoOn     = msg{"Go on with the hour: {0}", "继续一小时路线：{0}"}
	wayEnds     = msg{"At the end: which lock for what", "终点：什么场合用哪种锁"}
	wayTable    = msg{"To the table", "看总表"}
	wayOver     = msg{"This way ends here", "这条路线走完了"}
	wayOthers   = msg{"To the other ways", "看其他路线"}
	wayMenu     = msg{"%s: %d lessons", "%s：%d 课"}
	wayOff      = msg{"side trip", "支线"}
	wayBackOn   = msg{"Back to “%s”", "回到“%s”"}
	wayBackTo   = msg{"Back to “%s”: {0}", "回到“%s”：{0}"}
	wayReaders  = msg{"A way for you", "选一条适合你的路线"}
	wayNext     = msg{"Go on: a way for you", "接下来：选一条适合你的路线"}
	wayConcerns = msg{"You have a question", "带着问题找答案"}

	findLabel   = msg{"Search the lessons", "搜索课程"}
	findExample = msg{"watchdog, SETNX, GC pause …", "看门狗、SETNX、停顿……"}
	findCount   = msg{"{0} found", "找到 {0} 项"}
	findBest    = msg{"{0} found, here are the best {1}", "找到 {0} 项，这里是最相关的 {1} 项"}
	findClosest = msg{"Nothing has all of these words. The closest:", "没有完全匹配的，最接近的是："}
	findNothing = msg{"Nothing is found. Try one word of it, or a command.", "没有找到。换一个词，或者一条命令试试。"}
	findStep    = msg{"a step that answers it", "直达回答它的那一步"}
)
