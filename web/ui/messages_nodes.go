package ui

import "lockstep/engine"

// words say what a choice would do, and what it did. %[1]s is what it is about, %[2]s a
// link's other end or the message that was lost, %[3]s how far a clock jumps.
type words struct{ may, did msg }

// choiceWords has the words for each of engine.ChoiceKinds, as wordsFor looks them up.
var choiceWords = map[string]words{
	"run":                   {may: msg{"run %[1]s", "执行 %[1]s"}},
	"tick":                  {may: msg{"move the clock", "推进时钟"}},
	"crash":                 {msg{"crash %[1]s", "让 %[1]s 崩溃"}, msg{"The process %[1]s crashed", "进程 %[1]s 崩溃"}},
	"crash node":            {msg{"crash %[1]s", "让 %[1]s 宕机"}, msg{"The server %[1]s crashed, and lost all that it held", "节点 %[1]s 宕机，内存中的数据全部丢失"}},
	"restart":               {msg{"restart %[1]s empty", "重启 %[1]s（数据为空）"}, msg{"The server %[1]s started again, empty", "节点 %[1]s 重新启动，没有任何数据"}},
	"restart from snapshot": {msg{"restart %[1]s from its snapshot", "用快照重启 %[1]s"}, msg{"The server %[1]s started again with its snapshot", "节点 %[1]s 重新启动，并载入快照"}},
	"save":                  {msg{"snapshot %[1]s", "保存 %[1]s 的快照"}, msg{"The server %[1]s saved a snapshot", "节点 %[1]s 保存了快照"}},
	"pause":                 {msg{"pause %[1]s", "暂停 %[1]s"}, msg{"The process %[1]s was paused", "进程 %[1]s 被暂停"}},
	"pause node":            {msg{"pause %[1]s", "暂停 %[1]s"}, msg{"The server %[1]s was paused", "节点 %[1]s 被暂停"}},
	"resume":                {msg{"resume %[1]s", "恢复 %[1]s"}, msg{"The process %[1]s was resumed", "进程 %[1]s 恢复运行"}},
	"resume node":           {msg{"resume %[1]s", "恢复 %[1]s"}, msg{"The server %[1]s was resumed", "节点 %[1]s 恢复运行"}},
	"drop":                  {msg{"lose a message to %[1]s", "丢弃发往 %[1]s 的消息"}, msg{"The message “%[2]s” to %[1]s was lost", "消息“%[2]s”在到达 %[1]s 前丢失"}},
	"cut":                   {msg{"lose requests %[1]s → %[2]s", "丢失请求 %[1]s → %[2]s"}, msg{"From now on, requests from %[1]s to %[2]s are lost", "从现在起，%[1]s 发往 %[2]s 的请求都会丢失"}},
	"cut node":              {msg{"lose replies %[1]s → %[2]s", "丢失返回 %[1]s → %[2]s"}, msg{"From now on, replies and messages from %[1]s to %[2]s are lost", "从现在起，%[1]s 发往 %[2]s 的返回和消息都会丢失"}},
	"cut nodes":             {msg{"cut %[1]s → %[2]s", "切断 %[1]s → %[2]s"}, msg{"From now on, nothing from %[1]s reaches %[2]s", "从现在起，%[1]s 发出的内容都到不了 %[2]s"}},
	"heal":                  {msg{"heal %[1]s ↔ %[2]s", "恢复连接 %[1]s ↔ %[2]s"}, msg{"%[1]s and %[2]s reach each other again", "%[1]s 与 %[2]s 恢复连通"}},
	"clock":                 {msg{"clock of %[1]s %[3]s", "%[1]s 的时钟 %[3]s"}, msg{"The clock of %[1]s jumped %[3]s", "%[1]s 的时钟%[3]s"}},
	"replicate":             {msg{"next write reaches %[1]s", "下一条写入到达 %[1]s"}, msg{"The next write reached %[1]s", "下一条写入到达 %[1]s"}},
	"replicate all":         {msg{"all writes reach %[1]s", "全部写入到达 %[1]s"}, msg{"All writes on their way reached %[1]s", "在途的写入全部到达 %[1]s"}},
	"promote":               {msg{"promote %[1]s", "提升 %[1]s 为主节点"}, msg{"%[1]s was promoted", "%[1]s 被提升为主节点"}},
}

// Nodes.
var (
	nodeDown      = msg{"down", "已宕机"}
	nodePaused    = msg{"paused", "已暂停"}
	nodeLeads     = msg{"leads", "主节点"}
	nodeReplica   = msg{"replica of %s", "%s 的副本"}
	nodeLost      = msg{"lost %s", "与 %s 失联"}
	nodeHasAll    = msg{"has all writes", "已一致"}
	nodeBehind    = msg{"behind by %d", "少 %d 条写入"}
	nodeSaved     = msg{"has a snapshot", "有快照"}
	nodeInbox     = msg{"inbox: %d", "待处理：%d"}
	nodeQueue     = msg{"On their way from %s:", "来自 %s 的在途写入："}
	nodeAll       = msg{"everything", "全部数据"}
	nodeNext      = msg{"next arrives", "到达一条"}
	nodeNextAll   = msg{"all arrive", "全部到达"}
	nodeWait      = msg{"%s waits here for %s", "%s 在此等待 %s"}
	nodeWaitBy    = msg{"because of %s", "受阻于 %s"}
	nodeReplicas  = msg{"%d replicas", "%d 个副本"}
	keySlot       = msg{"slot %d", "槽 %d"}
	keyLost       = msg{"lost", "已丢失"}
	jumpForward   = msg{"forward by %s", "向前跳了 %s"}
	jumpBack      = msg{"back by %s", "向后跳了 %s"}
	clockOff      = msg{"clock %s", "时钟 %s"}
	cutRequests   = msg{"%s ⇸ %s: requests are lost", "%s ⇸ %s：请求丢失"}
	cutReplies    = msg{"%s ⇸ %s: replies are lost", "%s ⇸ %s：返回丢失"}
	cutNodes      = msg{"%s ⇸ %s: nothing arrives", "%s ⇸ %s：无法到达"}
	actorAnswered = msg{"its reply is there", "返回已到，可以接收"}
	actorTakes    = msg{"take the reply to %s", "接收 %s 的返回"}
	nextReply     = msg{"next: takes the reply from %s", "下一步：接收 %s 的返回"}
)

// What a step did where there are several nodes, or no reply at once.
var (
	askedOn       = msg{"%s on %s", "%s 在 %s"}
	sentTo        = msg{"%s to %s", "%s 向 %s"}
	thingOn       = msg{"%s on %s", "%[2]s 上的 %[1]s"}
	repliedOn     = msg{"%s on %s", "%[2]s 对 %[1]s"}
	saidTaken     = msg{"%s got the reply to %s: %s", "%s 收到 %s 的返回：%s"}
	saidTakenNone = msg{"%s got the reply to %s", "%s 收到 %s 的返回"}
	saidRefusedOn = msg{"%s ran %s and was refused %s: %s", "%[1]s 对 %[3]s 执行 %[2]s，被拒绝（返回 %[4]s）"}
	saidAnswered  = msg{"%s answered %s: %s", "%s 返回给 %s：%s"}
	saidClosed    = msg{"The connection of %s to %s ended", "%s 到 %s 的连接断开"}
	saidMissed    = msg{"The message “%s” on %s was lost on its way to %s", "消息“%s”（频道 %s）在发往 %s 的途中丢失"}
	saidLeads     = msg{"%s leads", "%s 成为主节点"}
	saidFollows   = msg{"%s has all that %s wrote", "%s 已与 %s 一致"}
	saidBehind    = msg{"%s is behind %s by %d", "%s 比 %s 少 %d 条写入"}
	saidSendsAll  = msg{"%s will be sent all that %s holds", "%[2]s 的全部数据将发往 %[1]s"}
	saidLostTouch = msg{"%s and %s have lost each other", "%s 与 %s 失去联系"}
)

// noReplyWords say what became of a request that has no reply, and stand where the reply would.
var noReplyWords = map[engine.NoReply]struct{ said, short msg }{
	engine.RequestLost: {msg{"%s sent %s, and the request was lost", "%s 发送 %s，请求丢失"}, msg{"request lost", "请求丢失"}},
	engine.ReplyLost:   {msg{"%s sent %s: it was done, and the reply was lost", "%s 发送 %s，已经执行，但返回丢失"}, msg{"reply lost", "返回丢失"}},
	engine.NodePaused:  {msg{"%s sent %s: the server is paused, and does it when it goes on", "%s 发送 %s，节点已暂停，恢复后才会执行"}, msg{"server is paused", "节点已暂停"}},
	engine.InNode:      {msg{"%s sent %s: the request waits at the server", "%s 发送 %s，请求在服务器端阻塞等待"}, msg{"waiting", "在服务器端阻塞"}},
}
