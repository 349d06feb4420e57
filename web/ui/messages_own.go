package ui

// Messages about scripts of a visitor's own.
var (
	ownTitle       = msg{"Is your own lock right?", "你自己的锁对不对？"}
	ownWhy         = msg{"Paste its scripts, or the code that has them. Two clients play them, and every schedule is searched: a verdict within a minute.", "把加锁、释放的脚本粘进来，或者直接粘带脚本的代码。两个客户端来跑，所有调度都搜一遍：一分钟内给出结论。"}
	ownTakes       = msg{"What takes the lock (or the whole file)", "加锁的脚本（或整个文件）"}
	ownGives       = msg{"What gives it back, if that is another text", "释放锁的脚本（如果在另一段文本里）"}
	ownGo          = msg{"Search every schedule", "搜索所有调度"}
	ownFailed      = msg{"The server did not answer. Your text is still here: try again in a moment.", "服务器没有响应。你的文本还在：请稍后再试。"}
	ownLong        = msg{"That is more than the server reads at once: paste only the part that has the scripts.", "文本超过了服务器一次能读的长度：请只粘贴有脚本的那部分。"}
	ownKept        = msg{"Go on with the lesson that you have begun here", "接着写你在这里开始的那一课"}
	ownReplaces    = msg{"It takes the place of the new lesson that you have begun here. Export that one first if you want to keep it.", "它会取代你在这里写到一半的新课程。想保留的话，请先把那一课导出。"}
	ownOpen        = msg{"Open it as a lesson", "作为课程打开"}
	ownNobodyFails = msg{"Nobody fails", "谁也不出故障"}
	ownCrash       = msg{"One client may crash", "允许一个客户端崩溃"}
	ownLate        = msg{"Each request may be late by up to %s", "每个请求都可能迟到，最多 %s"}
	ownPause       = msg{"One client may stop for a while", "允许一个客户端停顿"}
	ownAlone       = msg{"%s; asked by itself, “%s”", "%s；单看“%s”"}
	ownHolds       = msg{"%s: it holds in every schedule, if whoever can act does so before time passes.", "%s：只要能动的都及时行动，所有调度下都成立。"}
	ownHoldsLate   = msg{"%s: it holds in every schedule.", "%s：所有调度下都成立。"}
	ownCoarse      = msg{"%s: nothing breaks where the clock stops at few instants; with more of them the search was not finished.", "%s：时钟只在少数时刻停下时没有打破；停得更密的搜索没有做完。"}
	ownBreaks      = msg{"%s: broken in %s moves. %s", "%s：%s 步就能打破。%s"}
	ownStops       = msg{"%s: nothing breaks in %s moves or fewer; more were not searched.", "%s：%s 步以内没有打破；更长的没有搜索。"}
)
