package ui

// words say what a choice would do, what it did, and what a search calls the fault whose number it bounds.
// %[1]s is what it is about, %[2]s a link's other end or the message that was lost, %[3]s how far a clock jumps.
type words struct{ may, did, bounded msg }

// choiceWords has the words for each of engine.ChoiceKinds, as wordsFor looks them up.
var choiceWords = map[string]words{
	"run":                   {may: msg{"run %[1]s", "执行 %[1]s"}},
	"tick":                  {may: msg{"move the clock", "推进时钟"}},
	"crash":                 {msg{"crash %[1]s", "让 %[1]s 崩溃"}, msg{"The process %[1]s crashed", "进程 %[1]s 崩溃"}, msg{"crash", "崩溃"}},
	"crash node":            {may: msg{"crash %[1]s", "让 %[1]s 宕机"}, did: msg{"The server %[1]s crashed, and lost all that it held", "节点 %[1]s 宕机，内存中的数据全部丢失"}},
	"restart":               {may: msg{"restart %[1]s empty", "重启 %[1]s（数据为空）"}, did: msg{"The server %[1]s started again, empty", "节点 %[1]s 重新启动，没有任何数据"}},
	"restart from snapshot": {may: msg{"restart %[1]s from its snapshot", "用快照重启 %[1]s"}, did: msg{"The server %[1]s started again with its snapshot", "节点 %[1]s 重新启动，并载入快照"}},
	"save":                  {msg{"snapshot %[1]s", "保存 %[1]s 的快照"}, msg{"The server %[1]s saved a snapshot", "节点 %[1]s 保存了快照"}, msg{"snapshot", "快照"}},
	"pause":                 {msg{"pause %[1]s", "暂停 %[1]s"}, msg{"The process %[1]s was paused", "进程 %[1]s 被暂停"}, msg{"pause", "暂停"}},
	"pause node":            {may: msg{"pause %[1]s", "暂停 %[1]s"}, did: msg{"The server %[1]s was paused", "节点 %[1]s 被暂停"}},
	"resume":                {may: msg{"resume %[1]s", "恢复 %[1]s"}, did: msg{"The process %[1]s was resumed", "进程 %[1]s 恢复运行"}},
	"resume node":           {may: msg{"resume %[1]s", "恢复 %[1]s"}, did: msg{"The server %[1]s was resumed", "节点 %[1]s 恢复运行"}},
	"drop":                  {msg{"lose a message to %[1]s", "丢弃发往 %[1]s 的消息"}, msg{"The message “%[2]s” to %[1]s was lost", "消息“%[2]s”在到达 %[1]s 前丢失"}, msg{"lost message", "丢失消息"}},
	"cut":                   {msg{"lose requests %[1]s → %[2]s", "丢失请求 %[1]s → %[2]s"}, msg{"From now on, requests from %[1]s to %[2]s are lost", "从现在起，%[1]s 发往 %[2]s 的请求都会丢失"}, msg{"cut link", "断开连接"}},
	"cut node":              {may: msg{"lose replies %[1]s → %[2]s", "丢失返回 %[1]s → %[2]s"}, did: msg{"From now on, replies and messages from %[1]s to %[2]s are lost", "从现在起，%[1]s 发往 %[2]s 的返回和消息都会丢失"}},
	"cut nodes":             {may: msg{"cut %[1]s → %[2]s", "切断 %[1]s → %[2]s"}, did: msg{"From now on, nothing from %[1]s reaches %[2]s", "从现在起，%[1]s 发出的内容都到不了 %[2]s"}},
	"heal":                  {may: msg{"heal %[1]s ↔ %[2]s", "恢复连接 %[1]s ↔ %[2]s"}, did: msg{"%[1]s and %[2]s reach each other again", "%[1]s 与 %[2]s 恢复连通"}},
	"clock":                 {msg{"clock of %[1]s %[3]s", "%[1]s 的时钟 %[3]s"}, msg{"The clock of %[1]s jumped %[3]s", "%[1]s 的时钟%[3]s"}, msg{"clock that jumps", "时钟跳变"}},
	"replicate":             {may: msg{"next write reaches %[1]s", "下一条写入到达 %[1]s"}, did: msg{"The next write reached %[1]s", "下一条写入到达 %[1]s"}},
	"replicate all":         {may: msg{"all writes reach %[1]s", "全部写入到达 %[1]s"}, did: msg{"All writes on their way reached %[1]s", "在途的写入全部到达 %[1]s"}},
	"promote":               {msg{"promote %[1]s", "提升 %[1]s 为主节点"}, msg{"%[1]s was promoted", "%[1]s 被提升为主节点"}, msg{"failover", "主从切换"}},
}
